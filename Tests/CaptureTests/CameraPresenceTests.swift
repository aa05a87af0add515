// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Glibc
import LinuxSystem
import ScanModel
import Testing

@testable import Capture

/// What goes wrong with cameras in the field: coming, going, and being somebody else's. The ids are those of the catalogue
/// of faults.
@Suite struct CameraPresenceTests {
    @Test func a01UnplugInMidStreamIsToldAndEverythingIsClosed() throws {
        let camera = ScriptedCamera()
        let play = try CameraPlay(camera)
        play.system.at(3.05) { $0.unplug(camera) }
        play.until(10)
        #expect(play.codes == [.cameraLost])
        let told = try #require(play.unavailable.first)
        #expect(told.at < 3.2)
        #expect(told.message.hasPrefix("Maker Cam (/dev/video0) is gone (") && told.message.contains("plug it in"))
        #expect(play.system.devices.allSatisfy { !$0.isOpen })
        #expect(play.counts.mode == nil)
        play.system.at(10.5) { $0.plug(camera) }
        play.until(14)
        let back = try #require(play.firstFrame(after: 10.5))
        #expect(back < 11)
        #expect(play.faults() == [])
    }

    @Test func a01CleanupGoesOnWhateverItsCallsAnswer() throws {
        let camera = ScriptedCamera()
        let play = try CameraPlay(camera)
        play.system.at(2) { system in
            for call in [VideoCall.dequeueBuffer, .queueBuffer, .stopStreaming] { camera.fail(call, ENODEV) }
            system.at(4) { _ in camera.faults = [:] }
        }
        play.until(10)
        #expect(play.codes == [.cameraLost])
        #expect(play.firstFrame(after: 4).map { $0 < 9 } == true)
        #expect(play.faults() == [])
    }

    @Test func a02EachRecoveryIsAWholeOpening() throws {
        let camera = ScriptedCamera()
        let play = try CameraPlay(camera)
        for round in 0..<100 {
            let begin = 1 + Double(round) * 1.5
            play.system.at(begin) { $0.unplug(camera) }
            play.system.at(begin + 0.5) { $0.plug(camera) }
        }
        play.until(155)
        #expect(play.system.devices.count == 101 && play.counts.openings == 101)
        #expect(camera.calls[.setFormat] == 101 && camera.calls[.requestBuffers] == 101)
        #expect(play.system.devices.filter(\.isOpen).count == 1)
        #expect(play.codes == Array(repeating: .cameraLost, count: 100))
        for round in 0..<100 {
            let plugged = 1.5 + Double(round) * 1.5
            #expect(play.firstFrame(after: plugged).map { $0 < plugged + 0.9 } == true)
        }
        #expect(play.faults() == [])
    }

    @Test func a03TheSameCameraIsFoundUnderAnotherNumber() throws {
        let camera = ScriptedCamera()
        let other = ScriptedCamera("/dev/video2", stablePath: "/dev/v4l/by-id/usb-Other-video-index0", name: "Other")
        for selection in [CameraSelection.automatic, .path("/dev/video0")] {
            camera.node = "/dev/video0"
            camera.isPlugged = true
            let play = try CameraPlay(ScriptedCameraSystem([camera, other]), CameraOptions(selection: selection))
            play.system.at(2) { $0.unplug(camera) }
            // The other one gets the number.
            play.system.at(3) { system in
                other.node = "/dev/video0"
                system.change()
            }
            play.system.at(4) { $0.plug(camera, as: "/dev/video1") }
            play.until(8)
            #expect(play.system.openings.map(\.node) == ["/dev/video0", "/dev/video1"])
            #expect(play.counts.device == "/dev/video1" && play.counts.name == "Maker Cam")
            #expect(play.firstFrame(after: 4).map { $0 < 4.5 } == true)
            #expect(play.faults() == [])
            other.node = "/dev/video2"
        }
    }

