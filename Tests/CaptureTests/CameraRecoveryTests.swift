// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Glibc
import LinuxSystem
import ScanModel
import Testing

@testable import Capture

private let start = MonotonicTime(nanoseconds: 77_000_000_000)

private func at(_ seconds: Double) -> MonotonicTime { start + .nanoseconds(Int64((seconds * 1e9).rounded())) }

private func call(_ code: Int32, _ operation: String = "VIDIOC_DQBUF") -> CameraFault {
    .call(SystemError(operation, code: code))
}

private let words = CameraWords(found: "Cam (/dev/video0)", node: "/dev/video0")

@Suite struct BackOffTests {
    @Test func pausesComeTwiceAndDoubleFromHalfASecondToTen() {
        var backOff = BackOff()
        #expect((0..<12).map { _ in backOff.step().inSeconds } == [0.5, 0.5, 1, 1, 2, 2, 4, 4, 8, 8, 10, 10])
        backOff.reset()
        #expect((0..<6).map { _ in backOff.step(limit: .seconds(2)).inSeconds } == [0.5, 0.5, 1, 1, 2, 2])
    }
}

@Suite struct RecoveryPlanTests {
    /// The pauses between openings that all end in the same fault.
    private func pauses(_ fault: CameraFault, count: Int) -> [Double] {
        var plan = RecoveryPlan(now: start)
        var now = start
        return (0..<count).map { _ in
            plan.opens(at: now)
            plan.failed(fault, at: now)
            defer { now = plan.retryAt }
            return (plan.retryAt - now).inSeconds
        }
    }

    @Test func eachFaultHasItsPauses() {
        // At most 4 s for a minute: nobody says when it is over.
        let long = [0.5, 0.5, 1, 1, 2, 2] + [Double](repeating: 4, count: 14) + [10, 10]
        for fault in [call(EIO), call(ENOSPC), call(ETIMEDOUT), .unsupported(""), .driver("")] {
            #expect(pauses(fault, count: 22) == long)
        }
        // So that it is back within 5 s although nobody says that it is there again.
        #expect(pauses(.absent, count: 9) == [0.5, 0.5, 1, 1, 2, 2, 4, 4, 4])
        #expect(pauses(call(EBUSY), count: 9) == [0.5, 0.5, 1, 1, 2, 2, 4, 4, 4])
        #expect(pauses(.noFrames(""), count: 7) == [0.5, 0.5, 1, 1, 2, 2, 2])
    }

