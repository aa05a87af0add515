// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanModel
import Testing

@Suite struct QuadTests {
    private let unit = Quad(Rect(x: 0, y: 0, width: 1, height: 1))

    private func turned(_ quad: Quad, by degrees: Int) -> Quad {
        // Exact for the angles used: cosine and sine of 45 degrees.
        let c = degrees == 45 ? 0.5.squareRoot() : 0
        let s = degrees == 45 ? 0.5.squareRoot() : 1
        let m = quad.center
        return quad.mapped { p in
            Point(x: m.x + (p.x - m.x) * c - (p.y - m.y) * s, y: m.y + (p.x - m.x) * s + (p.y - m.y) * c)
        }
    }

    @Test func measures() {
        let quad = Quad(Rect(x: 0.2, y: 0.4, width: 0.3, height: 0.1))
        #expect((quad.width - 0.3).magnitude < 1e-12 && (quad.height - 0.1).magnitude < 1e-12)
        #expect((quad.signedArea - 0.03).magnitude < 1e-12)
        #expect(quad.center.distance(to: Point(x: 0.35, y: 0.45)) < 1e-12)
        #expect(quad.corners == [quad.topLeft, quad.topRight, quad.bottomRight, quad.bottomLeft])
    }

    @Test func aMirroredQuadHasANegativeArea() {
        let mirrored = unit.mapped { Point(x: 1 - $0.x, y: $0.y) }
        #expect(mirrored.signedArea == -1)
        #expect(mirrored.contains(Point(x: 0.5, y: 0.5)))
        #expect(mirrored.overlap(with: unit) == 1)
    }

    @Test func boundingRectOfATurnedQuad() {
        let box = turned(unit, by: 45).boundingRect
        #expect((box.width - 2.0.squareRoot()).magnitude < 1e-12)
        #expect(box.center.distance(to: Point(x: 0.5, y: 0.5)) < 1e-12)
    }

    @Test(
        arguments: [(0.5, 0.5, true), (0, 0, true), (1, 0.5, true), (1.01, 0.5, false), (-0.01, -0.01, false)]
            as [(Double, Double, Bool)])
    func containsPoints(x: Double, y: Double, isInside: Bool) {
        #expect(unit.contains(Point(x: x, y: y)) == isInside)
        #expect(turned(unit, by: 90).contains(Point(x: x, y: y)) == isInside || x == 0 || x == 1)
    }

    @Test(
        arguments: [
            (Rect(x: 0, y: 0, width: 1, height: 1), 1.0), (Rect(x: 0.5, y: 0, width: 1, height: 1), 0.5),
            (Rect(x: 0.5, y: 0.5, width: 1, height: 1), 0.25), (Rect(x: 2, y: 0, width: 1, height: 1), 0),
            (Rect(x: 1, y: 0, width: 1, height: 1), 0), (Rect(x: 0.25, y: 0.25, width: 0.5, height: 0.5), 0.25),
            (Rect(x: 0.2, y: 0.2, width: 0, height: 0), 0),
        ] as [(Rect, Double)])
    func intersectionAreas(rect: Rect, area: Double) {
        #expect((unit.intersectionArea(with: Quad(rect)) - area).magnitude < 1e-12)
        #expect((Quad(rect).intersectionArea(with: unit) - area).magnitude < 1e-12)
        #expect((unit.overlap(with: Quad(rect)) - area / (1 + rect.area - area)).magnitude < 1e-12)
    }

    @Test func aSquareAndItsTurnedSelfShareAnOctagon() {
        // 2 (sqrt 2 - 1) of the unit square.
        let area = unit.intersectionArea(with: turned(unit, by: 45))
        #expect((area - 2 * (2.0.squareRoot() - 1)).magnitude < 1e-12)
    }

    @Test func scalesAndMaps() {
        let scaled = unit.scaled(x: 1920, y: 1080)
        #expect(scaled.bottomRight == Point(x: 1920, y: 1080))
        #expect(scaled.mapped { Point(x: $0.x / 1920, y: $0.y / 1080) } == unit)
    }

    @Test func finiteness() {
        #expect(unit.isFinite)
        var broken = unit
        broken.bottomLeft.y = .nan
        #expect(!broken.isFinite)
        broken.bottomLeft.y = .infinity
        #expect(!broken.isFinite)
    }

    @Test(
        arguments: [
            (Rect(x: 0, y: 0, width: 1, height: 1), PixelRect(x: 0, y: 0, width: 100, height: 50)),
            (Rect(x: 0.101, y: 0.101, width: 0.1, height: 0.1), PixelRect(x: 10, y: 5, width: 11, height: 6)),
            (Rect(x: -1, y: -1, width: 3, height: 3), PixelRect(x: 0, y: 0, width: 100, height: 50)),
            (Rect(x: 2, y: 0, width: 1, height: 1), nil), (Rect(x: .nan, y: 0, width: 1, height: 1), nil),
            (Rect(x: 0.5, y: 0.5, width: 0, height: 0), nil),
        ])
    func pixelsThatARectangleCovers(rect: Rect, pixels: PixelRect?) {
        #expect(PixelRect(rect, inWidth: 100, height: 50) == pixels)
    }

    @Test(
        arguments: [
            (Rect(x: 0, y: 0, width: 1, height: 1), true), (Rect(x: 0.5, y: 0.5, width: 0.5, height: 0.5), true),
            (Rect(x: 0.6, y: 0.5, width: 0.5, height: 0.5), false), (Rect(x: -0.1, y: 0, width: 1, height: 1), false),
            (Rect(x: 0, y: 0, width: 0, height: 1), false), (Rect(x: 0, y: 0, width: .nan, height: 1), false),
            (Rect(x: 0, y: 0, width: .infinity, height: 1), false),
        ])
    func regionsOfInterest(rect: Rect, isValid: Bool) {
        #expect((RegionOfInterest(rect) != nil) == isValid)
    }
}
