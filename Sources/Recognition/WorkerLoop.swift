// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ImageKernels
internal import LinuxSystem
internal import ScanModel

/// What a worker does once it is set up: says that it is ready, then answers one job after the other.
struct WorkerLoop {
    enum Ending: Hashable {
        /// The daemon closed the socket.
        case endOfJobs
        case failed(String)
    }

    /// Borrowed.
    let socket: Int32
    let frames: UnsafeRawBufferPointer
    let engine: any RecognitionEngine

    func run(start: WorkerStart) -> Ending {
        guard send(.ready(unavailable: warmUp(start))) else { return .endOfJobs }
        var buffer = [UInt8](repeating: 0, count: WireMessage.maximumBytes)
        while true {
            do {
                let received = try buffer.withUnsafeMutableBytes {
                    try UnixSocket.receive(into: $0, from: socket, waiting: true)
                }
                guard let received, received > 0 else { return .endOfJobs }
                guard send(try perform(WireJob(decoding: buffer, count: received))) else { return .endOfJobs }
            } catch {
                return .failed("\(error)")
            }
        }
    }

    /// Lets the engine load what it needs before the first job waits for it; why it can not, where that is so.
    private func warmUp(_ start: WorkerStart) -> String? {
        let blank = LumaBuffer(width: 64, height: 64, filledWith: 255)
        guard let region = PixelRect(x: 0, y: 0, width: blank.width, height: blank.height) else { return nil }
        let task: RecognitionJob.Task =
            switch start.kind {
            case .barcodes:
                .barcodes(BarcodeParameters(symbologies: Set(Symbology.allCases), qualityLevel: .fast))
            case .text:
                .text(TextParameters(languages: start.languages, qualityLevel: .fast, maximumLines: 1))
            }
        let job = RecognitionJob(
            frame: FrameLocation(offset: 0, width: blank.width, height: blank.height), region: region, task: task,
            cpuLimit: .seconds(10))
        do {
            _ = try blank.withView { try engine.perform(job, luma: $0) }
            return nil
        } catch RecognitionFailure.unavailable(let reason) {
            return reason
        } catch {
            return "\(error)"
        }
    }

    private func perform(_ wire: WireJob) throws -> WireAnswer {
        let frame = wire.job.frame
        guard frame.width > 0, frame.height > 0, frame.width <= (frames.count - frame.offset) / frame.height else {
            throw WireError("the frame is not in the shared memory")
        }
        let bytes = frames[frame.offset..<frame.offset + frame.width * frame.height]
        guard
            let luma = LumaView(
                bytes: UnsafeRawBufferPointer(rebasing: bytes), width: frame.width, height: frame.height)
        else { throw WireError("a frame of \(frame.width)x\(frame.height)") }
        do throws(RecognitionFailure) {
            let result = try engine.perform(wire.job, luma: luma)
            return .result(number: wire.number, result.fitted(to: wire.job))
        } catch {
            guard case .unavailable(let reason) = error else { throw error }
            return .unavailable(number: wire.number, reason)
        }
    }

    /// False when the daemon is gone.
    private func send(_ answer: WireAnswer) -> Bool {
        let message = answer.encoded()
        return message.withUnsafeBytes { (try? UnixSocket.send($0, to: socket, waiting: true)) ?? nil } == message.count
    }
}
