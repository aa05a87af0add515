// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanModel
import ScanTestSupport
import Scheduling
import Testing

/// What is told to whoever holds the camera, and when it begins and ends.
@Suite struct GuidanceTests {
    /// Judges frames at 30/s.
    private struct Bench {
        var judge = GuidanceJudge(qualityLevel: .balanced)
        var changes: [(frame: Int, change: GuidanceJudge.Change)] = []
        var unread: [Double] = []
        /// The shape of what is not read, in pixels.
        var unreadWidth = 300.0
        var isRead = false
        private(set) var frame = 0
        private let clock = ManualClock()

        init(level: QualityLevel = .balanced) { judge = GuidanceJudge(qualityLevel: level) }

        mutating func run(
            _ frames: Int, speed: Double = 0, brightness: Double = 0.6, glare: Double = 0, sharpness: Double = 0.9
        ) {
            for _ in 0..<frames {
                let now = clock.stamp(UInt64(frame)).monotonic
                let motion = FrameMotion(
                    certainty: .followed, speed: speed,
                    light: PictureLight(brightness: brightness, glare: glare, sharpness: sharpness))
                let codes = unread.map {
                    SchedulerAttention.UnreadCode(
                        bounds: Quad(Rect(x: 0.1, y: 0.1, width: unreadWidth / 1920, height: 100.0 / 1080)),
                        moduleSize: $0, lastSeen: now)
                }
                let evidence = GuidanceJudge.Evidence(
                    motion: motion, unreadCodes: codes, lastRead: isRead ? now : nil, aspectRatio: 16.0 / 9)
                changes += judge.judge(evidence, now: now).map { (frame, $0) }
                frame += 1
            }
        }

        var told: [String] {
            changes.map { "\($0.frame) \($0.change.isActive ? "+" : "-")\($0.change.guidance.rawValue)" }
        }
    }

    @Test func whatIsSoForHalfASecondBeginsAndWhatIsNotForASecondEnds() {
        var bench = Bench()
        bench.run(10)
        bench.run(60, brightness: 0.03)
        bench.run(60)
        // Frames 10...24 are half a second; frame 70 is the first bright one.
        #expect(bench.told == ["24 +tooDark", "100 -tooDark"])
        #expect(bench.judge.active.isEmpty)
    }

    @Test func aShortSpellIsNotTold() {
        var bench = Bench()
        for _ in 0..<10 {
            bench.run(12, glare: 0.5)
            bench.run(12)
        }
        #expect(bench.told.isEmpty)
    }

    @Test func aFewGoodFramesBetweenDoNotHideIt() {
        var bench = Bench()
        for _ in 0..<10 {
            bench.run(5, glare: 0.5)
            bench.run(1)
        }
        #expect(bench.told.count == 1 && bench.told[0].hasSuffix("+glare"))
    }

    @Test(arguments: Guidance.allCases) func nothingFlickers(guidance: Guidance) {
        var random = SeededGenerator(seed: 7)
        var bench = Bench()
        // Around the limit, frame by frame, for a minute.
        for _ in 0..<1800 {
            let by = Double.random(in: -0.1...0.1, using: &random)
            bench.unread = guidance == .moveCloser ? [1.3 * (1 + by)] : []
            bench.run(
                1, speed: guidance == .slowDown ? 0.012 : 0, brightness: guidance == .tooDark ? 0.09 * (1 + by) : 0.6,
                glare: guidance == .glare ? 0.06 * (1 + by) : 0,
                sharpness: guidance == .slowDown ? 0.72 + by / 4 : guidance == .outOfFocus ? 0.55 * (1 + by) : 0.9)
        }
        #expect(bench.changes.count <= 1)
        #expect(bench.changes.allSatisfy { $0.change == .init(guidance, isActive: true) })
    }

    @Test func aBlurredPictureThatMovesIsTooFastAndOneThatStandsIsOutOfFocus() {
        var fast = Bench()
        fast.run(30, speed: 0.015, sharpness: 0.5)
        #expect(fast.told == ["15 +slowDown"])
        var soft = Bench()
        soft.run(30, sharpness: 0.5)
        #expect(soft.told == ["15 +outOfFocus"])
        // Sharp all the same, or without an edge at all.
        for sharpness in [0.85, 0] {
            var other = Bench()
            other.run(30, speed: 0.015, sharpness: sharpness)
            other.run(30, sharpness: sharpness)
            #expect(other.told.isEmpty)
        }
        // So fast that nothing is left to be blurred.
        var rushing = Bench()
        rushing.run(30, speed: 0.1, sharpness: 0)
        #expect(rushing.told == ["15 +slowDown"])
    }

    @Test func codesThatAreTooSmallAreAReasonToMoveCloserUnlessOthersAreRead() {
        func told(_ module: Double, width: Double = 300, isRead: Bool = false, level: QualityLevel = .balanced) -> Bool
        {
            var bench = Bench(level: level)
            bench.unread = [module]
            bench.unreadWidth = width
            bench.isRead = isRead
            bench.run(30)
            return bench.told == ["15 +moveCloser"]
        }
        #expect(told(1.2) && !told(1.4) && !told(1.2, isRead: true))
        // Squares have to be larger than bars.
        #expect(told(1.8, width: 100) && !told(2.1, width: 100) && !told(1.8, width: 300))
        #expect(told(1.8, level: .fast) && !told(1.2, level: .accurate) && told(0.9, level: .accurate))
        // What is read is in focus.
        var soft = Bench()
        soft.isRead = true
        soft.run(60, sharpness: 0.5)
        #expect(soft.told.isEmpty)
    }

    @Test func whatIsToldGoesOnUntilItIsClearlyOver() {
        var dark = Bench()
        dark.run(30, brightness: 0.05)
        dark.run(90, brightness: 0.11)
        #expect(dark.told == ["15 +tooDark"])
        var bright = Bench()
        bright.run(30, glare: 0.1)
        bright.run(90, glare: 0.05)
        #expect(bright.told == ["15 +glare"])
        var fast = Bench()
        fast.run(30, speed: 0.015, sharpness: 0.6)
        fast.run(90, speed: 0.007, sharpness: 0.75)
        #expect(fast.told == ["15 +slowDown"])
        var soft = Bench()
        soft.run(30, sharpness: 0.5)
        soft.run(90, sharpness: 0.6)
        #expect(soft.told == ["15 +outOfFocus"])
        var far = Bench()
        far.unread = [1.2]
        far.run(30)
        far.unread = [1.4]
        far.run(90)
        #expect(far.told == ["15 +moveCloser"])
    }

    @Test func framesThatAreFarApartAreNoEvidence() {
        var judge = GuidanceJudge(qualityLevel: .balanced)
        let motion = FrameMotion(certainty: .unknown, light: PictureLight(brightness: 0))
        for second in 0..<10 {
            let now = MonotonicTime(nanoseconds: Int64(second) * 1_000_000_000)
            #expect(judge.judge(.init(motion: motion, aspectRatio: 1), now: now).isEmpty)
        }
    }

    @Test func allEndsWithTheScan() {
        var bench = Bench()
        bench.run(60, brightness: 0.01, glare: 0.3)
        #expect(bench.judge.active == [.tooDark, .glare])
        #expect(bench.judge.end() == [.init(.tooDark, isActive: false), .init(.glare, isActive: false)])
        #expect(bench.judge.active.isEmpty && bench.judge.end().isEmpty)
    }
}
