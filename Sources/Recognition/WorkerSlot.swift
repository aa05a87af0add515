// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import LinuxSystem
internal import ScanModel

/// The place of one kind's worker: starts it, gives it jobs, judges its answers, kills and replaces it.
///
/// - Important: Confined to the supervisor's thread.
final class WorkerSlot {
    /// What of a worker is waited on.
    enum Source: Hashable {
        case socket
        case end
        case errors
    }

    enum Phase {
        /// No worker; one is started at that time.
        case vacant(until: MonotonicTime)
        case starting(deadline: MonotonicTime)
        case idle
        case busy
        /// The worker is done for and has not ended yet.
        case ending(Departure, answerBy: MonotonicTime)
    }

    /// Why a worker goes.
    enum Departure {
        case lost(reason: String, withJob: Bool)
        /// It went by itself; how it ended will tell.
        case died(withJob: Bool)
        /// It has grown and is replaced between two jobs.
        case recycled
    }

    struct JobInWork {
        let number: UInt32
        let job: RecognitionJob
        let completion: JobCompletion
        let cpuAtStart: Duration
        let wallDeadline: MonotonicTime
    }

    let kind: WorkerKind
    /// When `step` is to be called at the latest.
    var nextLook: MonotonicTime = .now

    let shared: WorkerShared
    let limits: WorkerLimits
    private let frameMemorySize: Int
    private let spawner: any WorkerSpawner
    var log: WorkerLog
    var backOff: WorkerBackOff
    var phase = Phase.vacant(until: .now)
    var worker: WorkerConnection?
    var work: JobInWork?
    private var lastNumber: UInt32 = 0
    /// What the workers note of their crops; `nil` where the system gave no memory for it.
    let notes: SharedCropNotes?
    /// Looks of crops that ended a worker, the newest last.
    var condemned: [CropLook] = []
    var startedAt: MonotonicTime = .now
    var finishedAJob = false
    var deathsBeforeReady = 0
    /// One byte more than a message may have, so that a longer one shows.
    var buffer = [UInt8](repeating: 0, count: WireMessage.maximumBytes + 1)

    init(kind: WorkerKind, shared: WorkerShared, configuration: WorkerConfiguration, spawner: any WorkerSpawner) {
        self.kind = kind
        self.shared = shared
        self.spawner = spawner
        limits = configuration.limits
        frameMemorySize = configuration.frameMemorySize
        let words = try? SharedWords(name: "datascand-notes", count: SharedCropNotes.wordCount)
        notes = kind == .barcodes ? words.map(SharedCropNotes.init) : nil
        log = WorkerLog(kind: kind, limits: limits, write: configuration.log)
        backOff = WorkerBackOff(minimum: limits.minimumBackOff, maximum: limits.maximumBackOff)
    }

    /// The descriptors to wait on until they are readable.
    var watched: [(source: Source, descriptor: Int32)] {
        guard let worker else { return [] }
        var watched = [(source: Source.end, descriptor: worker.process.endDescriptor)]
        if let errors = worker.errors { watched.append((.errors, errors)) }
        if case .ending = phase { return watched }
        if let socket = worker.socket { watched.append((.socket, socket)) }
        return watched
    }

    // MARK: - Starting

    func startIfDue(now: MonotonicTime) {
        guard case .vacant(let until) = phase, now >= until else { return }
        do throws(SystemError) {
            let worker = try spawner.spawn(kind, notes: notes?.words)
            self.worker = worker
            shared.pids.withLock { $0[kind] = worker.process.pid }
            startedAt = now
            finishedAJob = false
            phase = .starting(deadline: now + limits.handshake)
            nextLook = now + limits.lookWhileBusy
        } catch {
            let pause = backOff.pause(afterHealthy: false)
            phase = .vacant(until: now + pause)
            nextLook = now + pause
            setUnavailable("its worker can not be started: \(error)")
            log.loss("the \(kind.name) worker can not be started: \(error); trying again in \(pause)", now: now)
        }
    }

    // MARK: - Jobs

    /// Gives the worker a job, or answers why not.
    func take(_ submission: WorkerShared.Submission, now: MonotonicTime) {
        guard case .idle = phase, let worker, let socket = worker.socket else {
            shared.count { $0.untakenJobs += 1 }
            return submission.completion(.failure(.notReady))
        }
        let frame = submission.job.frame
        let number = lastNumber &+ 1
        let message: [UInt8]
        do throws(WireError) {
            guard frame.offset >= 0, frame.width > 0, frame.height > 0,
                frame.width <= (frameMemorySize - frame.offset) / frame.height
            else { throw WireError("the frame is not in the shared memory") }
            message = try WireJob(number: number, job: submission.job).encoded()
        } catch {
            shared.count { $0.untakenJobs += 1 }
            return submission.completion(.failure(.unavailable("the job is wrong: \(error)")))
        }
        lastNumber = number
        let limit = max(submission.job.cpuLimit * limits.wallFactor, limits.minimumWall)
        work = JobInWork(
            number: number, job: submission.job, completion: submission.completion,
            cpuAtStart: worker.process.cpuTime ?? .zero, wallDeadline: now + limit)
        phase = .busy
        nextLook = now + min(limits.lookWhileBusy, submission.job.cpuLimit)
        let sent = message.withUnsafeBytes { bytes in try? UnixSocket.send(bytes, to: socket) }
        // One job at a time: a socket that does not take it belongs to a worker that is gone or stuck.
        if sent != message.count { lose(reason: nil, now: now) }
    }

    func answer(_ result: Result<RecognitionResult, RecognitionFailure>) {
        guard let work else { return }
        self.work = nil
        shared.count { statistics in
            switch result {
            case .success(let found):
                statistics.finishedJobs += 1
                statistics.omittedObservations += found.omitted
            case .failure: statistics.lostJobs += 1
            }
        }
        work.completion(result)
    }
}