    @Test func theFirstOpeningIsDueAtOnce() { #expect(RecoveryPlan(now: start).retryAt == start) }

    @Test func aSteadyStreamMakesUpForThePauses() {
        var plan = RecoveryPlan(now: start)
        for _ in 0..<10 { plan.failed(call(EIO), at: start) }
        plan.opens(at: at(0))
        plan.streams(at: at(0.1))
        plan.streams(at: at(3))
        plan.failed(call(EIO), at: at(3))
        #expect(plan.retryAt == at(7))
        plan.opens(at: at(13))
        plan.streams(at: at(13.1))
        plan.streams(at: at(16.1))
        plan.failed(call(EIO), at: at(16.2))
        #expect(plan.retryAt == at(16.7))
    }

    @Test func aChangeOfDevicesIsAnsweredAtOnceButNotMoreThanFourTimesASecond() {
        var plan = RecoveryPlan(now: start)
        for _ in 0..<5 { plan.failed(call(EIO), at: start) }
        plan.opens(at: at(10))
        plan.failed(call(EIO), at: at(10))
        plan.deviceChanged(at: at(10.1))
        #expect(plan.retryAt == at(10.25))
        plan.deviceChanged(at: at(12))
        #expect(plan.retryAt == at(12))
        // And the back-off begins anew.
        plan.opens(at: at(12))
        plan.failed(call(EIO), at: at(12))
        #expect(plan.retryAt == at(12.5))
    }

    @Test func aFaultIsToldOnceUntilAnotherOneOrFrames() throws {
        var plan = RecoveryPlan(now: start)
        func told(_ fault: CameraFault, _ now: MonotonicTime) -> UnavailabilityCode? {
            plan.failed(fault, at: now)
            let news = Unavailability(fault, words)
            return plan.isNews(fault, news, at: now) ? plan.tell(news)?.code : nil
        }
        #expect(told(call(ENODEV), at(1)) == .cameraLost)
        #expect(told(.absent, at(2)) == nil)
        #expect(told(call(ENXIO, "open"), at(3)) == nil)
        // Which call noticed does not matter, the errno does.
        #expect(told(call(EIO), at(4)) == .cameraLost)
        #expect(told(call(EIO, "VIDIOC_S_FMT"), at(5)) == nil)
        #expect(told(call(EBUSY), at(6)) == .cameraBusy)
        #expect(told(.noFrames("x"), at(7)) == .noFrames)
        #expect(told(.noFrames("y"), at(8)) == nil)
        plan.handedOn()
        #expect(told(.noFrames("z"), at(9)) == .noFrames)
    }

    @Test func nobodysFaultIsToldOnlyWhereItLasts() {
        var plan = RecoveryPlan(now: start)
        func isTold(_ now: MonotonicTime) -> Bool {
            plan.isNews(.formatChanged, Unavailability(.formatChanged, words), at: now)
        }
        plan.opens(at: at(0))
        plan.streams(at: at(0.1))
        plan.handedOn()
        plan.failed(.formatChanged, at: at(5))
        #expect(plan.retryAt == at(5) && !isTold(at(5)))
        // Without a frame between them, there are pauses.
        plan.opens(at: at(5))
        plan.failed(.formatChanged, at: at(5))
        #expect(plan.retryAt == at(5.5) && !isTold(at(5)))
        #expect(!isTold(at(6.4)) && isTold(at(6.5)))
    }

    @Test func permissionOfANewNodeIsWaitedForFiveSeconds() {
        var plan = RecoveryPlan(now: start)
        let fault = call(EACCES, "open")
        func isTold(_ now: MonotonicTime) -> Bool {
            plan.failed(fault, at: now)
            return plan.isNews(fault, Unavailability(fault, words), at: now)
        }
        plan.located(at: at(0))
        #expect(isTold(at(0)))
        plan.failed(.absent, at: at(1))
        plan.located(at: at(2))
        #expect(!isTold(at(2)) && plan.retryAt == at(2.5))
        plan.located(at: at(6.9))
        #expect(!isTold(at(6.9)) && plan.retryAt == at(7.4))
        plan.located(at: at(7))
        #expect(isTold(at(7)))
    }
}

@Suite struct UnavailabilityTests {
    @Test func eachFaultHasItsCodeAndSaysWhatToDo() {
        let mode = CameraMode(width: 640, height: 480, format: .yuyv, interval: FrameInterval(1, 30))
        var busy = words
        busy.holders = [DeviceHolder(pid: 7, name: "cheese")]
        let table: [(CameraFault, CameraWords, UnavailabilityCode, String)] = [
            (.absent, words, .cameraLost, "plug it in"),
            (.absent, CameraWords(), .cameraLost, "no camera was found; plug it in"),
            (call(ENODEV), words, .cameraLost, "is gone (VIDIOC_DQBUF: No such device)"),
            (call(ENXIO), words, .cameraLost, "is gone"),
            (call(ENOENT, "open"), words, .cameraLost, "is gone"),
            (call(EBUSY), busy, .cameraBusy, "cheese (pid 7)"),
            (call(EBUSY), words, .cameraBusy, "another program"),
            (call(EACCES, "open"), words, .permissionDenied, "group video"),
            (call(EPERM, "open"), words, .permissionDenied, "DeviceAllow=char-video4linux rw"),
            (call(EPROTO), words, .cameraLost, "USB transfer error"),
            (call(EIO), words, .cameraLost, "VIDIOC_DQBUF: Input/output error"),
            (.mode(mode, SystemError("VIDIOC_STREAMON", code: ENOSPC)), words, .cameraLost, "not enough USB bandwidth"),
            (.mode(mode, SystemError("VIDIOC_STREAMON", code: ENOSPC)), words, .cameraLost, "640x480 YUYV at 30/s"),
            (.unsupported("it is no video device"), words, .unsupported, "it is no video device"),
            (.noFrames("gave no frame for 1.5 s"), words, .noFrames, "gave no frame for 1.5 s; it is opened anew"),
            (.driver("gave buffer 9"), words, .cameraLost, "gave buffer 9"),
            (.formatChanged, words, .noFrames, "keeps changing its format"),
            (.frozen, words, .frozen, "the very same picture"),
        ]
        for (fault, words, code, text) in table {
            let news = Unavailability(fault, words)
            #expect(news.code == code && news.message.contains(text), "\(fault): \(news.message)")
            #expect(!news.message.contains("No space left"))
        }
        #expect(Unavailability.dark(words).code == .dark)
    }
}

@Suite struct StallWatchTests {
    /// Frames at these moments, all good; then the moment from which on it counts as stalled.
    private func stallsAfter(_ frames: [Double], interval: FrameInterval? = FrameInterval(1, 30)) -> Double {
        var watch = StallWatch(interval: interval, start: start)
        for frame in frames {
            #expect(watch.verdict(at: at(frame)) == .fine, "at \(frame)")
            watch.sawBuffer(at: at(frame))
            watch.sawGood(now: at(frame))
        }
        let last = frames.last ?? 0
        let deadline = (watch.deadline(isSlowStartTold: true) - at(last)).inSeconds
        #expect(watch.verdict(at: at(last + deadline - 0.001)) != .stalled)
        #expect(watch.verdict(at: at(last + deadline)) == .stalled)
        return deadline
    }

