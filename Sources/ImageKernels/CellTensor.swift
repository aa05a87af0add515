// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// How strongly and in which direction brightness changes in each cell of 4x4 pixels: the structure tensor.
///
/// The three sums are means over the cell of the products of Sobel's derivatives (3x3, so that a step of one level
/// counts 4). Bars give one strong direction, a matrix of modules two. 540p takes 0.3 ms.
public struct CellTensor: Sendable {
    /// Pixels of a cell's side.
    public static let cell = 4

    public let columns: Int
    public let rows: Int
    public var xx: [Float]
    public var yy: [Float]
    public var xy: [Float]

    /// Whole cells only; what is left over at the right and at the bottom is not looked at. `nil` for less than one cell.
    public init?(of picture: LumaView) {
        let columns = picture.width / Self.cell
        let rows = picture.height / Self.cell
        guard columns > 0, rows > 0, let base = picture.bytes.baseAddress else { return nil }
        self.columns = columns
        self.rows = rows
        // Two cells at a time: an odd last cell is computed on columns that repeat the edge.
        let padded = (columns + 1) / 2 * 2 * Self.cell
        let line = padded + 2
        xx = [Float](repeating: 0, count: columns * rows)
        yy = xx
        xy = xx
        var lines = [Int16](repeating: 0, count: 2 * Self.cell * line)
        for row in 0..<rows {
            lines.withUnsafeMutableBufferPointer { lines in
                guard let lines = lines.baseAddress else { return }
                for inner in 0..<Self.cell {
                    let y = row * Self.cell + inner
                    let above = base + max(y - 1, 0) * picture.stride
                    let here = base + y * picture.stride
                    let below = base + min(y + 1, picture.height - 1) * picture.stride
                    columnSums(
                        above, here, below, width: min(picture.width, padded + 1), smooth: lines + 2 * inner * line,
                        slope: lines + (2 * inner + 1) * line, count: line)
                }
                addRow(row, UnsafePointer(lines), line: line)
            }
        }
    }

    private mutating func addRow(_ row: Int, _ lines: UnsafePointer<Int16>, line: Int) {
        let columns = columns
        xx.withUnsafeMutableBufferPointer { xx in
            yy.withUnsafeMutableBufferPointer { yy in
                xy.withUnsafeMutableBufferPointer { xy in
                    var column = 0
                    while column < columns {
                        let sums = twoCells(lines + column * Self.cell, line: line)
                        let target = row * columns + column
                        xx[target] = Float(sums.xx.lowHalf.wrappedSum()) * (1 / 16)
                        yy[target] = Float(sums.yy.lowHalf.wrappedSum()) * (1 / 16)
                        xy[target] = Float(sums.xy.lowHalf.wrappedSum()) * (1 / 16)
                        if column + 1 < columns {
                            xx[target + 1] = Float(sums.xx.highHalf.wrappedSum()) * (1 / 16)
                            yy[target + 1] = Float(sums.yy.highHalf.wrappedSum()) * (1 / 16)
                            xy[target + 1] = Float(sums.xy.highHalf.wrappedSum()) * (1 / 16)
                        }
                        column += 2
                    }
                }
            }
        }
    }

    /// The mean of each cell and its eight neighbours; outside, the edge goes on.
    public func smoothed() -> CellTensor {
        var result = self
        result.xx = smooth(xx)
        result.yy = smooth(yy)
        result.xy = smooth(xy)
        return result
    }

    /// The energy that the strong cells have: the mean, in which each counts by its energy.
    public func usualEnergy() -> Float {
        var (sum, squares): (Float, Float) = (0, 0)
        withPointers { xx, yy, _ in
            for index in 0..<(columns * rows) {
                let energy = xx[index] + yy[index]
                sum += energy
                squares += energy * energy
            }
        }
        return sum > 0 ? squares / sum : 0
    }

    /// Lends the sums to a kernel.
    @inline(__always)
    func withPointers(_ body: (UnsafePointer<Float>, UnsafePointer<Float>, UnsafePointer<Float>) -> Void) {
        xx.withUnsafeBufferPointer { xx in
            yy.withUnsafeBufferPointer { yy in
                xy.withUnsafeBufferPointer { xy in
                    guard let xx = xx.baseAddress, let yy = yy.baseAddress, let xy = xy.baseAddress else { return }
                    body(xx, yy, xy)
                }
            }
        }
    }

    private func smooth(_ values: [Float]) -> [Float] {
        let (columns, rows) = (columns, rows)
        var sums = [Float](repeating: 0, count: columns)
        return [Float](unsafeUninitializedCapacity: values.count) { target, count in
            values.withUnsafeBufferPointer { values in
                sums.withUnsafeMutableBufferPointer { sums in
                    for row in 0..<rows {
                        let above = max(row - 1, 0) * columns
                        let here = row * columns
                        let below = min(row + 1, rows - 1) * columns
                        for column in 0..<columns {
                            sums[column] = (values[above + column] + values[here + column] + values[below + column]) / 9
                        }
                        target[here] = sums[0] * 2 + sums[min(1, columns - 1)]
                        target[here + columns - 1] = sums[columns - 1] * 2 + sums[max(columns - 2, 0)]
                        guard columns > 2 else { continue }
                        for column in 1..<(columns - 1) {
                            target[here + column] = sums[column - 1] + sums[column] + sums[column + 1]
                        }
                    }
                }
            }
            count = values.count
        }
    }
}

/// For one row, the sums 1 2 1 and the differences -1 0 1 of the columns, with one more at each side.
private func columnSums(
    _ above: UnsafeRawPointer, _ here: UnsafeRawPointer, _ below: UnsafeRawPointer, width: Int,
    smooth: UnsafeMutablePointer<Int16>, slope: UnsafeMutablePointer<Int16>, count: Int
) {
    let a = above.assumingMemoryBound(to: UInt8.self)
    let b = here.assumingMemoryBound(to: UInt8.self)
    let c = below.assumingMemoryBound(to: UInt8.self)
    for x in 0..<width {
        smooth[x + 1] = Int16(a[x]) &+ 2 &* Int16(b[x]) &+ Int16(c[x])
        slope[x + 1] = Int16(c[x]) &- Int16(a[x])
    }
    (smooth[0], slope[0]) = (smooth[1], slope[1])
    for x in (width + 1)..<max(count, width + 1) { (smooth[x], slope[x]) = (smooth[width], slope[width]) }
}

/// The sums of products over two neighbouring cells; `lines` points at the pixel before the first column of the smoothed
/// line of the first row, each row's line of differences follows its smoothed one.
@inline(__always)
private func twoCells(
    _ lines: UnsafePointer<Int16>, line: Int
) -> (xx: SIMD8<Int32>, yy: SIMD8<Int32>, xy: SIMD8<Int32>) {
    @inline(__always)
    func load(_ offset: Int) -> SIMD8<Int16> {
        UnsafeRawPointer(lines + offset).loadUnaligned(as: SIMD8<Int16>.self)
    }
    var (xx, yy, xy) = (SIMD8<Int32>.zero, SIMD8<Int32>.zero, SIMD8<Int32>.zero)
    for row in 0..<CellTensor.cell {
        let smooth = 2 * row * line
        let slope = smooth + line
        let gx = SIMD8<Int32>(truncatingIfNeeded: load(smooth + 2) &- load(smooth))
        let middle = load(slope + 1)
        let gy = SIMD8<Int32>(truncatingIfNeeded: load(slope) &+ middle &+ middle &+ load(slope + 2))
        xx &+= gx &* gx
        yy &+= gy &* gy
        xy &+= gx &* gy
    }
    return (xx, yy, xy)
}
