// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import LinuxSystem
public import ScanModel

/// Records from a camera that nobody else uses: takes frames on a thread of its own and writes them on the caller's.
public final class CameraRecorder: Sendable {
    /// How a recording came to its end.
    public enum Ending: Sendable, Hashable {
        /// A limit, a full disk or another format.
        case ended(RecordingEnd)
        case interrupted
        /// The camera gives no frames: none at all, or none any more.
        case unavailable(UnavailabilityCode, message: String)
    }

    /// How long a source may say nothing at all; a camera tells within 2 s that it gives no frames.
    private static let silenceLimit = Duration.seconds(10)
    /// Sensors may take so long for the first frame of a stream, and are said to give none before.
    private static let firstFramePatience = Duration.seconds(6)
    /// How long its driver may take to let go at the end.
    private static let captureEndLimit = Duration.seconds(1)

    private let source: any FrameSource
    private let queue: RecordingQueue
    private let cancellation: EventDescriptor

    /// - Parameter queue: the one that observes the source's frames.
    public init(_ source: any FrameSource, queue: RecordingQueue) throws(SystemError) {
        self.source = source
        self.queue = queue
        cancellation = try EventDescriptor()
    }

    /// Ends the recording soon; any thread may call it.
    public func interrupt() {
        queue.interrupt()
        cancellation.signal()
    }

    /// Records until the writer's limits, an interruption or the camera's loss; call it once.
    ///
    /// - Parameters:
    ///   - deadline: until when a camera that gives no frames yet is waited for.
    ///   - began: called once the first frame is written.
    public func run(
        into writer: RecordingWriter, waitingUntil deadline: MonotonicTime,
        began: () throws(RecordingError) -> Void = {}
    ) throws(RecordingError) -> Ending {
        let thread = NamedThread("capture") { [source, queue, cancellation] in
            CameraRecorder.capture(source, queue, cancellation)
        }
        defer {
            cancellation.signal()
            thread.join(until: .now + CameraRecorder.captureEndLimit)
        }
        let firstFrameLimit = max(deadline, .now + CameraRecorder.firstFramePatience)
        // A source tells a reason once, however long it lasts.
        var reason: (ending: Ending, until: MonotonicTime)?
        while true {
            switch queue.next(until: reason?.until ?? max(deadline, .now) + CameraRecorder.silenceLimit) {
            case nil where queue.isInterrupted: return .interrupted
            case nil:
                if let reason { return reason.ending }
                return .unavailable(
                    .noFrames, message: "\(source.name) gave neither a frame nor a reason; its driver may hang")
            case .ended: return .unavailable(.cameraLost, message: "\(source.name) gives no more frames")
            case .unavailable(.dark, _): continue
            case .unavailable(let code, let message):
                let ending = Ending.unavailable(code, message: message)
                let limit = code == .noFrames ? firstFrameLimit : deadline
                if writer.tally.frames > 0 || .now >= limit { return ending }
                reason = (ending, limit)
            case .picture(let picture):
                reason = nil
                let isFirst = writer.tally.frames == 0
                if isFirst { writer.interval = source.cameraReport?.mode?.interval }
                let end = try picture.withRaw { (picture) throws(RecordingError) in try writer.append(picture) }
                if isFirst, writer.tally.frames > 0 { try began() }
                if let end { return .ended(end) }
            }
        }
    }

    private static func capture(_ source: any FrameSource, _ queue: RecordingQueue, _ cancellation: EventDescriptor) {
        // Frames are made although nobody looks at them: it is how a source goes on. Their slot is free at once.
        guard let pool = try? FramePool(slotCount: 2) else {
            queue.put(.unavailable(.unsupported, message: "there is no memory for frames"))
            return
        }
        while true {
            switch source.next(into: pool, cancellation: cancellation) {
            case .frame, .skipped, .remark: continue
            case .unavailable(let code, let message): queue.put(.unavailable(code, message: message))
            case .cancelled: return
            case .ended:
                queue.put(.ended)
                return
            }
        }
    }
}
