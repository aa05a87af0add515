// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// What counts as dark at each place: half way between the darkest and the brightest of the surroundings.
///
/// Surroundings are 3x3 blocks of a fortieth of the shorter side; where those are flat, larger ones, so that the inside
/// of a large module is judged by its edges. What is flat all over is light. 1080p takes 0.5 ms.
public struct LocalThreshold: Sendable {
    /// Levels between dark and bright under which a place is flat: noise and paper.
    public static let minimumContrast = 24

    public let block: Int
    public let columns: Int
    public let rows: Int
    /// For each block, at its middle.
    public let values: [UInt8]

    public init(of picture: LumaView) {
        let block = max(8, (min(picture.width, picture.height) / 40 + 7) / 8 * 8)
        var levels = [Extremes(of: picture, block: block).spread()]
        while let last = levels.last, last.columns > 1 || last.rows > 1 { levels.append(last.halved().spread()) }
        self.block = block
        (columns, rows) = (levels[0].columns, levels[0].rows)
        var values = [UInt8](repeating: 0, count: columns * rows)
        for row in 0..<rows {
            for column in 0..<columns {
                for (shift, level) in levels.enumerated() {
                    let index = (row >> shift) * level.columns + (column >> shift)
                    let (low, high) = (Int(level.low[index]), Int(level.high[index]))
                    guard high - low >= Self.minimumContrast else { continue }
                    values[row * columns + column] = UInt8((low + high + 1) / 2)
                    break
                }
            }
        }
        self.values = values
    }

    /// The threshold of each pixel of a row, between blocks by their distance; `line` has `width` places or more.
    public func fill(_ line: inout [UInt8], row: Int, width: Int) {
        let position = Float(row) / Float(block) - 0.5
        let upper = min(max(Int(position.rounded(.down)), 0), rows - 1)
        let lower = min(upper + 1, rows - 1)
        // 8 bits of fraction.
        let weight = Int32(min(max((position - Float(upper)) * 256, 0), 256))
        func value(_ column: Int) -> Int32 {
            let column = min(max(column, 0), columns - 1)
            return Int32(values[upper * columns + column]) * (256 - weight)
                + Int32(values[lower * columns + column]) * weight
        }
        let half = block / 2
        line.withUnsafeMutableBufferPointer { line in
            for segment in 0...columns {
                let (left, right) = (value(segment - 1), value(segment))
                let start = segment * block - half
                let step = (right - left) / Int32(block)
                let from = max(start, 0)
                let to = min(start + block, width)
                guard from < to else { continue }
                var level = left + step * Int32(from - start) + 128
                for x in from..<to {
                    line[x] = UInt8(truncatingIfNeeded: level >> 8)
                    level &+= step
                }
            }
        }
    }
}

/// The darkest and the brightest of blocks.
private struct Extremes {
    var columns: Int
    var rows: Int
    var low: [UInt8]
    var high: [UInt8]

    init(columns: Int, rows: Int) {
        (self.columns, self.rows) = (columns, rows)
        low = [UInt8](repeating: 255, count: columns * rows)
        high = [UInt8](repeating: 0, count: columns * rows)
    }

    init(of picture: LumaView, block: Int) {
        self.init(columns: (picture.width + block - 1) / block, rows: (picture.height + block - 1) / block)
        let chunks = picture.width / 8
        var lows = [SIMD8<UInt8>](repeating: .init(repeating: 255), count: chunks)
        var highs = [SIMD8<UInt8>](repeating: .zero, count: chunks)
        for row in 0..<rows {
            for chunk in 0..<chunks { (lows[chunk], highs[chunk]) = (.init(repeating: 255), .zero) }
            for y in (row * block)..<min(row * block + block, picture.height) {
                let base = y * picture.stride
                lows.withUnsafeMutableBufferPointer { lows in
                    highs.withUnsafeMutableBufferPointer { highs in
                        for chunk in 0..<chunks {
                            let pixels = picture.bytes.loadUnaligned(
                                fromByteOffset: base + 8 * chunk, as: SIMD8<UInt8>.self)
                            lows[chunk] = pointwiseMin(lows[chunk], pixels)
                            highs[chunk] = pointwiseMax(highs[chunk], pixels)
                        }
                    }
                }
                for x in (8 * chunks)..<picture.width { add(picture[x, y], column: x / block, row: row) }
            }
            for chunk in 0..<chunks {
                add(lows[chunk].min(), column: 8 * chunk / block, row: row)
                add(highs[chunk].max(), column: 8 * chunk / block, row: row)
            }
        }
    }

    private mutating func add(_ value: UInt8, column: Int, row: Int) {
        let index = row * columns + column
        low[index] = min(low[index], value)
        high[index] = max(high[index], value)
    }

    /// Each block with its eight neighbours: with those above and below, then with those beside.
    func spread() -> Extremes {
        var result = self
        let (columns, rows) = (columns, rows)
        func spread(_ values: [UInt8], into target: inout [UInt8], _ pick: (UInt8, UInt8) -> UInt8) {
            values.withUnsafeBufferPointer { values in
                target.withUnsafeMutableBufferPointer { target in
                    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: columns) { line in
                        for row in 0..<rows {
                            let (above, below) = (max(row - 1, 0) * columns, min(row + 1, rows - 1) * columns)
                            for column in 0..<columns {
                                line[column] = pick(
                                    pick(values[above + column], values[row * columns + column]),
                                    values[below + column])
                            }
                            for column in 0..<columns {
                                target[row * columns + column] = pick(
                                    pick(line[max(column - 1, 0)], line[column]), line[min(column + 1, columns - 1)])
                            }
                        }
                    }
                }
            }
        }
        spread(low, into: &result.low, min)
        spread(high, into: &result.high, max)
        return result
    }

    /// Blocks of twice the side.
    func halved() -> Extremes {
        var result = Extremes(columns: (columns + 1) / 2, rows: (rows + 1) / 2)
        for row in 0..<rows {
            for column in 0..<columns {
                result.add(low[row * columns + column], column: column / 2, row: row / 2)
                result.add(high[row * columns + column], column: column / 2, row: row / 2)
            }
        }
        return result
    }
}
