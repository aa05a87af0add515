// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ScanProtocol

/// Who answers the requests.
///
/// - Important: Called on the server's thread, which serves all clients meanwhile: nothing here may block.
public protocol ScanRequestHandler: Sendable {
    /// The state of the program; the server fills in what it owns itself.
    func status() -> StatusReport
    /// Begins to scan; success also where it scans already.
    func startScanning() -> Result<Void, RequestFailure>
    /// Stops to scan; success also where it does not scan.
    func stopScanning() -> Result<Void, RequestFailure>
    /// What this build can read, and with what.
    var symbologyEngines: [Wire.SymbologyEngines] { get }
    /// Tesseract's names of the languages that are installed.
    var supportedTextRecognitionLanguages: [String] { get }
}

/// Why the scanner could not do what a request asked, in words that say what to do.
public struct RequestFailure: Error, Sendable, Hashable {
    public let message: String
    /// Whether it may well be done later without anybody's doing: a camera is not there for now.
    public let isTemporary: Bool

    public init(_ message: String, isTemporary: Bool = false) {
        self.message = message
        self.isTemporary = isTemporary
    }

    var error: ResponseError { isTemporary ? .notNow(message) : .failed(message) }
}

/// How much a line of the server's log matters.
public enum ServerLogLevel: Sendable, Hashable {
    /// A control call, a client that was sent away: what an administrator may want to know later.
    case info
    /// Something is not as it was asked for; the message says what to do.
    case warning
}

/// What the server did since its start, and how much it holds now.
public struct ServerStatistics: Sendable, Hashable {
    /// Connections to `events.sock` now.
    public var subscribers = 0
    /// Connections to both sockets now.
    public var clients = 0
    /// Connections taken since the start.
    public var clientsServed: UInt64 = 0
    /// Connections refused because of the limit or for want of descriptors.
    public var clientsRefused: UInt64 = 0
    /// Clients disconnected because too much waited for them.
    public var slowClientsDropped: UInt64 = 0
    /// Clients that `finish` gave up.
    public var clientsGivenUp: UInt64 = 0
    /// Requests carried out.
    public var requestsServed: UInt64 = 0
    /// Requests that were malformed, on the wrong socket, or over the rate.
    public var requestsRefused: UInt64 = 0
    /// Events told to the subscribers: the newest sequence.
    public var sequence: UInt64 = 0
    /// Events with a single item that is longer than the longest line; told to nobody.
    public var eventsTooLong: UInt64 = 0
    /// Bytes that wait for clients now, a line that many wait for counted once.
    public var queuedBytes = 0

    public init() {}
}
