// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// Sets of cells, up to sixteen at once: bit n of a cell tells whether it belongs to set n.
public struct CellMap: Sendable {
    /// How many sets of directions overlap: each is 36 degrees wide, 15 degrees from the next.
    public static let directionCount = 12

    public let columns: Int
    public let rows: Int
    public var bits: [UInt16]

    public init(columns: Int, rows: Int, bits: [UInt16]) {
        precondition(columns > 0 && rows > 0 && bits.count == columns * rows, "a map has a word for each cell")
        self.columns = columns
        self.rows = rows
        self.bits = bits
    }

    /// Set n holds the cells where brightness changes along one direction, within 18 degrees of n times 15 degrees.
    ///
    /// `coherence`, 0...1, is the least share of the strong direction's lead over the other in all energy, `energy` the
    /// least mean square of Sobel's gradient.
    public init(directionsOf tensor: CellTensor, coherence: Float, energy: Float) {
        let axes = Self.doubledDirections
        // Half of 36 degrees, doubled.
        let cosine: Float = 0.809_017
        self.init(columns: tensor.columns, rows: tensor.rows, bits: [UInt16](repeating: 0, count: tensor.xx.count))
        bits.withUnsafeMutableBufferPointer { bits in
            tensor.withPointers { xx, yy, xy in
                for index in bits.indices {
                    let sum = xx[index] + yy[index]
                    guard sum > energy else { continue }
                    let (c, s) = (xx[index] - yy[index], 2 * xy[index])
                    let length = (c * c + s * s).squareRoot()
                    guard length > coherence * sum else { continue }
                    // All directions at once: each lane of those that are near gives its own bit.
                    let near = axes.x * c + axes.y * s .> cosine * length
                    bits[index] = UInt16(
                        truncatingIfNeeded: Self.words.replacing(with: 0, where: .!near).wrappedSum())
                }
            }
        }
    }

    /// Set n holds the cells whose weaker direction has more energy than `thresholds[n]`: texture, corners, modules.
    public init(textureOf tensor: CellTensor, thresholds: [Float]) {
        precondition(thresholds.count <= 16, "a word has sixteen bits")
        self.init(columns: tensor.columns, rows: tensor.rows, bits: [UInt16](repeating: 0, count: tensor.xx.count))
        bits.withUnsafeMutableBufferPointer { bits in
            tensor.withPointers { xx, yy, xy in
                guard let bits = bits.baseAddress else { return }
                for (bit, threshold) in thresholds.enumerated() {
                    addTexture(
                        xx, yy, xy, to: bits, count: columns * rows, word: 1 << UInt16(bit), threshold: threshold)
                }
            }
        }
    }

    /// Gaps of up to two cells filled: what lies between cells of a set, in every direction, belongs to it too.
    public func closed() -> CellMap { dilated().eroded() }

    /// Only where two by two cells are set: bridges of one cell between neighbours go.
    public func opened() -> CellMap {
        var result = CellMap(columns: columns, rows: rows, bits: [UInt16](repeating: 0, count: bits.count))
        let columns = columns
        result.bits.withUnsafeMutableBufferPointer { target in
            bits.withUnsafeBufferPointer { bits in
                guard let target = target.baseAddress, let bits = bits.baseAddress else { return }
                for row in 0..<(rows - 1) {
                    openSquares(
                        bits + row * columns, bits + (row + 1) * columns, into: target + row * columns,
                        target + (row + 1) * columns, count: columns - 1)
                }
            }
        }
        return result
    }

    private func dilated() -> CellMap { spread(neutral: 0) { $0 | $1 } }

    private func eroded() -> CellMap { spread(neutral: .max) { $0 & $1 } }

    /// Combines each cell with its eight neighbours; `neutral` stands for what is outside.
    @inline(__always)
    private func spread(neutral: UInt16, _ combine: (UInt16, UInt16) -> UInt16) -> CellMap {
        var result = self
        var line = [UInt16](repeating: neutral, count: columns + 2)
        for row in 0..<rows {
            let above = row > 0 ? (row - 1) * columns : row * columns
            let below = row + 1 < rows ? (row + 1) * columns : row * columns
            for column in 0..<columns {
                line[column + 1] = combine(
                    combine(bits[above + column], bits[row * columns + column]), bits[below + column])
            }
            for column in 0..<columns {
                result.bits[row * columns + column] = combine(combine(line[column], line[column + 1]), line[column + 2])
            }
        }
        return result
    }

    /// Cosine and sine of twice the angle of each set's direction, in steps of 30 degrees.
    private static let doubledDirections: (x: SIMD16<Float>, y: SIMD16<Float>) = (
        SIMD16(1, 0.866_025, 0.5, 0, -0.5, -0.866_025, -1, -0.866_025, -0.5, 0, 0.5, 0.866_025, 0, 0, 0, 0),
        SIMD16(0, 0.5, 0.866_025, 1, 0.866_025, 0.5, 0, -0.5, -0.866_025, -1, -0.866_025, -0.5, 0, 0, 0, 0)
    )
    private static let words = SIMD16<Int32>((0..<16).map { 1 << Int32($0) })
}

/// Adds a word to the cells whose weaker direction has more energy than a threshold.
private func addTexture(
    _ xx: UnsafePointer<Float>, _ yy: UnsafePointer<Float>, _ xy: UnsafePointer<Float>,
    to bits: UnsafeMutablePointer<UInt16>, count: Int, word: UInt16, threshold: Float
) {
    for index in 0..<count {
        let difference = xx[index] - yy[index]
        let cross = 2 * xy[index]
        let weaker = 0.5 * (xx[index] + yy[index] - (difference * difference + cross * cross).squareRoot())
        bits[index] |= weaker > threshold ? word : 0
    }
}

/// Adds to two rows of cells the squares of four that are set.
private func openSquares(
    _ upper: UnsafePointer<UInt16>, _ lower: UnsafePointer<UInt16>, into above: UnsafeMutablePointer<UInt16>,
    _ below: UnsafeMutablePointer<UInt16>, count: Int
) {
    for column in 0..<count {
        let square = upper[column] & upper[column &+ 1] & lower[column] & lower[column &+ 1]
        guard square != 0 else { continue }
        above[column] |= square
        above[column &+ 1] |= square
        below[column] |= square
        below[column &+ 1] |= square
    }
}

extension CellTensor {
    /// The mean square of the gradient.
    @inline(__always)
    public func energy(_ index: Int) -> Float { xx[index] + yy[index] }

    /// The smaller eigenvalue: the energy of the weaker direction.
    @inline(__always)
    public func weakerEnergy(_ index: Int) -> Float {
        let difference = xx[index] - yy[index]
        let cross = 2 * xy[index]
        return 0.5 * (xx[index] + yy[index] - (difference * difference + cross * cross).squareRoot())
    }
}
