// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Glibc
import ImageKernels
import LinuxSystem
import ScanModel

@testable import Recognition

typealias JobResult = Result<RecognitionResult, RecognitionFailure>

/// Collects the answers to jobs, each under its number, so that an answer too many shows as well.
final class JobAnswers: Sendable {
    private let answers = Monitor<[Int: [JobResult]]>([:])

    /// A completion for the job of that number.
    func completion(_ number: Int) -> @Sendable (JobResult) -> Void {
        { result in self.answers.signal { $0[number, default: []].append(result) } }
    }

    /// Waits for the first answer to a job; `nil` after ten seconds.
    func wait(for number: Int, atMost limit: Duration = .seconds(10)) -> JobResult? {
        answers.wait(until: .now + limit) { $0[number]?.first }
    }

    var all: [Int: [JobResult]] { answers.withLock { $0 } }
}

extension RecognitionService {
    /// Submits a job and waits for its answer; `nil` after ten seconds.
    func result(of job: RecognitionJob) -> JobResult? {
        let answers = JobAnswers()
        submit(job, completion: answers.completion(0))
        return answers.wait(for: 0)
    }

    /// Submits a job again and again until it is taken.
    func resultWhenReady(of job: RecognitionJob, atMost limit: Duration = .seconds(20)) -> JobResult? {
        let deadline = MonotonicTime.now + limit
        while MonotonicTime.now < deadline {
            let result = result(of: job)
            if result != .failure(.notReady) { return result }
            usleep(2000)
        }
        return nil
    }
}

/// Looks every two milliseconds whether something has come true; false after `limit`.
func becomesTrue(within limit: Duration = .seconds(10), _ condition: () -> Bool) -> Bool {
    let deadline = MonotonicTime.now + limit
    while !condition() {
        if MonotonicTime.now >= deadline { return false }
        usleep(2000)
    }
    return true
}

/// Collects messages for the log.
final class WorkerEvents: Sendable {
    private let events = Monitor<[WorkerEvent]>([])

    var record: @Sendable (WorkerEvent) -> Void { { event in self.events.withLock { $0.append(event) } } }
    var all: [WorkerEvent] { events.withLock { $0 } }

    func contains(_ text: String) -> Bool { all.contains { $0.message.contains(text) } }
}

/// An engine that does what a closure says.
final class ScriptedEngine: RecognitionEngine {
    private let script: (RecognitionJob, LumaView) throws(RecognitionFailure) -> RecognitionResult

    init(_ script: @escaping (RecognitionJob, LumaView) throws(RecognitionFailure) -> RecognitionResult) {
        self.script = script
    }

    func perform(_ job: RecognitionJob, luma: LumaView) throws(RecognitionFailure) -> RecognitionResult {
        try script(job, luma)
    }
}

/// A worker that is a thread of the test: it holds the other end of the socket and says what the test wants.
final class FakeWorker: WorkerProcess, Sendable {
    private struct State {
        var ending: ChildProcess.Ending?
        var stopped = false
        var cpuTime: Duration = .zero
        var privateBytes = 0
    }

    let pid: Int32
    private let ended: EventDescriptor
    private let state = Monitor(State())
    private let socket: Monitor<OwnedDescriptor?>
    private let errors: Monitor<OwnedDescriptor?>

    /// The words that the supervisor would hand to a process.
    let notes: SharedWords?

    init(
        pid: Int32, notes: SharedWords?, socket: consuming OwnedDescriptor, errors: consuming OwnedDescriptor
    ) throws(SystemError) {
        self.pid = pid
        self.notes = notes
        ended = try EventDescriptor()
        self.socket = Monitor(socket)
        self.errors = Monitor(errors)
    }

    // MARK: - The supervisor's side

    var endDescriptor: Int32 { ended.raw }
    var cpuTime: Duration? { state.withLock { $0.cpuTime } }
    var privateBytes: Int? { state.withLock { $0.privateBytes } }
    func kill() { end(.killed(signal: SIGKILL)) }
    func wait() {}