    @Test func a03AutomaticTakesAnotherCameraAfterAMinuteAndANamedOneDoesNot() throws {
        for (selection, takes) in [(CameraSelection.automatic, true), (.path("/dev/video0"), false)] {
            let camera = ScriptedCamera()
            let other = ScriptedCamera("/dev/video2", stablePath: nil, name: "Other")
            let play = try CameraPlay(ScriptedCameraSystem([camera, other]), CameraOptions(selection: selection))
            play.system.at(2) { $0.unplug(camera) }
            play.until(61)
            #expect(play.system.openings.count == 1)
            play.until(75)
            #expect((play.counts.name == "Other") == takes)
            #expect(play.frames(from: 62).isEmpty != takes)
            #expect(play.codes == [.cameraLost])
            #expect(play.faults() == [])
        }
    }

    @Test func a04EverythingIsReadAnewFromACameraThatComesBackOtherwise() throws {
        let camera = ScriptedCamera(formats: [PlayedFormat(.grey, [(32, 24)], [5])])
        let play = try CameraPlay(camera)
        play.system.at(2) { system in
            system.unplug(camera)
            camera.formats = [PlayedFormat(.grey, [(16, 12)], [10])]
        }
        play.system.at(2.5) { $0.plug(camera) }
        play.until(2)
        #expect(play.counts.mode?.description == "32x24 GREY at 5/s")
        play.until(5)
        #expect(play.counts.mode?.description == "16x12 GREY at 10/s")
        #expect(play.faults() == [])
    }

    @Test func a05ANodeThatIsNoCameraIsToldOnceAndNotAskedEachSecond() throws {
        var notCapture = ScriptedCamera().capability
        notCapture.isCapture = false
        var planar = notCapture
        planar.isMultiPlanar = true
        var unmapped = ScriptedCamera().capability
        unmapped.isStreaming = false
        for (capability, words) in [(notCapture, "metadata"), (planar, "planes"), (unmapped, "mapped buffers")] {
            let camera = ScriptedCamera()
            camera.capability = capability
            let play = try CameraPlay(camera)
            play.until(60)
            #expect(play.codes == [.unsupported])
            #expect(play.unavailable[0].message.contains(words))
            #expect(play.system.openings.count <= 20)
            #expect(play.faults() == [])
        }
    }

    @Test func aCameraWithoutAReadableFormatTellsWhatItOffers() throws {
        let h264 = try #require(FourCC("H264"))
        let camera = ScriptedCamera(formats: [PlayedFormat(h264, [(640, 480)], [30])])
        let play = try CameraPlay(camera)
        play.until(30)
        #expect(play.codes == [.unsupported])
        #expect(play.unavailable[0].message.contains("it offers only H264"))
        #expect(play.unavailable[0].message.contains("MJPG"))
        #expect(play.system.devices.allSatisfy { !$0.isOpen })
        #expect(play.faults() == [])
    }

    @Test func aCameraThatLibv4l2DoesNotOpenIsToldByItsFormats() throws {
        let h264 = try #require(FourCC("H264"))
        for code in [EINVAL, ENODEV] {
            let camera = ScriptedCamera(formats: [PlayedFormat(h264, [(640, 480)], [30])])
            camera.convertingFault = code
            let play = try CameraPlay(camera)
            play.until(10)
            #expect(play.codes == [code == ENODEV ? .cameraLost : .unsupported])
            #expect(play.unavailable[0].message.contains(code == ENODEV ? "is gone" : "it offers only H264"))
            #expect(play.faults() == [])
        }
    }

    @Test func libv4l2IsAskedForFormatsThatAreNotReadHere() throws {
        let bayer = try #require(FourCC("BA81"))
        let rgb = try #require(FourCC("RGB3"))
        let camera = ScriptedCamera(formats: [PlayedFormat(bayer, [(16, 12)], [5])])
        camera.convertedFormats = [
            PlayedFormat(bayer, [(16, 12)], [5]), PlayedFormat(rgb, [(16, 12)], [5], isEmulated: true),
            PlayedFormat(.yu12, [(16, 12)], [5], isEmulated: true),
        ]
        let play = try CameraPlay(camera)
        play.until(2)
        #expect(play.counts.isConverted && play.counts.mode?.format == .yu12)
        #expect(play.system.devices.count == 2 && play.system.devices.filter(\.isOpen).count == 1)
        camera.convertedFormats.removeLast()
        play.system.unplug(camera)
        play.system.at(2.5) { $0.plug(camera) }
        play.until(4)
        #expect(play.counts.mode?.format == rgb)
        #expect(play.faults() == [])
    }

