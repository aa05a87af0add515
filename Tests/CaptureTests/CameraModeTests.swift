// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Glibc
import LinuxSystem
import ScanModel
import Testing

@testable import Capture

/// What goes wrong with cameras in the field: they are not set to what was asked for.
@Suite struct CameraModeTests {
    @Test func a14TheDriversOwnFormatIsAskedForOnceMoreAndTaken() throws {
        let camera = ScriptedCamera(formats: [PlayedFormat(.grey, [(1980, 1080)], [5])])
        camera.adjust = { _, _ in NegotiatedFormat(width: 16, height: 12, code: .grey, bytesPerLine: 0, sizeImage: 192)
        }
        let play = try CameraPlay(camera)
        play.until(3)
        #expect(camera.modesSet.map(\.size.width) == [1980, 16])
        #expect(play.counts.mode?.width == 16 && play.counts.asked.width == 1980)
        #expect(play.frames().count > 10)
    }

    @Test func a14AFormatThatIsNotReadIsRefused() throws {
        let h264 = try #require(FourCC("H264"))
        let camera = ScriptedCamera()
        camera.adjust = { _, _ in NegotiatedFormat(width: 16, height: 12, code: h264, bytesPerLine: 0, sizeImage: 192) }
        let play = try CameraPlay(camera)
        play.until(3)
        #expect(
            play.codes == [.unsupported] && play.unavailable[0].message.contains("gives H264 where GREY was asked for"))
    }

    @Test func a14ASizeBeyondEverySlotIsRefusedBeforeAnythingIsAllocated() throws {
        let camera = ScriptedCamera()
        camera.adjust = { code, _ in
            NegotiatedFormat(width: 65500, height: 65500, code: code, bytesPerLine: 65500, sizeImage: 192)
        }
        let play = try CameraPlay(camera)
        play.until(3)
        #expect(play.codes == [.unsupported] && camera.calls[.requestBuffers] == nil)
    }

    @Test func a15AChangeOfTheSourceIsAnOpeningWithoutAWord() throws {
        let camera = ScriptedCamera(formats: [PlayedFormat(.grey, [(32, 24)], [5])])
        let play = try CameraPlay(camera)
        play.system.at(3) { _ in
            camera.sourceChanges = 1
            camera.formats = [PlayedFormat(.grey, [(16, 12)], [5])]
        }
        play.until(6)
        #expect(play.codes.isEmpty && play.system.openings.count == 2 && play.counts.mode?.width == 16)
        // One that changes for ever is told, and does not open for ever.
        camera.sourceChanges = .max
        play.until(30)
        #expect(play.codes == [.noFrames] && play.unavailable[0].message.contains("keeps changing its format"))
        #expect(play.system.openings.count < 15)
        #expect(play.faults() == [])
    }

    @Test func a16TooLittleBandwidthStepsDownAtOnceAndSaysSo() throws {
        let camera = ScriptedCamera(formats: [
            PlayedFormat(.grey, [(1280, 720), (640, 480)], [30, 15]), PlayedFormat(.mjpg, [(1280, 720)], [30]),
        ])
        camera.interval = .milliseconds(500)
        camera.exceedsBandwidth = { format, _ in format.width > 640 }
        let play = try CameraPlay(camera)
        play.until(2)
        #expect(play.counts.mode?.description == "640x480 GREY at 30/s")
        #expect(play.codes.isEmpty)
        #expect(play.firstFrame(after: 0).map { $0 < 0.5 } == true)
        #expect(play.counts.stepDowns == 3)
        #expect(
            play.counts.lastStepDown == "USB bandwidth: from 1280x720 MJPG at 30/s to 640x480 GREY at 30/s")
        // After another fault it does not ask for too much again.
        camera.modesSet = []
        play.system.at(2.5) { _ in camera.fail(.dequeueBuffer, EPROTO, times: 1) }
        play.until(5)
        #expect(camera.modesSet.map(\.size.width) == [640])
        // A camera that was away may have another link now.
        camera.exceedsBandwidth = { _, _ in false }
        play.system.at(6) { $0.unplug(camera) }
        play.system.at(7) { $0.plug(camera) }
        play.until(8)
        #expect(play.counts.mode?.width == 1280)
        #expect(play.faults() == [])
    }

    @Test func a16BandwidthThatIsNeverEnoughIsToldInThoseWords() throws {
        let camera = ScriptedCamera(formats: [PlayedFormat(.grey, [(1280, 720), (640, 480)], [30, 15])])
        camera.exceedsBandwidth = { _, _ in true }
        let play = try CameraPlay(camera)
        play.until(20)
        #expect(play.codes == [.cameraLost] && play.unavailable[0].at < 0.1)
        let message = play.unavailable[0].message
        #expect(message.contains("not enough USB bandwidth") && message.contains("another USB controller"))
        #expect(!message.contains("space") && !message.contains("disk"))
        #expect(play.faults() == [])
    }

    @Test func aCameraThatRefusesSlowlyIsToldBeforeItsLastMode() throws {
        let camera = ScriptedCamera(formats: [PlayedFormat(.grey, [(1280, 720), (640, 480)], [30, 15])])
        camera.fail(.startStreaming, EIO, takes: .seconds(1))
        let play = try CameraPlay(camera)
        play.until(20)
        #expect(play.codes == [.cameraLost] && play.unavailable[0].at <= 2)
    }

    @Test func a23TheRateThatIsInForceIsReadBack() throws {
        for (answer, rate) in [(FrameInterval(1, 12), 12.0), (nil, nil)] as [(FrameInterval?, Double?)] {
            let camera = ScriptedCamera()
            camera.readBack = .some(answer)
            let play = try CameraPlay(camera)
            play.until(2)
            #expect(play.counts.mode?.interval?.framesPerSecond == rate)
            #expect(play.counts.asked.rate == 5)
            #expect(!play.frames().isEmpty)
        }
        // 0/0 is no rate.
        #expect(FrameInterval(0, 0) == nil)
    }

    @Test func a32BuffersAreAskedForByMappingAlone() throws {
        for (most, works) in [(0, false), (1, false), (2, true), (3, true), (4, true)] {
            let camera = ScriptedCamera()
            camera.mostBuffers = most
            let play = try CameraPlay(camera)
            play.until(3)
            #expect(play.frames().isEmpty != works)
            #expect(play.codes == (works ? [] : [.unsupported]))
            if !works { #expect(play.unavailable[0].message.contains("gives \(most) buffers")) }
            #expect(play.faults() == [])
        }
    }
}
