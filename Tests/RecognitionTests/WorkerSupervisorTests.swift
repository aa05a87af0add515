// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Glibc
import LinuxSystem
import ScanModel
import Testing

@testable import Recognition

/// The supervisor with workers that are threads of the test and do what a real one never should.
@Suite struct WorkerSupervisorTests {
    private let events = WorkerEvents()

    private func service(
        kinds: Set<WorkerKind> = [.barcodes], limits: WorkerLimits = quickLimits, _ spawner: FakeSpawner
    ) throws -> WorkerRecognition {
        var configuration = WorkerConfiguration(
            frameMemory: -1, frameMemorySize: 1 << 30, log: events.record)
        configuration.kinds = kinds
        configuration.limits = limits
        return try WorkerRecognition(configuration: configuration, spawner: spawner)
    }

    @Test func aJobIsAnsweredByItsWorker() throws {
        let spawner = FakeSpawner { worker, _ in
            worker.send(.ready(unavailable: nil))
            worker.answerAll(WireSamples.barcodes)
        }
        let service = try service(spawner)
        let job = try WireSamples.barcodeJob()
        #expect(service.resultWhenReady(of: job) == .success(WireSamples.barcodes))
        #expect(service.result(of: job) == .success(WireSamples.barcodes))
        #expect(service.workerPIDs == [.barcodes: 1_000_000])
        let statistics = service.statistics
        #expect(statistics.finishedJobs == 2)
        #expect(statistics.omittedObservations == 6)
        #expect(statistics.workerRestarts == 0)
        #expect(statistics.lostJobs == 0)
        service.stop()
        #expect(service.workerPIDs.isEmpty)
        #expect(service.result(of: job) == .failure(.stopped))
    }

    @Test func aSecondJobOfTheKindIsNotTaken() throws {
        let release = Monitor(false)
        let spawner = FakeSpawner { worker, _ in
            worker.send(.ready(unavailable: nil))
            guard let job = worker.nextJob() else { return }
            _ = release.wait { $0 ? true : nil }
            worker.send(.result(number: job.number, WireSamples.text))
        }
        let service = try service(kinds: [.text], spawner)
        let job = try WireSamples.textJob()
        #expect(becomesTrue { events.contains("is ready") })
        let answers = JobAnswers()
        for number in 0..<3 { service.submit(job, completion: answers.completion(number)) }
        #expect(answers.wait(for: 1) == .failure(.notReady))
        #expect(answers.wait(for: 2) == .failure(.notReady))
        #expect(answers.all[0] == nil)
        release.signal { $0 = true }
        #expect(answers.wait(for: 0) == .success(WireSamples.text))
        #expect(answers.all.values.allSatisfy { $0.count == 1 })
        #expect(service.statistics.untakenJobs == 2)
    }

    @Test func aJobOfAKindThatIsNotReadIsUnavailable() throws {
        let service = try service(FakeSpawner { worker, _ in worker.answerAll() })
        guard case .failure(.unavailable) = service.result(of: try WireSamples.textJob()) else {
            Issue.record("unavailable is expected")
            return
        }
        #expect(service.statistics.untakenJobs == 1)
    }

    @Test func aJobOutsideTheSharedMemoryIsNotSent() throws {
        let spawner = FakeSpawner { worker, _ in
            worker.send(.ready(unavailable: nil))
            worker.answerAll()
        }
        let service = try service(spawner)
        #expect(becomesTrue { events.contains("is ready") })
        for offset in [-1, 1 << 30, (1 << 30) - 1920 * 1080 + 1, .max] {
            var job = try WireSamples.barcodeJob()
            job.frame.offset = offset
            guard case .failure(.unavailable) = service.result(of: job) else {
                Issue.record("offset \(offset) was taken")
                return
            }
        }
        var job = try WireSamples.barcodeJob()
        job.frame.offset = (1 << 30) - 1920 * 1080
        #expect(service.result(of: job) == .success(RecognitionResult(observations: [], cpuTime: .zero)))
    }

