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

@Suite struct LadderPositionTests {
    private let ladder = [1280, 640, 320].map {
        CameraMode(width: $0, height: $0 / 2, format: .yuyv, interval: FrameInterval(1, 30))
    }

    private func refusal(_ code: Int32, _ position: LadderPosition) -> CameraFault {
        .mode(ladder[position.rung], SystemError("VIDIOC_STREAMON", code: code))
    }

    @Test func aModeThatCanNotBeStartedIsLeftAtOnce() {
        var position = LadderPosition()
        #expect(
            position.failed(refusal(ENOSPC, position), ladder: ladder, at: start) == .to(ladder[1], from: ladder[0]))
        #expect(
            position.failed(refusal(ENOSPC, position), ladder: ladder, at: start) == .to(ladder[2], from: ladder[1]))
        #expect(position.failed(refusal(ENOSPC, position), ladder: ladder, at: start) == .exhausted)
        #expect(position.mode(of: ladder) == ladder[0])
    }

    @Test func aModeThatGivesNothingIsLeftAfterThreeOpenings() {
        var position = LadderPosition()
        for _ in 0..<2 { #expect(position.failed(.noFrames(""), ladder: ladder, at: start) == .none) }
        #expect(position.failed(call(EPROTO), ladder: ladder, at: start) == .to(ladder[1], from: ladder[0]))
        // What says nothing about the mode, does not count.
        for fault in [call(EBUSY), call(EACCES), .unsupported(""), .resumed, .formatChanged, .frozen] {
            for _ in 0..<5 { #expect(position.failed(fault, ladder: ladder, at: start) == .none) }
        }
        #expect(position.rung == 1)
    }

    @Test func aLastingStreamMakesUpForFailures() {
        var position = LadderPosition()
        for round in 0..<10 {
            position.opens()
            position.streams(at: at(Double(round) * 20))
            position.streams(at: at(Double(round) * 20 + 10))
            #expect(position.failed(.noFrames(""), ladder: ladder, at: at(Double(round) * 20 + 12)) == .none)
        }
        // Short ones do not.
        for round in 0..<3 {
            position.opens()
            position.streams(at: at(300 + Double(round) * 10))
            _ = position.failed(.noFrames(""), ladder: ladder, at: at(305 + Double(round) * 10))
        }
        #expect(position.rung == 1)
    }

    @Test func aCameraThatWasAwayBeginsAtTheTop() {
        for fault in [CameraFault.absent, call(ENODEV), call(ENXIO)] {
            var position = LadderPosition()
            _ = position.failed(refusal(ENOSPC, position), ladder: ladder, at: start)
            #expect(position.failed(fault, ladder: ladder, at: start) == .none && position.rung == 0)
        }
    }

    @Test func onlyAGuessGetsASecondChance() {
        var known = LadderPosition()
        _ = known.failed(refusal(ENOSPC, known), ladder: ladder, at: start)
        known.streams(at: at(1))
        #expect(!known.wantsSecondChance(at: at(1000)))
        var position = LadderPosition()
        for _ in 0..<3 { _ = position.failed(.noFrames(""), ladder: ladder, at: start) }
        position.opens()
        position.streams(at: at(1))
        #expect(!position.wantsSecondChance(at: at(60.9)) && position.wantsSecondChance(at: at(61)))
        #expect(position.failed(.secondChance, ladder: ladder, at: at(61)) == .none && position.rung == 0)
        position.opens()
        #expect(position.failed(.noFrames(""), ladder: ladder, at: at(66)) == .to(ladder[1], from: ladder[0]))
        position.opens()
        position.streams(at: at(67))
        #expect(!position.wantsSecondChance(at: at(185)) && position.wantsSecondChance(at: at(186)))
    }

    /// A position on the second rung, gone down to on a guess, whose next chance comes after a minute of frames.
    private func hung(at seconds: Double, _ position: LadderPosition = LadderPosition()) -> LadderPosition {
        var position = position
        for _ in 0..<3 {
            position.opens()
            _ = position.failed(.noFrames(""), ladder: ladder, at: at(seconds))
        }
        return position
    }

    /// How long the camera is left in a lesser mode that gives frames from `seconds` on.
    private func wait(from seconds: Double, _ position: inout LadderPosition) -> Double? {
        position.opens()
        position.streams(at: at(seconds))
        return stride(from: 0, through: 8000, by: 1.0).first { position.wantsSecondChance(at: at(seconds + $0)) }
    }

    @Test func aModeThatRanWellAgainGetsItsChanceAfterTheNextHangToo() {
        var position = LadderPosition()
        for incident in 0..<5 {
            let day = Double(incident) * 86_400
            position = hung(at: day, position)
            #expect(position.rung == 1)
            #expect(wait(from: day, &position) == 60)
            _ = position.failed(.secondChance, ladder: ladder, at: at(day + 60))
            position.opens()
            for second in 60..<300 { position.streams(at: at(day + Double(second))) }
            #expect(position.rung == 0)
        }
    }

    @Test(arguments: [0, 12.0])
    func aModeThatFailsAgainAndAgainGetsItsChancesLessAndLessOften(_ works: Double) {
        var position = hung(at: 0)
        var (now, waits) = (0.0, [Double]())
        for _ in 0..<9 {
            guard let wait = wait(from: now, &position) else { break }
            waits.append(wait)
            now += wait
            _ = position.failed(.secondChance, ladder: ladder, at: at(now))
            #expect(position.rung == 0)
            position.opens()
            // One that gives frames for a while counts as one that works, and needs three failures to be left.
            if works > 0 {
                position.streams(at: at(now))
                now += works
                position.streams(at: at(now))
                _ = position.failed(.noFrames(""), ladder: ladder, at: at(now))
                position = hung(at: now, position)
            } else {
                _ = position.failed(.noFrames(""), ladder: ladder, at: at(now))
            }
            #expect(position.rung == 1)
        }
        #expect(waits == [60, 120, 240, 480, 960, 1920, 3600, 3600, 3600])
    }

    @Test func theWaitForAChanceGoesOnWhileTheCameraIsOpenedAnew() {
        var position = hung(at: 0)
        for _ in 0..<4 {
            let wait = wait(from: 0, &position) ?? 0
            _ = position.failed(.secondChance, ladder: ladder, at: at(wait))
            _ = position.failed(.noFrames(""), ladder: ladder, at: at(0))
        }
        // 960 s to wait, and an opening every 100 s.
        var chances: [Double] = []
        for second in 0..<1100 {
            if second % 100 == 0 { position.opens() }
            position.streams(at: at(Double(second)))
            if position.wantsSecondChance(at: at(Double(second))) { chances.append(Double(second)) }
        }
        #expect(chances.first == 960)
    }

    @Test func aLadderMayBeShorterThanItWas() {
        var position = LadderPosition()
        for _ in 0..<2 { _ = position.failed(refusal(ENOSPC, position), ladder: ladder, at: start) }
        #expect(position.mode(of: Array(ladder.prefix(1))) == ladder[0])
        #expect(position.mode(of: []) == nil)
        #expect(position.failed(.noFrames(""), ladder: [], at: start) == .none)
    }
}
