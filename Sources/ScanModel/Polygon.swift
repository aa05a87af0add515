// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// A simple polygon: three corners or more, no edge crosses or touches another but at the corner that they share.
struct Polygon: Sendable, Hashable {
    let corners: [Point]
    let box: Rect

    /// `nil` where the corners are no numbers, enclose nothing, or the edges cross.
    init?(_ corners: [Point]) {
        guard corners.count >= 3, corners.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else { return nil }
        self.corners = corners
        box = Polygon.box(of: corners)
        guard Polygon.area(of: corners) > 1e-9, isSimple else { return nil }
    }

    static func box(of corners: [Point]) -> Rect {
        let (xs, ys) = (corners.map(\.x), corners.map(\.y))
        let (x, y) = (xs.min() ?? 0, ys.min() ?? 0)
        return Rect(x: x, y: y, width: (xs.max() ?? 0) - x, height: (ys.max() ?? 0) - y)
    }

    /// The area by the shoelace formula, never negative.
    static func area(of corners: [Point]) -> Double {
        var sum = 0.0
        for (index, a) in corners.enumerated() {
            let b = corners[index + 1 == corners.count ? 0 : index + 1]
            sum += a.x * b.y - b.x * a.y
        }
        return (sum / 2).magnitude
    }

    private func edge(_ index: Int) -> (Point, Point) {
        (corners[index], corners[index + 1 == corners.count ? 0 : index + 1])
    }

    private var isSimple: Bool {
        let count = corners.count
        for first in 0..<count {
            let (a, b) = edge(first)
            guard a != b else { return false }
            for second in (first + 1)..<Swift.max(first + 1, count) {
                let (c, d) = edge(second)
                if second == first + 1 || (first == 0 && second == count - 1) {
                    // Neighbours share a corner; one may not fold back onto the other.
                    let (shared, one, other) = second == first + 1 ? (b, a, d) : (a, b, c)
                    let isFlat = Polygon.side(shared, one, other) == 0
                    let goesBack =
                        (one.x - shared.x) * (other.x - shared.x) + (one.y - shared.y) * (other.y - shared.y) > 0
                    if isFlat, goesBack { return false }
                } else if Polygon.touch(a, b, c, d) {
                    return false
                }
            }
        }
        return true
    }

    /// On which side of the line from `a` to `b` a point lies.
    private static func side(_ a: Point, _ b: Point, _ p: Point) -> Double {
        (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x)
    }

    private static func isBetween(_ p: Point, _ a: Point, _ b: Point) -> Bool {
        p.x >= Swift.min(a.x, b.x) && p.x <= Swift.max(a.x, b.x) && p.y >= Swift.min(a.y, b.y)
            && p.y <= Swift.max(a.y, b.y)
    }

    private static func touch(_ a: Point, _ b: Point, _ c: Point, _ d: Point) -> Bool {
        let (s, t, u, v) = (side(a, b, c), side(a, b, d), side(c, d, a), side(c, d, b))
        if ((s > 0 && t < 0) || (s < 0 && t > 0)) && ((u > 0 && v < 0) || (u < 0 && v > 0)) { return true }
        return (s == 0 && isBetween(c, a, b)) || (t == 0 && isBetween(d, a, b)) || (u == 0 && isBetween(a, c, d))
            || (v == 0 && isBetween(b, c, d))
    }

    /// Whether a point lies inside or on the edge.
    func contains(_ point: Point) -> Bool {
        guard box.contains(point) else { return false }
        var isInside = false
        for index in corners.indices {
            let (a, b) = edge(index)
            if Polygon.side(a, b, point) == 0, Polygon.isBetween(point, a, b) { return true }
            guard (a.y > point.y) != (b.y > point.y) else { continue }
            if point.x < a.x + (b.x - a.x) * (point.y - a.y) / (b.y - a.y) { isInside.toggle() }
        }
        return isInside
    }

    /// What a convex quad leaves of the polygon (Sutherland and Hodgman, CACM 17(1) 1974).
    ///
    /// Of one that is not convex some edges may lie on each other; its area is right all the same.
    func clipped(to quad: Quad) -> [Point] {
        let area = quad.signedArea
        guard area != 0 else { return [] }
        let clip = area < 0 ? Array(quad.corners.reversed()) : quad.corners
        var left = corners
        for index in 0..<4 where !left.isEmpty {
            let (a, b) = (clip[index], clip[(index + 1) % 4])
            let sides = left.map { Polygon.side(a, b, $0) }
            var kept: [Point] = []
            for index in left.indices {
                let next = index + 1 == left.count ? 0 : index + 1
                if sides[index] >= 0 { kept.append(left[index]) }
                if (sides[index] > 0 && sides[next] < 0) || (sides[index] < 0 && sides[next] > 0) {
                    let t = sides[index] / (sides[index] - sides[next])
                    kept.append(
                        Point(
                            x: left[index].x + (left[next].x - left[index].x) * t,
                            y: left[index].y + (left[next].y - left[index].y) * t))
                }
            }
            left = kept
        }
        return left
    }
}
