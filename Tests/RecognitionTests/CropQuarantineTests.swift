// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Glibc
import ImageKernels
import LinuxSystem
import ScanModel
import Testing

@testable import Recognition

/// Crops that ended a worker are not given to the second engine again.
@Suite struct CropQuarantineTests {
    private let events = WorkerEvents()

    private func notes() throws -> SharedCropNotes {
        SharedCropNotes(words: try SharedWords(name: "notes", count: SharedCropNotes.wordCount))
    }

    @Test func aCondemnedCropIsKnownInTheNextFrame() throws {
        let notes = try notes()
        let quarantine = CropQuarantine(notes: notes)
        let crop = try TestPictures.qr(Array("bad crop".utf8)).padded(20)
        let other = try TestPictures.qr(Array("good crop".utf8)).padded(20)
        #expect(quarantine.begin(crop))
        // The worker dies here; its supervisor reads what it noted.
        let look = try #require(notes.takeLast())
        #expect(notes.takeLast() == nil)
        notes.condemn([look])
        let next = CropQuarantine(notes: notes)
        for seed in 0..<20 { #expect(!next.begin(crop.noisy(6, seed: UInt64(seed)))) }
        #expect(next.begin(other))
        next.end()
        #expect(notes.takeLast() == nil)
    }

    /// A few that pass for another cost those the second engine's word, no more.
    @Test func differentCropsLookDifferent() throws {
        let codes = try (0..<24).map { index in
            try TestPictures.qr(Array("\(index * 7919 % 97) text \(index * 104729)".utf8)).padded(20)
        }
        let bars = try (0..<24).map { index in
            let code = try TestPictures.zint("CODE128", "CARTON-\(1000 + 370 * index)", scale: 1)
            return code.resized(width: code.width, height: 40)
        }
        for crops in [codes, bars] {
            let looks = crops.map { CropLook(of: $0) }
            var alike = 0
            for (index, look) in looks.enumerated() { alike += looks[(index + 1)...].count(where: look.isLike) }
            #expect(alike <= 24 * 23 / 2 / 20, "\(alike) pairs")
        }
    }

    @Test func aReaderLeavesACondemnedCropToTheOtherEngine() throws {
        let notes = try notes()
        let code = try TestPictures.qr(Array("bad crop".utf8))
        let scene = CropReaderTests.Scene(code)
        let candidate = CodeCandidate(kind: .qr, quad: scene.quad, moduleSize: 4, isInverted: false, score: 1)
        // Every look that the candidate has in any pass.
        final class Recorder: CropNotes {
            var looks: [CropLook] = []
            var areKept: Bool { true }
            var condemned: [CropLook] { [] }
            func note(_ look: CropLook?) { if let look { looks.append(look) } }
        }
        let recorder = Recorder()
        let first = scene.picture.withView {
            CropReader(quarantine: CropQuarantine(notes: recorder)).read(
                candidate, in: $0, symbologies: [.qr], effort: .look)
        }
        #expect(first.first?.witnesses.allSatisfy { $0.engine == .zxing } == true)
        notes.condemn(recorder.looks)
        let second = scene.picture.withView {
            CropReader(quarantine: CropQuarantine(notes: notes)).read(
                candidate, in: $0, symbologies: [.qr], effort: .thorough)
        }
        #expect(second.first?.payload == Array("bad crop".utf8))
        #expect(second.first?.witnesses.allSatisfy { $0.engine == .zbar } == true)
        #expect(notes.takeLast() == nil)
    }

    @Test func theNextWorkerIsToldWhatEndedTheLast() throws {
        let told = Monitor<[[CropLook]?]>([])
        let looks = try (7...8).map { try #require(CropLook(words: [$0, 0, 0, $0])) }
        let spawner = FakeSpawner { worker, number in
            let notes = worker.notes.map { SharedCropNotes(words: $0) }
            told.signal { $0.append(notes?.condemned) }
            worker.send(.ready(unavailable: nil))
            if number < 2 {
                guard worker.nextJob() != nil else { return }
                notes?.note(looks[number])
                // A worker that went wrong may write anywhere in its notes.
                if let words = worker.notes { words[CropLook.wordCount] = 12345 }
                worker.end(.killed(signal: SIGABRT))
                return worker.closeSocket()
            }
            worker.answerAll(WireSamples.barcodes)
        }
        var configuration = WorkerConfiguration(frameMemory: -1, frameMemorySize: 1 << 30, log: events.record)
        configuration.kinds = [.barcodes]
        configuration.limits = quickLimits
        let service = try WorkerRecognition(configuration: configuration, spawner: spawner)
        let job = try WireSamples.barcodeJob()
        for _ in 0..<2 {
            #expect(service.resultWhenReady(of: job) == .failure(.workerLost("was ended by SIGABRT")))
        }
        #expect(service.resultWhenReady(of: job) == .success(WireSamples.barcodes))
        #expect(told.withLock { $0 } == [[], [looks[0]], looks])
        #expect(service.statistics.quarantinedCrops == 2)
        service.stop()
    }

    @Test func aWorkerThatEndsBetweenCropsCondemnsNothing() throws {
        let spawner = FakeSpawner { worker, number in
            worker.send(.ready(unavailable: nil))
            if number == 0 {
                guard worker.nextJob() != nil else { return }
                worker.end(.killed(signal: SIGSEGV))
                return worker.closeSocket()
            }
            worker.answerAll()
        }
        var configuration = WorkerConfiguration(frameMemory: -1, frameMemorySize: 1 << 30, log: events.record)
        configuration.kinds = [.barcodes]
        configuration.limits = quickLimits
        let service = try WorkerRecognition(configuration: configuration, spawner: spawner)
        let job = try WireSamples.barcodeJob()
        _ = service.resultWhenReady(of: job)
        guard case .success = service.resultWhenReady(of: job) else {
            Issue.record("a result is expected")
            return
        }
        #expect(service.statistics.quarantinedCrops == 0)
        service.stop()
    }
}