    @Test func reasonsForUnavailabilityAreKeptUntilAJobSucceeds() throws {
        let spawner = FakeSpawner { worker, _ in
            worker.send(.ready(unavailable: "no eng.traineddata"))
            if let job = worker.nextJob() { worker.send(.unavailable(number: job.number, "no kor.traineddata")) }
            worker.answerAll(WireSamples.text)
        }
        let service = try service(kinds: [.text], spawner)
        #expect(becomesTrue { service.statistics.textUnavailable == "no eng.traineddata" })
        let job = try WireSamples.textJob()
        #expect(service.result(of: job) == .failure(.unavailable("no kor.traineddata")))
        #expect(service.statistics.textUnavailable == "no kor.traineddata")
        #expect(service.statistics.barcodesUnavailable == nil)
        #expect(service.result(of: job) == .success(WireSamples.text))
        #expect(service.statistics.textUnavailable == nil)
        #expect(service.statistics.workerRestarts == 0)
        #expect(service.statistics.lostJobs == 1)
    }

    // MARK: - Lies

    /// Every kind of answer that breaks the rules: the job is lost, the worker killed, the next one works.
    @Test(arguments: Lie.allCases) func anAnswerThatBreaksTheRulesCostsTheWorker(_ lie: Lie) throws {
        let spawner = FakeSpawner { worker, number in
            worker.send(.ready(unavailable: nil))
            if number == 0, let job = worker.nextJob() { lie.tell(worker, job.number) }
            worker.answerAll()
        }
        let service = try service(spawner)
        let job = try WireSamples.barcodeJob([.ean13])
        let first = service.resultWhenReady(of: job)
        guard case .failure(.workerLost(let how)) = first else {
            Issue.record("\(String(describing: first))")
            return
        }
        #expect(how.contains("breaks the rules"))
        #expect(service.resultWhenReady(of: job) == .success(RecognitionResult(observations: [], cpuTime: .zero)))
        #expect(service.statistics.refusedAnswers == 1)
        #expect(service.statistics.workerRestarts == 1)
        #expect(spawner.spawned.first?.wasKilled == true)
    }

    @Test func aWorkerThatTalksUnaskedIsKilled() throws {
        let spawner = FakeSpawner { worker, number in
            worker.send(.ready(unavailable: nil))
            if number == 0 { worker.send(.result(number: 1, WireSamples.barcodes)) }
            worker.answerAll()
        }
        let service = try service(spawner)
        #expect(becomesTrue { service.workerPIDs[.barcodes] == 1_000_001 })
        #expect(service.statistics.refusedAnswers == 1)
    }

    // MARK: - Deaths

    @Test func aDeathIsSaidInWordsAndCountedOnce() throws {
        let spawner = FakeSpawner { worker, number in
            worker.send(.ready(unavailable: nil))
            if number == 0, let job = worker.nextJob() {
                worker.send(.result(number: job.number, WireSamples.barcodes))
                _ = worker.nextJob()
                worker.end(.killed(signal: SIGSEGV))
            } else {
                worker.answerAll()
            }
        }
        let service = try service(spawner)
        let job = try WireSamples.barcodeJob()
        #expect(service.resultWhenReady(of: job) == .success(WireSamples.barcodes))
        #expect(service.result(of: job) == .failure(.workerLost("was ended by SIGSEGV")))
        #expect(becomesTrue { service.workerPIDs[.barcodes] == 1_000_001 })
        #expect(service.statistics.workerRestarts == 1)
        #expect(service.statistics.lostJobs == 1)
        #expect(events.contains("(pid 1000000) was ended by SIGSEGV; one job is lost, another one is started"))
    }

