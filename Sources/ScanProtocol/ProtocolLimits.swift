// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// The limits of the server's side, told to every client in `hello`; a limit that was hit is a counter in the status.
public struct ProtocolLimits: Codable, Sendable, Hashable {
    /// The longest request line in bytes, its newline not counted; a longer one ends the connection.
    public var requestLineBytes = 64 << 10
    /// The longest line that the server sends, in bytes with its newline.
    public var serverLineBytes = 4 << 20
    /// Connections at one time, both sockets together.
    public var clients = 1024
    /// Of those, how many only `control.sock` may use, so that subscribers can not lock out an administrator.
    public var clientsReservedForControl = 16
    /// Bytes that wait for one client; a client that is further behind is disconnected.
    public var queuedBytesPerClient = 8 << 20
    /// Bytes that wait for all clients, a line that many wait for counted once.
    public var queuedBytesTotal = 64 << 20
    /// Recordings at one time.
    public var recordings = 2
    /// Bytes of frames that wait for one recording; a frame that does not fit is left out and counted.
    public var queuedBytesPerRecording = 32 << 20
    /// Requests a second that one client may make; as many may come at once.
    public var requestsPerSecond = 50
    /// Malformed requests after which a connection ends.
    public var malformedRequests = 100
    /// How long a request may take to arrive, from its first byte to its newline.
    public var partialLineSeconds = 10.0
    /// After how long without anything else a subscriber gets a `heartbeat`.
    public var heartbeatSeconds = 10.0

    public init() {}
}
