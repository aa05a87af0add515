// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ScanModel

/// A straight line through points, by least squares of their distances from it.
struct FittedLine {
    var point: Point
    /// A unit vector.
    var direction: Point

    /// `nil` for less than two points or points in one place. Of four or more, those that lie far off are left out and
    /// the rest fitted again.
    init?(_ points: [Point]) {
        guard let fit = Self.fit(points) else { return nil }
        (point, direction) = fit
        guard points.count >= 4 else { return }
        let distances = points.map { distance(to: $0) }.sorted()
        // Twice the median, and half a pixel, which is what sampling does.
        let limit = 2 * distances[distances.count / 2] + 0.5
        let near = points.filter { distance(to: $0) <= limit }
        if near.count >= 3, near.count < points.count, let better = Self.fit(near) { (point, direction) = better }
    }

    private static func fit(_ points: [Point]) -> (Point, Point)? {
        guard points.count >= 2 else { return nil }
        let count = Double(points.count)
        let x = points.reduce(0) { $0 + $1.x } / count
        let y = points.reduce(0) { $0 + $1.y } / count
        var (xx, yy, xy) = (0.0, 0.0, 0.0)
        for point in points {
            xx += (point.x - x) * (point.x - x)
            yy += (point.y - y) * (point.y - y)
            xy += (point.x - x) * (point.y - y)
        }
        guard xx + yy > 1e-6 else { return nil }
        return (Point(x: x, y: y), Point(x: xx - yy, y: 2 * xy).halfTurned)
    }

    func distance(to other: Point) -> Double {
        ((other.x - point.x) * direction.y - (other.y - point.y) * direction.x).magnitude
    }

    /// Where two lines meet; `nil` for parallel ones.
    func crossing(_ other: FittedLine) -> Point? {
        let cross = direction.x * other.direction.y - direction.y * other.direction.x
        guard cross.magnitude > 0.1 else { return nil }
        let (dx, dy) = (other.point.x - point.x, other.point.y - point.y)
        let distance = (dx * other.direction.y - dy * other.direction.x) / cross
        return Point(x: point.x + direction.x * distance, y: point.y + direction.y * distance)
    }
}

// Points as complex numbers.
extension Point {
    /// Turned by the angle of a unit vector.
    @inline(__always)
    func turned(by other: Point) -> Point { Point(x: x * other.x - y * other.y, y: x * other.y + y * other.x) }

    /// The unit vector at half the angle, to the right where that is possible; (1, 0) for no direction at all.
    var halfTurned: Point {
        let length = (x * x + y * y).squareRoot()
        guard length > 0 else { return Point(x: 1, y: 0) }
        let cosine = max(0, (1 + x / length) / 2).squareRoot()
        let sine = max(0, (1 - x / length) / 2).squareRoot()
        return Point(x: cosine, y: y < 0 ? -sine : sine)
    }
}
