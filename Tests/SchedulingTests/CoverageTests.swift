// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanModel
import ScanTestSupport
import Testing

@testable import Scheduling

/// What is searched when: nothing new stays unseen, nothing old is searched for nothing.
@Suite struct CoverageTests {
    @Test func aNewSceneIsSearchedTwiceAtOnce() {
        var bench = SceneBench()
        bench.run(4)
        #expect(bench.plans[0].barcodes?.searched == [SceneBench.whole])
        #expect(bench.plans[1].barcodes?.searched == [SceneBench.whole])
        #expect(bench.plans[2].barcodes == nil && bench.plans[3].barcodes == nil)
        bench.run(60)
        bench.run(1, certainty: .unknown)
        bench.run(3)
        #expect(bench.plans[64].barcodes?.searched == [SceneBench.whole])
        #expect(bench.plans[65].barcodes?.searched == [SceneBench.whole])
        #expect(bench.plans[66].barcodes == nil)
    }

    @Test func aPictureThatStandsCostsLittle() {
        var bench = SceneBench()
        for index in 0..<12 {
            bench.attention.barcodes.append(
                SceneBench.code(UInt64(index), x: 0.05 + Double(index % 6) * 0.15, y: index < 6 ? 0.2 : 0.6))
        }
        bench.run(600)
        // The first two seconds have the plain scans of a new scene.
        #expect(bench.meanCost(from: 60) < 2.2)
        #expect(bench.looks().filter { $0.look.sweeps }.map(\.frame).count == 2)
        // The next ones come when they were saved up for.
        bench.run(600)
        #expect((3...4).contains(bench.looks().count { $0.look.sweeps }))
    }

    /// Pans, slow and fast, and a hand's sway: a code of 0.2 frame heights is searched whole soon after it is whole in view.
    @Test(arguments: [(-3.0, 0.0, 5), (-12, 0, 7), (12, 0, 7), (0, -7, 6), (0, 7, 6), (-8, 6, 9)])
    func whatComesIntoViewIsSearchedSoon(x: Double, y: Double, limit: Int) {
        var bench = SceneBench()
        var waiting: [Int: Int] = [:]
        var seen: Set<Int> = []
        // Codes all over the scene, in scene coordinates.
        let codes = (-60..<60).flatMap { column in (-60..<60).map { row in (column, row) } }.map { column, row in
            Rect(x: Double(column) * 0.13, y: Double(row) * 0.21, width: 0.11, height: 0.1)
        }
        var worst = 0
        for frame in 0..<300 {
            let sway = frame % 20 < 10 ? 1.5 : -1.5
            bench.run(1, x: x, y: y + (x != 0 && y == 0 ? sway : 0))
            for (index, code) in codes.enumerated() where !seen.contains(index) {
                let box = bench.toFrame(Quad(code)).boundingRect
                guard box.minX >= 0, box.maxX <= 1, box.minY >= 0, box.maxY <= 1 else { continue }
                let since = waiting[index] ?? frame
                waiting[index] = since
                if bench.plans[frame].barcodes?.searches(box) == true {
                    seen.insert(index)
                    worst = Swift.max(worst, frame - since)
                } else {
                    worst = Swift.max(worst, frame - since + 1)
                }
            }
        }
        #expect(worst <= limit)
        #expect(seen.count > 40)
        // Strips at two edges cost twice as much.
        #expect(bench.meanCost(from: 30) < (x != 0 && y != 0 ? 8 : 5.5))
    }

