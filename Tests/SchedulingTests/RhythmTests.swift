// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanModel
import ScanTestSupport
import Scheduling
import Testing

/// Known places, blur, idling, fairness and the budget.
@Suite struct RhythmTests {
    private let code = SceneBench.code(1, x: 0.4, y: 0.4)

    /// Frames in which a code is looked at by its own crop, while nothing is searched.
    private func looks(_ bench: SceneBench, at code: SchedulerAttention.Barcode, from first: Int) -> [Int] {
        bench.looks(from: first).filter { $0.look.searched.isEmpty && $0.look.knows(code) }.map(\.frame)
    }

    // MARK: - Known places

    @Test func aCertainCodeIsVerifiedTwiceASecondWhileThePictureMovesAndHardlyOnAStillOne() {
        var bench = SceneBench()
        bench.attention.barcodes = [code]
        bench.run(300, x: 0.5)
        let moving = bench.looks(from: 60).filter { $0.look.knows(code) }.map(\.frame)
        #expect(zip(moving, moving.dropFirst()).allSatisfy { $1 - $0 <= 16 })
        #expect((14...24).contains(moving.count))
        var still = SceneBench()
        still.attention.barcodes = [code]
        still.run(300)
        // The sweep of each second reads it on the way.
        #expect(looks(still, at: code, from: 60).isEmpty)
    }

    @Test func aCodeWhoseLooksMissedItIsVerifiedSooner() {
        func count(missed: Int, presence: SchedulerAttention.Presence) -> Int {
            var bench = SceneBench()
            bench.run(40)
            bench.attention.barcodes = [SceneBench.code(1, x: 0.4, y: 0.4, missed: missed, presence: presence)]
            bench.run(18)
            return looks(bench, at: bench.attention.barcodes[0], from: 40).count
        }
        #expect(count(missed: 0, presence: .there) == 1)
        #expect(count(missed: 1, presence: .there) == 2)
        #expect(count(missed: 0, presence: .unknown) == 2)
        #expect(count(missed: 0, presence: .missing) == 6)
    }

    @Test func anUncertainCodeIsLookedAtInEachFrameAndAPhantomNotForever() {
        var bench = SceneBench()
        bench.run(40)
        let phantom = SceneBench.code(1, x: 0.4, y: 0.4, isCertain: false)
        bench.attention.barcodes = [phantom]
        bench.run(10)
        #expect(looks(bench, at: phantom, from: 40) == Array(40..<50))
        bench.run(300)
        #expect(bench.looks(from: 250).count { $0.look.knows(phantom) } <= 12)
        // Certain for once, it is as new when it is not again.
        bench.attention.barcodes = [SceneBench.code(1, x: 0.4, y: 0.4)]
        bench.run(75)
        bench.attention.barcodes = [phantom]
        let first = bench.frame
        bench.run(6)
        #expect(bench.looks(from: first).count { $0.look.knows(phantom) } == 6)
    }

    @Test func manyCodesAreVerifiedAFewAFrame() {
        var bench = SceneBench()
        bench.run(40)
        bench.attention.barcodes = (0..<24).map {
            SceneBench.code(UInt64($0), x: Double($0 % 6) * 0.15, y: Double($0 / 6) * 0.2)
        }
        bench.run(12)
        let looks = bench.looks(from: 40).filter { $0.look.searched.isEmpty }
        #expect(looks.allSatisfy { $0.look.knownBarcodes.count <= 4 })
        #expect(Set(looks.flatMap { $0.look.knownBarcodes.map(\.bounds) }).count == 24)
    }

