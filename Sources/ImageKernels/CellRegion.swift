// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// Neighbouring cells of one set, also over corners, and a rectangle around them; all in cells.
public struct CellRegion: Sendable {
    public var cellCount: Int
    /// The summed energy of its cells.
    public var energy: Float
    /// The summed energy of its cells' weaker directions.
    public var weakerEnergy: Float
    public var center: (x: Float, y: Float)
    /// A unit vector across the bars: where brightness changes most.
    public var axis: (x: Float, y: Float)
    /// The rectangle along the axis and across it, from the centre.
    public var along: ClosedRange<Float>
    public var across: ClosedRange<Float>
    /// Corners of the hull, clockwise as seen; empty where none was asked for.
    public var hull: [(x: Float, y: Float)]

    public var length: Float { along.upperBound - along.lowerBound }
    public var height: Float { across.upperBound - across.lowerBound }
    /// The part of the rectangle that its cells cover.
    public var fill: Float { Float(cellCount) / max(1, length * height) }
}

extension CellMap {
    /// The regions of every `step`-th of the first `sets` sets with at least `minimum` cells each, in the order of their first cells; at most
    /// `limit` of each set.
    public func regions(
        sets: Int, step: Int = 1, tensor: CellTensor, minimum: Int, limit: Int, hulls: Bool = false
    ) -> [CellRegion] {
        precondition(tensor.columns == columns && tensor.rows == rows, "the map is the tensor's")
        precondition((0...16).contains(sets), "a word has sixteen bits")
        var open = bits
        var counts = [Int](repeating: 0, count: sets)
        var found: [CellRegion] = []
        var cells: [Int32] = []
        for start in open.indices where open[start] != 0 {
            for set in stride(from: 0, to: sets, by: step) where open[start] & (1 << UInt16(set)) != 0 {
                collect(start, bit: 1 << UInt16(set), from: &open, into: &cells)
                guard cells.count >= minimum, counts[set] < limit else { continue }
                counts[set] += 1
                found.append(region(of: cells, tensor: tensor, hull: hulls))
            }
        }
        return found
    }

    /// Takes the cells of one region out of the map.
    private func collect(_ start: Int, bit: UInt16, from open: inout [UInt16], into cells: inout [Int32]) {
        let (columns, rows) = (columns, rows)
        cells.removeAll(keepingCapacity: true)
        cells.append(Int32(start))
        open.withUnsafeMutableBufferPointer { open in
            open[start] &= ~bit
            var next = 0
            while next < cells.count {
                let cell = Int(cells[next])
                next += 1
                let row = cell / columns
                let column = cell - row * columns
                let (left, right) = (max(column - 1, 0), min(column + 1, columns - 1))
                var y = max(row - 1, 0)
                while y <= min(row + 1, rows - 1) {
                    var other = y * columns + left
                    while other <= y * columns + right {
                        if open[other] & bit != 0 {
                            open[other] &= ~bit
                            cells.append(Int32(other))
                        }
                        other += 1
                    }
                    y += 1
                }
            }
        }
    }

    private func region(of cells: [Int32], tensor: CellTensor, hull: Bool) -> CellRegion {
        var (energy, weaker, cosine, sine, sumX, sumY): (Float, Float, Float, Float, Float, Float) = (0, 0, 0, 0, 0, 0)
        for cell in cells {
            let index = Int(cell)
            energy += tensor.energy(index)
            weaker += tensor.weakerEnergy(index)
            cosine += tensor.xx[index] - tensor.yy[index]
            sine += 2 * tensor.xy[index]
            sumX += Float(index % columns) + 0.5
            sumY += Float(index / columns) + 0.5
        }
        let center = (x: sumX / Float(cells.count), y: sumY / Float(cells.count))
        let axis = Self.halfAngle(cosine, sine)
        var (lowU, highU, lowV, highV): (Float, Float, Float, Float) = (0, 0, 0, 0)
        for cell in cells {
            let x = Float(Int(cell) % columns) + 0.5 - center.x
            let y = Float(Int(cell) / columns) + 0.5 - center.y
            let u = x * axis.x + y * axis.y
            let v = y * axis.x - x * axis.y
            (lowU, highU) = (min(lowU, u), max(highU, u))
            (lowV, highV) = (min(lowV, v), max(highV, v))
        }
        return CellRegion(
            cellCount: cells.count, energy: energy, weakerEnergy: weaker, center: center, axis: axis,
            along: (lowU - 0.5)...(highU + 0.5), across: (lowV - 0.5)...(highV + 0.5),
            hull: hull ? self.hull(of: cells) : [])
    }

    /// The direction whose doubled angle has this cosine and sine, to the right where that is possible.
    private static func halfAngle(_ cosine: Float, _ sine: Float) -> (x: Float, y: Float) {
        let length = (cosine * cosine + sine * sine).squareRoot()
        guard length > 0 else { return (1, 0) }
        let x = max(0, (1 + cosine / length) / 2).squareRoot()
        let y = max(0, (1 - cosine / length) / 2).squareRoot()
        return (x, sine < 0 ? -y : y)
    }

    /// The convex hull of the cells' corners (Andrew's monotone chain, Information Processing Letters 9(5), 1979).
    private func hull(of cells: [Int32]) -> [(x: Float, y: Float)] {
        // Of each row only its ends can be corners.
        let top = cells.reduce(Int32.max) { min($0, $1) } / Int32(columns)
        let bottom = cells.reduce(0) { max($0, $1) } / Int32(columns)
        var ends = [(left: Int32, right: Int32)](repeating: (Int32(columns), 0), count: Int(bottom - top) + 1)
        for cell in cells {
            let (row, column) = (Int(cell / Int32(columns) - top), cell % Int32(columns))
            ends[row] = (min(ends[row].left, column), max(ends[row].right, column + 1))
        }
        var points: [(x: Float, y: Float)] = []
        for (row, end) in ends.enumerated() where end.left < end.right {
            let y = Float(row + Int(top))
            points += [
                (Float(end.left), y), (Float(end.left), y + 1), (Float(end.right), y), (Float(end.right), y + 1),
            ]
        }
        points.sort { ($0.x, $0.y) < ($1.x, $1.y) }
        func chain(_ points: [(x: Float, y: Float)]) -> [(x: Float, y: Float)] {
            var chain: [(x: Float, y: Float)] = []
            for point in points {
                while chain.count >= 2 {
                    let (a, b) = (chain[chain.count - 2], chain[chain.count - 1])
                    let turn = (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x)
                    if turn > 0 { break }
                    chain.removeLast()
                }
                chain.append(point)
            }
            return Array(chain.dropLast())
        }
        return chain(points) + chain(points.reversed())
    }
}
