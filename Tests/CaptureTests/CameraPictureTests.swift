// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ImageKernels
import LinuxSystem
import ScanModel
import Testing

@testable import Capture

/// Pictures that show nothing, and callers who take their time.
@Suite struct CameraPictureTests {
    @Test func a26AFrozenPictureIsToldAndReopenedOnce() throws {
        let camera = ScriptedCamera()
        camera.picture = { PlayedPicture((20..<80).contains($0) ? 99 : UInt8(100 + $0 % 100)) }
        let play = try CameraPlay(camera) { $0.frozenAfter = .seconds(3) }
        play.until(25)
        #expect(play.codes == [.frozen])
        let told = try #require(play.unavailable.first)
        // The 21st picture came at 4.1 s.
        #expect(told.at >= 7 && told.at < 7.4 && told.message.contains("the very same picture"))
        #expect(play.system.openings.count == 2)
        #expect(play.frames(from: told.at, to: 16).isEmpty)
        let back = try #require(play.firstFrame(after: told.at))
        // The first picture that differs ends it.
        #expect(back > 16 && back < 17.2 && play.frames(from: back).count >= 38)
        #expect(play.faults() == [])
        // Off unless asked for.
        let other = try CameraPlay(camera)
        camera.framesMade = 0
        other.until(20)
        #expect(other.codes.isEmpty)
    }

    @Test func a27DarknessIsToldAndEndsWithLight() throws {
        let camera = ScriptedCamera()
        camera.picture = { PlayedPicture((20..<60).contains($0) ? UInt8(16 + $0 % 8) : UInt8(100 + $0 % 100)) }
        let play = try CameraPlay(camera)
        play.until(20)
        #expect(play.codes == [.dark])
        let told = try #require(play.unavailable.first)
        #expect(told.at >= 5 && told.at <= 6 && told.message.contains("lens cap"))
        let back = try #require(play.firstFrame(after: told.at))
        #expect(back >= 12.1 && back <= 12.8)
        // The camera is well: it is not opened anew.
        #expect(play.system.openings.count == 1)
        #expect(play.faults() == [])
    }

    @Test func aDarkCameraThatStallsIsToldAsThat() throws {
        let camera = ScriptedCamera()
        camera.picture = { _ in PlayedPicture(10) }
        let play = try CameraPlay(camera)
        play.system.at(5) { _ in camera.isHung = true }
        play.until(9)
        #expect(play.codes == [.dark, .noFrames])
        camera.isHung = false
        play.until(20)
        #expect(play.codes == [.dark, .noFrames, .dark] && play.frames(from: 2).isEmpty)
        #expect(play.faults() == [])
    }

    // MARK: - The caller

    @Test func anObserverGetsEachGoodFrameAsTheCameraMadeIt() throws {
        let camera = ScriptedCamera()
        camera.picture = { index in
            var picture = PlayedPicture(index < 20 ? 10 : UInt8(100 + index % 100))
            picture.isDamaged = index % 10 == 9
            return picture
        }
        let play = try CameraPlay(camera) { $0.orientation = Orientation(turn: .quarter) }
        let observer = Collector()
        play.observer.withLock { $0 = observer }
        play.until(6)
        // 30 frames, 3 of them damaged; those of the dark too.
        #expect(observer.taken.withLock { $0 }.count == 27)
        #expect(observer.taken.withLock { $0 }.allSatisfy { $0 == "16x12 GREY 16 288" })
        play.observer.withLock { $0 = nil }
        play.until(8)
        #expect(observer.taken.withLock { $0 }.count == 27)
    }

    @Test func a30ACallerThatHoldsFramesLosesOnlyThose() throws {
        let camera = ScriptedCamera()
        let play = try CameraPlay(camera)
        play.keepsFrames = true
        play.until(20)
        // Three slots: the rest is passed over, and the camera is well.
        #expect(play.frames().count == 3 && play.codes.isEmpty)
        #expect(play.counts.staleFrames >= 95 && play.system.openings.count == 1)
        #expect(play.faults() == [])
    }

    @Test func aSlowCallerGetsTheNewestFrame() throws {
        let camera = ScriptedCamera()
        camera.interval = .milliseconds(50)
        let play = try CameraPlay(camera)
        play.system.cancelAt = play.system.moment(10)
        while play.step() { play.system.pass(.milliseconds(170)) }
        for frame in play.frames() {
            let age = try #require(frame.stamp.map { play.system.moment(frame.at) - $0.monotonic })
            #expect(age < .milliseconds(60))
        }
        #expect(play.counts.staleFrames > 80 && play.codes.isEmpty)
        #expect(play.faults() == [])
    }

    @Test func afterAPauseNoOldPictureIsHandedOn() throws {
        let camera = ScriptedCamera()
        let play = try CameraPlay(camera)
        play.until(3)
        let frames = play.frames().count
        play.system.cancelAt = nil
        play.system.pass(.seconds(30))
        play.until(36)
        #expect(play.codes.isEmpty && play.system.openings.count == 1)
        let first = try #require(play.frames().dropFirst(frames).first)
        #expect(first.at >= 33 && first.at < 33.3)
        #expect(first.stamp.map { play.system.moment(first.at) - $0.monotonic < .milliseconds(10) } == true)
        #expect(play.counts.driverDrops == 0)
        #expect(play.faults() == [])
    }

    @Test func cancellationEndsEachWait() throws {
        let camera = ScriptedCamera()
        let play = try CameraPlay(camera)
        play.until(0.05)
        #expect(play.system.now == play.system.moment(0.05))
        play.until(1.234)
        #expect(play.system.now == play.system.moment(1.234))
        play.system.unplug(camera)
        play.until(7.77)
        #expect(play.system.now == play.system.moment(7.77))
        #expect(play.codes == [.cameraLost])
    }
}

/// Keeps what it was shown, in words.
private final class Collector: RawPictureObserver {
    let taken = Monitor<[String]>([])

    func take(_ picture: RawPicture) {
        let words =
            "\(picture.width)x\(picture.height) \(picture.format) \(picture.bytesPerLine) \(picture.bytes.count)"
        taken.withLock { $0.append(words) }
    }
}
