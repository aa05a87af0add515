// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// How badly each character fits at each place of a line, for every width that it may have there.
///
/// A table for all places and widths is made once; symbols of any plan, read from either side, are then paths through it.
struct CharacterErrors {
    /// Places of a character that are compared.
    static let points = 16
    /// Samples of the narrowest and the widest character.
    let widths: ClosedRange<Int>
    let places: Int
    /// For each set of characters the least error, by place and width.
    private(set) var tables: [[Float]] = []

    var widthCount: Int { widths.count }

    /// Of each set, the bits of its characters and whether the module before them and the one behind are dark.
    struct Shape: Hashable {
        var bits: Int
        var isDarkBefore: Bool
        var isDarkBehind: Bool
    }

    init(of profile: BarProfile, widths: ClosedRange<Int>, sets: [[Shape]], blur: BarBlur) {
        self.widths = widths
        places = profile.values.count
        let columns = widths.count
        let shapes = sets.map { $0.map { Self.drawn($0, blur: blur) } }
        // With its last sample once more, so that what is between it and the next can be asked for.
        let line = profile.values + [profile.values.last ?? 0]
        let places = places
        tables = sets.map { _ in [Float](repeating: .infinity, count: places * columns) }
        line.withUnsafeBufferPointer { line in
            for (column, width) in widths.enumerated() {
                for place in 0..<max(0, places - width) {
                    let (low, high) = Self.sampled(line, from: Float(place), width: Float(width))
                    let energy = (low * low).sum() + (high * high).sum()
                    for set in shapes.indices {
                        let least = shapes[set].withUnsafeBufferPointer { drawn in
                            var least = Float.infinity
                            for index in drawn.indices {
                                let product = low * drawn[index].low + high * drawn[index].high
                                least = min(least, drawn[index].energy - 2 * product.sum())
                            }
                            return least
                        }
                        tables[set][place * columns + column] = energy + least
                    }
                }
            }
        }
    }

    @inline(__always)
    private static func sampled(
        _ line: UnsafeBufferPointer<Float>, from: Float, width: Float
    ) -> (low: SIMD8<Float>, high: SIMD8<Float>) {
        var (low, high) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
        let step = width / Float(points)
        let first = from + 0.5 * step - 0.5
        for index in 0..<8 {
            low[index] = between(line, max(0, first + step * Float(index)))
            high[index] = between(line, first + step * Float(index + 8))
        }
        return (low, high)
    }

    @inline(__always)
    private static func between(_ line: UnsafeBufferPointer<Float>, _ place: Float) -> Float {
        let index = Int(place)
        return line[index] + (line[index + 1] - line[index]) * (place - Float(index))
    }

    private struct Drawn {
        var low = SIMD8<Float>.zero
        var high = SIMD8<Float>.zero
        var energy: Float = 0
    }

    private static func drawn(_ shape: Shape, blur: BarBlur) -> Drawn {
        var runs = DarkModules(bits: shape.bits, count: CharacterPlan.width, at: 0).runs
        // The neighbours' nearest bars are two modules wide in the mean.
        if shape.isDarkBefore { runs.append(-2..<0) }
        if shape.isDarkBehind { runs.append(CharacterPlan.width..<(CharacterPlan.width + 2)) }
        var line = [Float](repeating: 0, count: points)
        for run in runs {
            blur.add(
                barFrom: Float(run.lowerBound), to: Float(run.upperBound), into: &line, origin: 0,
                density: Float(points) / Float(CharacterPlan.width))
        }
        var result = Drawn()
        for index in 0..<8 { (result.low[index], result.high[index]) = (line[index], line[index + 8]) }
        result.energy = (result.low * result.low).sum() + (result.high * result.high).sum()
        return result
    }
}