    @Test func anAnswerBeforeTheDeathCounts() throws {
        let spawner = FakeSpawner { worker, number in
            worker.send(.ready(unavailable: nil))
            if number == 0, let job = worker.nextJob() {
                worker.send(.result(number: job.number, WireSamples.barcodes))
                worker.end(.exited(3))
            } else {
                worker.answerAll()
            }
        }
        let service = try service(spawner)
        #expect(service.resultWhenReady(of: try WireSamples.barcodeJob()) == .success(WireSamples.barcodes))
        #expect(becomesTrue { service.statistics.workerRestarts == 1 })
        #expect(service.statistics.lostJobs == 0)
    }

    @Test func workersThatDieBeforeTheyAreReadyMakeTheKindUnavailable() throws {
        let spawner = FakeSpawner { worker, number in
            if number < 4 { return worker.end(.exited(127)) }
            worker.send(.ready(unavailable: nil))
            worker.answerAll()
        }
        var limits = quickLimits
        limits.minimumBackOff = .milliseconds(20)
        let began = MonotonicTime.now
        let service = try service(limits: limits, spawner)
        #expect(
            becomesTrue {
                service.statistics.barcodesUnavailable == "its worker does not start: it exited with status 127"
            })
        #expect(becomesTrue { service.statistics.barcodesUnavailable == nil })
        // 20 + 40 + 80 + 160 ms of pauses.
        #expect(MonotonicTime.now - began >= .milliseconds(300))
        #expect(service.statistics.workerRestarts == 4)
        #expect(service.resultWhenReady(of: try WireSamples.barcodeJob()) != nil)
        #expect(service.statistics.workerRestarts == 4)
    }

    @Test func aSpawnThatFailsIsTriedAgain() throws {
        let spawner = FakeSpawner { worker, _ in
            worker.send(.ready(unavailable: nil))
            worker.answerAll()
        }
        spawner.failNext(2)
        var limits = quickLimits
        limits.minimumBackOff = .milliseconds(100)
        let service = try service(limits: limits, spawner)
        #expect(becomesTrue { service.statistics.barcodesUnavailable?.contains("can not be started") == true })
        #expect(becomesTrue { service.workerPIDs[.barcodes] != nil && service.statistics.barcodesUnavailable == nil })
        #expect(service.statistics.workerRestarts == 0)
    }

    // MARK: - Deadlines

    @Test func aJobThatTakesTooMuchCPUTimeIsGivenUp() throws {
        let spawner = FakeSpawner { worker, _ in
            // What it used before the job does not count.
            worker.useCPU(.seconds(100))
            worker.send(.ready(unavailable: nil))
            while let job = worker.nextJob() {
                worker.useCPU(job.job.cpuLimit)
                usleep(300_000)
                if worker.wasKilled { return }
                worker.useCPU(.nanoseconds(1))
            }
        }
        let service = try service(spawner)
        let job = try WireSamples.barcodeJob()
        let result = service.resultWhenReady(of: job)
        guard case .failure(.workerLost(let how)) = result else {
            Issue.record("\(String(describing: result))")
            return
        }
        #expect(how.contains("of CPU time for a job"))
        #expect(service.statistics.workerRestarts == 1)
    }

    @Test func aJobThatWaitsForeverIsGivenUpAtTheWallLimit() throws {
        let spawner = FakeSpawner { worker, _ in
            worker.send(.ready(unavailable: nil))
            while worker.nextJob() != nil {}
        }
        var limits = quickLimits
        limits.minimumWall = .milliseconds(300)
        limits.wallFactor = 1
        let service = try service(limits: limits, spawner)
        #expect(becomesTrue { events.contains("is ready") })
        let began = MonotonicTime.now
        let result = service.result(of: try WireSamples.barcodeJob())
        let took = MonotonicTime.now - began
        guard case .failure(.workerLost(let how)) = result else {
            Issue.record("\(String(describing: result))")
            return
        }
        #expect(how.contains("did not answer a job in time"))
        #expect(took >= .milliseconds(300))
        #expect(took < .seconds(5))
    }

    @Test func aStoppedWorkerIsAHungWorker() throws {
        let spawner = FakeSpawner { worker, number in
            worker.send(.ready(unavailable: nil))
            if number == 0, worker.nextJob() != nil { worker.stopRunning() }
            if number == 1 { worker.stopRunning() }
            worker.answerAll()
        }
        let service = try service(spawner)
        let job = try WireSamples.barcodeJob()
        #expect(service.resultWhenReady(of: job) == .failure(.workerLost("was stopped by a signal")))
        // The second is stopped while it has nothing to do.
        #expect(becomesTrue { service.workerPIDs[.barcodes] == 1_000_002 })
        #expect(service.statistics.workerRestarts == 2)
        #expect(service.statistics.lostJobs == 1)
    }

    @Test func aWorkerThatIsNeverReadyIsReplaced() throws {
        let spawner = FakeSpawner { worker, number in
            if number > 0 { worker.send(.ready(unavailable: nil)) }
            worker.answerAll()
        }
        var limits = quickLimits
        limits.handshake = .milliseconds(200)
        let service = try service(limits: limits, spawner)
        #expect(service.result(of: try WireSamples.barcodeJob()) == .failure(.notReady))
        #expect(service.resultWhenReady(of: try WireSamples.barcodeJob()) != nil)
        #expect(events.contains("was not ready within"))
        #expect(service.statistics.workerRestarts == 1)
    }

    // MARK: - Growth, noise, the end

    @Test func aWorkerThatHasGrownIsReplacedAndNotCountedAsRestart() throws {
        let spawner = FakeSpawner { worker, number in
            if number == 0 { worker.grow(to: 1 << 40) }
            worker.send(.ready(unavailable: nil))
            worker.answerAll(WireSamples.barcodes)
        }
        let service = try service(spawner)
        let job = try WireSamples.barcodeJob()
        #expect(service.resultWhenReady(of: job) == .success(WireSamples.barcodes))
        #expect(service.resultWhenReady(of: job) == .success(WireSamples.barcodes))
        #expect(service.statistics.recycledWorkers == 1)
        #expect(service.statistics.workerRestarts == 0)
        #expect(service.statistics.lostJobs == 0)
        #expect(service.workerPIDs[.barcodes] == 1_000_001)
    }

    @Test func noiseIsLimited() throws {
        let spawner = FakeSpawner { worker, _ in
            for line in 0..<1000 { worker.say("databar.c:1265: \(line)\n") }
            worker.send(.ready(unavailable: nil))
            worker.answerAll()
        }
        let service = try service(spawner)
        #expect(service.resultWhenReady(of: try WireSamples.barcodeJob()) != nil)
        let lines = events.all.filter { $0.level == .noise }
        #expect(lines.count == quickLimits.noiseLinesPerMinute)
        #expect(lines.first?.message == "the barcodes worker says: databar.c:1265: 0")
    }

    @Test func stopAnswersTheJobInWork() throws {
        let spawner = FakeSpawner { worker, _ in
            worker.send(.ready(unavailable: nil))
            while worker.nextJob() != nil {}
        }
        let service = try service(spawner)
        #expect(becomesTrue { events.contains("is ready") })
        let answers = JobAnswers()
        service.submit(try WireSamples.barcodeJob(), completion: answers.completion(0))
        let began = MonotonicTime.now
        service.stop()
        #expect(MonotonicTime.now - began < .seconds(3))
        #expect(answers.all == [0: [.failure(.stopped)]])
        #expect(spawner.spawned.first?.wasKilled == true)
        service.stop()
        #expect(service.statistics.workerRestarts == 0)
    }

    @Test func theLastReferenceMayGoInACompletion() throws {
        let spawner = FakeSpawner { worker, _ in
            worker.send(.ready(unavailable: nil))
            worker.answerAll()
        }
        let box = Monitor<WorkerRecognition?>(try service(spawner))
        let job = try WireSamples.barcodeJob()
        let done = Monitor(false)
        box.withLock { service in
            service?.submit(job) { _ in
                box.withLock { $0 = nil }
                done.signal { $0 = true }
            }
        }
        #expect(done.wait(until: .now + .seconds(10)) { $0 ? true : nil } == true)
        // The thread ends by itself, and the worker with it.
        #expect(becomesTrue { spawner.spawned.first?.wasKilled ?? true })
    }

    @Test func everyJobOfAFloodIsAnsweredOnce() throws {
        let spawner = FakeSpawner { worker, number in
            worker.send(.ready(unavailable: nil))
            for _ in 0..<40 {
                guard let job = worker.nextJob() else { return }
                worker.send(.result(number: job.number, WireSamples.text))
            }
            if number % 2 == 0 { worker.end(.killed(signal: SIGABRT)) } else { worker.send([1, 2, 3]) }
            worker.answerAll()
        }
        let service = try service(kinds: [.text], spawner)
        let job = try WireSamples.textJob()
        let answers = JobAnswers()
        for number in 0..<5000 {
            service.submit(job, completion: answers.completion(number))
            if number % 100 == 0 { usleep(2000) }
        }
        service.stop()
        #expect(answers.all.count == 5000)
        #expect(answers.all.values.allSatisfy { $0.count == 1 })
        let statistics = service.statistics
        #expect(statistics.finishedJobs > 0)
        let stopped = answers.all.values.count { $0.first == .failure(.stopped) }
        #expect(statistics.finishedJobs + statistics.untakenJobs + statistics.lostJobs >= 5000 - stopped)
    }
}

