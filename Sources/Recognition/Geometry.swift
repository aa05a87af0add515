// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ScanModel

// Points as vectors, for the recognisers' own use.
extension Point {
    static func + (a: Point, b: Point) -> Point { Point(x: a.x + b.x, y: a.y + b.y) }
    static func - (a: Point, b: Point) -> Point { Point(x: a.x - b.x, y: a.y - b.y) }
    static func * (a: Point, factor: Double) -> Point { Point(x: a.x * factor, y: a.y * factor) }

    var length: Double { (x * x + y * y).squareRoot() }
    var normalized: Point { length > 0 ? self * (1 / length) : self }
    var absolute: Point { Point(x: x.magnitude, y: y.magnitude) }
    func dot(_ other: Point) -> Double { x * other.x + y * other.y }
}

extension Quad {
    /// Each side moved outwards by so much along the quad's own directions.
    func grown(by margin: Double) -> Quad { grown(along: margin, across: margin) }

    /// The left and right sides moved by `along`, the upper and lower by `across`.
    func grown(along: Double, across: Double) -> Quad {
        let right = (topRight - topLeft + bottomRight - bottomLeft).normalized * along
        let down = (bottomLeft - topLeft + bottomRight - topRight).normalized * across
        return Quad(
            topLeft: topLeft - right - down, topRight: topRight + right - down,
            bottomRight: bottomRight + right + down, bottomLeft: bottomLeft - right + down)
    }

    /// The part of the height around the middle, cut along the sides as they lean.
    func middle(share: Double) -> Quad {
        func point(_ upper: Point, _ lower: Point, _ part: Double) -> Point { upper + (lower - upper) * part }
        let (top, bottom) = ((1 - share) / 2, (1 + share) / 2)
        return Quad(
            topLeft: point(topLeft, bottomLeft, top), topRight: point(topRight, bottomRight, top),
            bottomRight: point(topRight, bottomRight, bottom), bottomLeft: point(topLeft, bottomLeft, bottom))
    }

    func scaled(by factor: Double) -> Quad { scaled(x: factor, y: factor) }

    /// The corners renamed after so many quarter turns clockwise of the item: 1 makes the picture's top-right the item's
    /// top-left.
    func turned(quarters: Int) -> Quad {
        let points = corners
        let first = ((quarters % 4) + 4) % 4
        return Quad(
            topLeft: points[first], topRight: points[(first + 1) % 4], bottomRight: points[(first + 2) % 4],
            bottomLeft: points[(first + 3) % 4])
    }
}
