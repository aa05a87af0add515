// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// What is left of a quad on one side of lines.
///
/// Each line adds a corner to a convex one, and two at the most to another.
struct ClippedPolygon {
    private(set) var points = InlineArray<12, Point>(repeating: Point(x: 0, y: 0))
    private(set) var count = 0

    private init() {}

    /// All of a quad, its corners in the other direction where asked for.
    init(_ quad: Quad, isReversed: Bool) {
        append(isReversed ? quad.bottomLeft : quad.topLeft)
        append(isReversed ? quad.bottomRight : quad.topRight)
        append(isReversed ? quad.topRight : quad.bottomRight)
        append(isReversed ? quad.topLeft : quad.bottomLeft)
    }

    private mutating func append(_ point: Point) {
        guard count < 12 else { return }
        points[count] = point
        count += 1
    }

    /// What lies to the right of the line from `a` to `b`, as seen on the screen, or on it.
    func clipped(_ a: Point, _ b: Point) -> ClippedPolygon {
        func side(_ p: Point) -> Double { (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x) }
        var result = ClippedPolygon()
        for index in 0..<count {
            let (from, to) = (points[index], points[index + 1 == count ? 0 : index + 1])
            let (fromSide, toSide) = (side(from), side(to))
            if fromSide >= 0 { result.append(from) }
            if fromSide * toSide < 0 {
                let t = fromSide / (fromSide - toSide)
                result.append(Point(x: from.x + (to.x - from.x) * t, y: from.y + (to.y - from.y) * t))
            }
        }
        return result
    }

    var area: Double {
        var sum = 0.0
        for index in 0..<count {
            let (point, next) = (points[index], points[index + 1 == count ? 0 : index + 1])
            sum += point.x * next.y - next.x * point.y
        }
        return (sum / 2).magnitude
    }
}
