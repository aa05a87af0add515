// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanModel
import ScanTestSupport
import Testing

/// Regions of rectangles and polygons.
@Suite struct RegionOfInterestTests {
    private static func points(_ numbers: [Double]) -> [Point] {
        stride(from: 0, to: numbers.count, by: 2).map { Point(x: numbers[$0], y: numbers[$0 + 1]) }
    }

    private func region(_ polygons: [Double]...) throws -> RegionOfInterest {
        try #require(RegionOfInterest(polygons: polygons.map(Self.points)))
    }

    /// The letter U: open at the top.
    private let u: [Double] = [0.1, 0.1, 0.3, 0.1, 0.3, 0.7, 0.7, 0.7, 0.7, 0.1, 0.9, 0.1, 0.9, 0.9, 0.1, 0.9]

    @Test(
        arguments: [
            ([0.1, 0.1, 0.9, 0.1, 0.5, 0.9], true),
            // Counterclockwise is as good.
            ([0.1, 0.1, 0.5, 0.9, 0.9, 0.1], true),
            ([0, 0, 1, 0, 1, 1, 0, 1], true),
            // A corner on a straight edge.
            ([0, 0, 0.5, 0, 1, 0, 0.5, 1], true),
            // Two corners, none enclosed, all in a line, a corner twice.
            ([0.1, 0.1, 0.9, 0.9], false), ([], false), ([0.1, 0.1, 0.5, 0.5, 0.9, 0.9], false),
            ([0.1, 0.1, 0.1, 0.1, 0.9, 0.1, 0.5, 0.9], false),
            // A bow tie; an edge that folds back; one that touches a corner far away; one that runs along another.
            ([0.1, 0.1, 0.9, 0.9, 0.9, 0.1, 0.1, 0.9], false), ([0.1, 0.1, 0.9, 0.1, 0.5, 0.1, 0.5, 0.9], false),
            ([0.1, 0.1, 0.9, 0.1, 0.9, 0.9, 0.5, 0.1, 0.1, 0.9], false),
            ([0.1, 0.1, 0.5, 0.1, 0.5, 0.5, 0.4, 0.1, 0.2, 0.1, 0.1, 0.5], false),
            // Out of the frame; no numbers.
            ([-0.1, 0, 1, 0, 1, 1], false), ([0, 0, 1.1, 0, 1, 1], false), ([0, 0, 1, 0, .nan, 1], false),
            ([0, 0, 1, 0, .infinity, 1], false),
        ] as [([Double], Bool)])
    func polygonsThatAreSimpleMakeARegion(numbers: [Double], isValid: Bool) {
        #expect((RegionOfInterest(polygons: [Self.points(numbers)]) != nil) == isValid)
    }

    @Test func thereAreLimits() {
        let triangle = Self.points([0.1, 0.1, 0.9, 0.1, 0.5, 0.9])
        #expect(RegionOfInterest(polygons: []) == nil)
        #expect(RegionOfInterest(polygons: Array(repeating: triangle, count: 32)) != nil)
        #expect(RegionOfInterest(polygons: Array(repeating: triangle, count: 33)) == nil)
        func comb(_ teeth: Int) -> [Point] {
            (0..<teeth).map { Point(x: Double($0) / 40, y: $0 % 2 == 0 ? 0.1 : 0.1001) } + [Point(x: 0.5, y: 0.9)]
        }
        #expect(RegionOfInterest(polygons: [comb(31)]) != nil)
        #expect(RegionOfInterest(polygons: [comb(32)]) == nil)
    }

    @Test func aPolygonThatIsARectangleIsOne() throws {
        let rect = try region([0.25, 0.25, 0.75, 0.25, 0.75, 0.5, 0.25, 0.5])
        #expect(rect == RegionOfInterest(Rect(x: 0.25, y: 0.25, width: 0.5, height: 0.25)))
        #expect(rect.isRectangle && !rect.isFull)
        #expect(try region([0, 0, 0, 1, 1, 1, 1, 0]).isFull)
        #expect(try !region([0.25, 0.25, 0.75, 0.25, 0.75, 0.5, 0.3, 0.5]).isRectangle)
        // Two of them are not.
        #expect(try !region([0, 0, 0.5, 0, 0.5, 1, 0, 1], [0.5, 0, 1, 0, 1, 1, 0.5, 1]).isRectangle)
    }

    @Test func theBoundingRectangleHoldsAllPolygons() throws {
        let region = try region([0.1, 0.2, 0.3, 0.2, 0.2, 0.4], [0.6, 0.5, 0.9, 0.5, 0.7, 0.8])
        let box = region.boundingRect
        #expect((box.x - 0.1).magnitude < 1e-12 && (box.y - 0.2).magnitude < 1e-12)
        #expect((box.width - 0.8).magnitude < 1e-12 && (box.height - 0.6).magnitude < 1e-12)
    }

    @Test func aPointIsInAConcaveRegionOrNot() throws {
        let region = try region(u)
        for (x, y) in [(0.2, 0.3), (0.8, 0.3), (0.5, 0.8), (0.1, 0.5), (0.3, 0.3), (0.1, 0.1), (0.5, 0.7)] {
            #expect(region.contains(Point(x: x, y: y)), "\(x), \(y)")
        }
        for (x, y) in [(0.5, 0.3), (0.05, 0.5), (0.5, 0.69), (0.95, 0.95), (.nan, 0.5)] as [(Double, Double)] {
            #expect(!region.contains(Point(x: x, y: y)), "\(x), \(y)")
        }
    }

