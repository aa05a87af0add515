// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ScanModel

/// Lines across the bars of one label, moved over each other so that their mean is as sharp as one line and has less noise.
///
/// Bars that lean, and that fan out with perspective, are followed by the gradient between lines: the ends of the lines move
/// until the picture no longer changes along the bars.
public struct StraightBars {
    /// Lines that are taken at the most.
    private static let maximumRows = 48
    /// Lines apart that are compared, the near ones first: far ones lie more than a bar apart until the lean is known.
    private static let gaps = [1, 1, 2, 4, 8]
    /// The likeness to the mean of the middle lines, as a share of the middle lines' own, under which a line is not of the bars.
    private static let leastShare: Float = 0.6

    public let samples: Int
    /// Lines that show the same bars.
    public private(set) var rows: Range<Int> = 0..<0
    private let quad: Quad
    private let count: Int
    private var values: [Float]
    /// Pixels that the ends of the first and the last line are off, in opposite directions.
    private var leftShift = 0.0
    private var rightShift = 0.0

    /// `quad`'s upper side runs across the bars; `nil` for one with less than 4 lines.
    public init?(_ picture: LumaView, quad: Quad, samples: Int) {
        let height = (quad.topLeft.distance(to: quad.bottomLeft) + quad.topRight.distance(to: quad.bottomRight)) / 2
        let length = quad.topLeft.distance(to: quad.topRight)
        guard height >= 4, length >= 16, samples >= 32 else { return nil }
        self.quad = quad
        self.samples = samples
        count = min(Self.maximumRows, Int(height))
        values = [Float](repeating: 0, count: count * samples)
        sample(picture)
        for gap in Self.gaps where 3 * gap < count {
            let (left, right) = leanPerLine(gap: gap)
            let pixels = length / Double(samples - 1)
            leftShift += left * pixels * Double(count - 1) / 2
            rightShift += right * pixels * Double(count - 1) / 2
            sample(picture)
        }
        rows = likeRows()
    }

    /// The mean of lines.
    public func mean(of rows: Range<Int>) -> [Float] {
        var result = [Float](repeating: 0, count: samples)
        guard !rows.isEmpty else { return result }
        let scale = 1 / Float(rows.count)
        for row in rows {
            let base = row * samples
            for index in 0..<samples { result[index] += scale * values[base + index] }
        }
        return result
    }

    /// The place of a sample on a line, in pixels, edges of pixels being whole numbers.
    public func point(row: Double, sample: Double) -> Point {
        let (from, to) = ends(row: row)
        let share = sample / Double(samples - 1)
        return Point(x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share)
    }

    private func ends(row: Double) -> (Point, Point) {
        let share = (row + 0.5) / Double(count)
        let side = count > 1 ? 2 * row / Double(count - 1) - 1 : 0
        func between(_ a: Point, _ b: Point, moved: Point) -> Point {
            Point(x: a.x + (b.x - a.x) * share + moved.x, y: a.y + (b.y - a.y) * share + moved.y)
        }
        let length = quad.topLeft.distance(to: quad.topRight)
        let along = Point(
            x: (quad.topRight.x - quad.topLeft.x) / length, y: (quad.topRight.y - quad.topLeft.y) / length)
        let (left, right) = (leftShift * side, rightShift * side)
        return (
            between(quad.topLeft, quad.bottomLeft, moved: Point(x: along.x * left, y: along.y * left)),
            between(quad.topRight, quad.bottomRight, moved: Point(x: along.x * right, y: along.y * right))
        )
    }

    private mutating func sample(_ picture: LumaView) {
        let scale = 1 / Double(samples - 1)
        let places = (0..<count).map { ends(row: Double($0)) }
        let width = samples
        values.withUnsafeMutableBufferPointer { values in
            for (row, (from, to)) in places.enumerated() {
                picture.sample(
                    x: Float(from.x - 0.5), y: Float(from.y - 0.5), dx: Float((to.x - from.x) * scale),
                    dy: Float((to.y - from.y) * scale),
                    into: UnsafeMutableBufferPointer(rebasing: values[(row * width)..<((row + 1) * width)]))
            }
        }
    }

    /// Samples that the left and the right end move from a line to the next, by the least change along the bars.
    private func leanPerLine(gap: Int) -> (left: Double, right: Double) {
        // Above and below the bars are digits and paper.
        let used = (count / 6)..<(count - count / 6 - gap)
        guard !used.isEmpty else { return (0, 0) }
        var (ll, lr, rr, l, r) = (0.0, 0.0, 0.0, 0.0, 0.0)
        values.withUnsafeBufferPointer { values in
            for row in used {
                let (upper, lower) = (row * samples, (row + gap) * samples)
                var sums = SIMD8<Float>.zero
                for index in 1..<(samples - 1) {
                    let slope =
                        (values[upper + index + 1] - values[upper + index - 1] + values[lower + index + 1]
                            - values[lower + index - 1]) / 4
                    let change = values[lower + index] - values[upper + index]
                    let right = Float(index) / Float(samples - 1)
                    let left = 1 - right
                    let (square, product) = (slope * slope, -slope * change)
                    sums += SIMD8(
                        square * left * left, square * left * right, square * right * right, product * left,
                        product * right, 0, 0, 0)
                }
                ll += Double(sums[0])
                lr += Double(sums[1])
                rr += Double(sums[2])
                l += Double(sums[3])
                r += Double(sums[4])
            }
        }
        let determinant = ll * rr - lr * lr
        guard determinant > 1e-6 * ll * rr else { return (0, 0) }
        let limit = 2.0
        let left = (l * rr - r * lr) / determinant / Double(gap)
        let right = (r * ll - l * lr) / determinant / Double(gap)
        return (min(max(left, -limit), limit), min(max(right, -limit), limit))
    }

    private func likeRows() -> Range<Int> {
        let middle = (count / 4)..<max(count / 4 + 1, count - count / 4)
        let mean = self.mean(of: middle)
        let likeness = (0..<count).map { self.likeness(row: $0, to: mean) }
        let own = likeness[middle].sorted()[middle.count / 2]
        let least = Self.leastShare * own
        // A scratch of a line does not end the bars.
        func end(_ step: Int) -> Int {
            var (row, last) = (count / 2, count / 2)
            while row >= 0, row < count, (row - last).magnitude <= 2 {
                if likeness[row] >= least { last = row }
                row += step
            }
            return last
        }
        return end(-1)..<(end(1) + 1)
    }

    private func likeness(row: Int, to mean: [Float]) -> Float {
        var (a, b, aa, bb, ab) = (Float(0), Float(0), Float(0), Float(0), Float(0))
        for index in 0..<samples {
            let (x, y) = (values[row * samples + index], mean[index])
            a += x
            b += y
            aa += x * x
            bb += y * y
            ab += x * y
        }
        let scale = 1 / Float(samples)
        let (varianceA, varianceB) = (aa - a * a * scale, bb - b * b * scale)
        guard varianceA > 0, varianceB > 0 else { return 0 }
        return (ab - a * b * scale) / (varianceA * varianceB).squareRoot()
    }
}
