// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// A point in two pictures, in the same unit.
public struct PointPair: Sendable {
    public var from: SIMD2<Double>
    public var to: SIMD2<Double>

    public init(from: SIMD2<Double>, to: SIMD2<Double>) {
        self.from = from
        self.to = to
    }
}

/// The map that many pairs of points agree on, whatever the others say.
///
/// Samples of two points each make a similarity (Fischler and Bolles, CACM 24(6) 1981): two need to be right, not four, and from
/// one frame to the next a tilt moves no point by more than the loose threshold. What agrees is then fitted by least squares
/// with all eight numbers and judged anew, three times, each time more strictly. The samples are drawn by a generator of fixed
/// seed: the same pairs give the same map.
public struct PlaneFit: Sendable {
    /// What x, y and 1 count in the new x, in the new y and in the weight.
    public private(set) var toX = SIMD3<Double>(1, 0, 0)
    public private(set) var toY = SIMD3<Double>(0, 1, 0)
    public private(set) var toWeight = SIMD3<Double>(0, 0, 1)
    /// How many pairs agree.
    public private(set) var agreeing = 0
    /// The root of the mean square distance of those that agree.
    public private(set) var deviation = 0.0

    /// Fewer make a similarity only, which two points fix.
    public static let leastForPlane = 12
    private static let samples = 60

    /// - Parameters:
    ///   - unit: how large the picture is in the pairs' unit; coordinates are at best around 0.
    ///   - loose: within this of the sample's map a pair agrees, in the pairs' unit.
    ///   - agrees: has room for one answer a pair.
    public init?(
        _ pairs: UnsafeBufferPointer<PointPair>, loose: Double, strict: Double,
        agrees: UnsafeMutableBufferPointer<Bool>
    ) {
        guard pairs.count >= 2, agrees.count >= pairs.count else { return nil }
        guard drawSimilarity(pairs, loose) else { return nil }
        var limit = loose
        for round in 0..<4 {
            guard judge(pairs, limit, agrees) >= 2 else { return nil }
            if round == 3 { break }
            guard fit(pairs, agrees) else { return nil }
            limit = round == 0 ? (loose + strict) / 2 : strict
        }
    }

    /// Where a point goes; none where the weight is not positive.
    public func callAsFunction(_ point: SIMD2<Double>) -> SIMD2<Double>? {
        let full = SIMD3(point.x, point.y, 1)
        let weight = (toWeight * full).sum()
        guard weight > 1e-3 else { return nil }
        return SIMD2((toX * full).sum(), (toY * full).sum()) / weight
    }

    private mutating func drawSimilarity(_ pairs: UnsafeBufferPointer<PointPair>, _ limit: Double) -> Bool {
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        func next(_ count: Int) -> Int {
            // Marsaglia's xorshift (JSS 8(14), 2003).
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Int((state >> 33) % UInt64(count))
        }
        var (best, bestError) = (0, Double.infinity)
        var winner = self
        for _ in 0..<Self.samples {
            let first = next(pairs.count)
            let second = (first + 1 + next(pairs.count - 1)) % pairs.count
            var candidate = self
            guard candidate.takeSimilarity(pairs[first], pairs[second]) else { continue }
            var (count, error) = (0, 0.0)
            for pair in pairs {
                // A similarity has no weight.
                let dx = candidate.toX.x * pair.from.x + candidate.toX.y * pair.from.y + candidate.toX.z - pair.to.x
                let dy = candidate.toY.x * pair.from.x + candidate.toY.y * pair.from.y + candidate.toY.z - pair.to.y
                let square = dx * dx + dy * dy
                if square < limit * limit {
                    count += 1
                    error += square
                }
            }
            // The mean square of all with a bound on each (Torr and Zisserman, CVIU 78(1) 2000): the best, not the first.
            error += Double(pairs.count - count) * limit * limit
            if error < bestError { (best, bestError, winner) = (count, error, candidate) }
        }
        guard best >= 2 else { return false }
        self = winner
        return true
    }

    private mutating func takeSimilarity(_ a: PointPair, _ b: PointPair) -> Bool {
        let (from, to) = (b.from - a.from, b.to - a.to)
        let square = (from * from).sum()
        guard square > 1e-9 else { return false }
        let cosine = (from * to).sum() / square
        let sine = (from.x * to.y - from.y * to.x) / square
        // Nothing grows or shrinks by a third from one frame to the next.
        guard (0.7...1.4).contains((cosine * cosine + sine * sine).squareRoot()) else { return false }
        toX = SIMD3(cosine, -sine, a.to.x - cosine * a.from.x + sine * a.from.y)
        toY = SIMD3(sine, cosine, a.to.y - sine * a.from.x - cosine * a.from.y)
        return true
    }

