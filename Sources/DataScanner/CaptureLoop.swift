// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Capture
internal import LinuxSystem

/// Takes frames from the source on a thread of its own for as long as scanning is on.
final class CaptureLoop: Sendable {
    private struct State {
        var isRunning = false
        var isShutDown = false
    }

    private let source: any FrameSource
    private let pool: FramePool
    private let inbox: PipelineInbox
    private let cancellation: EventDescriptor
    private let state = Monitor(State())

    init(source: any FrameSource, pool: FramePool, inbox: PipelineInbox) throws {
        self.source = source
        self.pool = pool
        self.inbox = inbox
        cancellation = try EventDescriptor()
    }

    func resume() { state.signal { $0.isRunning = true } }

    func pause() {
        state.signal { $0.isRunning = false }
        cancellation.signal()
    }

    func shutDown() {
        state.signal { $0.isShutDown = true }
        cancellation.signal()
    }

    /// The thread's body; returns after the source's end or `shutDown`.
    func run() {
        while true {
            if !state.withLock({ $0.isRunning || $0.isShutDown }) { source.rest() }
            let goesOn = state.wait { $0.isShutDown ? false : $0.isRunning ? true : nil }
            guard goesOn == true else { return }
            switch source.next(into: pool, cancellation: cancellation) {
            case .frame(let frame): source.isUnpaced ? inbox.putAndWait(frame) : inbox.putNewest(frame)
            case .skipped(let stamp, let subject, let reason):
                inbox.putWaiting(.skipped(stamp, subject: subject, reason: reason))
            case .unavailable(let code, let message): inbox.putUnavailable(code, message: message)
            case .remark(let text): inbox.putWaiting(.remark(text))
            case .cancelled: cancellation.clear()
            case .ended:
                inbox.putWaiting(.sourceEnded)
                return
            }
        }
    }
}