    private func frames(_ rate: Double, from: Double, to: Double) -> [Double] {
        Array(stride(from: from + 1 / rate, through: to, by: 1 / rate))
    }

    @Test func atFiveFramesASecondOrMoreItIsAStallAfterOneAndAHalfSeconds() {
        for rate in [5.0, 10, 15, 30, 60] { #expect(stallsAfter(frames(rate, from: 0, to: 4)) == 1.5) }
    }

    @Test func theLimitFollowsTheRateThatIsMeasured() {
        #expect(abs(stallsAfter(frames(1, from: 0, to: 6), interval: FrameInterval(1, 1)) - 3) < 0.01)
        #expect(abs(stallsAfter(frames(0.5, from: 0, to: 20), interval: FrameInterval(2, 1)) - 6) < 0.01)
        // However slow, it is a stall at last.
        #expect(stallsAfter(frames(0.2, from: 0, to: 40), interval: FrameInterval(5, 1)) == 10)
    }

    /// Fault A22: the exposure gets longer and longer.
    @Test func lowLightIsNoStall() {
        let steps = frames(30, from: 0, to: 3) + frames(5, from: 3, to: 8) + frames(1, from: 8, to: 30)
        #expect(stallsAfter(steps) == 3)
        #expect(stallsAfter(steps + frames(30, from: 30, to: 31)) == 1.5)
    }

    @Test func oneLateFrameIsNoNewRate() {
        #expect(stallsAfter(frames(30, from: 0, to: 3) + [4.4] + frames(30, from: 4.4, to: 4.45)) == 1.5)
    }

    @Test func theFirstFrameMayTakeFiveSecondsButIsToldOfBefore() {
        var watch = StallWatch(interval: FrameInterval(1, 30), start: start)
        #expect(watch.verdict(at: at(1.49)) == .fine && watch.verdict(at: at(1.5)) == .slowStart)
        #expect(watch.verdict(at: at(4.99)) == .slowStart && watch.verdict(at: at(5)) == .stalled)
        #expect(watch.deadline(isSlowStartTold: false) == at(1.5))
        #expect(watch.deadline(isSlowStartTold: true) == at(5))
        // Damaged ones are none.
        watch.sawBuffer(at: at(1))
        watch.sawDamaged("cut", now: at(4.5))
        #expect(watch.verdict(at: at(4.99)) == .slowStart && watch.verdict(at: at(5)) == .stalled)
        #expect(watch.damagedSinceGood == 1 && watch.lastDamage == "cut")
        watch.sawGood(now: at(4))
        #expect(watch.verdict(at: at(5)) == .fine && watch.damagedSinceGood == 0)
    }

    @Test func aStreamThatBrokeAtItsStartIsNotWaitedForAsIfItWereSlow() {
        var watch = StallWatch(interval: FrameInterval(1, 30), start: start)
        watch.sawBuffer(at: at(0.2))
        watch.sawDamaged("marked", now: at(0.2))
        #expect(watch.deadline(isSlowStartTold: false) == at(1.5) && watch.deadline(isSlowStartTold: true) == at(1.7))
        #expect(watch.verdict(at: at(1.69)) == .slowStart && watch.verdict(at: at(1.7)) == .stalled)
    }

    @Test func timeInWhichNobodyAskedDoesNotCount() {
        var watch = StallWatch(interval: FrameInterval(1, 30), start: start)
        watch.sawGood(now: at(1))
        watch.excuse(.seconds(60))
        #expect(watch.verdict(at: at(62.4)) == .fine && watch.verdict(at: at(62.5)) == .stalled)
    }
}

@Suite struct PictureHealthTests {
    /// States of pictures a tenth of a second apart, as letters: `f`ine, `d`ark, fro`z`en.
    private func states(_ pictures: [(hash: UInt64, brightness: UInt8)], frozenAfter: Duration?) -> String {
        var health = PictureHealth(frozenAfter: frozenAfter)
        return pictures.enumerated().map { index, picture in
            let now = at(Double(index) / 10)
            let brightness = health.wantsBrightness(at: now) ? picture.brightness : nil
            switch health.see(hash: health.wantsHash ? picture.hash : nil, brightness: brightness, at: now) {
            case .fine: return "f"
            case .dark: return "d"
            case .frozen: return "z"
            }
        }.joined()
    }

