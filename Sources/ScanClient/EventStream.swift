// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Glibc
internal import LinuxSystem
internal import ScanModel
public import ScanProtocol

/// A subscription as an asynchronous sequence of messages, for one consumer.
///
/// A thread of its own reads ahead at most 64 messages; after that the connection is not read, and the server's limit
/// for slow clients holds. The sequence ends when the server closes and throws `ClientError` when something is wrong.
/// Letting go of the sequence, or cancelling the task that waits for it, disconnects.
public struct EventStream: AsyncSequence, Sendable {
    public typealias Element = ServerMessage
    public typealias Failure = any Error

    private let feed: EventFeed
    private let life: Lifetime

    /// Connects to `events.sock`.
    public init(path: String, timeout: Duration = .seconds(5)) throws(ClientError) {
        let feed = EventFeed()
        self.feed = feed
        life = Lifetime(feed: feed)
        _ = NamedThread("events") { feed.run(path: path, timeout: timeout) }
        if let failure = feed.waitForConnection() { throw failure }
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(feed: feed, life: life) }

    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let feed: EventFeed
        fileprivate let life: Lifetime

        public func next() async throws -> ServerMessage? { try await feed.next() }
    }

    /// Disconnects when the last of the sequence and its iterators goes.
    fileprivate final class Lifetime: Sendable {
        let feed: EventFeed

        init(feed: EventFeed) { self.feed = feed }

        deinit { feed.stop() }
    }
}

/// What passes between the reading thread and the consumer.
private final class EventFeed: Sendable {
    private static let capacity = 64

    private struct State {
        var messages: [ServerMessage] = []
        var waiting: CheckedContinuation<ServerMessage?, any Error>?
        var connection: Int32?
        var isConnected = false
        var isStopped = false
        var hasEnded = false
        var failure: ClientError?
    }

    private let state = Monitor(State())

    // MARK: The consumer's side

    func waitForConnection() -> ClientError? {
        state.wait { $0.isConnected || $0.hasEnded ? .some($0.isConnected ? nil : $0.failure) : nil } ?? nil
    }

    func next() async throws -> ServerMessage? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result = state.signal { state -> Result<ServerMessage?, any Error>? in
                    if state.isStopped { return .success(nil) }
                    if !state.messages.isEmpty { return .success(state.messages.removeFirst()) }
                    if state.hasEnded {
                        defer { state.failure = nil }
                        return state.failure.map { .failure($0) } ?? .success(nil)
                    }
                    precondition(state.waiting == nil, "an EventStream has one consumer")
                    state.waiting = continuation
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            stop()
        }
    }

    /// Ends the sequence and disconnects; the thread wakes from its read and goes.
    func stop() {
        let waiting = state.signal { state in
            state.isStopped = true
            // Under the lock: the thread closes the descriptor only after taking it from here.
            if let connection = state.connection { shutdown(connection, Int32(SHUT_RDWR)) }
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume(returning: nil)
    }

    // MARK: The thread's side

    func run(path: String, timeout: Duration) {
        var failure: ClientError?
        do throws(ClientError) {
            let reader = try EventReader(path: path, timeout: timeout)
            defer { state.withLock { $0.connection = nil } }
            state.signal { state in
                state.connection = reader.descriptor
                state.isConnected = true
            }
            while let message = try reader.next(), put(message) {}
        } catch {
            failure = error
        }
        let waiting = state.signal { state in
            state.hasEnded = true
            defer { state.waiting = nil }
            if state.waiting == nil { state.failure = failure }
            return state.waiting
        }
        if let failure { waiting?.resume(throwing: failure) } else { waiting?.resume(returning: nil) }
    }

    /// Hands a message over, waiting for room; false when nobody wants more.
    private func put(_ message: ServerMessage) -> Bool {
        let waiting = state.wait { state -> CheckedContinuation<ServerMessage?, any Error>?? in
            if state.isStopped { return .some(nil) }
            if let waiting = state.waiting {
                state.waiting = nil
                return waiting
            }
            guard state.messages.count < EventFeed.capacity else { return nil }
            state.messages.append(message)
            return .some(nil)
        }
        if let waiting, let waiting { waiting.resume(returning: message) }
        return !state.withLock { $0.isStopped }
    }
}
