// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// How bars lean at both ends of a strip: parallel where it is seen straight, fanned out where it is seen from above.
public struct BarFan: Sendable {
    /// Samples by which the bars at the left and at the right end of the first and of the last line lie aside from where
    /// they are on the middle line.
    public var top: (left: Double, right: Double)
    public var bottom: (left: Double, right: Double)
}

extension BarStrip {
    /// Follows the first and the last third of the bars from the middle line to the first and the last of `rows`.
    ///
    /// `shifts` is where the whole lines lie aside, as `bands` gives it, against the middle line; it is what stays where
    /// a third can not be followed.
    public func fan(of rows: Range<Int>, middle: Int, shifts: [Int], bars: ClosedRange<Float>) -> BarFan {
        let (from, to) = (Int(bars.lowerBound), Int(bars.upperBound))
        let third = (to - from) / 3
        func shift(_ part: Range<Int>, to last: Int) -> Double {
            let whole = Double(shifts[last] - shifts[middle])
            guard part.count >= 16, last != middle else { return whole }
            let direction = last > middle ? 1 : -1
            var (place, step, row) = (0, 0, middle)
            while row != last {
                row += direction
                var best = (likeness: Float(-2), place: place)
                for candidate in [0, -1, 1, -2, 2].map({ place + step + $0 }) {
                    let value = likeness(middle, row, shift: candidate, in: part)
                    if value > best.likeness + 0.01 { best = (value, candidate) }
                }
                // Half of a likeness is another code, or print.
                guard best.likeness >= 0.5 else { return whole }
                step = best.place - place
                place = best.place
            }
            return Double(place)
        }
        func ends(_ last: Int) -> (left: Double, right: Double) {
            let left = shift(from..<(from + third), to: last)
            let right = shift((to - third)..<to, to: last)
            // The thirds' middles lie a sixth inside.
            let slope = (right - left) / 4
            return (left - slope, right + slope)
        }
        return BarFan(top: ends(rows.lowerBound), bottom: ends(rows.upperBound - 1))
    }
}
