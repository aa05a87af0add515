// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import LinuxSystem
public import ScanProtocol

/// Where a running datascand is found, and the ways to talk to it.
public struct ScanClient: Sendable, Hashable {
    /// The directory of its sockets.
    public let directory: String

    public init(directory: String) { self.directory = directory }

    public var eventsPath: String { directory + "/events.sock" }
    public var controlPath: String { directory + "/control.sock" }

    /// Subscribes; the messages are read one after the other by the caller's thread.
    public func eventReader(timeout: Duration = .seconds(5)) throws(ClientError) -> EventReader {
        try EventReader(path: eventsPath, timeout: timeout)
    }

    /// Subscribes; the messages are read by a thread of their own and come as an asynchronous sequence.
    public func events(timeout: Duration = .seconds(5)) throws(ClientError) -> EventStream {
        try EventStream(path: eventsPath, timeout: timeout)
    }

    /// Connects for the frames of the daemon's camera and waits for the first of them.
    public func recording(
        _ request: Wire.RecordingRequest, cancellation: EventDescriptor? = nil
    ) throws(ClientError) -> RecordingReader {
        try RecordingReader(path: controlPath, request: request, cancellation: cancellation)
    }

    /// Connects for requests that only read; whoever may subscribe may make them.
    public func query(timeout: Duration = .seconds(5)) throws(ClientError) -> ControlConnection {
        try ControlConnection(path: eventsPath, timeout: timeout)
    }

    /// Connects for all requests.
    public func control(timeout: Duration = .seconds(5)) throws(ClientError) -> ControlConnection {
        try ControlConnection(path: controlPath, timeout: timeout)
    }
}
