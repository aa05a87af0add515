// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Capture
import Configuration
import LinuxSystem
import ScanClient
import ScanModel
import ScanProtocol

// The camera of the daemon, which has it for itself: its frames come over the control socket.
extension Record {
    /// How often a daemon or a camera that is not there yet is asked again.
    private static let retryInterval = Duration.milliseconds(500)

    func recordDaemon() throws -> RecordConclusion {
        interruption.onSignal {}
        guard let reader = try connect() else { return RecordConclusion(.interrupted) }
        writer.interval = FrameInterval(rate: reader.started.capture?.mode?.rate)
        let camera = RecordedCamera(reader.started)
        let conclusion = try write(reader, camera)
        try describe(camera, conclusion)
        return conclusion
    }

    /// `nil` when it was interrupted.
    private func connect() throws(ClientError) -> RecordingReader? {
        var request = Wire.RecordingRequest(
            seconds: Double(session.options.recordSeconds), frames: session.options.recordFrames)
        // Of a raw format, half and less is written: the writer sees to the size.
        request.bytes = Wire.RecordingRequest.maximumBytes
        while true {
            do throws(ClientError) {
                return try session.client.recording(request, cancellation: interruption.event)
            } catch {
                if interruption.wait(until: .now) { return nil }
                switch error {
                case .noSocket, .notRunning: break
                case .failed(let answer) where answer.isTemporary: break
                default: throw error
                }
                if MonotonicTime.now >= session.waitLimit { throw error }
            }
            if interruption.wait(until: .now + Record.retryInterval) { return nil }
        }
    }

    private func write(_ reader: RecordingReader, _ camera: RecordedCamera) throws -> RecordConclusion {
        var dropped = 0
        while true {
            let step: RecordingReader.Step
            var picture: OwnedPicture?
            do throws(ClientError) {
                step = try reader.next()
                if case .frame(let frame, let bytes) = step {
                    picture = try OwnedPicture(frame, bytes, of: reader.started)
                }
            } catch {
                // What is written is whole: it is told how much that is, and then what went wrong.
                guard writer.tally.frames > 0 else { throw error }
                return RecordConclusion(.lost("\(error)"), dropped: dropped)
            }
            switch step {
            case .cancelled: return RecordConclusion(.interrupted, dropped: dropped)
            case .ended(let ended): return RecordConclusion(ended)
            case .frame(let frame, _):
                dropped = frame.dropped
                let isFirst = writer.tally.frames == 0
                let end = try picture?.withRaw { (picture) throws(RecordingError) in try writer.append(picture) }
                if isFirst, writer.tally.frames > 0 { try describe(camera) }
                if let end { return RecordConclusion(.ended(end), dropped: dropped) }
            }
        }
    }
}

extension FrameInterval {
    /// To a hundredth of a frame a second.
    fileprivate init?(rate: Double?) {
        guard let rate, rate >= 0.01, rate <= 100_000 else { return nil }
        let hundredths = UInt32((rate * 100).rounded())
        let isWhole = hundredths % 100 == 0
        self.init(isWhole ? 1 : 100, isWhole ? hundredths / 100 : hundredths)
    }
}

extension OwnedPicture {
    /// A frame as it came over the socket.
    fileprivate init(
        _ frame: Wire.RecordedFrame, _ bytes: [UInt8], of started: Wire.RecordingStarted
    ) throws(ClientError) {
        guard let time = WallTime(rfc3339: frame.time), let format = FourCC(started.format), started.width > 0,
            started.height > 0, started.bytesPerLine >= 0, started.width <= FramePool.maximumSide,
            started.height <= FramePool.maximumSide, started.bytesPerLine <= 1 << 20,
            let monotonic = MonotonicTime(told: frame.monotonic)
        else {
            throw .malformed(
                MalformedMessage(
                    "a frame that makes no sense: \(started.format), \(started.width)x\(started.height), "
                        + "\(frame.time), \(frame.monotonic) ns"))
        }
        self.init(
            stamp: FrameStamp(sequence: frame.sequence, monotonic: monotonic, time: time),
            format: format, width: started.width, height: started.height, bytesPerLine: started.bytesPerLine,
            bytes: bytes)
    }
}