    func condition() -> ChildProcess.Condition {
        state.withLock { state in
            if let ending = state.ending { return .ended(ending) }
            defer { state.stopped = false }
            return state.stopped ? .stopped : .running
        }
    }

    // MARK: - The script's side

    var wasKilled: Bool { state.withLock { $0.ending == .killed(signal: SIGKILL) } }

    func end(_ ending: ChildProcess.Ending) {
        state.withLock { $0.ending = $0.ending ?? ending }
        ended.signal()
    }

    func stopRunning() { state.withLock { $0.stopped = true } }
    func useCPU(_ duration: Duration) { state.withLock { $0.cpuTime += duration } }
    func grow(to bytes: Int) { state.withLock { $0.privateBytes = bytes } }
    func closeSocket() { socket.withLock { $0 = nil } }

    /// Writes to what is a worker's standard error.
    func say(_ text: String) {
        errors.withLock { errors in
            let raw = errors?.raw ?? -1
            let bytes = Array(text.utf8)
            _ = write(raw, bytes, bytes.count)
        }
    }

    /// Waits for a job; `nil` when the supervisor has closed the socket.
    func nextJob() -> WireJob? {
        var buffer = [UInt8](repeating: 0, count: WireMessage.maximumBytes)
        let raw = socket.withLock { $0?.raw ?? -1 }
        let count = buffer.withUnsafeMutableBytes { bytes -> Int in
            (try? UnixSocket.receive(into: bytes, from: raw, waiting: true)).flatMap { $0 } ?? 0
        }
        return count > 0 ? try? WireJob(decoding: buffer, count: count) : nil
    }

    func send(_ answer: WireAnswer) { send(answer.encoded()) }

    func send(_ bytes: [UInt8]) {
        let raw = socket.withLock { $0?.raw ?? -1 }
        _ = bytes.withUnsafeBytes { try? UnixSocket.send($0, to: raw, waiting: true) }
    }

    /// Gives the same result to every job until there are no more.
    func answerAll(_ result: RecognitionResult = RecognitionResult(observations: [], cpuTime: .zero)) {
        while let job = nextJob() { send(.result(number: job.number, result)) }
    }
}

/// Starts a thread with a script for each worker that the supervisor asks for.
final class FakeSpawner: WorkerSpawner, Sendable {
    typealias Script = @Sendable (FakeWorker, _ number: Int) -> Void

    private let script: Script
    private let workers = Monitor<[FakeWorker]>([])
    private let failing = Monitor(0)

    /// Scripts are numbered from 0.
    init(_ script: @escaping Script) { self.script = script }

    var spawned: [FakeWorker] { workers.withLock { $0 } }

    /// The next spawns throw.
    func failNext(_ count: Int) { failing.withLock { $0 = count } }

    func spawn(_ kind: WorkerKind, notes: SharedWords?) throws(SystemError) -> WorkerConnection {
        let fails = failing.withLock { count in
            defer { count = max(0, count - 1) }
            return count > 0
        }
        if fails { throw SystemError("posix_spawn", code: ENOENT, subject: "worker") }
        let ends = try UnixSocket.messagePair()
        let own = OwnedDescriptor(owning: ends.0)
        UnixSocket.setSendBuffer(Int32(WireMessage.maximumBytes) * 2, of: ends.1)
        let pipe = try OwnedDescriptor.makePipe()
        let errors = OwnedDescriptor(owning: pipe.reading)
        try errors.setNonBlocking()
        let number = spawned.count
        let worker = try FakeWorker(
            pid: 1_000_000 + Int32(number), notes: notes, socket: OwnedDescriptor(owning: ends.1),
            errors: OwnedDescriptor(owning: pipe.writing))
        workers.withLock { $0.append(worker) }
        let script = script
        _ = NamedThread("fake-worker") { script(worker, number) }
        return WorkerConnection(process: worker, socket: own, errors: errors)
    }
}