    private func pictures(_ hashes: [UInt64], _ brightness: UInt8 = 200) -> [(UInt64, UInt8)] {
        hashes.map { ($0, brightness) }
    }

    @Test func thePictureThatDoesNotChangeIsFrozenUntilTheFirstThatDoes() {
        let hashes: [UInt64] = [1, 2] + Array(repeating: 3, count: 8) + [4, 4, 4]
        #expect(states(pictures(hashes), frozenAfter: .milliseconds(500)) == "ff" + "fffffzzz" + "fff")
        #expect(states(pictures(hashes), frozenAfter: nil) == String(repeating: "f", count: 13))
    }

    @Test func blackForASecondIsDarkUntilACheckFindsLight() {
        let dark = Array(repeating: (UInt64(1), UInt8(31)), count: 16)
        let light = Array(repeating: (UInt64(1), UInt8(32)), count: 8)
        // Looked at each half second: at 0, 0.5, 1 s; the light of 1.6 s is found at 2.0.
        #expect(states(dark + light, frozenAfter: nil) == "ffffffffff" + "dddddddddd" + "ffff")
    }

    @Test func aHandBeforeTheLensIsNoDarkness() {
        let hand =
            Array(repeating: (UInt64(1), UInt8(0)), count: 9) + Array(repeating: (UInt64(2), UInt8(90)), count: 6)
        #expect(!states(hand + hand, frozenAfter: nil).contains("d"))
    }

    @Test func darknessGoesBeforeStandingStill() {
        let black = Array(repeating: (UInt64(1), UInt8(2)), count: 20)
        #expect(states(black, frozenAfter: .milliseconds(500)) == "fffffzzzzz" + "dddddddddd")
    }

    @Test func aPictureWhoseBrightnessIsNotKnownChangesNothing() {
        var health = PictureHealth(frozenAfter: nil)
        for index in 0..<30 {
            #expect(health.see(hash: nil, brightness: nil, at: at(Double(index) / 10)) == .fine)
        }
        // Nor is it asked for at each frame.
        #expect(!health.wantsBrightness(at: at(2.9)) && health.wantsBrightness(at: at(3)))
    }
}

@Suite struct CameraIdentityTests {
    private let own = LocatedCamera(node: "/dev/video0", stablePath: "/dev/v4l/by-id/own")
    private let other = LocatedCamera(node: "/dev/video2", stablePath: nil)

    @Test func automaticStaysWithItsCameraForAMinute() {
        var identity = CameraIdentity(.automatic)
        var asked: [CameraSelection] = []
        func find(_ there: LocatedCamera?) -> (CameraSelection) -> LocatedCamera? {
            { selection in
                asked.append(selection)
                if selection == .automatic { return there }
                return selection == .path(there?.stablePath ?? there?.node ?? "") ? there : nil
            }
        }
        #expect(identity.locate(at: at(0), find(own)) == own)
        identity.opened(own)
        #expect(identity.locate(at: at(1), find(own)) == own)
        #expect(identity.locate(at: at(2), find(other)) == nil)
        #expect(identity.locate(at: at(61.9), find(other)) == nil)
        #expect(identity.locate(at: at(62), find(other)) == other)
        // Until the other one was opened, its own may come back.
        #expect(identity.locate(at: at(63), find(own)) == own)
        #expect(identity.locate(at: at(64), find(other)) == nil)
        identity.opened(other)
        #expect(identity.locate(at: at(65), find(own)) == nil)
        #expect(asked.last == .path("/dev/video2"))
    }

    @Test func aCameraThatWasNamedIsWaitedForWithoutEnd() {
        var identity = CameraIdentity(.path("/dev/video0"))
        identity.opened(own)
        #expect(identity.locate(at: at(0)) { $0 == .path("/dev/video0") ? other : nil } == nil)
        #expect(identity.locate(at: at(100_000)) { $0 == .path("/dev/video0") ? other : nil } == nil)
        #expect(identity.locate(at: at(100_001)) { $0 == .path("/dev/v4l/by-id/own") ? own : nil } == own)
    }
}
