// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ScanModel

/// A bounded queue between threads: any number put, one takes.
public final class Mailbox<Message: Sendable>: Sendable {
    private struct State {
        var messages: [Message] = []
        var closed = false
        var refused = 0
    }

    private let monitor = Monitor(State())
    private let capacity: Int

    /// Holds at most `capacity` messages; one more is refused and counted.
    public init(capacity: Int) { self.capacity = capacity }

    /// Puts a message in; false when the box is full or closed.
    @discardableResult
    public func put(_ message: Message) -> Bool {
        monitor.signal { state in
            guard !state.closed, state.messages.count < capacity else {
                state.refused += 1
                return false
            }
            state.messages.append(message)
            return true
        }
    }

    /// Takes everything that is there, waiting for the first until `deadline`; empty at the deadline or when closed.
    public func takeAll(until deadline: MonotonicTime? = nil) -> [Message] {
        monitor.wait(until: deadline) { state -> [Message]? in
            guard !state.messages.isEmpty || state.closed else { return nil }
            defer { state.messages.removeAll(keepingCapacity: true) }
            return state.messages
        } ?? []
    }

    /// Refuses what comes from now on and wakes the taker.
    public func close() { monitor.signal { $0.closed = true } }

    /// How many messages were refused since the start.
    public var refusedCount: Int { monitor.withLock { $0.refused } }
}
