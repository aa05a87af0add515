// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import LinuxSystem
internal import ScanModel

// How a worker goes: it is counted, killed, waited for and its place cleared.

extension WorkerSlot {
    func recycleIfGrown(now: MonotonicTime) {
        guard let worker, let bytes = worker.process.privateBytes, bytes > limits.privateMemory else { return }
        worker.process.kill()
        phase = .ending(.recycled, answerBy: now)
        nextLook = now + limits.lookWhileBusy
        shared.count { $0.recycledWorkers += 1 }
        log.note("the \(kind.name) worker has grown to \(bytes >> 20) MiB and is replaced")
    }

    /// Gives the worker up: it is counted once, killed, and replaced when it has ended.
    func lose(reason: String?, refused: Bool = false, now: MonotonicTime) {
        if case .ending = phase { return }
        if case .starting = phase { deathsBeforeReady += 1 }
        worker?.process.kill()
        let hadJob = work != nil
        phase = .ending(
            reason.map { .lost(reason: $0, withJob: hadJob) } ?? .died(withJob: hadJob),
            answerBy: now + limits.lookWhileBusy)
        nextLook = now + limits.lookWhileBusy
        shared.count { statistics in
            statistics.workerRestarts += 1
            if refused { statistics.refusedAnswers += 1 }
        }
        // Where the reason is not known, how the process ended will tell it, a millisecond later.
        if let reason { answer(.failure(.workerLost(reason))) }
    }

    /// Says how a worker ended that is gone, and clears its place.
    func bury(_ ending: ChildProcess.Ending, now: MonotonicTime) {
        guard let worker else { return }
        lose(reason: nil, now: now)
        condemnLastCrop()
        readErrors(now: now)
        log.finishNoise(now: now)
        guard case .ending(let departure, _) = phase else { return }
        let pause: Duration
        switch departure {
        case .recycled: pause = .zero
        case .lost(let reason, let hadJob): pause = replace(worker, which: reason, hadJob: hadJob, now: now)
        case .died(let hadJob): pause = replace(worker, which: ending.description, hadJob: hadJob, now: now)
        }
        self.worker = nil
        shared.pids.withLock { $0[kind] = nil }
        phase = .vacant(until: now + pause)
        nextLook = now + pause
    }

    /// The crop that zxing-cpp had when the worker ended is not given to it again.
    private func condemnLastCrop() {
        guard let notes, let look = notes.takeLast() else { return }
        condemned.append(look)
        if condemned.count > CropQuarantine.capacity { condemned.removeFirst() }
        notes.condemn(condemned)
        shared.count { $0.quarantinedCrops += 1 }
        log.note("a crop that ended the \(kind.name) worker is not given to zxing-cpp again")
    }

    /// Says what became of a lost worker; how long to wait before the next.
    private func replace(_ worker: WorkerConnection, which how: String, hadJob: Bool, now: MonotonicTime) -> Duration {
        let pause = backOff.pause(afterHealthy: finishedAJob)
        let cost = hadJob ? "one job is lost, " : ""
        let next = pause == .zero ? "another one is started" : "another one is started in \(pause)"
        log.loss("the \(kind.name) worker (pid \(worker.process.pid)) \(how); \(cost)\(next)", now: now)
        if deathsBeforeReady >= limits.deathsUntilUnavailable {
            setUnavailable("its worker does not start: it \(how)")
        }
        answer(.failure(.workerLost(how)))
        return pause
    }

    /// Reads a bounded piece: a worker that never ends talking must not hold up the other.
    func readErrors(now: MonotonicTime) {
        guard let worker else { return }
        let count = buffer.withUnsafeMutableBytes { worker.readErrors(into: $0) }
        guard let count else { return }
        if count == 0 { worker.closeErrors() }
        log.noise(buffer[..<count], now: now)
    }

    // MARK: - Stopping

    /// Answers the job in work and tells the worker that no more come.
    func beginStop() {
        answer(.failure(.stopped))
        worker?.closeSocket()
    }

    func waitForEnd(until deadline: MonotonicTime) {
        guard let worker else { return }
        _ = try? pollDescriptors([(worker.process.endDescriptor, .readable)], until: deadline)
    }

    func finishStop() {
        worker?.process.kill()
        worker?.process.wait()
        worker = nil
        shared.pids.withLock { $0[kind] = nil }
    }
}