    /// Whatever the camera does, whatever is seen and however slow the machine is.
    @Test(arguments: 1...12) func noPartStaysUnsearchedForLongerThanTheSweepTime(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let level = QualityLevel.allCases[Int(seed % 3)]
        var bench = SceneBench {
            $0.qualityLevel = level
            $0.costModel = seed % 2 == 0 ? .fixed : .measured
        }
        bench.barcodeTime = .milliseconds(Int.random(in: 1...400, using: &random))
        let limit = Int(SchedulerLimits.sweepTime(at: level).inSeconds * 30) + 1
        // Places of the scene, and the newest frame in which each was searched, or not in view.
        let points = (-40..<40).flatMap { x in (-20..<20).map { Point(x: Double(x) * 0.11, y: Double($0) * 0.13) } }
        var last = Array(repeating: 0, count: points.count)
        var worst = 0
        var (x, y) = (0.0, 0.0)
        for frame in 0..<400 {
            if frame % 40 == 0 {
                (x, y) =
                    frame % 80 == 0
                    ? (0, 0) : (.random(in: -25...25, using: &random), .random(in: -9...9, using: &random))
            }
            let part = Rect(
                x: .random(in: 0...0.8, using: &random), y: .random(in: 0...0.8, using: &random), width: 0.2,
                height: 0.2)
            bench.run(
                1, x: x, y: y, sharpness: .random(in: 0.1...1, using: &random),
                certainty: Int.random(in: 0..<30, using: &random) == 0 ? .unknown : nil,
                changes: SceneBench.changes(in: part, by: Bool.random(using: &random) ? 50 : 0))
            for (index, point) in points.enumerated() {
                let place = bench.toFrame(point)
                guard place.x > 0.01, place.x < 0.99, place.y > 0.01, place.y < 0.99 else {
                    last[index] = frame
                    continue
                }
                if bench.plans[frame].barcodes?.searched.contains(where: { $0.contains(place) }) == true {
                    last[index] = frame
                }
                worst = Swift.max(worst, frame - last[index])
            }
        }
        #expect(worst <= limit)
    }

    @Test func aHandDoesNotCostAFullSearchEachFrame() {
        var bench = SceneBench()
        bench.run(60)
        let before = bench.frame
        for frame in 0..<90 {
            let x = Double(frame) / 90 * 0.8
            bench.run(1, changes: SceneBench.changes(in: Rect(x: x, y: 0.3, width: 0.25, height: 0.7)))
        }
        #expect(bench.meanCost(from: before) < 7)
        // What it has left bare is searched while it goes on.
        let bare = Rect(x: 0.1, y: 0.5, width: 0.1, height: 0.1)
        #expect(bench.looks(from: before + 40).contains { $0.frame < before + 70 && $0.look.searches(bare) })
    }

    @Test func aChangeIsSearchedAtOnceAndTwiceAgain() {
        var bench = SceneBench()
        bench.run(40)
        let part = Rect(x: 0.4, y: 0.4, width: 0.08, height: 0.1)
        bench.run(1, changes: SceneBench.changes(in: part))
        bench.run(17)
        let looks = bench.looks(from: 40).filter { $0.look.searches(part) && !$0.look.sweeps }
        #expect(looks.map(\.frame) == [40, 43, 52])
        // A label must be whole in it, and all else is left alone.
        #expect(looks.allSatisfy { $0.look.searched.count == 1 && $0.look.searched[0].area < 0.2 })
        #expect(looks[0].look.searches(Rect(x: 0.33, y: 0.26, width: 0.22, height: 0.38)))
    }

    @Test func aLostPictureIsNotSearchedAsAWholeEachTime() {
        var bench = SceneBench()
        bench.run(30)
        bench.run(90, x: 30, certainty: .unknown)
        #expect(bench.looks(from: 30).count <= 16)
    }

    @Test func aLookThatFailedIsTakenAgain() {
        var bench = SceneBench()
        bench.run(40)
        let part = Rect(x: 0.4, y: 0.4, width: 0.08, height: 0.1)
        bench.fails = true
        bench.run(1, changes: SceneBench.changes(in: part))
        bench.fails = false
        bench.run(3)
        #expect(bench.plans[40].barcodes?.searches(part) == true)
        #expect(bench.looks(from: 41).contains { $0.look.searches(part) })
    }

    @Test func aNewSceneWhoseLookFailedIsSearchedAgain() {
        var bench = SceneBench()
        bench.fails = true
        bench.run(2)
        bench.fails = false
        bench.run(2)
        #expect(bench.plans.prefix(4).allSatisfy { $0.barcodes?.searched == [SceneBench.whole] })
    }