    @Test func a17ABusyCameraNamesItsHolderAndIsTakenAsSoonAsItIsFree() throws {
        let camera = ScriptedCamera()
        camera.holders = [DeviceHolder(pid: 812, name: "zbarcam"), DeviceHolder(pid: 9, name: "")]
        for call in [VideoCall.open, .requestBuffers] {
            camera.faults = [:]
            camera.fail(call, EBUSY)
            let play = try CameraPlay(camera)
            play.system.at(20) { system in
                camera.faults = [:]
                system.change()
            }
            play.until(20)
            #expect(play.codes == [.cameraBusy])
            #expect(play.unavailable[0].message.contains("in use by zbarcam (pid 812), pid 9"))
            // /proc is read once, not at each try.
            #expect(play.system.holderQueries == 1)
            play.until(25)
            #expect(play.firstFrame(after: 20).map { $0 < 20.5 } == true)
            // Our own closing of the node is no release.
            #expect(play.system.watched.last == .some(nil) && play.system.watched.contains("/dev/video0"))
            #expect(play.faults() == [])
        }
    }

    @Test func a17AReleaseThatNobodySawIsFoundWithinFiveSeconds() throws {
        let camera = ScriptedCamera()
        camera.fail(.open, EBUSY)
        let play = try CameraPlay(camera)
        play.system.at(30.01) { _ in camera.faults = [:] }
        play.until(40)
        #expect(play.firstFrame(after: 30).map { $0 < 35 } == true)
    }

    @Test(arguments: [(EACCES, "group video"), (EPERM, "DeviceAllow=")])
    func a18AMissingPermissionSaysWhatToSet(_ code: Int32, _ words: String) throws {
        let camera = ScriptedCamera()
        camera.fail(.open, code)
        let play = try CameraPlay(camera)
        play.until(30)
        #expect(play.codes == [.permissionDenied])
        #expect(play.unavailable[0].at < 0.1 && play.unavailable[0].message.contains(words))
        #expect(play.faults() == [])
    }

    @Test func a19ANodeThatHasJustAppearedMayLackItsGroupForAWhile() throws {
        let camera = ScriptedCamera()
        let play = try CameraPlay(camera)
        play.system.at(2) { $0.unplug(camera) }
        play.system.at(4) { system in
            camera.fail(.open, EACCES)
            system.plug(camera)
        }
        play.system.at(8) { _ in camera.faults = [:] }
        play.until(12)
        #expect(play.codes == [.cameraLost])
        #expect(play.firstFrame(after: 8).map { $0 < 9 } == true)
        // One that never gets it, is told after 5 s.
        play.system.at(20) { $0.unplug(camera) }
        play.system.at(22) { system in
            camera.fail(.open, EACCES)
            system.plug(camera)
        }
        play.until(40)
        #expect(play.codes == [.cameraLost, .cameraLost, .permissionDenied])
        let told = try #require(play.unavailable.last)
        #expect(told.at >= 27 && told.at <= 28)
        #expect(play.faults() == [])
    }

    @Test func aDaemonMayBeThereBeforeItsCamera() throws {
        for selection in [CameraSelection.automatic, .path("/dev/v4l/by-id/usb-Maker_Cam-video-index0")] {
            let camera = ScriptedCamera()
            camera.isPlugged = false
            let play = try CameraPlay(ScriptedCameraSystem([camera]), CameraOptions(selection: selection))
            play.system.at(33.3) { $0.plug(camera) }
            play.until(40)
            #expect(play.codes == [.cameraLost] && play.unavailable[0].at < 0.1)
            let missing = selection == .automatic ? "no camera was found" : "usb-Maker_Cam-video-index0 is not there"
            #expect(play.unavailable[0].message.contains(missing + "; plug it in"))
            #expect(play.firstFrame(after: 33.3).map { $0 < 33.6 } == true)
            #expect(play.faults() == [])
        }
    }

