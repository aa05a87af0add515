// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Capture
internal import DataDetection
internal import LinuxSystem
internal import Recognition
internal import ScanModel
internal import Scheduling
internal import Tracking

/// What a recogniser says to a job.
typealias Answer = Result<RecognitionResult, RecognitionFailure>

extension Pipeline {
    /// How often a look of an unpaced run is tried again after its worker was lost. Paced, a newer frame serves better.
    private static let maximumTries = 5
    /// How long an unpaced run waits for a worker that is being replaced, between two tries.
    private static let retryDelay = Duration.milliseconds(50)
    /// Tries while no worker is ready: 10 s of back-off and the start of an engine fit into them.
    private static let maximumWaits = 300

    /// Takes one answer of a recogniser (paced).
    mutating func finishLook(_ outcome: LookOutcome) {
        guard let look = looks.end(outcome.subject) else { return }
        take(look, outcome.result)
    }

    /// Waits for all looks of the frame and takes their answers in a fixed order, barcodes first.
    ///
    /// Other messages stay in the inbox, in their order.
    mutating func awaitLooks() {
        var answers: [Look.Subject: (PlannedLook, Answer)] = [:]
        var later: [(look: PlannedLook, due: MonotonicTime)] = []
        while !looks.isEmpty || !later.isEmpty {
            let deadline = later.map(\.due).min() ?? .now + .milliseconds(500)
            guard let outcomes = context.inbox.takeLooked(until: deadline) else {
                // A look can take seconds, and its tries minutes: the end does not wait for it.
                looks = LooksInWork()
                return
            }
            for outcome in outcomes {
                guard let look = looks.end(outcome.subject) else { continue }
                if let again = nextTry(of: look, after: outcome.result) {
                    later.append((again, .now + Pipeline.retryDelay))
                } else {
                    answers[outcome.subject] = (look, outcome.result)
                }
            }
            let now = MonotonicTime.now
            for (look, _) in later.filter({ $0.due <= now }) { submit(look) }
            later.removeAll { $0.due <= now }
        }
        for case .some((let look, let answer)) in [answers[.barcodes], answers[.text]] { take(look, answer) }
    }

    /// The look to be tried once more; `nil` where the answer stands.
    private func nextTry(of look: PlannedLook, after answer: Answer) -> PlannedLook? {
        guard case .failure(let failure) = answer else { return nil }
        var look = look
        switch failure {
        case .workerLost: look.tries += 1
        case .notReady: look.waits += 1
        case .unavailable, .stopped: return nil
        }
        return look.tries < Pipeline.maximumTries && look.waits < Pipeline.maximumWaits ? look : nil
    }

    private mutating func take(_ look: PlannedLook, _ answer: Answer) {
        let subject = look.subject
        let now = newest?.monotonic ?? look.frame.stamp.monotonic
        switch answer {
        case .success(let found):
            scheduler.finished(
                subject, cpuTime: found.cpuTime, pixels: look.job.region.width * look.job.region.height,
                linesRead: found.observations.count { if case .text = $0.content { true } else { false } }, now: now)
            context.status.withLock { status in
                if subject == .barcodes { status.barcodeLooks += 1 } else { status.textLooks += 1 }
            }
            guard isScanning, look.era == era else { return }
            let seen = Look(
                frame: look.frame.stamp, subject: subject, searched: look.searched, verified: look.verified,
                aspectRatio: Double(look.frame.width) / Double(look.frame.height),
                observations: filter.allowed(found.observations))
            emit(tracker.process(seen, newest: newest ?? look.frame.stamp))
        case .failure(let failure):
            // No evidence of absence: the tracker hears nothing of it.
            scheduler.failed(subject, now: now)
            switch failure {
            case .unavailable(let reason): context.configuration.onNotice(.recognitionUnavailable(reason))
            case .workerLost, .notReady, .stopped: break
            }
        }
    }

    // MARK: - Events

    /// Moves the tracker's clock to a frame.
    mutating func advance(to stamp: FrameStamp, motion: FrameMotion? = nil) {
        if let newest, stamp.sequence < newest.sequence { return }
        newest = stamp
        emit(tracker.advance(to: stamp, motion: motion))
    }

    /// Takes all items off the list.
    mutating func removeAll(_ reason: RemovalReason) {
        follower.forget()
        guard let newest else { return }
        emit(tracker.removeAll(reason, at: newest))
    }

    /// The last events, then the end of everything that the pipeline feeds.
    mutating func finish() {
        removeAll(.stopped)
        context.inbox.close()
        context.status.withLock { status in
            status.isScanning = false
            status.hasEnded = true
        }
        context.subscriptions.finish()
        context.onEnd()
    }

    mutating func emit(_ events: [ScanEvent]) {
        guard !events.isEmpty else { return }
        let items = tracker.items
        context.status.withLock { $0.items = items.count }
        for event in events {
            context.onEvent(event)
            context.subscriptions.publish(event, items: items)
        }
    }
}
