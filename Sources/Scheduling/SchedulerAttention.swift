// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ScanModel

/// What the tracker knows that helps to decide where to look.
public struct SchedulerAttention: Sendable, Hashable {
    /// Whether the place of a followed barcode still looks like it.
    public enum Presence: Sendable, Hashable {
        /// It looks as it did when the barcode was read.
        case there
        /// Something is before it.
        case covered
        /// That can not be said.
        case unknown
        /// It is seen, and does not look like it.
        case missing
    }

    /// A barcode that is followed.
    public struct Barcode: Sendable, Hashable {
        public var key: PlaceKey
        /// In 0...1 of the frame.
        public var bounds: Quad
        public var symbology: Symbology
        /// Whether it is announced.
        public var isCertain: Bool
        /// When the frame was taken in which it was last read.
        public var lastRead: MonotonicTime?
        /// Looks in a row that covered its place and did not see it.
        public var missed: Int
        public var presence: Presence

        public init(
            key: PlaceKey, bounds: Quad, symbology: Symbology, isCertain: Bool, lastRead: MonotonicTime?,
            missed: Int = 0,
            presence: Presence = .unknown
        ) {
            self.key = key
            self.bounds = bounds
            self.symbology = symbology
            self.isCertain = isCertain
            self.lastRead = lastRead
            self.missed = missed
            self.presence = presence
        }
    }

    /// A place that looks like a code and gave no reading.
    public struct UnreadCode: Sendable, Hashable {
        /// In 0...1 of the frame.
        public var bounds: Quad
        /// The width of its smallest bar or square in pixels of the frame, where it is known.
        public var moduleSize: Double?
        public var lastSeen: MonotonicTime

        public init(bounds: Quad, moduleSize: Double?, lastSeen: MonotonicTime) {
            self.bounds = bounds
            self.moduleSize = moduleSize
            self.lastSeen = lastSeen
        }
    }

    /// A line of text that is followed.
    public struct Line: Sendable, Hashable {
        /// In 0...1 of the frame.
        public var bounds: Quad
        /// Whether its transcript is announced and its last readings agree.
        public var isSettled: Bool
        /// When it was last read, not only found.
        public var lastRead: MonotonicTime?

        public init(bounds: Quad, isSettled: Bool, lastRead: MonotonicTime?) {
            self.bounds = bounds
            self.isSettled = isSettled
            self.lastRead = lastRead
        }
    }

    public var barcodes: [Barcode]
    public var lines: [Line]
    public var unreadCodes: [UnreadCode]
    /// Barcodes that are seen and not certain yet.
    public var uncertainBarcodes: Int

    /// - Parameter uncertainBarcodes: `nil` for those of `barcodes` that are not certain.
    public init(
        barcodes: [Barcode] = [], lines: [Line] = [], unreadCodes: [UnreadCode] = [], uncertainBarcodes: Int? = nil
    ) {
        self.barcodes = barcodes
        self.lines = lines
        self.unreadCodes = unreadCodes
        self.uncertainBarcodes = uncertainBarcodes ?? barcodes.count { !$0.isCertain }
    }
}
