// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Glibc
import ImageKernels
import LinuxSystem
import ScanModel
import ScanTestSupport
import Testing

@testable import Recognition

/// Real workers: processes of the `datascand` program that was built beside the tests, with the real engines.
@Suite(.serialized) struct WorkerProcessTests {
    private let events = WorkerEvents()
    private let memory: SharedMemory

    /// A frame of noise that keeps both engines busy for some tenths of a second, and a blank one behind it.
    private static let noise = FrameLocation(offset: 0, width: 2400, height: 1600)
    private static let blank = FrameLocation(offset: 2400 * 1600, width: 64, height: 64)

    init() throws {
        memory = try SharedMemory(name: "datascand-frames", size: 2400 * 1600 + 64 * 64)
        var generator = SeededGenerator(seed: 5)
        let words = memory.bytes.bindMemory(to: UInt64.self)
        for index in 0..<2400 * 1600 / 8 { words[index] = generator.next() }
        for index in 2400 * 1600..<2400 * 1600 + 64 * 64 { memory.bytes[index] = 255 }
    }

    private func configuration(_ kinds: Set<WorkerKind> = [.barcodes, .text]) throws -> WorkerConfiguration {
        var configuration = WorkerConfiguration(
            frameMemory: memory.raw, frameMemorySize: memory.bytes.count, log: events.record)
        configuration.executable = try #require(Self.program, "datascand is not beside the test bundle")
        configuration.kinds = kinds
        return configuration
    }

    private func job(
        _ kind: WorkerKind, _ frame: FrameLocation = Self.blank, cpuLimit: Duration = .seconds(60),
        languages: [String] = ["eng"]
    ) throws -> RecognitionJob {
        let task: RecognitionJob.Task =
            switch kind {
            case .barcodes:
                .barcodes(BarcodeParameters(symbologies: [.ean13, .code128, .qr], qualityLevel: .accurate))
            case .text: .text(TextParameters(languages: languages, qualityLevel: .accurate, maximumLines: 200))
            }
        return RecognitionJob(
            frame: frame,
            region: try #require(PixelRect(x: 0, y: 0, width: frame.width, height: frame.height)), task: task,
            cpuLimit: cpuLimit)
    }

    // MARK: - Deaths

