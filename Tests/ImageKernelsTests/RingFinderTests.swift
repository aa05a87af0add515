// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ImageKernels
import ScanModel
import ScanTestSupport
import Testing

@Suite struct RingFinderTests {
    /// Squares within squares, turned about their middle, four samples in each pixel.
    private static func rings(
        _ edges: [Double], module: Double, turned: (cosine: Double, sine: Double), size: Int, inverted: Bool = false
    ) -> LumaBuffer {
        var picture = LumaBuffer(width: size, height: size)
        let middle = Double(size) / 2
        for y in 0..<size {
            for x in 0..<size {
                var light = 0
                for sub in 0..<16 {
                    let dx = Double(x) + (Double(sub % 4) + 0.5) / 4 - middle
                    let dy = Double(y) + (Double(sub / 4) + 0.5) / 4 - middle
                    let u = (dx * turned.cosine + dy * turned.sine).magnitude / module
                    let v = (dy * turned.cosine - dx * turned.sine).magnitude / module
                    light += edges.filter { $0 <= max(u, v) }.count % 2
                }
                let value = UInt8(20 + light * 200 / 16)
                picture.pixels[y * size + x] = inverted ? 255 - value : value
            }
        }
        return picture
    }

    static let turns: [(cosine: Double, sine: Double)] = [
        (1, 0), (0.9962, 0.0872), (0.9397, 0.3420), (0.8660, 0.5), (0.7071, 0.7071),
    ]

    @Test(arguments: [1.6, 2, 3.3, 6, 15], 0..<5)
    func aFinderIsMeasuredAtEveryTurnAndSize(module: Double, turn: Int) throws {
        for inverted in [false, true] {
            let size = Int(module * 14) + 16
            let picture = Self.rings(
                [1.5, 2.5, 3.5], module: module, turned: Self.turns[turn], size: size, inverted: inverted)
            let found = picture.withView { RingFinder($0).patterns([.finder], rowStep: 1, limit: 10) }
            let finder = try #require(found.first { $0.isInverted == inverted })
            #expect(finder.center.distance(to: Point(x: Double(size) / 2, y: Double(size) / 2)) < 0.25 * module)
            #expect((finder.side / (7 * module) - 1).magnitude < 0.08)
            let reach = 3.5 * module
            let (c, s) = Self.turns[turn]
            for corner in [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)] {
                let (u, v) = (corner.0 * reach, corner.1 * reach)
                let expected = Point(x: Double(size) / 2 + u * c - v * s, y: Double(size) / 2 + u * s + v * c)
                let nearest = finder.corners.corners.map { $0.distance(to: expected) }.min() ?? .infinity
                #expect(nearest < 0.6 * module)
            }
        }
    }

    @Test(arguments: [2.5, 5, 9], 0..<5)
    func aBullseyeIsFoundAtEveryTurn(module: Double, turn: Int) throws {
        let size = Int(module * 20)
        let picture = Self.rings(
            [0.5, 1.5, 2.5, 3.5, 4.5], module: module, turned: Self.turns[turn], size: size)
        let found = picture.withView { RingFinder($0).patterns([.bullseye], rowStep: 1, limit: 10) }
        let middle = Point(x: Double(size) / 2, y: Double(size) / 2)
        let bullseye = try #require(found.first { !$0.isInverted && $0.center.distance(to: middle) < 0.5 * module })
        #expect((bullseye.side / (5 * module) - 1).magnitude < 0.12)
    }

    @Test func flatAndStripedPicturesHaveNoFindersAndNoiseHasFew() {
        var generator = SeededGenerator(seed: 3)
        var noise = LumaBuffer(width: 400, height: 300)
        for index in noise.pixels.indices { noise.pixels[index] = UInt8(truncatingIfNeeded: generator.next()) }
        var stripes = LumaBuffer(width: 400, height: 300, filledWith: 255)
        for index in stripes.pixels.indices where index % 400 / 4 % 2 == 0 { stripes.pixels[index] = 0 }
        for picture in [LumaBuffer(width: 400, height: 300, filledWith: 128), stripes] {
            #expect(picture.withView { RingFinder($0).patterns([.finder], rowStep: 1, limit: 1000) }.isEmpty)
        }
        // Of 120,000 random pixels some stand in rings.
        #expect(noise.withView { RingFinder($0).patterns([.finder], rowStep: 1, limit: 1000) }.count <= 60)
    }

    @Test(arguments: [(1, 1), (8, 3), (3, 200), (200, 2), (65, 65)])
    func tinyPicturesAreNoTrouble(width: Int, height: Int) {
        var generator = SeededGenerator(seed: 9)
        var picture = LumaBuffer(width: width, height: height)
        for index in picture.pixels.indices { picture.pixels[index] = UInt8(truncatingIfNeeded: generator.next()) }
        let found = picture.withView { RingFinder($0).patterns([.finder, .bullseye], rowStep: 1, limit: 5) }
        #expect(found.count <= 5)
    }
}
