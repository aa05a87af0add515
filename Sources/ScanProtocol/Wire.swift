// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// The shapes of the messages on the sockets, as `docs/protocol.md` describes them.
public enum Wire {
    /// The version that `hello` names. A newer minor version only adds; unknown members and methods are to be ignored.
    public static let version = "1.0"

    /// The first line of every connection.
    public struct Hello: Codable, Sendable, Hashable {
        public var protocolVersion: String
        /// The server's version.
        public var server: String
        /// A UUID of this run of the server: another one means that all IDs and sequences started anew.
        public var session: String
        public var camera: String
        /// The sequence of the newest event so far.
        public var sequence: UInt64
        public var limits: ProtocolLimits

        public init(
            protocolVersion: String = Wire.version, server: String, session: String, camera: String, sequence: UInt64,
            limits: ProtocolLimits
        ) {
            self.protocolVersion = protocolVersion
            self.server = server
            self.session = session
            self.camera = camera
            self.sequence = sequence
            self.limits = limits
        }

        private enum CodingKeys: String, CodingKey {
            case protocolVersion = "protocol"
            case server, session, camera, sequence, limits
        }
    }

    /// Which frame an event belongs to.
    public struct Frame: Codable, Sendable, Hashable {
        public var sequence: UInt64
        /// RFC 3339, for display.
        public var time: String
        /// CLOCK_MONOTONIC in nanoseconds.
        public var monotonic: Int64
    }

    /// The corners of an item, each `[x, y]` in 0...1 of the frame, named from the item's own point of view.
    public struct Bounds: Codable, Sendable, Hashable {
        public var topLeft: [Double]
        public var topRight: [Double]
        public var bottomRight: [Double]
        public var bottomLeft: [Double]
    }

    /// What a barcode says: always as base64, as text where its encoding is known.
    public struct Payload: Codable, Sendable, Hashable {
        public var string: String?
        public var encoding: String?
        /// True where the symbol names no encoding and `encoding` is its symbology's own; otherwise absent.
        public var encodingGuessed: Bool?
        public var base64: String
    }

    /// Which part of a message that goes over several symbols.
    public struct Part: Codable, Sendable, Hashable {
        /// From 0.
        public var index: Int
        /// Absent where the symbol does not tell.
        public var count: Int?
        /// What the parts share; absent where there is nothing of the kind.
        public var identifier: String?
    }

    /// An item; which members are there depends on `kind`.
    public struct Item: Codable, Sendable, Hashable {
        public var id: String
        /// `barcode`, `text`, or what a newer server adds.
        public var kind: String
        public var bounds: Bounds
        public var confidence: Double
        public var firstSeen: String
        public var lastSeen: String
        public var symbology: String?
        public var payload: Payload?
        /// Two or five digits of the add-on beside an EAN or UPC.
        public var supplement: String?
        public var part: Part?
        public var symbologyIdentifier: String?
        // True or absent.
        public var inverted: Bool?
        public var mirrored: Bool?
        public var readerProgramming: Bool?
        /// True or absent.
        public var isGS1: Bool?
        public var gtin: String?
        /// What the GS1 element strings say, by application identifier; absent where they do not parse.
        public var gs1: [String: String]?
        /// Why they do not parse.
        public var gs1Error: String?
        /// 18 digits.
        public var sscc: String?
        // Dates of the element strings, as RFC 3339 (`2026-11-30`).
        public var productionDate: String?
        public var dueDate: String?
        public var packagingDate: String?
        public var bestBeforeDate: String?
        public var sellByDate: String?
        public var expiryDate: String?
        public var transcript: String?
        public var languages: [String]?
        /// In `didRemove` only: why it left.
        public var reason: String?
    }

    /// `didAdd`, `didUpdate` and `didRemove`.
    public struct ItemsChange: Codable, Sendable, Hashable {
        public var items: [Item]
        /// The IDs of all items in reading order; absent in an update that did not change it.
        public var allItems: [String]?
        public var frame: Frame
        public var sequence: UInt64
        public var time: String
    }

    /// All items in reading order, as they were after the event with this sequence; also the answer to `getItems`.
    public struct Snapshot: Codable, Sendable, Hashable {
        public var items: [Item]
        public var sequence: UInt64
        public var time: String
        /// True when the next line is a snapshot that continues this one, because one line could not hold all.
        public var more: Bool?
        /// Why no frames come, while none come.
        public var unavailable: Reason?
    }

    /// A code for programs and a message for people.
    public struct Reason: Codable, Sendable, Hashable {
        public var code: String
        public var message: String

        public init(code: String, message: String) {
            self.code = code
            self.message = message
        }
    }

    /// A symbology that the server can read, and the libraries that read it.
    public struct SymbologyEngines: Codable, Sendable, Hashable {
        /// In the order in which they are asked.
        public var engines: [String]
        public var symbology: String

        public init(symbology: String, engines: [String]) {
            self.symbology = symbology
            self.engines = engines
        }
    }

    /// `becameUnavailable`.
    public struct Unavailability: Codable, Sendable, Hashable {
        public var code: String
        public var message: String
        public var sequence: UInt64
        public var time: String
    }

    /// `guidance`: something keeps codes or text from being read, or no longer does.
    public struct GuidanceChange: Codable, Sendable, Hashable {
        /// A raw value of `Guidance`, or one that this version does not know.
        public var guidance: String
        public var isActive: Bool
        public var frame: Frame
        public var sequence: UInt64
        public var time: String

        enum CodingKeys: String, CodingKey {
            case guidance, frame, sequence, time
            case isActive = "active"
        }
    }

    /// `becameAvailable`, an event with its own sequence, and `heartbeat`, which repeats the newest event's.
    public struct Moment: Codable, Sendable, Hashable {
        public var sequence: UInt64
        public var time: String
    }
}
