// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// One line across bars, brightness turned into darkness, that symbols are laid over.
public struct BarProfile: Sendable {
    /// 0...255, dark is high.
    public let values: [Float]

    public init(brightness: [Float]) { values = brightness.map { 255 - $0 } }

    private init(values: [Float]) { self.values = values }

    /// The same from its other end.
    public var reversed: BarProfile { BarProfile(values: values.reversed()) }

    @inline(__always)
    func value(at place: Float) -> Float {
        let inside = min(max(place, 0), Float(values.count) - 1.001)
        let index = Int(inside)
        let share = inside - Float(index)
        return values[index] + (values[index + 1] - values[index]) * share
    }

    /// 0...1 between the extremes of so many samples on either side, which follow the light.
    public func stretched(reach: Int) -> BarProfile { BarProfile(values: Self.stretched(values, reach: reach)) }

    /// The line with another number of samples.
    public func resampled(count: Int) -> BarProfile {
        let step = Float(values.count) / Float(count)
        return BarProfile(values: (0..<count).map { value(at: (Float($0) + 0.5) * step - 0.5) })
    }

    static func stretched(_ values: [Float], reach: Int) -> [Float] {
        // Extremes of blocks, and of blocks with their neighbours, drawn as lines between the blocks' centres.
        let block = max(4, reach)
        let count = max(1, (values.count + block / 2) / block)
        var lows = [Float](repeating: .infinity, count: count)
        var highs = [Float](repeating: -.infinity, count: count)
        for (index, value) in values.enumerated() {
            let place = min(count - 1, index / block)
            lows[place] = min(lows[place], value)
            highs[place] = max(highs[place], value)
        }
        func spread(_ line: [Float], _ pick: (Float, Float) -> Float) -> [Float] {
            line.indices.map { index in
                line[max(0, index - 1)...min(count - 1, index + 1)].reduce(line[index], pick)
            }
        }
        let (low, high) = (spread(lows, min), spread(highs, max))
        return values.indices.map { index in
            let place = min(max((Float(index) + 0.5) / Float(block) - 0.5, 0), Float(count - 1))
            let (before, share) = (Int(place), place - place.rounded(.down))
            let after = min(count - 1, before + 1)
            let dark = low[before] + (low[after] - low[before]) * share
            let light = high[before] + (high[after] - high[before]) * share
            return (values[index] - dark) / max(light - dark, 4)
        }
    }
}