    @discardableResult
    private mutating func judge(
        _ pairs: UnsafeBufferPointer<PointPair>, _ limit: Double, _ agrees: UnsafeMutableBufferPointer<Bool>
    ) -> Int {
        var (count, sum) = (0, 0.0)
        for index in pairs.indices {
            agrees[index] = false
            guard let place = self(pairs[index].from) else { continue }
            let away = place - pairs[index].to
            let square = (away * away).sum()
            guard square < limit * limit else { continue }
            agrees[index] = true
            count += 1
            sum += square
        }
        agreeing = count
        deviation = count > 0 ? (sum / Double(count)).squareRoot() : 0
        return count
    }

    private mutating func fit(_ pairs: UnsafeBufferPointer<PointPair>, _ agrees: UnsafeMutableBufferPointer<Bool>)
        -> Bool
    {
        agreeing >= Self.leastForPlane ? fitPlane(pairs, agrees) : fitSimilarity(pairs, agrees)
    }

    private mutating func fitSimilarity(
        _ pairs: UnsafeBufferPointer<PointPair>, _ agrees: UnsafeMutableBufferPointer<Bool>
    ) -> Bool {
        var (count, meanFrom, meanTo) = (0.0, SIMD2<Double>.zero, SIMD2<Double>.zero)
        for index in pairs.indices where agrees[index] {
            count += 1
            meanFrom += pairs[index].from
            meanTo += pairs[index].to
        }
        guard count > 0 else { return false }
        meanFrom /= count
        meanTo /= count
        var (along, across, square) = (0.0, 0.0, 0.0)
        for index in pairs.indices where agrees[index] {
            let (from, to) = (pairs[index].from - meanFrom, pairs[index].to - meanTo)
            along += (from * to).sum()
            across += from.x * to.y - from.y * to.x
            square += (from * from).sum()
        }
        guard square > 1e-9 else { return false }
        let (cosine, sine) = (along / square, across / square)
        toX = SIMD3(cosine, -sine, meanTo.x - cosine * meanFrom.x + sine * meanFrom.y)
        toY = SIMD3(sine, cosine, meanTo.y - sine * meanFrom.x - cosine * meanFrom.y)
        toWeight = SIMD3(0, 0, 1)
        return true
    }

    /// The linear least squares of x (g u + h v + 1) = a u + b v + c and the like for y; with coordinates around 0 and weights
    /// near 1, as from frame to frame, that is within a hundredth of the geometric ones.
    private mutating func fitPlane(
        _ pairs: UnsafeBufferPointer<PointPair>, _ agrees: UnsafeMutableBufferPointer<Bool>
    ) -> Bool {
        let matrix = [Double](unsafeUninitializedCapacity: 64) { matrix, count in
            matrix.initialize(repeating: 0)
            count = 64
            for index in pairs.indices where agrees[index] {
                let (u, v, x, y) = (pairs[index].from.x, pairs[index].from.y, pairs[index].to.x, pairs[index].to.y)
                let first = SIMD8(u, v, 1, 0, 0, 0, -u * x, -v * x)
                let second = SIMD8(0, 0, 0, u, v, 1, -u * y, -v * y)
                for row in 0..<8 {
                    let sums = first[row] * first + second[row] * second
                    for column in 0..<8 { matrix[row * 8 + column] += sums[column] }
                }
            }
        }
        var vector = [Double](repeating: 0, count: 8)
        for index in pairs.indices where agrees[index] {
            let (u, v, x, y) = (pairs[index].from.x, pairs[index].from.y, pairs[index].to.x, pairs[index].to.y)
            let sums = SIMD8(u, v, 1, 0, 0, 0, -u * x, -v * x) * x + SIMD8(0, 0, 0, u, v, 1, -u * y, -v * y) * y
            for row in 0..<8 { vector[row] += sums[row] }
        }
        guard let answer = LinearEquations.solved(matrix, vector), answer.allSatisfy(\.isFinite) else {
            return fitSimilarity(pairs, agrees)
        }
        toX = SIMD3(answer[0], answer[1], answer[2])
        toY = SIMD3(answer[3], answer[4], answer[5])
        toWeight = SIMD3(answer[6], answer[7], 1)
        return true
    }
}
