// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import LinuxSystem
internal import ScanModel

/// The sequences that library users read from; bounded by construction.
final class Subscriptions: Sendable {
    /// Events that wait for one reader at the most; beyond it the sequence ends with `ScannerError.eventsLost`.
    static let maximumWaitingEvents = 4096

    private struct State {
        var nextKey = 0
        var items: [Int: AsyncStream<[RecognizedItem]>.Continuation] = [:]
        var events: [Int: AsyncThrowingStream<ScanEvent, any Error>.Continuation] = [:]
        var newest: [RecognizedItem] = []
        var isFinished = false
    }

    private let state = Monitor(State())

    /// The whole list on each change, the newest only, starting with what is there now.
    func recognizedItems() -> AsyncStream<[RecognizedItem]> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: [RecognizedItem].self, bufferingPolicy: .bufferingNewest(1))
        let key = state.withLock { state -> Int? in
            continuation.yield(state.newest)
            guard !state.isFinished else { return nil }
            state.nextKey += 1
            state.items[state.nextKey] = continuation
            return state.nextKey
        }
        guard let key else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in self?.state.withLock { _ = $0.items.removeValue(forKey: key) } }
        return stream
    }

    /// Every event from now on.
    func events() -> AsyncThrowingStream<ScanEvent, any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(
            of: ScanEvent.self, throwing: (any Error).self,
            bufferingPolicy: .bufferingOldest(Subscriptions.maximumWaitingEvents))
        let key = state.withLock { state -> Int? in
            guard !state.isFinished else { return nil }
            state.nextKey += 1
            state.events[state.nextKey] = continuation
            return state.nextKey
        }
        guard let key else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in self?.state.withLock { _ = $0.events.removeValue(forKey: key) }
        }
        return stream
    }

    /// Hands out an event and the list as it is after it.
    func publish(_ event: ScanEvent, items: [RecognizedItem]) {
        let (lists, readers) = state.withLock { state in
            state.newest = items
            return (Array(state.items.values), state.events)
        }
        for list in lists { list.yield(items) }
        // Outside the lock: a stream that ends calls back into it.
        for (key, reader) in readers {
            if case .dropped = reader.yield(event) {
                reader.finish(throwing: ScannerError.eventsLost)
                state.withLock { _ = $0.events.removeValue(forKey: key) }
            }
        }
    }

    /// Ends all sequences.
    func finish() {
        let (lists, readers) = state.withLock { state in
            state.isFinished = true
            defer {
                state.items.removeAll()
                state.events.removeAll()
            }
            return (Array(state.items.values), Array(state.events.values))
        }
        for list in lists { list.finish() }
        for reader in readers { reader.finish() }
    }
}
