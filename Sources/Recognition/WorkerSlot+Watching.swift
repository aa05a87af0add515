// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import LinuxSystem
internal import ScanModel

// How a worker is watched: what it says, and how long it takes.

extension WorkerSlot {
    /// Looks at what came and at the deadlines.
    func step(ready: Set<Source>, now: MonotonicTime) {
        guard let worker else { return }
        if ready.contains(.errors) { readErrors(now: now) }
        // The socket before the end: a worker may have answered and then died.
        if ready.contains(.socket) || ready.contains(.end) { receive(now: now) }
        if ready.contains(.end) || now >= nextLook { look(at: worker.process, now: now) }
    }

    private func look(at process: any WorkerProcess, now: MonotonicTime) {
        switch process.condition() {
        case .ended(let ending): return bury(ending, now: now)
        case .stopped: lose(reason: "was stopped by a signal", now: now)
        case .running: break
        }
        nextLook = now + limits.lookWhileBusy
        switch phase {
        case .vacant: break
        case .starting(let deadline):
            if now >= deadline { lose(reason: "was not ready within \(limits.handshake)", now: now) }
        case .idle: nextLook = now + limits.lookWhileIdle
        case .busy: lookAtWork(of: process, now: now)
        case .ending(_, let answerBy):
            if work != nil, now >= answerBy { answer(.failure(.workerLost("closed its socket"))) }
        }
    }

    private func lookAtWork(of process: any WorkerProcess, now: MonotonicTime) {
        guard let work else { return }
        let used = (process.cpuTime ?? work.cpuAtStart) - work.cpuAtStart
        if used > work.job.cpuLimit {
            lose(reason: "used \(used) of CPU time for a job, more than \(work.job.cpuLimit)", now: now)
        } else if now >= work.wallDeadline {
            lose(reason: "did not answer a job in time, with \(used) of CPU time used", now: now)
        } else {
            // At the limit the job is looked at soon, not a whole period later.
            nextLook = now + min(limits.lookWhileBusy, max(work.job.cpuLimit - used, .milliseconds(5)))
        }
    }

    private func receive(now: MonotonicTime) {
        while let socket = worker?.socket {
            if case .ending = phase { return }
            let received = buffer.withUnsafeMutableBytes { bytes -> Int? in
                // A failure such as ECONNRESET is an end as well.
                do { return try UnixSocket.receive(into: bytes, from: socket) } catch { return 0 }
            }
            guard let received else { return }
            if received == 0 { return lose(reason: nil, now: now) }
            do throws(WireError) {
                guard received <= WireMessage.maximumBytes else {
                    throw WireError("it is longer than \(WireMessage.maximumBytes) bytes")
                }
                try handle(WireAnswer(decoding: buffer, count: received), now: now)
            } catch {
                lose(reason: "sent an answer that breaks the rules: \(error)", refused: true, now: now)
            }
        }
    }

    private func handle(_ answer: WireAnswer, now: MonotonicTime) throws(WireError) {
        switch (answer, phase) {
        case (.ready(let unavailable), .starting):
            deathsBeforeReady = 0
            becomeIdle(now: now)
            setUnavailable(unavailable)
            let pid = worker?.process.pid ?? 0
            log.note("the \(kind.name) worker (pid \(pid)) is ready after \(now - startedAt)")
        case (.result(let number, let result), .busy):
            let job = try job(numbered: number)
            for observation in result.observations {
                if let objection = job.objection(to: observation) { throw WireError(objection) }
            }
            finishedAJob = true
            becomeIdle(now: now)
            setUnavailable(nil)
            recycleIfGrown(now: now)
            self.answer(.success(result))
        case (.unavailable(let number, let reason), .busy):
            _ = try job(numbered: number)
            finishedAJob = true
            becomeIdle(now: now)
            setUnavailable(reason)
            self.answer(.failure(.unavailable(reason)))
        default: throw WireError("nothing of the kind was asked for")
        }
    }

    private func job(numbered number: UInt32) throws(WireError) -> RecognitionJob {
        guard let work, work.number == number else {
            throw WireError("it answers job \(number), not \(work?.number ?? 0)")
        }
        return work.job
    }

    private func becomeIdle(now: MonotonicTime) {
        phase = .idle
        nextLook = now + limits.lookWhileIdle
    }

    func setUnavailable(_ reason: String?) {
        let changed = shared.statistics.withLock { statistics in
            let path: WritableKeyPath<RecognitionStatistics, String?> =
                kind == .text ? \.textUnavailable : \.barcodesUnavailable
            defer { statistics[keyPath: path] = reason }
            return statistics[keyPath: path] != reason
        }
        guard changed else { return }
        if let reason { log.fault("\(kind.name) can not be read: \(reason)") } else { log.note("\(kind.name) is read") }
    }
}