    @Test func whatLeavesAndComesBackAtOnceIsNoNews() {
        var bench = SceneBench()
        bench.run(35)
        bench.run(8, x: 20)
        bench.run(8, x: -20)
        bench.run(6)
        // What left at the right and came back is known; at the left there was something new.
        let right = Point(x: 0.99, y: 0.5)
        #expect(!bench.looks(from: 36).contains { $0.look.searched.contains { $0.contains(right) } })
        #expect(bench.looks(from: 36).contains { $0.look.searched.contains { $0.contains(Point(x: 0.01, y: 0.5)) } })
    }

    @Test func aSharpSearchOfHalfALabelIsNoneOfTheWhole() {
        var cell = CoverageCell()
        let now = MonotonicTime(nanoseconds: 0)
        cell.search(at: now, depth: 0.05, sharpness: 0.9, sweeps: false)
        cell.search(at: now, depth: 0.15, sharpness: 0.5, sweeps: false)
        #expect(cell.sharpness == 0.5)
        cell.search(at: now, depth: 0.15, sharpness: 0.8, sweeps: false)
        cell.search(at: now, depth: 0.15, sharpness: 0.3, sweeps: false)
        #expect(cell.sharpness == 0.8)
    }

    @Test func theCoverageFollowsTheSmallestMotion() {
        var map = CoverageMap()
        let place = Point(x: 0.703, y: 0.305)
        let dot = ChangeMap(columns: 32, rows: 18, cells: (0..<576).map { $0 == 5 * 32 + 22 ? 99 : 0 })
        map.note(dot, level: 10, at: MonotonicTime(nanoseconds: 1))
        for _ in 0..<200 { map.carry(along: .shift(x: -1.0 / 1920, y: 0.3 / 1080)) }
        let moved = Point(x: place.x - 200.0 / 1920, y: place.y + 60.0 / 1080)
        func changed(_ point: Point) -> Bool {
            map.newestChange(in: Quad(Rect(x: point.x - 1e-4, y: point.y - 1e-4, width: 2e-4, height: 2e-4))) != nil
        }
        #expect(changed(moved) && !changed(place))
        // A zoom by steps of a thousandth, too.
        for _ in 0..<200 {
            map.carry(
                along: PlaneMotion(
                    toX: SIMD4(1.001, 0, -0.0005, 0), toY: SIMD4(0, 1.001, -0.0005, 0), toWeight: SIMD4(0, 0, 1, 0)))
        }
        let factor = 1.2213
        let zoomed = Point(x: 0.5 + (moved.x - 0.5) * factor, y: 0.5 + (moved.y - 0.5) * factor)
        #expect(
            map.newestChange(in: Quad(Rect(x: zoomed.x - 0.03, y: zoomed.y - 0.05, width: 0.06, height: 0.1))) != nil)
        map.carry(along: PlaneMotion(toX: SIMD4(.nan, 0, 0, 0), toY: SIMD4(0, 1, 0, 0), toWeight: SIMD4(0, 0, 1, 0)))
        #expect(map.newestChange(in: Quad(SceneBench.whole)) == nil)
    }

    @Test(arguments: 1...20) func partsHoldAllPlacesAndAreFew(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let region = Rect(x: 0.1, y: 0, width: 0.8, height: 0.9)
        var parts = SearchParts(region: region, marginX: 0.08, marginY: 0.15)
        let places = (0..<Int.random(in: 1...60, using: &random)).map { _ in
            Rect(
                x: .random(in: 0.1...0.85, using: &random), y: .random(in: 0...0.85, using: &random), width: 0.03,
                height: 0.05)
        }
        for place in places { parts.add(place) }
        let result = parts.finished()
        #expect(result.count <= SearchParts.maximum)
        #expect(result.allSatisfy { region.holds($0) })
        for place in places {
            let needed = Rect(
                x: place.x - 0.08, y: place.y - 0.15, width: place.width + 0.16, height: place.height + 0.3
            )
            .intersection(region)
            #expect(needed.map { needed in result.contains { $0.holds(needed) } } == true)
        }
        #expect(result.reduce(0) { $0 + $1.area } <= region.area + 1e-9)
    }
}
