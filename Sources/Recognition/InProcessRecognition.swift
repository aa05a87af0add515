// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ImageKernels
internal import LinuxSystem

/// Recognition on threads of this process, one a kind, for library users and tests.
///
/// There is nothing between the caller and the libraries: a picture that makes one of them crash ends the process, a
/// job that hangs is not ended, and `cpuLimit` has no effect.
///
/// - Important: Completions are called on the service's own thread and must return soon. Only where more than
///   `maximumWaitingJobs` submissions wait, or the service has stopped, is the completion called within `submit`.
public final class InProcessRecognition: RecognitionService {
    /// Lends the luma of a frame to the closure, or does not call it where there is no such frame
    /// any more: the job is then answered with `notReady`.
    public typealias FrameLender = @Sendable (FrameLocation, (LumaView) -> Void) -> Void

    /// Submissions that may wait to be looked at.
    public static let maximumWaitingJobs = 64

    // The libraries run on the main thread's stack in a worker; here they get as much.
    private static let engineStackSize = 8 << 20

    private let core: InProcessCore
    private let answering: NamedThread
    private let reading: [NamedThread]

    /// Starts the threads; each makes its engine when its first job comes.
    ///
    /// - Parameters:
    ///   - makeEngine: by default ZBar and Tesseract; called on the thread that the engine is used on.
    ///   - withFrame: called on that thread for each job.
    public init(
        kinds: Set<WorkerKind> = Set(WorkerKind.allCases),
        makeEngine: @escaping @Sendable (WorkerKind) -> any RecognitionEngine = { _ in ReaderEngine() },
        withFrame: @escaping FrameLender
    ) {
        let core = InProcessCore(kinds: kinds)
        self.core = core
        answering = NamedThread("recognition") { core.answerUntilStopped() }
        reading = WorkerKind.allCases.filter(kinds.contains).map { kind in
            NamedThread("read-\(kind.name)", stackSize: Self.engineStackSize) {
                core.read(kind, makeEngine: makeEngine, withFrame: withFrame)
            }
        }
    }

    deinit { stop() }

    public func submit(
        _ job: RecognitionJob,
        completion: @escaping @Sendable (Result<RecognitionResult, RecognitionFailure>) -> Void
    ) { core.submit(InProcessCore.Submission(job: job, completion: completion)) }

    /// Answers jobs in work with `stopped`, waits until the engines have returned from them and ends the threads.
    ///
    /// From a completion it does not wait for the thread that calls it.
    public func stop() {
        core.stop()
        answering.join()
        for thread in reading { thread.join() }
    }

    public var statistics: RecognitionStatistics { core.statistics }
}

/// What the threads of `InProcessRecognition` share.
private final class InProcessCore: Sendable {
    struct Submission: Sendable {
        let job: RecognitionJob
        let completion: JobCompletion
    }

    private struct Answer: Sendable {
        let submission: Submission
        let result: Result<RecognitionResult, RecognitionFailure>
    }

    private struct State: Sendable {
        var submissions: [Submission] = []
        /// Jobs that their kind's thread has not begun.
        var assigned: [WorkerKind: Submission] = [:]
        /// Jobs that wait for their result, begun or not.
        var inWork: [WorkerKind: Submission] = [:]
        /// One a kind at the most.
        var answers: [Answer] = []
        var stopping = false
        var statistics = RecognitionStatistics()
    }

    private let state = Monitor(State())
    private let kinds: Set<WorkerKind>

    init(kinds: Set<WorkerKind>) { self.kinds = kinds }

    var statistics: RecognitionStatistics { state.withLock { $0.statistics } }

    func stop() { state.signal { $0.stopping = true } }

    func submit(_ submission: Submission) {
        let refusal = state.signal { state -> RecognitionFailure? in
            if state.stopping { return .stopped }
            if state.submissions.count >= InProcessRecognition.maximumWaitingJobs {
                state.statistics.untakenJobs += 1
                return .notReady
            }
            state.submissions.append(submission)
            return nil
        }
        if let refusal { submission.completion(.failure(refusal)) }
    }

    // MARK: - The answering thread

    func answerUntilStopped() {
        var stopped = false
        while !stopped {
            let answers = state.wait { state -> [Answer]? in
                guard state.stopping || !state.answers.isEmpty || !state.submissions.isEmpty else { return nil }
                stopped = state.stopping
                return self.takeAnswers(from: &state)
            }
            // Wakes the kinds' threads for what was assigned to them.
            state.signal { _ in }
            for answer in answers ?? [] { answer.submission.completion(answer.result) }
        }
    }

    /// Hands jobs on and gives all answers that are due.
    private func takeAnswers(from state: inout State) -> [Answer] {
        var answers = state.answers
        state.answers = []
        for submission in state.submissions {
            let kind = submission.job.kind
            if state.stopping {
                answers.append(Answer(submission: submission, result: .failure(.stopped)))
            } else if !kinds.contains(kind) {
                state.statistics.untakenJobs += 1
                let reason = "\(kind.name) are not among the kinds that are read"
                answers.append(Answer(submission: submission, result: .failure(.unavailable(reason))))
            } else if state.inWork[kind] != nil {
                state.statistics.untakenJobs += 1
                answers.append(Answer(submission: submission, result: .failure(.notReady)))
            } else {
                state.inWork[kind] = submission
                state.assigned[kind] = submission
            }
        }
        state.submissions = []
        guard state.stopping else { return answers }
        for submission in state.inWork.values {
            state.statistics.lostJobs += 1
            answers.append(Answer(submission: submission, result: .failure(.stopped)))
        }
        state.inWork = [:]
        state.assigned = [:]
        return answers
    }

    // MARK: - A kind's thread

    func read(
        _ kind: WorkerKind, makeEngine: (WorkerKind) -> any RecognitionEngine,
        withFrame: InProcessRecognition.FrameLender
    ) {
        var engine: (any RecognitionEngine)?
        while let submission = nextJob(of: kind) {
            let reader = engine ?? makeEngine(kind)
            engine = reader
            // What remains where the frame is not lent.
            var result: Result<RecognitionResult, RecognitionFailure> = .failure(.notReady)
            withFrame(submission.job.frame) { luma in
                do throws(RecognitionFailure) {
                    result = .success(try reader.perform(submission.job, luma: luma).fitted(to: submission.job))
                } catch {
                    result = .failure(error)
                }
            }
            finish(kind, submission, result)
        }
    }

    /// Waits for a job; `nil` when the service stops.
    private func nextJob(of kind: WorkerKind) -> Submission? {
        state.wait { state -> Submission?? in
            if let submission = state.assigned.removeValue(forKey: kind) { return submission }
            return state.stopping ? .some(nil) : nil
        } ?? nil
    }

    private func finish(
        _ kind: WorkerKind, _ submission: Submission, _ result: Result<RecognitionResult, RecognitionFailure>
    ) {
        state.signal { state in
            // Answered by the stop already, where it is not there any more.
            guard state.inWork.removeValue(forKey: kind) != nil else { return }
            let path: WritableKeyPath<RecognitionStatistics, String?> =
                kind == .text ? \.textUnavailable : \.barcodesUnavailable
            switch result {
            case .success(let found):
                state.statistics.finishedJobs += 1
                state.statistics.omittedObservations += found.omitted
                state.statistics[keyPath: path] = nil
            case .failure(let failure):
                state.statistics.lostJobs += 1
                if case .unavailable(let reason) = failure { state.statistics[keyPath: path] = reason }
            }
            state.answers.append(Answer(submission: submission, result: result))
        }
    }
}