    @Test func anUnreadPlaceIsTriedAtOnceAndThenLessAndLess() {
        var bench = SceneBench()
        bench.run(40)
        let bounds = Quad(Rect(x: 0.4, y: 0.4, width: 0.1, height: 0.1))
        bench.attention.unreadCodes = [.init(bounds: bounds, moduleSize: 1.5, lastSeen: bench.now)]
        bench.run(240)
        let tries = bench.looks(from: 40).filter { $0.look.searched.contains { $0.area < 0.1 } }.map(\.frame)
        #expect(tries.prefix(3) == [40, 41, 42])
        #expect((7...14).contains(tries.count))
        #expect(
            bench.looks(from: 40).filter { tries.contains($0.frame) }.allSatisfy {
                $0.look.searches(bounds.boundingRect)
            })
        // Something changed there: it is as new.
        let change = bench.frame
        bench.run(1, changes: SceneBench.changes(in: bounds.boundingRect))
        bench.run(2)
        #expect(bench.looks(from: change).count == 3)
    }

    // MARK: - Blur

    @Test func aLookWaitsForASharpFrameButNotForLong() {
        var bench = SceneBench()
        bench.run(35, x: 1)
        let first = bench.frame
        let part = Rect(x: 0.4, y: 0.4, width: 0.08, height: 0.1)
        bench.run(1, x: 20, sharpness: 0.3, changes: SceneBench.changes(in: part))
        bench.run(2, x: 20, sharpness: 0.3)
        #expect(bench.looks(from: first).isEmpty)
        bench.run(1, x: 5, sharpness: 0.9)
        #expect(bench.looks(from: first).map(\.frame) == [first + 3])
        // It does not get sharp: four frames, then one is looked at.
        bench.run(30, x: 1)
        let second = bench.frame
        bench.run(1, x: 20, sharpness: 0.3, changes: SceneBench.changes(in: part))
        bench.run(5, x: 20, sharpness: 0.3)
        #expect(bench.looks(from: second).first.map { (second + 3...second + 4).contains($0.frame) } == true)
    }

    @Test func aSteadyBlurIsNoReasonToWait() {
        var bench = SceneBench()
        bench.run(90, x: 12, sharpness: 0.2)
        #expect(bench.looks(from: 60).count >= 5)
    }

    @Test func whatWasSearchedInABlurredFrameIsSearchedAgainInASharpOne() {
        var bench = SceneBench()
        bench.run(2, x: 9, sharpness: 0.2)
        bench.run(4, x: 0.4, sharpness: 0.2)
        let first = bench.frame
        bench.run(6, x: 0.4, sharpness: 0.9)
        #expect(bench.looks(from: first).contains { $0.look.searched == [SceneBench.whole] })
    }

    // MARK: - Idle

    @Test func whoIsIdleLooksOnceASecondAndWakesAtOnce() {
        var bench = SceneBench { $0.wantsText = true }
        bench.run(40)
        bench.scheduler.setIdle(true)
        bench.run(300, x: 3, hasMotion: false)
        let idle = bench.looks(from: 40).map(\.frame)
        #expect((10...11).contains(idle.count))
        #expect(zip(idle, idle.dropFirst()).allSatisfy { $1 - $0 == 30 })
        #expect((10...11).contains(bench.plans.dropFirst(40).count { $0.text != nil }))
        // What is not expected is not decoded.
        #expect((10...11).contains(bench.expected.dropFirst(40).count { $0 }))
        bench.run(7, hasMotion: false)
        bench.scheduler.setIdle(false)
        let woken = bench.frame
        bench.run(1)
        #expect(bench.expected[woken])
        #expect(bench.plans[woken].barcodes?.searched == [SceneBench.whole])
    }

    @Test func whatWasKnownBeforeIdlingIsOld() {
        var bench = SceneBench()
        bench.run(35)
        bench.scheduler.setIdle(true)
        bench.run(4, hasMotion: false)
        bench.scheduler.setIdle(false)
        bench.run(1)
        #expect(bench.expected[39] && bench.plans[39].barcodes?.searched == [SceneBench.whole])
    }

    @Test func theIdleIntervalIsASetting() {
        var bench = SceneBench { $0.idleInterval = .milliseconds(200) }
        bench.scheduler.setIdle(true)
        bench.run(60)
        #expect(bench.looks().count == 10)
    }

    // MARK: - Expectations

    @Test func aLookIsHardlyEverASurprise() {
        for x in [0.0, 3, 12] {
            var bench = SceneBench()
            bench.attention.barcodes = [code]
            bench.run(300, x: x)
            let surprises = bench.plans.indices.count { bench.plans[$0].barcodes != nil && !bench.expected[$0] }
            #expect(surprises <= 3)
            if x == 0 { #expect(bench.expected.count { $0 } < 40) }
        }
    }

    // MARK: - Fairness and the budget

    @Test(arguments: 1...10) func neitherBarcodesNorTextStarve(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var bench = SceneBench {
            $0.wantsText = true
            $0.costModel = .measured
        }
        bench.barcodeTime = .milliseconds(Int.random(in: 1...600, using: &random))
        bench.attention.lines = (0..<40).map { _ in
            .init(bounds: Quad(Rect(x: 0.2, y: 0.2, width: 0.3, height: 0.02)), isSettled: false, lastRead: nil)
        }
        bench.attention.barcodes = (0..<20).map { SceneBench.code(UInt64($0), x: 0.3, y: 0.3, isCertain: false) }
        for _ in 0..<300 {
            bench.run(1, x: .random(in: -20...20, using: &random), changes: SceneBench.changes(in: SceneBench.whole))
        }
        func widest(_ frames: [Int]) -> Int { zip([0] + frames, frames + [300]).map { $1 - $0 }.max() ?? 300 }
        #expect(widest(bench.looks().map(\.frame)) <= 31)
        #expect(widest(bench.plans.indices.filter { bench.plans[$0].text != nil }) <= 61)
    }

    @Test func aSlowMachineGetsFewerLooks() {
        var bench = SceneBench { $0.costModel = .measured }
        bench.barcodeTime = .milliseconds(300)
        bench.run(900, x: 9, changes: SceneBench.changes(in: SceneBench.whole))
        // The sweep's time is kept; beyond it, debts are paid first.
        let share = Double(bench.looks(from: 300).count) * 0.3 / 20
        #expect(share < 0.75)
    }

    @Test func aReaderThatIsBusyIsNotAskedAndWhatIsDueIsKept() {
        var bench = SceneBench()
        bench.run(40)
        bench.isBarcodeReaderFree = false
        bench.run(3, changes: SceneBench.changes(in: Rect(x: 0.4, y: 0.4, width: 0.08, height: 0.1)))
        #expect(bench.looks(from: 40).isEmpty)
        bench.isBarcodeReaderFree = true
        bench.run(1)
        #expect(bench.expected[43] && bench.plans[43].barcodes != nil)
    }

    @Test func nothingOutsideTheRegionIsSearched() {
        var bench = SceneBench()
        bench.region = Rect(x: 0.25, y: 0.1, width: 0.5, height: 0.6)
        for frame in 0..<120 {
            bench.run(1, x: frame < 60 ? 5 : 0, changes: SceneBench.changes(in: SceneBench.whole))
        }
        #expect(bench.looks().allSatisfy { $0.look.searched.allSatisfy { bench.region.intersection($0) == $0 } })
        #expect(!bench.looks().isEmpty)
    }
}