/// Limits for tests: looks often, the rest as always.
let quickLimits: WorkerLimits = {
    var limits = WorkerLimits()
    limits.lookWhileBusy = .milliseconds(20)
    limits.lookWhileIdle = .milliseconds(50)
    return limits
}()

/// What a worker that went wrong might send for an answer.
enum Lie: CaseIterable, Sendable {
    case wrongNumber
    case notAskedFor
    case otherKind
    case ready
    case garbage
    case oneByte
    case tooLong
    case tooManyObservations
    case notFinite
    case notUTF8
    case aJob

    func tell(_ worker: FakeWorker, _ number: UInt32) {
        switch self {
        case .wrongNumber: worker.send(.result(number: number &+ 1, WireSamples.barcodes))
        case .notAskedFor: worker.send(.result(number: number, WireSamples.barcodes))
        case .otherKind: worker.send(.result(number: number, WireSamples.text))
        case .ready: worker.send(.ready(unavailable: nil))
        case .garbage: worker.send([UInt8](repeating: 0xA5, count: 500))
        case .oneByte: worker.send([WireMessage.version])
        case .tooLong: worker.send([UInt8](repeating: 1, count: WireMessage.maximumBytes + 1))
        case .tooManyObservations:
            var bytes = WireAnswer.result(number: number, WireSamples.barcodes).encoded()
            // The count follows version, kind, number and CPU time.
            bytes[14] = 0xFF
            bytes[15] = 0xFF
            worker.send(bytes)
        case .notFinite:
            var result = WireSamples.barcodes
            result.observations[0].bounds.topRight.x = .nan
            worker.send(.result(number: number, result))
        case .notUTF8:
            var result = WireSamples.barcodes
            result.observations.removeLast()
            var bytes = WireAnswer.result(number: number, result).encoded()
            if let bracket = bytes.lastIndex(of: UInt8(ascii: "]")) { bytes[bracket] = 0xFF }
            worker.send(bytes)
        case .aJob:
            if let job = try? WireSamples.barcodeJob(), let bytes = try? WireJob(number: number, job: job).encoded() {
                worker.send(bytes)
            }
        }
    }
}
