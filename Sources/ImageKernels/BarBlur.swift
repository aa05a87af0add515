// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// How a picture shows an edge between light and dark that is sharp on paper.
public struct BarBlur: Sendable, Hashable {
    /// Standard deviation of the blur, in modules.
    public var spread: Float
    /// Modules by which a dark bar looks wider than it is: ink that ran, or less than none where light did.
    public var gain: Float

    public init(spread: Float, gain: Float = 0) {
        self.spread = spread
        self.gain = gain
    }

    /// How dark a place is in 0...1, so many modules behind an edge from light to dark.
    ///
    /// Four boxes in a row: as near to a bell as a picture tells, and with an end.
    @inline(__always)
    public func step(_ distance: Float) -> Float {
        // The variance of four boxes of a width is a third of its square.
        let place = distance / (spread * 1.7320508)
        if place <= -2 { return 0 }
        if place >= 2 { return 1 }
        // The integral of the cubic B-spline.
        func half(_ x: Float) -> Float {
            // x in 0...2: what lies behind it.
            let far = 2 - x
            let outer = far * far * far * far / 24
            guard x < 1 else { return outer }
            let near = 1 - x
            return outer - near * near * near * near / 6
        }
        return place >= 0 ? 1 - half(place) : half(-place)
    }

    /// Adds a dark bar from one place to another to samples at `(index + 0.5) / density` modules behind `origin`.
    func add(barFrom start: Float, to end: Float, into line: inout [Float], origin: Float, density: Float) {
        let (from, to) = (start - gain / 2, end + gain / 2)
        let reach = 2 * spread * 1.7320508
        let first = max(0, Int((from - reach - origin) * density - 0.5))
        let last = min(line.count - 1, Int((to + reach - origin) * density + 0.5))
        guard first <= last else { return }
        for index in first...last {
            let place = origin + (Float(index) + 0.5) / density
            line[index] += step(place - from) - step(place - to)
        }
    }
}

/// A row of modules as its dark runs.
struct DarkModules {
    private(set) var runs: [Range<Int>] = []

    /// The lowest `count` bits, the highest of them first; 1 is dark.
    init(bits: Int, count: Int, at start: Int) {
        var from: Int?
        for index in 0...count {
            let isDark = index < count && bits >> (count - 1 - index) & 1 == 1
            if isDark, from == nil { from = start + index }
            if !isDark, let first = from {
                runs.append(first..<(start + index))
                from = nil
            }
        }
    }
}
