// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import LinuxSystem
internal import ScanModel
public import ScanProtocol

/// Where the sockets are, who may use them, and the limits.
public struct ServerConfiguration: Sendable {
    /// The sockets' directory, absolute; made if it is missing.
    public var directory: String
    /// The camera's name, for `hello`.
    public var camera: String
    /// The program's version, for `hello`.
    public var version: String
    /// Identifies this run to clients.
    public var session: String
    public var limits = ProtocolLimits()

    /// The mode of a directory that is made.
    public var directoryMode: UInt32 = 0o750
    public var eventsMode: UInt32 = 0o660
    public var controlMode: UInt32 = 0o660
    /// The group that `events.sock` is given to, where it exists; `nil` leaves the process's own.
    public var eventsGroup: String?
    /// The group that `control.sock` is given to, where it exists; `nil` leaves the process's own.
    public var controlGroup: String?

    /// How many events may wait for the server's thread before `publish` waits.
    public var waitingEvents = 256
    /// How long a recording may wait for its first frame.
    public var firstFramePatience = Duration.seconds(5)
    /// How long `finish` keeps a client that takes nothing.
    public var finishPatience = Duration.seconds(5)

    public init(directory: String, camera: String, version: String, session: String? = nil) {
        self.directory = directory
        self.camera = camera
        self.version = version
        var generator = SystemRandomNumberGenerator()
        self.session = session ?? ItemID(at: .now, using: &generator).description
    }

    /// Where events are read, and requests that only read are made.
    public var eventsPath: String { directory + "/events.sock" }
    /// Where all requests are made.
    public var controlPath: String { directory + "/control.sock" }
}