    @Test func aStormOfDeviceEventsMakesNoMoreThanFourOpeningsASecond() throws {
        let camera = ScriptedCamera()
        camera.fail(.startStreaming, EPROTO)
        let play = try CameraPlay(camera)
        play.system.stormInterval = .milliseconds(1)
        play.until(20)
        #expect((70...81).contains(play.system.openings.count))
        for (a, b) in zip(play.system.openings, play.system.openings.dropFirst()) {
            #expect(b.at - a.at >= .milliseconds(250))
        }
        #expect(play.faults() == [])
    }

    @Test func a20AUSBDeviceThatWasShutDownIsOpenedAnew() throws {
        for code in [ESHUTDOWN, ETIMEDOUT, EPROTO, EPIPE] {
            let camera = ScriptedCamera()
            let play = try CameraPlay(camera)
            play.system.at(2) { _ in camera.fail(.dequeueBuffer, code, times: 1) }
            play.until(6)
            #expect(play.codes == [.cameraLost])
            #expect(play.firstFrame(after: 2.5).map { $0 < 3.5 } == true)
            #expect(play.faults() == [])
        }
    }

    @Test func a21NoControlKeepsACameraFromStarting() throws {
        for call in [VideoCall.setControl, .controlValue, .controls] {
            let camera = ScriptedCamera()
            camera.controls = [
                VideoControl(
                    id: 7, name: "gain", title: "Gain", kind: .integer, minimum: 0, maximum: 9, step: 1,
                    defaultValue: 1,
                    value: 3)
            ]
            camera.fail(call, EPIPE)
            var options = CameraOptions(selection: .automatic)
            options.controls = [CameraControlSetting(name: "gain", value: "5")]
            let play = try CameraPlay(ScriptedCameraSystem([camera]), options)
            play.until(3)
            #expect(play.codes.isEmpty && !play.frames().isEmpty)
            #expect(play.counts.controls.map(\.value) == [nil] && play.counts.controls[0].problem != nil)
        }
    }

    @Test func controlsAreSetAtEachOpening() throws {
        let camera = ScriptedCamera()
        camera.controls = [
            VideoControl(
                id: 7, name: "gain", title: "Gain", kind: .integer, minimum: 0, maximum: 9, step: 1, defaultValue: 1,
                value: 5)
        ]
        var options = CameraOptions(selection: .automatic)
        options.controls = [CameraControlSetting(name: "gain", value: "5")]
        let play = try CameraPlay(ScriptedCameraSystem([camera]), options)
        play.system.at(2) { $0.unplug(camera) }
        play.system.at(3) { $0.plug(camera) }
        play.until(5)
        #expect(camera.controlsSet == ["7=5", "7=5"])
        #expect(play.counts.controls == [CameraReport.Control(name: "gain", value: 5, problem: nil)])
    }

    @Test func a34ASuspendedMachineOpensItsCameraAnewAndSaysNothing() throws {
        let camera = ScriptedCamera()
        let play = try CameraPlay(camera)
        play.system.at(3) { $0.suspendedTime = .seconds(3600) }
        play.system.at(6) { $0.suspendedTime += .milliseconds(300) }
        play.until(10)
        #expect(play.codes.isEmpty)
        #expect(play.system.openings.count == 2)
        #expect(play.frames(from: 3, to: 4).count >= 3)
        #expect(play.faults() == [])
        // One that does not stream on after it is told.
        play.system.at(11) { system in
            system.suspendedTime = .seconds(7200)
            camera.isHung = true
        }
        play.until(20)
        #expect(play.codes == [.noFrames])
        #expect(play.unavailable.last.map { $0.at < 13.5 } == true)
    }
}
