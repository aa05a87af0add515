// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// How a place lies off the planes that carried it, by its points: a shift, and as much turn, growth and slant as they prove.
///
/// A label is tilted against the shelf and nearer than it, so that over a second of a pan its corners leave the planes' way by
/// 5 to 20 px of 1080p, most of it by slant and growth that no single frame shows. So points are compared with where the planes
/// carried them since they were taken up. (A shift alone, frame by frame, left 9 px at the 95th percentile on pans.)
struct PlaceCorrection {
    private static let leastPoints = 3
    /// A point that is off by more than this, in pixels, counts the less (Huber, 1964).
    private static let tolerance: Float = 0.3
    /// A point that is off by more belongs to something else.
    private static let foreign: Float = 0.9
    /// Where the usual point is off by more, the points do not agree with each other.
    private static let limit: Float = 0.6
    /// How many points at the usual distance "no turn, no growth" counts as; many more at first, when noise makes more of them
    /// than a label's tilt can.
    private static func stiffness(age: Int) -> Float { 0.1 + 60 / Float(age * age) }

    static let none = PlaceCorrection()

    private var origin = SIMD2<Float>.zero
    private var shift = SIMD2<Float>.zero
    private var toX = SIMD2<Float>(1, 0)
    private var toY = SIMD2<Float>(0, 1)

    private init() {}

    /// `nil` where the points are too few or do not agree.
    ///
    /// - Parameter age: the frames since the planes carried the place, 1 and more.
    init?(_ points: [PlacePoint], age: Int) {
        let stiffness = Self.stiffness(age: max(1, min(1000, age)))
        guard points.count >= Self.leastPoints else { return nil }
        // The start is the median shift, which under half of the points can not pull away.
        let middle = SIMD2(
            points.map { $0.place.x - $0.carried.x }.sorted()[points.count / 2],
            points.map { $0.place.y - $0.carried.y }.sorted()[points.count / 2])
        var rests = points.map { point in
            let rest = point.place - point.carried - middle
            return (rest * rest).sum().squareRoot() / 2
        }
        for _ in 0..<4 {
            fit(points, rests, stiffness)
            for index in points.indices {
                let rest = self(points[index].carried) - points[index].place
                rests[index] = (rest * rest).sum().squareRoot()
            }
        }
        let usual = rests.sorted()[points.count / 2]
        guard usual < Self.limit, origin.x.isFinite, shift.x.isFinite, toX.x.isFinite else { return nil }
    }

    func callAsFunction(_ point: SIMD2<Float>) -> SIMD2<Float> {
        let away = point - origin
        return origin + shift + SIMD2((toX * away).sum(), (toY * away).sum())
    }

    /// Whether a point is about where it belongs.
    func explains(_ point: PlacePoint) -> Bool {
        let rest = self(point.carried) - point.place
        return (rest * rest).sum() <= Self.foreign * Self.foreign
    }

    /// The way back; `nil` where there is none.
    var inverse: ((SIMD2<Float>) -> SIMD2<Float>)? {
        let determinant = toX.x * toY.y - toX.y * toY.x
        guard determinant.magnitude > 0.1 else { return nil }
        let (backX, backY) = (SIMD2(toY.y, -toX.y) / determinant, SIMD2(-toY.x, toX.x) / determinant)
        let (origin, shift) = (origin, shift)
        return { point in
            let away = point - origin - shift
            return origin + SIMD2((backX * away).sum(), (backY * away).sum())
        }
    }

    /// Weighted least squares with a pull of the linear part towards none.
    private mutating func fit(_ points: [PlacePoint], _ rests: [Float], _ stiffness: Float) {
        func weight(_ index: Int) -> Float {
            return rests[index] > Self.foreign ? 0.01 : Self.tolerance / max(Self.tolerance, rests[index])
        }
        var (sum, from, to) = (Float(0), SIMD2<Float>.zero, SIMD2<Float>.zero)
        for (index, point) in points.enumerated() {
            let weight = weight(index)
            sum += weight
            from += weight * point.carried
            to += weight * point.place
        }
        from /= sum
        to /= sum
        var (xx, xy, yy) = (Float(0), Float(0), Float(0))
        var (alongX, alongY) = (SIMD2<Float>.zero, SIMD2<Float>.zero)
        for (index, point) in points.enumerated() {
            let weight = weight(index)
            let away = point.carried - from
            let rest = point.place - to - away
            xx += weight * away.x * away.x
            xy += weight * away.x * away.y
            yy += weight * away.y * away.y
            alongX += weight * rest.x * away
            alongY += weight * rest.y * away
        }
        let pull = stiffness * (xx + yy) / sum / 2 + 0.1
        (xx, yy) = (xx + pull, yy + pull)
        let determinant = xx * yy - xy * xy
        func solved(_ vector: SIMD2<Float>) -> SIMD2<Float> {
            SIMD2(yy * vector.x - xy * vector.y, xx * vector.y - xy * vector.x) / determinant
        }
        origin = from
        shift = to - from
        toX = SIMD2(1, 0) + solved(alongX)
        toY = SIMD2(0, 1) + solved(alongY)
    }
}
