// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ScanModel

/// The projective map that takes four corners to four others.
public struct Homography: Sendable, Hashable {
    // What x, y and 1 count in each coordinate and in the weight, the last of which is 1. Vectors, no array: a map is made
    // for each crop, and each place asks for all of it.
    private let toX: SIMD4<Double>
    private let toY: SIMD4<Double>
    private let toWeight: SIMD4<Double>

    /// The map of an upright rectangle at the origin onto a quad; `nil` where three of the quad's corners lie on a line.
    public init?(width: Double, height: Double, onto quad: Quad) {
        guard width > 0, height > 0, quad.isFinite, Self.isUsable(quad) else { return nil }
        let (a, b, c, d) = (quad.topLeft, quad.topRight, quad.bottomRight, quad.bottomLeft)
        // The unit square onto a quad in closed form (Heckbert, Fundamentals of Texture Mapping, 1989, 2.2.3).
        let (sumX, sumY) = (a.x - b.x + c.x - d.x, a.y - b.y + c.y - d.y)
        let (dx1, dy1) = (b.x - c.x, b.y - c.y)
        let (dx2, dy2) = (d.x - c.x, d.y - c.y)
        let determinant = dx1 * dy2 - dx2 * dy1
        guard determinant != 0 else { return nil }
        let g = (sumX * dy2 - dx2 * sumY) / determinant
        let h = (dx1 * sumY - sumX * dy1) / determinant
        toX = SIMD4((b.x - a.x + g * b.x) / width, (d.x - a.x + h * d.x) / height, a.x, 0)
        toY = SIMD4((b.y - a.y + g * b.y) / width, (d.y - a.y + h * d.y) / height, a.y, 0)
        toWeight = SIMD4(g / width, h / height, 1, 0)
        // Any infinity or none at all makes the sum none.
        guard (toX + toY + toWeight).sum().isFinite else { return nil }
    }

    /// The place that a point is mapped to.
    public func callAsFunction(_ point: Point) -> Point {
        let weight = weight(at: point)
        return Point(
            x: (toX.x * point.x + toX.y * point.y + toX.z) / weight,
            y: (toY.x * point.x + toY.y * point.y + toY.z) / weight)
    }

    /// Whether lines stay parallel over so many places, up to a thousandth of one: the same step leads from each to the next.
    func isAffine(width: Int, height: Int) -> Bool {
        let (width, height) = (Double(width), Double(height))
        let change = (toWeight.x * width).magnitude + (toWeight.y * height).magnitude
        let reach =
            (toX.x * width).magnitude + (toX.y * height).magnitude + (toY.x * width).magnitude
            + (toY.y * height).magnitude
        return change * reach < 0.001
    }

    /// What the place is divided by; it does not change its sign within a convex quad.
    func weight(at point: Point) -> Double { toWeight.x * point.x + toWeight.y * point.y + toWeight.z }

    /// Convex, and no corner so flat that the map would be ill-conditioned.
    private static func isUsable(_ quad: Quad) -> Bool {
        let corners = quad.corners
        let area = quad.signedArea.magnitude
        guard area > 0 else { return false }
        return (0..<4).allSatisfy { index in
            let (p, q, r) = (corners[index], corners[(index + 1) % 4], corners[(index + 2) % 4])
            let cross = (q.x - p.x) * (r.y - q.y) - (q.y - p.y) * (r.x - q.x)
            return (cross > 0) == (quad.signedArea > 0) && cross.magnitude > 0.02 * area
        }
    }
}
