// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Glibc
import LinuxSystem
import ScanModel
import Testing

@testable import Capture

/// Each call of a camera fails with each errno, once, some times and for ever: at the first opening, and after a stream.
///
/// Whatever fails, the same must hold: nothing stays open or lent, nobody spins, the right code is told in time and not
/// again and again, frames come back in time, and their numbers never go back.
@Suite struct CameraErrnoTests {
    static let codes: [Int32] = [
        ENODEV, EIO, EBUSY, EACCES, EPERM, ENOSPC, ENOMEM, EINVAL, ENOTTY, EPROTO, EPIPE, ETIMEDOUT, ESHUTDOWN, EAGAIN,
    ]

    /// What is told when a call fails for ever; `nil` where the stream goes on, or starts without it.
    static func expected(_ call: VideoCall, _ code: Int32) -> UnavailabilityCode? {
        switch call {
        // Nothing that a camera needs to give frames; only the loss of the device counts.
        case .setInterval, .interval, .subscribe, .takeSourceChange:
            if code != ENODEV, code != ESHUTDOWN { return nil }
        case .stopStreaming, .controls, .controlValue, .setControl: return nil
        // What is no video device at all.
        case .open: if code == ENOTTY { return .unsupported }
        case .capability, .formats: if code == EINVAL || code == ENOTTY { return .unsupported }
        case .sizes, .intervals: if code == EINVAL || code == ENOTTY { return nil }
        case .format, .setFormat, .requestBuffers, .mapBuffer, .queueBuffer, .dequeueBuffer, .startStreaming, .wait:
            break
        }
        switch code {
        case EBUSY: return .cameraBusy
        case EACCES, EPERM: return .permissionDenied
        default: return .cameraLost
        }
    }

    private static func camera() -> ScriptedCamera {
        let camera = ScriptedCamera(formats: [PlayedFormat(.grey, [(16, 12)], [5])])
        camera.interval = .milliseconds(400)
        camera.controls = [
            VideoControl(
                id: 1, name: "gain", title: "Gain", kind: .integer, minimum: 0, maximum: 9, step: 1, defaultValue: 1,
                value: 3)
        ]
        return camera
    }

    private static func play(_ camera: ScriptedCamera) throws -> CameraPlay {
        var options = CameraOptions(selection: .automatic)
        options.controls = [CameraControlSetting(name: "gain", value: "3")]
        return try CameraPlay(ScriptedCameraSystem([camera]), options)
    }

    @Test(arguments: VideoCall.allCases)
    func aCallThatFailsForEverIsToldOnceAndIsOverWhenItWorksAgain(_ call: VideoCall) throws {
        for code in Self.codes {
            for begin in [0.0, 3.0] {
                let at: Comment = "\(call) \(SystemError("", code: code).reason) from \(begin) s"
                let camera = Self.camera()
                let play = try Self.play(camera)
                Self.arm(play, camera, call, code, times: nil, from: begin)
                if call == .takeSourceChange { play.system.at(begin + 0.1) { _ in camera.sourceChanges = 1 } }
                play.until(begin + 15)
                let codes = play.codes
                if let expected = Self.expected(call, code) {
                    #expect(codes.contains(expected), at)
                    #expect(codes.count <= 2, at)
                    if let told = play.unavailable.first { #expect(told.at <= begin + 2, at) }
                    #expect(play.frames(from: begin + 2).isEmpty, at)
                } else if begin == 0 {
                    #expect(codes.isEmpty, at)
                    #expect(play.frames().count > 30, at)
                }
                // It works again, and a change is seen.
                camera.faults = [:]
                camera.sourceChanges = 0
                play.system.change()
                play.until(begin + 20)
                let back = try #require(play.firstFrame(after: begin + 15), at)
                #expect(back <= begin + 20, at)
                #expect(play.faults() == [], at)
            }
        }
    }

    @Test(arguments: VideoCall.allCases)
    func aCallThatFailsSomeTimesIsSurvived(_ call: VideoCall) throws {
        for code in Self.codes {
            for times in [1, 3] {
                for begin in [0.0, 3.0] {
                    let at: Comment = "\(call) \(SystemError("", code: code).reason) \(times) times from \(begin) s"
                    let camera = Self.camera()
                    let play = try Self.play(camera)
                    Self.arm(play, camera, call, code, times: times, from: begin)
                    play.until(begin + 12)
                    // Three pauses of the back-off at the most: 0.5, 1 and 2 s.
                    let back = try #require(play.firstFrame(after: begin + 0.5), at)
                    #expect(back <= begin + 5, at)
                    #expect(play.frames(from: begin + 7, to: begin + 12).count >= 12, at)
                    #expect(play.codes.count <= 2, at)
                    #expect(play.faults() == [], at)
                }
            }
        }
    }

    @Test(arguments: [
        VideoCall.open, .capability, .formats, .format, .setFormat, .requestBuffers, .mapBuffer, .queueBuffer,
        .dequeueBuffer, .startStreaming, .wait,
    ])
    func anOutageOfLessThanAMinuteIsOverWithinFiveSecondsThoughNobodySaysSo(_ call: VideoCall) throws {
        for code in Self.codes where code != EAGAIN {
            for length in [4.1, 11.3, 24.6, 39.9, 58.5] {
                let at: Comment = "\(call) \(SystemError("", code: code).reason) for \(length) s"
                let camera = Self.camera()
                let play = try Self.play(camera)
                play.system.at(3) { _ in
                    camera.fail(.dequeueBuffer, EPROTO, times: 1)
                    camera.fail(call, code)
                }
                // No change of a device goes with it.
                play.system.at(3 + length) { _ in camera.faults = [:] }
                play.until(3 + length + 8)
                let back = try #require(play.firstFrame(after: 3 + length), at)
                #expect(back <= 3 + length + 5, at)
                #expect(play.frames(from: 3.5, to: 3 + length - 0.1).isEmpty, at)
                #expect(play.faults() == [], at)
            }
        }
    }

    @Test(arguments: [(VideoCall.startStreaming, ENOSPC), (.wait, ETIMEDOUT), (.open, EIO)])
    func aLongerOutageIsOverWithinElevenSecondsThoughNobodySaysSo(_ call: VideoCall, _ code: Int32) throws {
        var waits: [Double] = []
        for length in stride(from: 100.0, to: 122, by: 1.3) {
            let camera = Self.camera()
            let play = try Self.play(camera)
            play.system.at(3) { _ in
                camera.fail(.dequeueBuffer, EPROTO, times: 1)
                camera.fail(call, code)
            }
            play.system.at(3 + length) { _ in camera.faults = [:] }
            play.until(3 + length + 15)
            waits.append(try #require(play.firstFrame(after: 3 + length)) - 3 - length)
            #expect(play.faults() == [])
        }
        #expect(waits.allSatisfy { $0 <= 11 })
        // It is tried less often than in the first minute, or the other test would say nothing.
        #expect(waits.contains { $0 > 5 })
    }

    /// From `begin` on the call fails; where only an opening makes it, the camera is pulled and put back then.
    private static func arm(
        _ play: CameraPlay, _ camera: ScriptedCamera, _ call: VideoCall, _ code: Int32, times: Int?, from begin: Double
    ) {
        guard begin > 0 else { return camera.fail(call, code, times: times) }
        play.system.at(begin) { system in
            camera.fail(call, code, times: times)
            guard VideoCall.ofOpening.contains(call) else { return }
            system.unplug(camera)
            system.at(begin + 0.3) { $0.plug(camera) }
        }
    }
}
