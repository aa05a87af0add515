// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ImageKernels
import LinuxSystem
import ScanModel
import Testing

@testable import Recognition

/// The worker's side of the socket, with the test as daemon.
@Suite struct WorkerLoopTests {
    private let start = WorkerStart(kind: .barcodes, parent: 0, addressSpace: 1, languages: ["eng"])

    /// Runs a worker's loop on a thread and hands the daemon's end to `body`; how the loop ended.
    private func withWorker(
        start: WorkerStart, engine: @escaping @Sendable () -> ScriptedEngine, _ body: (Int32) throws -> Void
    ) throws -> WorkerLoop.Ending? {
        let ends = try UnixSocket.messagePair()
        UnixSocket.setSendBuffer(Int32(WireMessage.maximumBytes), of: ends.1)
        let ending = Monitor<WorkerLoop.Ending?>(nil)
        let thread = NamedThread("loop") {
            let socket = OwnedDescriptor(owning: ends.1)
            let pixels = (0..<4096).map { UInt8(truncatingIfNeeded: $0) }
            let result = pixels.withUnsafeBytes {
                WorkerLoop(socket: socket.raw, frames: $0, engine: engine()).run(start: start)
            }
            ending.signal { $0 = result }
        }
        do {
            let own = OwnedDescriptor(owning: ends.0)
            try body(own.raw)
        }
        thread.join()
        return ending.withLock { $0 }
    }

    private func receive(_ raw: Int32) throws -> WireAnswer {
        var buffer = [UInt8](repeating: 0, count: WireMessage.maximumBytes + 1)
        let count = try buffer.withUnsafeMutableBytes { try UnixSocket.receive(into: $0, from: raw, waiting: true) }
        return try WireAnswer(decoding: buffer, count: try #require(count))
    }

    private func send(_ bytes: [UInt8], to raw: Int32) throws {
        let sent = try bytes.withUnsafeBytes { try UnixSocket.send($0, to: raw, waiting: true) }
        #expect(sent == bytes.count)
    }

    private func job(offset: Int = 96, symbologies: Set<Symbology> = [.ean13]) throws -> RecognitionJob {
        RecognitionJob(
            frame: FrameLocation(offset: offset, width: 50, height: 40),
            region: try #require(PixelRect(x: 1, y: 2, width: 3, height: 4)),
            task: .barcodes(BarcodeParameters(symbologies: symbologies, qualityLevel: .fast)), cpuLimit: .seconds(1))
    }

    @Test func jobsAreAnsweredUntilTheSocketCloses() throws {
        let job = try job()
        let ending = try withWorker(start: start) {
            ScriptedEngine { seen, luma in
                // The warm-up is a blank picture of its own.
                if luma.width == 64 { return RecognitionResult(observations: [], cpuTime: .zero) }
                #expect(seen == job)
                #expect(luma[0, 0] == 96)
                #expect(luma[49, 39] == UInt8(truncatingIfNeeded: 96 + 39 * 50 + 49))
                return WireSamples.barcodes
            }
        } _: { raw in
            #expect(try receive(raw) == .ready(unavailable: nil))
            for number: UInt32 in 1...3 {
                try send(try WireJob(number: number, job: job).encoded(), to: raw)
                // The QR code was not asked for.
                let expected = RecognitionResult(
                    observations: Array(WireSamples.barcodes.observations.prefix(1)),
                    cpuTime: WireSamples.barcodes.cpuTime, omitted: 4)
                #expect(try receive(raw) == .result(number: number, expected))
            }
        }
        #expect(ending == .endOfJobs)
    }

    @Test func anEngineThatCanNotReadSaysSoAndLives() throws {
        let text = WorkerStart(kind: .text, parent: 0, addressSpace: 1, languages: ["xyz"])
        let job = try job()
        let ending = try withWorker(start: text) {
            ScriptedEngine { seen, _ throws(RecognitionFailure) in
                guard case .text(let parameters) = seen.task else { throw .unavailable("not now") }
                throw .unavailable("no \(parameters.languages)")
            }
        } _: { raw in
            #expect(try receive(raw) == .ready(unavailable: "no [\"xyz\"]"))
            for number: UInt32 in 1...2 {
                try send(try WireJob(number: number, job: job).encoded(), to: raw)
                #expect(try receive(raw) == .unavailable(number: number, "not now"))
            }
        }
        #expect(ending == .endOfJobs)
    }

    @Test func aFrameOutsideTheMemoryEndsTheWorker() throws {
        let job = try job(offset: 4096 - 50 * 40 + 1)
        let ending = try withWorker(start: start) {
            ScriptedEngine { _, _ in RecognitionResult(observations: [], cpuTime: .zero) }
        } _: { raw in
            _ = try receive(raw)
            try send(try WireJob(number: 1, job: job).encoded(), to: raw)
            // The end of file comes, not an answer.
            #expect(throws: WireError.self) { try receive(raw) }
        }
        #expect(ending == .failed("the frame is not in the shared memory"))
    }

    @Test func garbageEndsTheWorker() throws {
        let ending = try withWorker(start: start) {
            ScriptedEngine { _, _ in RecognitionResult(observations: [], cpuTime: .zero) }
        } _: { raw in
            _ = try receive(raw)
            try send([WireMessage.version, 77, 0, 0], to: raw)
            #expect(throws: WireError.self) { try receive(raw) }
        }
        #expect(ending == .failed("kind 77 is unknown"))
    }
}