    @Test func theShareOfAQuadIsItsAreaInside() throws {
        let region = try region(u)
        func share(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Double {
            region.share(of: Quad(Rect(x: x, y: y, width: width, height: height)))
        }
        #expect((share(0.15, 0.2, 0.1, 0.2) - 1).magnitude < 1e-9)
        #expect(share(0.4, 0.2, 0.2, 0.2) < 1e-9)
        // From arm to arm: two pieces.
        #expect((share(0.2, 0.3, 0.6, 0.1) - 1 / 3).magnitude < 1e-9)
        #expect((share(0.4, 0.6, 0.2, 0.2) - 0.5).magnitude < 1e-9)
        // Half out of the frame.
        #expect((share(-0.1, 0.3, 0.4, 0.1) - 0.5).magnitude < 1e-9)
        // In the other direction, and turned.
        let turned = Quad(
            topLeft: Point(x: 0.2, y: 0.2), topRight: Point(x: 0.3, y: 0.3), bottomRight: Point(x: 0.2, y: 0.4),
            bottomLeft: Point(x: 0.1, y: 0.3))
        #expect((region.share(of: turned) - 1).magnitude < 1e-9)
        let mirrored = Quad(
            topLeft: turned.topRight, topRight: turned.topLeft, bottomRight: turned.bottomLeft,
            bottomLeft: turned.bottomRight)
        #expect((region.share(of: mirrored) - 1).magnitude < 1e-9)
    }

    @Test func polygonsThatTouchOrOverlapAreNotCountedTwice() throws {
        let quad = Quad(Rect(x: 0.2, y: 0.2, width: 0.4, height: 0.4))
        // The two halves of a square along its diagonal.
        let halves = try region([0.1, 0.1, 0.9, 0.1, 0.9, 0.9], [0.1, 0.1, 0.9, 0.9, 0.1, 0.9])
        #expect((halves.share(of: quad) - 1).magnitude < 0.01)
        // Side by side.
        let beside = try region([0.1, 0.1, 0.4, 0.1, 0.4, 0.9, 0.1, 0.9], [0.4, 0.1, 0.5, 0.1, 0.5, 0.9, 0.4, 0.9])
        #expect((beside.share(of: quad) - 0.75).magnitude < 1e-9)
        // The same part twice is half of the quad, not all of it.
        let twice = try region([0.2, 0.1, 0.4, 0.1, 0.4, 0.9, 0.2, 0.9], [0.2, 0.15, 0.4, 0.1, 0.4, 0.9, 0.2, 0.9])
        #expect((twice.share(of: quad) - 0.5).magnitude < 0.02)
    }

    @Test func quadsWithoutAnAreaAndWithoutNumbersAreNoTrouble() throws {
        let region = try region(u)
        let line = Quad(Rect(x: 0.15, y: 0.2, width: 0.1, height: 0))
        #expect(region.share(of: line) == 1)
        #expect(region.share(of: Quad(Rect(x: 0.4, y: 0.2, width: 0.1, height: 0))) == 0)
        #expect(region.share(of: Quad(Rect(x: .nan, y: 0, width: 1, height: 1))) == 0)
        #expect(RegionOfInterest.full.share(of: line) == 1)
    }

    /// Against counting places, for quads and stars of any form.
    @Test(arguments: 1...30) func sharesAgreeWithCounting(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let radii = (0..<9).map { _ in Double.random(in: 0.05...0.45, using: &random) }
        // A circle in nine steps, without a cosine at hand.
        let circle = [
            1.0, 0, 0.766, 0.643, 0.174, 0.985, -0.5, 0.866, -0.94, 0.342, -0.94, -0.342, -0.5, -0.866, 0.174, -0.985,
            0.766, -0.643,
        ]
        let star = Self.points(circle).enumerated().map {
            Point(x: 0.5 + $1.x * radii[$0], y: 0.5 + $1.y * radii[$0])
        }
        let region = try #require(RegionOfInterest(polygons: [star]))
        let x = Double.random(in: 0.1...0.6, using: &random)
        let y = Double.random(in: 0.1...0.6, using: &random)
        let quad = Quad(
            topLeft: Point(x: x, y: y), topRight: Point(x: x + 0.3, y: y - 0.05),
            bottomRight: Point(x: x + 0.28, y: y + 0.2), bottomLeft: Point(x: x - 0.04, y: y + 0.25))
        var (inside, all) = (0, 0)
        for row in 0..<400 {
            for column in 0..<400 {
                let point = Point(x: x - 0.1 + Double(column) / 800, y: y - 0.1 + Double(row) / 800)
                guard quad.contains(point) else { continue }
                all += 1
                if region.contains(point) { inside += 1 }
            }
        }
        #expect((region.share(of: quad) - Double(inside) / Double(all)).magnitude < 0.01)
    }

    @Test func regionsAreJoined() throws {
        let left = try #require(RegionOfInterest(Rect(x: 0, y: 0, width: 0.2, height: 1)))
        let both = try #require(left.union(region([0.5, 0.5, 0.9, 0.5, 0.7, 0.9])))
        #expect(both.contains(Point(x: 0.1, y: 0.5)) && both.contains(Point(x: 0.7, y: 0.6)))
        #expect(!both.contains(Point(x: 0.4, y: 0.6)) && both.polygons.count == 2)
        #expect(left.union(.full) == .full && RegionOfInterest.full.union(left) == .full)
        var many: RegionOfInterest? = left
        for _ in 0..<31 { many = many?.union(left) }
        #expect(many?.polygons.count == 32 && many?.union(left) == nil)
    }
}
