// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import LinuxSystem
internal import ScanModel

/// The thread behind `WorkerRecognition`: waits for jobs, answers, deaths and deadlines.
///
/// - Important: Confined to that thread.
final class WorkerSupervisor {
    private let shared: WorkerShared
    private let limits: WorkerLimits
    private let slots: [WorkerSlot]

    init(shared: WorkerShared, configuration: WorkerConfiguration, spawner: any WorkerSpawner) {
        self.shared = shared
        limits = configuration.limits
        slots = WorkerKind.allCases.filter(configuration.kinds.contains).map {
            WorkerSlot(kind: $0, shared: shared, configuration: configuration, spawner: spawner)
        }
    }

    func run() {
        while !shared.stopping.withLock({ $0 }) {
            for slot in slots { slot.startIfDue(now: .now) }
            wait()
            takeSubmissions()
        }
        stop()
    }

    /// Waits until something happens and lets each slot look at what concerns it.
    private func wait() {
        let watched = slots.map(\.watched)
        var wanted = [(descriptor: shared.wake.raw, events: Readiness.readable)]
        wanted += watched.joined().map { (descriptor: $0.descriptor, events: .readable) }
        let deadline = slots.map(\.nextLook).min()
        guard let ready = try? pollDescriptors(wanted, until: deadline) else {
            // Out of memory in the kernel: the deadlines are looked at, a little later.
            _ = Monitor(()).wait(until: .now + limits.lookWhileBusy) { _ in nil as Void? }
            for slot in slots { slot.step(ready: [], now: .now) }
            return
        }
        if !ready[0].isEmpty { shared.wake.clear() }
        var rest = ready.dropFirst()
        for (slot, sources) in zip(slots, watched) {
            let found = zip(sources, rest).filter { !$1.isEmpty }.map { $0.0.source }
            rest = rest.dropFirst(sources.count)
            slot.step(ready: Set(found), now: .now)
        }
    }

    private func takeSubmissions() {
        for submission in shared.submissions.takeAll(until: .now) {
            if let slot = slots.first(where: { $0.kind == submission.job.kind }) {
                slot.take(submission, now: .now)
            } else {
                shared.count { $0.untakenJobs += 1 }
                submission.completion(
                    .failure(.unavailable("\(submission.job.kind.name) are not among the kinds that are read")))
            }
        }
    }

    private func stop() {
        shared.submissions.close()
        for submission in shared.submissions.takeAll(until: .now) { submission.completion(.failure(.stopped)) }
        for slot in slots { slot.beginStop() }
        let deadline = MonotonicTime.now + limits.stopGrace
        for slot in slots { slot.waitForEnd(until: deadline) }
        for slot in slots { slot.finishStop() }
    }
}
