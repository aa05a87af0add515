// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Capture
import Foundation
import LinuxSystem
import ScanModel
import Testing

/// A camera that plays a script; what it gives goes to the queue, as from `V4L2Camera`.
private final class PlayedCamera: FrameSource {
    enum Move: Sendable {
        case frames(Range<Int>)
        case unavailable(UnavailabilityCode)
        /// Longer than a recorder needs to see what came before.
        case pause
        /// Hangs in a call until somebody lets go.
        case hang
        case end
    }

    let isUnpaced = false
    let name = "played camera"
    private let queue: RecordingQueue
    private let moves: Monitor<[Move]>
    let letGo = Monitor(false)

    init(_ moves: [Move], _ queue: RecordingQueue) {
        self.moves = Monitor(moves)
        self.queue = queue
    }

    func next(into pool: FramePool, cancellation: EventDescriptor) -> SourceStep {
        guard let move = moves.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else {
            _ = try? pollDescriptors([(cancellation.raw, .readable)], until: nil)
            return .cancelled
        }
        switch move {
        case .frames(let numbers):
            for number in numbers { grey(9, number).withRaw { queue.take($0) } }
            return .skipped(grey(9, 0).stamp, subject: name, reason: "not looked at")
        case .unavailable(let code): return .unavailable(code, message: "played \(code)")
        case .pause:
            _ = letGo.wait(until: .now + .milliseconds(100)) { $0 ? true : nil }
            return .skipped(grey(9, 0).stamp, subject: name, reason: "not looked at")
        case .hang:
            _ = letGo.wait { $0 ? true : nil }
            return .cancelled
        case .end: return .ended
        }
    }
}

@Suite struct CameraRecorderTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func record(
        _ moves: [PlayedCamera.Move], waiting: Duration = .zero, frames: Int? = nil, byteLimit: Int = 64 << 20
    ) throws -> (CameraRecorder.Ending, RecordingTally, dropped: Int) {
        let queue = RecordingQueue(byteLimit: byteLimit)
        let recorder = try CameraRecorder(PlayedCamera(moves, queue), queue: queue)
        var limits = RecordingLimits()
        limits.frames = frames
        let writer = RecordingWriter(try RecordingDestination(folder.path("shots")), limits: limits)
        var began = 0
        let ending = try recorder.run(into: writer, waitingUntil: .now + waiting) { began += 1 }
        #expect(began == (writer.tally.frames > 0 ? 1 : 0))
        return (ending, writer.tally, queue.droppedCount)
    }

    @Test func itWritesWhatComesUpToItsLimit() throws {
        let (ending, tally, dropped) = try record([.frames(0..<10)], frames: 7)
        #expect(ending == .ended(.frames))
        #expect(tally.frames == 7 && dropped == 0)
    }

    @Test func framesBeforeALossAreWritten() throws {
        let (ending, tally, _) = try record([.frames(0..<3), .unavailable(.cameraLost), .frames(3..<9)])
        #expect(ending == .unavailable(.cameraLost, message: "played cameraLost"))
        #expect(tally.frames == 3)
    }

    @Test func aDarkPictureIsRecordedAsWell() throws {
        let (ending, tally, _) = try record([.frames(0..<3), .unavailable(.dark), .frames(3..<9), .end])
        #expect(ending == .unavailable(.cameraLost, message: "played camera gives no more frames"))
        #expect(tally.frames == 9)
    }

    @Test func aCameraThatIsNotThereIsWaitedForAsLongAsAsked() throws {
        let busy = PlayedCamera.Move.unavailable(.cameraBusy)
        let (refused, none, _) = try record([busy, .frames(0..<2)])
        #expect(refused == .unavailable(.cameraBusy, message: "played cameraBusy"))
        #expect(none.frames == 0)
        #expect(!FileManager.default.fileExists(atPath: folder.path("shots")))
        let (ending, tally, _) = try record([busy, busy, .frames(0..<2)], waiting: .seconds(60), frames: 2)
        #expect(ending == .ended(.frames) && tally.frames == 2)
    }

    /// A camera says once that it gives nothing, and then nothing more.
    @Test func itIsWaitedForNoLongerThanAskedAndThenItsReasonIsTold() throws {
        let start = MonotonicTime.now
        let (ending, _, _) = try record([.unavailable(.cameraLost)], waiting: .milliseconds(300))
        #expect(ending == .unavailable(.cameraLost, message: "played cameraLost"))
        let took = MonotonicTime.now - start
        #expect(took >= .milliseconds(300) && took < .seconds(8))
    }

    @Test func aSensorThatStartsSlowlyIsWaitedFor() throws {
        let (ending, tally, _) = try record([.unavailable(.noFrames), .pause, .frames(0..<3)], frames: 3)
        #expect(ending == .ended(.frames) && tally.frames == 3)
    }

    @Test func aWriterThatIsBehindCostsFramesAndNothingElse() throws {
        // Room for two frames of 512 bytes; all ten come before the writer gets one.
        let (ending, tally, dropped) = try record([.frames(0..<10), .unavailable(.cameraLost)], byteLimit: 1100)
        guard case .unavailable = ending else {
            Issue.record("\(ending)")
            return
        }
        #expect(tally.frames + dropped == 10)
        #expect(tally.frames >= 2)
    }

    @Test func oneFrameFitsHoweverLargeItIs() throws {
        let (ending, tally, dropped) = try record([.frames(0..<1)], frames: 1, byteLimit: 10)
        #expect(ending == .ended(.frames) && tally.frames == 1 && dropped == 0)
    }

    @Test func anInterruptionEndsItAlsoWhileTheDriverHangs() throws {
        let queue = RecordingQueue()
        let camera = PlayedCamera([.frames(0..<3), .hang], queue)
        let recorder = try CameraRecorder(camera, queue: queue)
        let writer = RecordingWriter(try RecordingDestination(folder.path("shots")))
        let start = MonotonicTime.now
        let ending = try recorder.run(into: writer, waitingUntil: .now) { recorder.interrupt() }
        #expect(ending == .interrupted)
        #expect(writer.tally.frames >= 1)
        #expect(MonotonicTime.now - start < .seconds(8))
        camera.letGo.signal { $0 = true }
    }
}
