// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Glibc
import LinuxSystem
import ScanModel
import ScanTestSupport
import Testing

@testable import Capture

/// What is said of a camera that works otherwise than it was asked to, and a camera that rests.
@Suite struct CameraRemarkTests {
    @Test func anotherFormatThanTheForcedOneIsSaidOnce() throws {
        let camera = ScriptedCamera()
        let play = try CameraPlay(camera) { $0.format = .mjpg }
        play.system.at(3) { $0.unplug(camera) }
        play.system.at(5) { $0.plug(camera) }
        play.until(12)
        #expect(play.counts.openings == 2)
        #expect(play.remarks.count == 1, "\(play.remarks)")
        #expect(play.remarks.first?.contains("MJPG") == true && play.remarks.first?.contains("GREY") == true)
        // Before the first frame: whoever reads the log sees why.
        #expect(play.steps.firstIndex { if case .remark = $0.told { true } else { false } } == 0)
    }

    @Test func a03ANumberIsNoNameThatLasts() throws {
        let camera = ScriptedCamera()
        let byNumber = try CameraPlay(camera) { $0.selection = .path("/dev/video0") }
        byNumber.until(3)
        #expect(
            byNumber.remarks.count == 1 && byNumber.remarks[0].contains("/dev/v4l/by-id/usb-Maker_Cam-video-index0"))
        let byLink = try CameraPlay(ScriptedCamera()) {
            $0.selection = .path("/dev/v4l/by-id/usb-Maker_Cam-video-index0")
        }
        byLink.until(3)
        #expect(byLink.remarks.isEmpty && byLink.counts.openings == 1)
    }

    @Test func aStepDownIsSaidWithItsReason() throws {
        let camera = ScriptedCamera(formats: [PlayedFormat(.grey, [(1280, 720), (640, 480)], [30])])
        camera.exceedsBandwidth = { format, _ in format.width > 640 }
        let play = try CameraPlay(camera)
        play.until(3)
        #expect(play.remarks.contains { $0.contains("USB bandwidth") }, "\(play.remarks)")
        #expect(play.counts.mode?.width == 640 && play.codes.isEmpty)
    }

    @Test func a22ARateThatFellIsSaidOnceAndIsNoLoss() throws {
        let camera = ScriptedCamera(formats: [PlayedFormat(.grey, [(640, 480)], [30])])
        camera.interval = .milliseconds(33)
        let play = try CameraPlay(camera)
        play.until(25)
        #expect(play.remarks.isEmpty)
        camera.interval = .milliseconds(200)
        play.until(60)
        #expect(play.remarks.count == 1 && play.remarks[0].contains("less than 60 % of the 30 frames a second"))
        #expect(play.codes.isEmpty && play.faults() == [])
    }

    @Test func aCameraThatRestsIsClosedAndOpenedAtOnceWhenItIsAskedFor() throws {
        let camera = ScriptedCamera()
        let play = try CameraPlay(camera)
        play.until(3)
        play.run.rest()
        #expect(play.faults() == [] && play.counts.mode == nil)
        // An hour without anybody: no fault of the camera's.
        play.system.pass(.seconds(3600))
        let asked = (play.system.now - play.system.start).inSeconds
        play.until(asked + 3)
        let back = try #require(play.firstFrame(after: asked))
        #expect(back < asked + 0.5 && play.codes.isEmpty)
        #expect(play.faults() == [])
    }
}

@Suite struct CameraSelectionTests {
    @Test func aLinkToACameraThatIsNotThereIsACamera() throws {
        let folder = try TemporaryDirectory()
        #expect(symlink("/dev/video87", folder.path + "/shelf-camera") == 0)
        #expect(symlink("shelf-camera", folder.path + "/again") == 0)
        for name in ["/shelf-camera", "/again"] {
            #expect(CameraSelection(named: folder.path + name) == .path(folder.path + name))
        }
        #expect(symlink("/tmp/no-such-clip.mjpeg", folder.path + "/clip") == 0)
        #expect(symlink("loop", folder.path + "/loop") == 0)
        for name in ["/clip", "/loop", "/nothing"] { #expect(CameraSelection(named: folder.path + name) == nil) }
    }

    @Test func whatIsReplayedUnderDevIsNoCamera() {
        for name in ["/dev/shm/no-such-clip", "/dev/fd/87", "-", "clip.mjpeg", ""] {
            #expect(CameraSelection(named: name) == nil)
        }
        #expect(CameraSelection(named: "auto") == .automatic)
        #expect(CameraSelection(named: "/dev/video87") == .path("/dev/video87"))
        #expect(CameraSelection(named: "/dev/null") == .path("/dev/null"))
    }
}
