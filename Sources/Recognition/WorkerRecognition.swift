// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import LinuxSystem
internal import ScanModel

typealias JobCompletion = @Sendable (Result<RecognitionResult, RecognitionFailure>) -> Void

/// What the service's callers and its thread share.
final class WorkerShared: Sendable {
    struct Submission: Sendable {
        let job: RecognitionJob
        let completion: JobCompletion
    }

    let submissions: Mailbox<Submission>
    /// Wakes the thread for submissions and for the stop.
    let wake: EventDescriptor
    let stopping = Monitor(false)
    let statistics = Monitor(RecognitionStatistics())
    let pids = Monitor<[WorkerKind: Int32]>([:])

    init(waitingJobs: Int) throws(SystemError) {
        submissions = Mailbox(capacity: waitingJobs)
        wake = try EventDescriptor()
    }

    func count(_ change: (inout RecognitionStatistics) -> Void) { statistics.withLock { change(&$0) } }
}

/// Recognition in worker processes that are watched, killed and replaced.
///
/// One worker a kind, one job in flight each. Whatever becomes of a worker costs at most the one job it had. What a
/// worker says is not trusted: every answer is checked, and one that breaks the rules costs the worker its life.
///
/// - Important: Completions are called on the service's own thread and must return soon. Only where more than
///   `WorkerLimits.waitingJobs` submissions wait, or the service has stopped, is the completion called within `submit`.
public final class WorkerRecognition: RecognitionService {
    private let shared: WorkerShared
    private let thread: NamedThread

    /// Starts the workers; they are ready some 20 (barcodes) and 200 ms (text) later.
    ///
    /// Throws `SystemError` where the process is out of descriptors.
    public convenience init(configuration: WorkerConfiguration) throws {
        try self.init(configuration: configuration, spawner: ProcessSpawner(configuration: configuration))
    }

    init(configuration: WorkerConfiguration, spawner: some WorkerSpawner & Sendable) throws(SystemError) {
        let shared = try WorkerShared(waitingJobs: configuration.limits.waitingJobs)
        self.shared = shared
        // The workers ask to die with the thread that spawned them, so this one does nothing else and never ends early.
        thread = NamedThread("recognition") {
            WorkerSupervisor(shared: shared, configuration: configuration, spawner: spawner).run()
        }
    }

    deinit { stop() }

    public func submit(
        _ job: RecognitionJob,
        completion: @escaping @Sendable (Result<RecognitionResult, RecognitionFailure>) -> Void
    ) {
        if shared.submissions.put(WorkerShared.Submission(job: job, completion: completion)) {
            shared.wake.signal()
        } else if shared.stopping.withLock({ $0 }) {
            completion(.failure(.stopped))
        } else {
            shared.count { $0.untakenJobs += 1 }
            completion(.failure(.notReady))
        }
    }

    /// Ends the workers and the thread; jobs in work are answered with `stopped`.
    ///
    /// Takes `WorkerLimits.stopGrace` at the most, and little more where a worker has to be killed. From a completion
    /// it returns at once and the rest follows.
    public func stop() {
        shared.stopping.withLock { $0 = true }
        shared.wake.signal()
        thread.join()
    }

    public var statistics: RecognitionStatistics { shared.statistics.withLock { $0 } }

    /// The pid of each worker that runs, whether ready or not.
    public var workerPIDs: [WorkerKind: Int32] { shared.pids.withLock { $0 } }
}
