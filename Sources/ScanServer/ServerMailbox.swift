// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import LinuxSystem
internal import ScanModel

/// What passes between the server's thread and everyone else.
final class ServerMailbox: Sendable {
    struct Published: Sendable {
        let event: ScanEvent
        let time: WallTime
    }

    private struct State {
        var events: [Published] = []
        var finishBy: MonotonicTime?
        var startFailure: SystemError?
        var isRunning = false
        var hasEnded = false
        var hadSubscriber = false
        var statistics = ServerStatistics()
    }

    private let state = Monitor(State())
    private let capacity: Int
    let wake: EventDescriptor

    init(capacity: Int) throws(SystemError) {
        self.capacity = capacity
        wake = try EventDescriptor()
    }

    // MARK: Everyone's side

    /// Waits for room and puts the event in; false when the server ends.
    func put(_ event: ScanEvent) -> Bool {
        let position = state.wait { state -> Int? in
            if state.finishBy != nil || state.hasEnded { return 0 }
            guard state.events.count < capacity else { return nil }
            state.events.append(Published(event: event, time: .now))
            return state.events.count
        }
        // The thread takes all that is there, so only the first has to wake it.
        if position == 1 { wake.signal() }
        return position != 0
    }

    /// Asks the thread to finish; the first deadline stands.
    func finish(by deadline: MonotonicTime) {
        state.signal { if $0.finishBy == nil { $0.finishBy = deadline } }
        wake.signal()
    }

    /// Waits until the thread runs or says why it can not.
    func waitForStart() throws(SystemError) {
        let failure = state.wait { $0.isRunning || $0.hasEnded ? .some($0.startFailure) : nil }
        if let failure, let failure { throw failure }
    }

    func waitForSubscriber(until deadline: MonotonicTime?) -> Bool {
        state.wait(until: deadline) { state -> Bool? in
            if state.hadSubscriber { return true }
            return state.finishBy != nil || state.hasEnded ? false : nil
        } ?? false
    }

    var statistics: ServerStatistics { state.withLock { $0.statistics } }

    // MARK: The thread's side

    /// Takes all events and makes room for more.
    func take() -> (events: [Published], finishBy: MonotonicTime?) {
        wake.clear()
        return state.signal { state in
            defer { state.events.removeAll(keepingCapacity: true) }
            return (state.events, state.finishBy)
        }
    }

    func report(_ statistics: ServerStatistics) { state.withLock { $0.statistics = statistics } }
    func noteSubscriber() { state.signal { $0.hadSubscriber = true } }
    func noteStart() { state.signal { $0.isRunning = true } }

    func noteEnd(_ failure: SystemError? = nil) {
        state.signal { state in
            state.startFailure = failure
            state.hasEnded = true
            state.events = []
        }
    }
}
