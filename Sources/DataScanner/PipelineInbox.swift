// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Capture
internal import LinuxSystem
internal import Recognition
internal import ScanModel

/// What one look gave.
struct LookOutcome: Sendable {
    let subject: Look.Subject
    let result: Result<RecognitionResult, RecognitionFailure>
}

enum PipelineMessage: Sendable {
    case looked(LookOutcome)
    case skipped(FrameStamp, subject: String, reason: String)
    case unavailable(UnavailabilityCode, message: String)
    case remark(String)
    case sourceEnded
    case start
    case stop
    case shutDown
}

/// What waits for the pipeline thread: messages in order, and one frame, the newest.
///
/// A frame that nobody took is replaced by a newer one and its slot is free at once: depth 1, newest wins.
final class PipelineInbox: Sendable {
    /// Messages beyond it make the capture thread wait; the pipeline itself adds at most two (its looks).
    static let capacity = 256

    private struct State {
        var messages: [PipelineMessage] = []
        var frame: Frame?
        var dropped = 0
        var closed = false
    }

    private let monitor = Monitor(State())

    /// Adds a message; one after the end of the pipeline is dropped.
    func put(_ message: PipelineMessage) {
        monitor.signal { if !$0.closed { $0.messages.append(message) } }
    }

    /// Adds a message of the capture thread, waiting for room.
    func putWaiting(_ message: PipelineMessage) { putWaiting(message) { _ in } }

    private func putWaiting(_ message: PipelineMessage, _ change: (inout State) -> Void) {
        let isOpen = monitor.wait { $0.closed || $0.messages.count < PipelineInbox.capacity ? !$0.closed : nil }
        guard isOpen == true else { return }
        monitor.signal { state in
            guard !state.closed else { return }
            state.messages.append(message)
            change(&state)
        }
    }

    /// Tells that no more frames come, in place of a frame that nobody took: it was before, and taken after, it would look
    /// like the source's return.
    func putUnavailable(_ code: UnavailabilityCode, message: String) {
        putWaiting(.unavailable(code, message: message)) { state in
            if state.frame != nil { state.dropped += 1 }
            state.frame = nil
        }
    }

    /// Puts the newest frame in place of one that was not taken.
    func putNewest(_ frame: Frame) {
        monitor.signal { state in
            if state.frame != nil { state.dropped += 1 }
            state.frame = state.closed ? nil : frame
        }
    }

    /// Puts a frame and waits until it was taken: none is dropped.
    func putAndWait(_ frame: Frame) {
        let sequence = frame.stamp.sequence
        monitor.signal { $0.frame = $0.closed ? nil : frame }
        _ = monitor.wait { $0.closed || $0.frame?.stamp.sequence != sequence ? true : nil }
    }

    /// Takes all messages and the frame, waiting until `deadline` for the first of them.
    func take(until deadline: MonotonicTime) -> (messages: [PipelineMessage], frame: Frame?, dropped: Int) {
        _ = monitor.wait(until: deadline) { $0.messages.isEmpty && $0.frame == nil ? nil : true }
        return monitor.signal { state in
            defer {
                state.messages.removeAll(keepingCapacity: true)
                state.frame = nil
            }
            return (state.messages, state.frame, state.dropped)
        }
    }

    /// Takes messages only, and leaves the frame where it is.
    func takeMessages(until deadline: MonotonicTime) -> [PipelineMessage] {
        monitor.wait(until: deadline) { state -> [PipelineMessage]? in
            guard !state.messages.isEmpty else { return nil }
            defer { state.messages.removeAll(keepingCapacity: true) }
            return state.messages
        } ?? []
    }

    /// Takes the answers of the recognisers only, waiting for them until `deadline`, and leaves the rest in its order.
    ///
    /// `nil` as soon as the end was asked for: nobody waits for the answers any more.
    func takeLooked(until deadline: MonotonicTime) -> [LookOutcome]? {
        enum Found {
            case outcomes([LookOutcome])
            case end
        }
        let found = monitor.wait(until: deadline) { state -> Found? in
            var outcomes: [LookOutcome] = []
            var others: [PipelineMessage] = []
            for message in state.messages {
                switch message {
                case .looked(let outcome): outcomes.append(outcome)
                case .shutDown: return .end
                default: others.append(message)
                }
            }
            if outcomes.isEmpty { return nil }
            state.messages = others
            return .outcomes(outcomes)
        }
        switch found {
        case .outcomes(let outcomes): return outcomes
        case .end: return nil
        case nil: return []
        }
    }

    /// Ends it: nothing is taken in any more, and whoever waits goes on.
    func close() {
        monitor.signal { state in
            state.closed = true
            state.frame = nil
            state.messages.removeAll()
        }
    }
}