    /// Ten of each signal in the middle of a job, on both kinds of worker in turn.
    @Test func workersThatAreKilledAreReplacedOneForOne() throws {
        let service = try WorkerRecognition(configuration: configuration())
        let answers = JobAnswers()
        let began = MonotonicTime.now
        var jobs = 0
        var lost = 0
        while lost < 30, jobs < 60 {
            let signal = [SIGSEGV, SIGKILL, SIGSTOP][lost % 3]
            let kind: WorkerKind = lost % 2 == 0 ? .barcodes : .text
            #expect(isSuccess(service.resultWhenReady(of: try job(kind))))
            let pid = try #require(service.workerPIDs[kind])
            service.submit(try job(kind, Self.noise), completion: answers.completion(jobs))
            usleep(3000)
            kill(pid, signal)
            let answer = try #require(answers.wait(for: jobs))
            jobs += 1
            // On a busy machine the job may be done before the signal, or not begun: a death of a worker without a job.
            #expect(becomesTrue { service.statistics.workerRestarts == jobs })
            if isSuccess(answer) || answer == .failure(.notReady) { continue }
            // A sanitizer takes SIGSEGV for itself and exits.
            if signal != SIGSEGV || !CurrentProcess.isSanitized {
                let how = ["was ended by SIGSEGV", "was ended by SIGKILL", "was stopped by a signal"][lost % 3]
                #expect(answer == .failure(.workerLost(how)))
            }
            lost += 1
        }
        for kind in WorkerKind.allCases { #expect(isSuccess(service.resultWhenReady(of: try job(kind)))) }
        let took = MonotonicTime.now - began
        #expect(lost == 30)
        #expect(answers.all.count == jobs)
        #expect(answers.all.values.allSatisfy { $0.count == 1 })
        #expect(service.statistics.workerRestarts == jobs)
        #expect(service.statistics.lostJobs == 30)
        #expect(service.statistics.refusedAnswers == 0)
        #expect(took < .seconds(CurrentProcess.isSanitized ? 120 : 30), "30 deaths took \(took)")
        let pids = service.workerPIDs.values
        #expect(pids.count == 2)
        service.stop()
        #expect(pids.allSatisfy(isGone))
    }

    @Test func aStoppedWorkerWithoutAJobIsReplaced() throws {
        let service = try WorkerRecognition(configuration: configuration([.barcodes]))
        #expect(isSuccess(service.resultWhenReady(of: try job(.barcodes))))
        let pid = try #require(service.workerPIDs[.barcodes])
        kill(pid, SIGSTOP)
        #expect(becomesTrue { service.workerPIDs[.barcodes].map { $0 != pid } ?? false })
        #expect(isSuccess(service.resultWhenReady(of: try job(.barcodes))))
        #expect(service.statistics.workerRestarts == 1)
    }

    @Test func aJobOverItsCPULimitIsGivenUpAndTheOtherKindGoesOn() throws {
        let service = try WorkerRecognition(configuration: configuration())
        for kind in WorkerKind.allCases { #expect(isSuccess(service.resultWhenReady(of: try job(kind)))) }
        let answers = JobAnswers()
        service.submit(
            try job(.barcodes, Self.noise, cpuLimit: .milliseconds(20)), completion: answers.completion(0))
        #expect(isSuccess(service.result(of: try job(.text))))
        let answer = try #require(answers.wait(for: 0))
        guard case .failure(.workerLost(let how)) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(how.contains("of CPU time for a job, more than 0.02 seconds"))
        #expect(isSuccess(service.resultWhenReady(of: try job(.barcodes))))
        #expect(service.statistics.workerRestarts == 1)
    }

    @Test func missingLanguageDataIsAnAnswer() throws {
        var configuration = try configuration([.text])
        configuration.languages = ["xyz"]
        let service = try WorkerRecognition(configuration: configuration)
        #expect(becomesTrue { service.statistics.textUnavailable?.contains("xyz") == true })
        guard case .failure(.unavailable(let reason)) = service.result(of: try job(.text, languages: ["xyz"])) else {
            Issue.record("unavailable is expected")
            return
        }
        #expect(reason.contains("xyz"))
        #expect(isSuccess(service.result(of: try job(.text))))
        #expect(service.statistics.textUnavailable == nil)
        #expect(service.statistics.workerRestarts == 0)
    }

    @Test func aProgramThatIsNoWorkerIsSaidSo() throws {
        var configuration = try configuration([.barcodes])
        configuration.executable = "/bin/false"
        configuration.limits.minimumBackOff = .milliseconds(10)
        let service = try WorkerRecognition(configuration: configuration)
        #expect(
            becomesTrue {
                service.statistics.barcodesUnavailable == "its worker does not start: it exited with status 1"
            })
        #expect(service.result(of: try job(.barcodes)) == .failure(.notReady))
    }

    // MARK: - What a worker is given

    @Test func aWorkerHasWhatItNeedsAndNothingElse() throws {
        let service = try WorkerRecognition(configuration: configuration())
        for kind in WorkerKind.allCases {
            #expect(isSuccess(service.resultWhenReady(of: try job(kind))))
            let pid = try #require(service.workerPIDs[kind])
            let environment = CurrentProcess.readSmallFile("/proc/\(pid)/environ") ?? ""
            #expect(environment.split(separator: "\0").map(String.init) == ProcessSpawner.environment)
            #expect(environment.contains("OMP_THREAD_LIMIT=1"))
            #expect(getpgid(pid) == pid)

            let limits = try contents("/proc/\(pid)/limits").split(separator: "\n")
            let core = try #require(limits.first { $0.hasPrefix("Max core file size") })
            #expect(core.split(separator: " ").dropFirst(4).prefix(2) == ["0", "0"])
            if !CurrentProcess.isSanitized {
                let space = try #require(limits.first { $0.hasPrefix("Max address space") })
                let expected = String(WorkerLimits().addressSpace + memory.bytes.count)
                #expect(space.split(separator: " ").dropFirst(3).prefix(2) == [expected[...], expected[...]])
            }
            let frames = try contents("/proc/\(pid)/maps").split(separator: "\n").filter {
                $0.contains("memfd:datascand-frames")
            }
            #expect(frames.count == 1)
            #expect(frames.first?.split(separator: " ")[1] == "r--s")
            let threads = try contents("/proc/\(pid)/status").split(separator: "\n").first { $0.hasPrefix("Threads:") }
            if !CurrentProcess.isSanitized { #expect(threads == "Threads:\t1") }
        }
    }

    @Test func aTerminalsSignalsAreNotForTheWorker() throws {
        let service = try WorkerRecognition(configuration: configuration([.barcodes]))
        #expect(isSuccess(service.resultWhenReady(of: try job(.barcodes))))
        let pid = try #require(service.workerPIDs[.barcodes])
        for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] { kill(pid, signal) }
        #expect(isSuccess(service.result(of: try job(.barcodes))))
        #expect(service.workerPIDs[.barcodes] == pid)
        #expect(service.statistics.workerRestarts == 0)
    }

    // MARK: - Ends

    @Test func aWorkerEndsWithItsSocket() throws {
        let spawner = ProcessSpawner(configuration: try configuration())
        let connection = try spawner.spawn(.barcodes, notes: nil)
        connection.closeSocket()
        _ = try pollDescriptors([(connection.process.endDescriptor, .readable)], until: .now + .seconds(10))
        #expect(connection.process.condition() == .ended(.exited(0)))
    }

    /// The thread that spawned a worker stands for a daemon that was killed: the kernel tells them apart no more than we do.
    @Test func aWorkerDiesWithTheThreadThatSpawnedIt() throws {
        let spawner = ProcessSpawner(configuration: try configuration())
        let ending = Monitor<ChildProcess.Condition?>(nil)
        let watcher = Monitor<Int32>(-1)
        let thread = NamedThread("spawner") {
            guard let connection = try? spawner.spawn(.barcodes, notes: nil) else { return }
            let copy = dup(connection.process.endDescriptor)
            // Ready, so that it has asked to die with this thread.
            _ = try? pollDescriptors([(connection.socket ?? -1, .readable)], until: .now + .seconds(10))
            let keeper = Unmanaged.passRetained(connection).toOpaque()
            let address = UInt(bitPattern: keeper)
            _ = NamedThread("keeper") {
                _ = try? pollDescriptors([(copy, .readable)], until: .now + .seconds(10))
                guard let pointer = UnsafeMutableRawPointer(bitPattern: address) else { return }
                let connection = Unmanaged<WorkerConnection>.fromOpaque(pointer).takeRetainedValue()
                let condition = connection.process.condition()
                ending.signal { $0 = condition }
            }
            watcher.signal { $0 = copy }
        }
        thread.join()
        #expect(ending.wait(until: .now + .seconds(15)) { $0 } == .ended(.killed(signal: SIGKILL)))
        close(watcher.withLock { $0 })
    }

    @Test func stoppingLeavesNothingBehind() throws {
        var before = 0
        var pids: [Int32] = []
        for cycle in 0..<50 {
            let service = try WorkerRecognition(configuration: configuration([.barcodes]))
            // Sometimes before it is ready, sometimes after, sometimes with a job in work.
            if cycle % 3 > 0 { #expect(isSuccess(service.resultWhenReady(of: try job(.barcodes)))) }
            let answers = JobAnswers()
            if cycle % 3 == 2 { service.submit(try job(.barcodes, Self.noise), completion: answers.completion(0)) }
            pids += service.workerPIDs.values
            service.stop()
            if cycle % 3 == 2 { #expect(answers.all.values.first?.count == 1) }
            if cycle == 2 { before = openDescriptors() }
        }
        #expect(pids.count > 30)
        #expect(pids.allSatisfy(isGone))
        // Other tests open some meanwhile; one that is lost a cycle would make 47.
        #expect(becomesTrue { openDescriptors() < before + 24 })
    }

    @Test func timesOfAWorker() throws {
        let service = try WorkerRecognition(configuration: configuration())
        for kind in WorkerKind.allCases { #expect(isSuccess(service.resultWhenReady(of: try job(kind)))) }
        let blank = try job(.barcodes)
        var trips: [Duration] = []
        for _ in 0..<200 {
            let began = MonotonicTime.now
            #expect(isSuccess(service.result(of: blank)))
            trips.append(MonotonicTime.now - began)
        }
        let median = trips.sorted()[100]
        #expect(median < .milliseconds(100))
        for event in events.all where event.message.contains("is ready") { print(event.message) }
        print("round trip of a job over a blank picture: median \(median)")
    }

    // MARK: - Helpers

    private func isSuccess(_ result: JobResult?) -> Bool {
        if case .success = result { return true }
        return false
    }

    /// The program beside the test bundle, wherever the runner itself lies.
    private static let program: String? = {
        var places = ["/proc/self/exe"] + CommandLine.arguments.filter { $0.contains(".xctest") }
        if let path = realpath(places[0], nil) {
            places[0] = String(cString: path)
            free(path)
        }
        return places.lazy.map { place in
            String(place[..<(place.lastIndex(of: "/") ?? place.startIndex)]) + "/datascand"
        }.first { access($0, X_OK) == 0 }
    }()

    private func contents(_ path: String) throws -> String {
        let file = try OwnedDescriptor.openForReading(path)
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16384)
        while let count = try buffer.withUnsafeMutableBytes({ try file.read(into: $0) }), count > 0 {
            text += buffer[..<count]
        }
        return try #require(String(validating: text, as: UTF8.self))
    }

    private func openDescriptors() -> Int { entries(of: "/proc/self/fd").count }

    /// Whether a process has ended and was reaped: a zombie still takes signals.
    private func isGone(_ pid: Int32) -> Bool { kill(pid, 0) == -1 && errno == ESRCH }

    private func entries(of folder: String) -> [String] {
        var names: [String] = []
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
