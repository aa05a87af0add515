// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

extension LumaView {
    /// Brightness at even steps from a place, each by the four pixels around it; outside, the edge goes on.
    ///
    /// Coordinates are pixel centres. What lies within the picture takes a quarter of the time.
    func sample(x: Float, y: Float, dx: Float, dy: Float, into line: UnsafeMutableBufferPointer<Float>) {
        let inside = Self.stretch(x, dx, below: Float(width) - 1.01, count: line.count)
            .clamped(to: Self.stretch(y, dy, below: Float(height) - 1.01, count: line.count))
        for index in 0..<inside.lowerBound {
            line[index] = interpolated(x: x + dx * Float(index), y: y + dy * Float(index))
        }
        for index in inside.upperBound..<line.count {
            line[index] = interpolated(x: x + dx * Float(index), y: y + dy * Float(index))
        }
        guard !inside.isEmpty else { return }
        let first = Float(inside.lowerBound)
        sampleInside(
            x: x + dx * first, y: y + dy * first, dx: dx, dy: dy,
            into: UnsafeMutableBufferPointer(rebasing: line[inside]))
    }

    /// Which of `count` values at even steps are 0.01 at least, so that a step may be rounded, and less than a limit.
    private static func stretch(_ start: Float, _ step: Float, below limit: Float, count: Int) -> Range<Int> {
        let low: Float = 0.01
        guard step.magnitude > 1e-6 else { return start >= low && start < limit ? 0..<count : 0..<0 }
        let (a, b) = ((low - start) / step, (limit - start) / step)
        let (first, last) = (max(0, min(a, b)).rounded(.up), min(Float(count - 1), max(a, b)).rounded(.down))
        guard first <= last else { return 0..<0 }
        // The division may be off by its rounding.
        var (from, to) = (Int(first), Int(last))
        func isIn(_ index: Int) -> Bool { start + step * Float(index) >= low && start + step * Float(index) < limit }
        while from <= to, !isIn(from) { from += 1 }
        while from <= to, !isIn(to) { to -= 1 }
        return from..<(to + 1)
    }

    private func sampleInside(x: Float, y: Float, dx: Float, dy: Float, into line: UnsafeMutableBufferPointer<Float>) {
        guard let base = bytes.baseAddress else { return }
        // In 65536ths, as a conversion for each place would check for overflow; eight at a time.
        var place = (x: Int(x * 65_536), y: Int(y * 65_536))
        let step = (x: Int(dx * 65_536), y: Int(dy * 65_536))
        let target = UnsafeMutableRawBufferPointer(line)
        for index in Swift.stride(from: 0, to: line.count, by: 8) {
            let count = min(8, line.count &- index)
            let mixed = NeighbourPairs(base, stride: stride, at: &place, step: step, count: count).reals
            if count == 8 {
                target.storeBytes(of: mixed, toByteOffset: 4 &* index, as: SIMD8<Float>.self)
            } else {
                for lane in 0..<count { line[index + lane] = mixed[lane] }
            }
        }
    }

    /// The brightness between four pixels that all are within the picture.
    @inline(__always)
    static func between(_ base: UnsafePointer<UInt8>, stride: Int, x: Float, y: Float) -> Float {
        let (column, row) = (Int32(x), Int32(y))
        let (fx, fy) = (x - Float(column), y - Float(row))
        let place = base + Int(row) * stride + Int(column)
        let (a, b) = (Float(place[0]), Float(place[1]))
        let (c, d) = (Float(place[stride]), Float(place[stride + 1]))
        let upper = a + (b - a) * fx
        let lower = c + (d - c) * fx
        return upper + (lower - upper) * fy
    }
}
