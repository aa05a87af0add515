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
        for index in bits.indices {
            let (xx, yy) = (tensor.xx[index], tensor.yy[index])
            let sum = xx + yy
            guard sum > energy else { continue }
            let (c, s) = (xx - yy, 2 * tensor.xy[index])
            let length = (c * c + s * s).squareRoot()
            guard length > coherence * sum else { continue }
            var word: UInt16 = 0
            for (bit, axis) in axes.enumerated() where axis.x * c + axis.y * s > cosine * length { word |= 1 << bit }
            bits[index] = word
        }
    }

    /// Set n holds the cells whose weaker direction has more energy than `thresholds[n]`: texture, corners, modules.
    public init(textureOf tensor: CellTensor, thresholds: [Float]) {
        precondition(thresholds.count <= 16, "a word has sixteen bits")
        self.init(columns: tensor.columns, rows: tensor.rows, bits: [UInt16](repeating: 0, count: tensor.xx.count))
        for index in bits.indices {
            let weaker = tensor.weakerEnergy(index)
            for (bit, threshold) in thresholds.enumerated() where weaker > threshold { bits[index] |= 1 << bit }
        }
    }

    /// Gaps of up to two cells filled: what lies between cells of a set, in every direction, belongs to it too.
    public func closed() -> CellMap { dilated().eroded() }

    /// Only where two by two cells are set: bridges of one cell between neighbours go.
    public func opened() -> CellMap {
        var result = self
        for row in 0..<rows {
            for column in 0..<columns {
                func square(_ y: Int, _ x: Int) -> UInt16 {
                    guard y >= 0, x >= 0, y + 1 < rows, x + 1 < columns else { return 0 }
                    let index = y * columns + x
                    return bits[index] & bits[index + 1] & bits[index + columns] & bits[index + columns + 1]
                }
                result.bits[row * columns + column] =
                    square(row - 1, column - 1) | square(row - 1, column) | square(row, column - 1)
                    | square(row, column)
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
    private static let doubledDirections: [(x: Float, y: Float)] = [
        (1, 0), (0.866_025, 0.5), (0.5, 0.866_025), (0, 1), (-0.5, 0.866_025), (-0.866_025, 0.5), (-1, 0),
        (-0.866_025, -0.5), (-0.5, -0.866_025), (0, -1), (0.5, -0.866_025), (0.866_025, -0.5),
    ]
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
