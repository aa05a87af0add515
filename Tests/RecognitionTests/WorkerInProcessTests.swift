// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ImageKernels
import LinuxSystem
import ScanModel
import Testing

@testable import Recognition

@Suite struct WorkerInProcessTests {
    private func service(
        kinds: Set<WorkerKind> = [.barcodes, .text],
        _ script: @escaping @Sendable (RecognitionJob, LumaView) throws(RecognitionFailure) -> RecognitionResult
    ) -> InProcessRecognition {
        InProcessRecognition(kinds: kinds, makeEngine: { _ in ScriptedEngine(script) }) { frame, body in
            // Frames are as bright as their offset; there is none at 0.
            if frame.offset == 0 { return }
            LumaBuffer(width: frame.width, height: frame.height, filledWith: UInt8(frame.offset)).withView(body)
        }
    }

    private func job(text: Bool = false, offset: Int = 7) throws -> RecognitionJob {
        var job = text ? try WireSamples.textJob() : try WireSamples.barcodeJob()
        job.frame = FrameLocation(offset: offset, width: 200, height: 100)
        return job
    }

    @Test func jobsAreAnsweredFromTheFrameThatTheyName() throws {
        let service = service { job, luma in
            #expect(luma[199, 99] == UInt8(job.frame.offset))
            if case .text = job.task { return WireSamples.text }
            return WireSamples.barcodes
        }
        #expect(service.result(of: try job()) == .success(WireSamples.barcodes))
        #expect(service.result(of: try job(text: true, offset: 200)) == .success(WireSamples.text))
        #expect(service.result(of: try job(offset: 0)) == .failure(.notReady))
        #expect(service.statistics.finishedJobs == 2)
        #expect(service.statistics.lostJobs == 1)
    }

    @Test func whatWasNotAskedForIsLeftOut() throws {
        let service = service { _, _ in WireSamples.text }
        #expect(
            service.result(of: try job())
                == .success(RecognitionResult(observations: [], cpuTime: .zero, omitted: 2)))
        #expect(service.statistics.omittedObservations == 2)
    }

    @Test func oneJobOfAKindIsInWorkAndTheOtherKindGoesOn() throws {
        let release = Monitor(false)
        let service = service { job, _ in
            guard case .text = job.task else { return WireSamples.barcodes }
            _ = release.wait { $0 ? true : nil }
            return WireSamples.text
        }
        let answers = JobAnswers()
        service.submit(try job(text: true), completion: answers.completion(0))
        #expect(service.result(of: try job(text: true)) == .failure(.notReady))
        #expect(service.result(of: try job()) == .success(WireSamples.barcodes))
        #expect(answers.all.isEmpty)
        release.signal { $0 = true }
        #expect(answers.wait(for: 0) == .success(WireSamples.text))
        #expect(service.result(of: try job(text: true)) == .success(WireSamples.text))
    }

    @Test func theRealEnginesReadABlankFrame() throws {
        let service = InProcessRecognition { frame, body in
            LumaBuffer(width: frame.width, height: frame.height, filledWith: 255).withView(body)
        }
        for text in [false, true] {
            var job = try job(text: text)
            if text {
                job.task = .text(TextParameters(languages: ["eng"], qualityLevel: .balanced, maximumLines: 5))
            }
            guard case .success(let result) = service.result(of: job) else {
                Issue.record("a blank frame was not read")
                return
            }
            #expect(result.observations.isEmpty)
        }
    }

    @Test func unavailabilityIsAnAnswerAndAState() throws {
        let service = service { _, _ throws(RecognitionFailure) in throw .unavailable("no language data") }
        #expect(service.result(of: try job(text: true)) == .failure(.unavailable("no language data")))
        #expect(service.statistics.textUnavailable == "no language data")
        #expect(service.statistics.barcodesUnavailable == nil)
    }

    @Test func aKindThatIsNotReadIsUnavailable() throws {
        let service = service(kinds: [.barcodes]) { _, _ in WireSamples.barcodes }
        guard case .failure(.unavailable) = service.result(of: try job(text: true)) else {
            Issue.record("unavailable is expected")
            return
        }
    }

    @Test func stopAnswersEveryJobOnce() throws {
        let service = service { _, _ in WireSamples.barcodes }
        let answers = JobAnswers()
        for number in 0..<2000 { service.submit(try job(), completion: answers.completion(number)) }
        service.stop()
        service.submit(try job(), completion: answers.completion(2000))
        #expect(answers.all.count == 2001)
        #expect(answers.all.values.allSatisfy { $0.count == 1 })
        #expect(answers.all[2000] == [.failure(.stopped)])
    }
}
