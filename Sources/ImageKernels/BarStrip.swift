// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ScanModel

/// Lines across what may be bars, sampled at even distances, to be compared with each other.
///
/// Line `row` lies `(row - middle) * rowStep` pixels along the bars from the centre, and its samples `sampleStep` pixels
/// apart across them. Of bars, lines are alike; where text, a gap or another code begins, they are not.
public struct BarStrip {
    /// Lines and samples of a line, at most.
    public static let maximumRows = 33
    public static let maximumSamples = 512

    public let center: Point
    /// A unit vector across the bars.
    public let axis: Point
    public let rows: Int
    public let samples: Int
    public let rowStep: Double
    public let sampleStep: Double
    private var values: [Float]

    /// A strip of these sizes in pixels around a centre; outside of the picture its edge goes on.
    public init(
        _ picture: LumaView, center: Point, axis: Point, length: Double, height: Double, rows: Int,
        maximumSamples: Int = maximumSamples
    ) {
        self.center = center
        self.axis = axis
        self.rows = min(Self.maximumRows, max(2, rows))
        samples = (min(maximumSamples, max(32, Int(length.rounded()))) + 7) / 8 * 8
        sampleStep = length / Double(samples - 1)
        rowStep = height / Double(self.rows - 1)
        values = [Float](repeating: 0, count: self.rows * samples)
        let (starts, step, count) = (self.rows, axis, samples)
        let first = (0..<starts).map { point(row: Double($0), sample: 0) }
        let stride = sampleStep
        values.withUnsafeMutableBufferPointer { values in
            for (row, start) in first.enumerated() {
                picture.sample(
                    x: Float(start.x - 0.5), y: Float(start.y - 0.5), dx: Float(step.x * stride),
                    dy: Float(step.y * stride),
                    into: UnsafeMutableBufferPointer(rebasing: values[(row * count)..<((row + 1) * count)]))
            }
        }
    }

    /// The place of a sample, in pixels, edges of pixels being whole numbers.
    public func point(row: Double, sample: Double) -> Point {
        let u = (sample - Double(samples - 1) / 2) * sampleStep
        let v = (row - Double(rows - 1) / 2) * rowStep
        return Point(x: center.x + axis.x * u - axis.y * v, y: center.y + axis.y * u + axis.x * v)
    }

    /// How alike two lines are, -1...1, the second shifted by so many samples, over `range` of the first.
    public func likeness(_ row: Int, _ other: Int, shift: Int, in range: Range<Int>) -> Float {
        let from = max(range.lowerBound, -shift, 0)
        let to = min(range.upperBound, samples - shift, samples)
        guard to - from >= 16 else { return 0 }
        let count = (to - from) / 8 * 8
        var (a, b, aa, bb, ab) = (
            SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero
        )
        values.withUnsafeBytes { bytes in
            let first = (row * samples + from) * 4
            let second = (other * samples + from + shift) * 4
            for offset in stride(from: 0, to: count * 4, by: 32) {
                let x = bytes.loadUnaligned(fromByteOffset: first + offset, as: SIMD8<Float>.self)
                let y = bytes.loadUnaligned(fromByteOffset: second + offset, as: SIMD8<Float>.self)
                a += x
                b += y
                aa += x * x
                bb += y * y
                ab += x * y
            }
        }
        let scale = 1 / Float(count)
        let (meanA, meanB) = (a.sum() * scale, b.sum() * scale)
        let (varianceA, varianceB) = (aa.sum() * scale - meanA * meanA, bb.sum() * scale - meanB * meanB)
        // Under a deviation of 2 levels there is nothing to compare but noise.
        guard varianceA > 4, varianceB > 4 else { return 0 }
        return (ab.sum() * scale - meanA * meanB) / (varianceA * varianceB).squareRoot()
    }

    /// The mean of lines, each shifted by so many samples.
    public func mean(of rows: Range<Int>, shifts: [Int]) -> [Float] {
        var result = [Float](repeating: 0, count: samples)
        guard !rows.isEmpty else { return result }
        let scale = 1 / Float(rows.count)
        for row in rows {
            let base = row * samples
            for index in 0..<samples {
                result[index] += scale * values[base + min(max(index + shifts[row], 0), samples - 1)]
            }
        }
        return result
    }
}

extension BarStrip {
    /// Neighbouring lines that are alike.
    public struct Band: Sendable {
        public var rows: Range<Int>
        /// The mean likeness of neighbours in it.
        public var likeness: Float
    }

    /// For each line its shift against the middle one, in samples, and the bands of lines alike.
    ///
    /// A single line that differs is a scratch. Neighbours are compared over `range` of the samples.
    public func bands(minimum: Float, in range: Range<Int>) -> (shifts: [Int], bands: [Band]) {
        var shifts = [Int](repeating: 0, count: rows)
        var alike = [Float](repeating: 0, count: rows - 1)
        let middle = rows / 2
        // From the middle to both ends, so that the lean of the bars adds up.
        for direction in [1, -1] {
            var row = middle
            var lean = 0
            while row + direction >= 0, row + direction < rows {
                let next = row + direction
                var best = (likeness: Float(-2), step: 0)
                for step in [0, lean, lean - 1, lean + 1, lean - 2, lean + 2] {
                    let value = likeness(row, next, shift: step, in: range)
                    // No step is the rule: another one must be better, not as good.
                    if value > best.likeness + 0.01 { best = (value, step) }
                }
                if best.likeness >= minimum { lean = best.step } else { best.step = 0 }
                shifts[next] = shifts[row] + best.step
                alike[min(row, next)] = best.likeness
                row = next
            }
        }
        var bands: [Band] = []
        var start = 0
        var sum: Float = 0
        for row in 0..<rows {
            if row < rows - 1, alike[row] >= minimum {
                sum += alike[row]
                continue
            }
            if row > start { bands.append(Band(rows: start..<(row + 1), likeness: sum / Float(row - start))) }
            (start, sum) = (row + 1, 0)
        }
        // Lines that lie far apart may miss the gap between two codes but for one.
        let isFine = 2 * rowStep <= max(4, 0.03 * sampleStep * Double(samples))
        return (shifts, isFine ? joined(bands, minimum: minimum, in: range) : bands)
    }

    /// Bands that one different line parts, and that are alike beyond it.
    private func joined(_ bands: [Band], minimum: Float, in range: Range<Int>) -> [Band] {
        var result: [Band] = []
        for band in bands {
            if let last = result.last, band.rows.lowerBound - last.rows.upperBound <= 1 {
                let (above, below) = (last.rows.upperBound - 1, band.rows.lowerBound)
                let likeness = (-2...2).map { self.likeness(above, below, shift: $0, in: range) }.max() ?? 0
                if likeness >= minimum {
                    let count = Float(last.rows.count + band.rows.count)
                    let mean =
                        (last.likeness * Float(last.rows.count) + band.likeness * Float(band.rows.count)) / count
                    result[result.count - 1] = Band(
                        rows: last.rows.lowerBound..<band.rows.upperBound, likeness: mean)
                    continue
                }
            }
            result.append(band)
        }
        return result
    }
}
