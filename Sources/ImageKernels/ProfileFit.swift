// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// Bars as a line across them shows them, drawn from the widths of their elements.
public struct DrawnBars: Sendable {
    /// Places of a module.
    public static let density = 4

    public let values: [Float]
    /// 255 is light, 0 dark: `widths` in modules from bar to space to bar, with so many modules of paper on both sides,
    /// blurred by a standard deviation of `blur` modules.
    public init(widths: [Float], margin: Int, beginsDark: Bool = true, blur: Double) {
        let density = Float(Self.density)
        var ends: [Int] = []
        var sum = Float(margin)
        for width in widths {
            sum += width
            ends.append(Int((sum * density).rounded()))
        }
        var line = [Float](repeating: 255, count: (ends.last ?? 0) + margin * Self.density)
        var (from, isDark) = (margin * Self.density, beginsDark)
        for end in ends {
            if isDark { for place in from..<max(from, end) { line[place] = 0 } }
            (from, isDark) = (max(from, end), !isDark)
        }
        // Two boxes are near enough to a bell: their variances add up to the blur's.
        let box = max(1, Int((blur * Double(Self.density) * 2.45).rounded()))
        values = Self.smoothed(Self.smoothed(line, box: box), box: box)
    }

    private static func smoothed(_ line: [Float], box: Int) -> [Float] {
        guard box > 1, let first = line.first, let last = line.last else { return line }
        let before = box / 2
        var result = line
        func value(_ index: Int) -> Float { index < 0 ? first : index >= line.count ? last : line[index] }
        var sum: Float = 0
        for offset in 0..<box { sum += value(offset - before) }
        for index in line.indices {
            result[index] = sum / Float(box)
            sum += value(index + box - before) - value(index - before)
        }
        return result
    }
}

/// A profile that patterns are laid over at many places and widths.
public struct ProfileFit: Sendable {
    let profile: [Float]

    public init(profile: [Float]) { self.profile = profile }

    /// The profile's values at `count` places from `start` on, in samples.
    public func sampled(from start: Float, step: Float, count: Int) -> [Float] {
        (0..<count).map { value(at: start + step * Float($0)) }
    }

    /// How alike a pattern and the profile are, -1...1, whatever their brightness and contrast; 0 where one is flat.
    public func likeness(to pattern: [Float], from start: Float, step: Float) -> Float {
        var (a, b, aa, bb, ab) = (
            SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero
        )
        let count = pattern.count / 4 * 4
        guard count > 0 else { return 0 }
        pattern.withUnsafeBufferPointer { pattern in
            for index in stride(from: 0, to: count, by: 4) {
                let at = start + step * Float(index)
                let x = SIMD4(pattern[index], pattern[index + 1], pattern[index + 2], pattern[index + 3])
                let y = SIMD4(value(at: at), value(at: at + step), value(at: at + 2 * step), value(at: at + 3 * step))
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
        // Under a standard deviation of 2 levels there is nothing to compare but noise.
        guard varianceA > 4, varianceB > 4 else { return 0 }
        return (ab.sum() * scale - meanA * meanB) / (varianceA * varianceB).squareRoot()
    }

    @inline(__always)
    private func value(at place: Float) -> Float {
        let inside = min(max(place, 0), Float(profile.count) - 1.001)
        let index = Int(inside)
        let share = inside - Float(index)
        return profile[index] + (profile[min(index + 1, profile.count - 1)] - profile[index]) * share
    }
}
