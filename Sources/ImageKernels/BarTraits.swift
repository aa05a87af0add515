// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// What tells the bars of a code from fences, text and weave: measures of one line across them.
public struct BarTraits: Sendable, Hashable {
    /// Deviation over mean of the steps at the edges: bars are printed alike.
    public var unevenness: Float
    /// How much what lies within four modules beside the bars changes, as a share of the bars' own contrast, 0...1: the
    /// worse side, and the better one. 1 where the line ends at the bars.
    public var worseQuiet: Float
    public var betterQuiet: Float

    /// Of a line with edges at `places`, which are `steps` high, and narrow elements of `module` samples.
    init(of line: [Float], places: [Float], steps: [Float], module: Float) {
        unevenness = Self.deviationShare(steps)
        guard let first = places.first, let last = places.last, Int(first) <= Int(last) else {
            (worseQuiet, betterQuiet) = (1, 1)
            return
        }
        let contrast = max(8, Self.span(line[Int(first)...Int(last)]))
        let reach = max(3, Int(4 * module))
        // The slope of the outermost edge is as wide as a module.
        let skip = max(1, Int(module))
        func change(from: Int, to: Int) -> Float {
            let inside = min(line.count, max(0, from))..<min(line.count, max(0, from, to))
            return inside.count >= 2 ? min(1, Self.span(line[inside]) / contrast) : 1
        }
        let left = change(from: Int(first) - skip - reach, to: Int(first) - skip)
        let right = change(from: Int(last) + 1 + skip, to: Int(last) + 1 + skip + reach)
        worseQuiet = max(left, right)
        betterQuiet = min(left, right)
    }

    private static func span(_ values: ArraySlice<Float>) -> Float {
        let (low, high) = values.reduce((Float.infinity, -Float.infinity)) { (min($0.0, $1), max($0.1, $1)) }
        return high - low
    }

    private static func deviationShare(_ values: [Float]) -> Float {
        guard values.count > 1 else { return 0 }
        let mean = values.reduce(0, +) / Float(values.count)
        let square = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Float(values.count)
        return mean > 0 ? square.squareRoot() / mean : 0
    }
}
