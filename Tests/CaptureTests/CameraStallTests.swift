// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Glibc
import LinuxSystem
import ScanModel
import Testing

@testable import Capture

/// What goes wrong with cameras in the field: nothing comes. The ids are those of the catalogue of faults.
@Suite struct CameraStallTests {
    @Test func framesComeInOrderWithTheDriversNumbersAndStamps() throws {
        let play = try CameraPlay(ScriptedCamera())
        play.until(10)
        let frames = play.frames()
        #expect(frames.map { $0.stamp?.sequence } == (0..<UInt64(frames.count)).map { $0 } && frames.count == 50)
        #expect(frames.allSatisfy { $0.stamp.map { (play.system.start + .nanoseconds(0)) < $0.monotonic } == true })
        #expect(zip(frames, frames.dropFirst()).allSatisfy { $1.at - $0.at < 0.201 })
        let counts = play.counts
        #expect(counts.framesTaken == 50 && counts.driverDrops == 0 && counts.damagedFrames == 0)
        #expect(
            counts.timestampsReplaced == 0 && counts.openings == 1
                && counts.newestFrame == frames.last?.stamp?.monotonic)
        #expect(counts.device == "/dev/video0" && counts.bus == "usb-0000:00:14.0-1" && counts.driver == "uvcvideo")
        #expect(play.codes.isEmpty && play.faults() == [])
    }

    @Test func a06NoFramesIsToldWithinTwoSecondsAndTheyAreBackWithinFive() throws {
        // Thawed at each moment of the cycle of openings.
        for thaw in stride(from: 8.0, to: 30, by: 0.7) {
            let camera = ScriptedCamera()
            camera.interval = .milliseconds(33)
            let play = try CameraPlay(camera)
            play.system.at(5) { _ in camera.isHung = true }
            play.system.at(thaw) { _ in camera.isHung = false }
            play.until(thaw + 8)
            #expect(play.codes == [.noFrames])
            let told = try #require(play.unavailable.first)
            #expect(told.at >= 6.4 && told.at <= 7)
            #expect(told.message.contains("gave no frame for 1.5"))
            let back = try #require(play.firstFrame(after: thaw))
            #expect(back <= thaw + 5)
            #expect(play.faults() == [])
        }
    }

    @Test func aCameraThatAnswersNothingIsToldBeforeItsCloseHangs() throws {
        let camera = ScriptedCamera()
        camera.interval = .milliseconds(33)
        let play = try CameraPlay(camera)
        play.system.at(5) { _ in
            camera.isHung = true
            camera.fail(.stopStreaming, ETIMEDOUT, takes: .seconds(5))
        }
        play.until(30)
        #expect(play.codes.first == .noFrames)
        let told = try #require(play.unavailable.first)
        #expect(told.at <= 7, "told at \(told.at)")
        #expect(play.faults() == [])
    }

    @Test func a06ACameraThatNeverGaveAFrameIsToldToo() throws {
        let camera = ScriptedCamera()
        camera.isHung = true
        let play = try CameraPlay(camera)
        play.until(60)
        #expect(play.codes == [.noFrames])
        #expect(play.unavailable[0].at >= 1.5 && play.unavailable[0].at <= 2)
        #expect(play.faults() == [])
    }

    @Test func aSlowStartIsWaitedForAndNotCutShort() throws {
        let camera = ScriptedCamera()
        camera.firstFrameAfter = .milliseconds(4800)
        let play = try CameraPlay(camera)
        play.until(10)
        #expect(play.system.openings.count == 1)
        #expect(play.codes == [.noFrames])
        #expect(play.firstFrame(after: 0).map { $0 < 5 } == true)
    }

    @Test func a07ACameraThatStaysStuckIsTriedInOtherModesAndCostsNothing() throws {
        let camera = ScriptedCamera(formats: [
            PlayedFormat(.grey, [(640, 480), (320, 240)], [30, 15]),
            PlayedFormat(.mjpg, [(640, 480), (320, 240)], [30]),
        ])
        camera.isHung = true
        let play = try CameraPlay(camera)
        play.until(180)
        // Words: one line for the whole outage.
        #expect(play.codes == [.noFrames])
        #expect(play.system.mostCallsInSecond < 60)
        #expect((15...40).contains(play.system.openings.count))
        let tried = camera.modesSet.map { "\($0.code) \($0.size.width)" }
        #expect(tried.prefix(4) == ["GREY 640", "GREY 640", "GREY 640", "GREY 640"])
        #expect(Set(tried) == ["GREY 640", "MJPG 640", "GREY 320", "MJPG 320"])
        #expect(play.counts.stepDowns >= 4 && play.counts.lastStepDown?.hasPrefix("no frames: from ") == true)
        #expect(play.faults() == [])
    }

    @Test func aModeThatWasGivenUpOnAGuessGetsASecondChance() throws {
        let camera = ScriptedCamera(formats: [PlayedFormat(.grey, [(640, 480), (320, 240)], [5])])
        camera.adjust = small
        let play = try CameraPlay(camera)
        play.system.at(2) { _ in camera.isHung = true }
        play.system.at(32) { _ in camera.isHung = false }
        play.until(60)
        #expect(play.counts.mode?.width == 32)
        play.until(120)
        #expect(play.counts.mode?.width == 64)
        // Silently: the camera is well.
        #expect(play.codes == [.noFrames])
        #expect(play.faults() == [])
    }

    @Test func aModeThatFailsItsSecondChanceIsLeftAloneForLonger() throws {
        let camera = ScriptedCamera(formats: [PlayedFormat(.grey, [(640, 480), (320, 240)], [5])])
        let play = try CameraPlay(camera)
        // The large pictures never come.
        camera.adjust = { [unowned camera] code, size in
            camera.isHung = size.width == 640 || size.width == 64
            return small(code, size)
        }
        play.until(200)
        #expect(play.counts.mode?.width == 32)
        // Three openings of the first mode, one of the second, then the second chance and back. Each size is asked for
        // a second time, as the driver makes another one of it.
        let sizes = camera.modesSet.map(\.size.width).filter { $0 > 100 }
        #expect(sizes == [640, 640, 640, 320, 640, 320])
        #expect(play.codes == [.noFrames, .noFrames])
        #expect(play.frames(from: 110).count > 400)
        camera.interval = .seconds(1)
        camera.modesSet = []
        play.until(3600)
        #expect(camera.modesSet.filter { $0.size.width == 640 }.count == 4)
        #expect(play.frames(from: 200).count > 3300)
        #expect(play.faults() == [])
    }

    @Test func whatFailsBeforeTheModeSaysNothingAboutIt() throws {
        let camera = ScriptedCamera(formats: [PlayedFormat(.grey, [(640, 480), (320, 240)], [5])])
        camera.adjust = small
        let play = try CameraPlay(camera)
        play.system.at(2) { _ in
            camera.fail(.dequeueBuffer, EPROTO, times: 1)
            camera.fail(.open, EIO, times: 6)
        }
        play.until(60)
        #expect(
            play.counts.stepDowns == 0 && play.counts.mode?.width == 64 && play.codes == [.cameraLost, .cameraLost])
        #expect(play.faults() == [])
    }

    @Test func a22LowLightIsNoLoss() throws {
        let camera = ScriptedCamera()
        camera.interval = .milliseconds(33)
        let play = try CameraPlay(camera)
        play.system.at(5) { _ in camera.interval = .milliseconds(200) }
        play.system.at(10) { _ in camera.interval = .seconds(1) }
        play.system.at(40) { _ in camera.interval = .milliseconds(33) }
        play.until(50)
        #expect(play.codes.isEmpty && play.system.openings.count == 1)
        #expect((29...31).contains(play.frames(from: 10.5, to: 40).count))
        #expect(play.faults() == [])
    }

    @Test func a31AStoppedProducerIsAStall() throws {
        let camera = ScriptedCamera()
        let play = try CameraPlay(camera)
        play.system.at(5) { _ in
            camera.isHung = true
            camera.liesAboutReadiness = true
        }
        play.until(20)
        #expect(play.codes == [.noFrames])
        #expect(play.faults() == [])
    }
}

/// Pictures of a tenth of the size, so that many may be made.
private func small(_ code: FourCC, _ size: VideoSize) -> NegotiatedFormat {
    let (width, height) = size.width > 100 ? (size.width / 10, size.height / 10) : (size.width, size.height)
    return NegotiatedFormat(
        width: width, height: height, code: code, bytesPerLine: width, sizeImage: width * height)
}
