// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// Neighbouring cells of one set, also over corners, and a rectangle around them; all in cells.
public struct CellRegion: Sendable {
    public var cellCount: Int
    /// The summed energy of its cells.
    public var energy: Float
    /// The summed energy of its cells' weaker directions; 0 where no hull was asked for.
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
    /// The regions of every `step`-th of the first `sets` sets with at least `minimum` cells each, in the order of their
    /// first cells; at most `limit` of each set. With `hulls` also their hulls and the energy of their weaker directions.
    public func regions(
        sets: Int, step: Int = 1, tensor: CellTensor, minimum: Int, limit: Int, hulls: Bool = false
    ) -> [CellRegion] {
        precondition(tensor.columns == columns && tensor.rows == rows, "the map is the tensor's")
        precondition((0...16).contains(sets), "a word has sixteen bits")
        let asked = stride(from: 0, to: sets, by: step).reduce(UInt16(0)) { $0 | 1 << UInt16($1) }
        var counts = [Int](repeating: 0, count: sets)
        var found: [CellRegion] = []
        RegionFlood.with(self) { flood in
            for row in 0..<rows {
                for column in 0..<columns where flood.open[flood.index(row, column)] & asked != 0 {
                    var left = flood.open[flood.index(row, column)] & asked
                    while left != 0 {
                        let set = left.trailingZeroBitCount
                        left &= left - 1
                        let cells = flood.collect(row: row, column: column, bit: 1 << UInt16(set))
                        guard cells.count >= minimum, counts[set] < limit else { continue }
                        counts[set] += 1
                        found.append(region(of: cells, tensor: tensor, hull: hulls))
                    }
                }
            }
        }
        return found
    }

    private func region(of cells: UnsafeBufferPointer<Cell>, tensor: CellTensor, hull: Bool) -> CellRegion {
        var (energy, cosine, sine, weaker): (Float, Float, Float, Float) = (0, 0, 0, 0)
        var (sumX, sumY): (Int, Int) = (0, 0)
        tensor.withPointers { xx, yy, xy in
            for cell in cells {
                let index = Int(cell.row) &* columns &+ Int(cell.column)
                energy += xx[index] + yy[index]
                cosine += xx[index] - yy[index]
                sine += 2 * xy[index]
                sumX &+= Int(cell.column)
                sumY &+= Int(cell.row)
            }
            if hull {
                for cell in cells { weaker += tensor.weakerEnergy(Int(cell.row) &* columns &+ Int(cell.column)) }
            }
        }
        let count = Float(cells.count)
        let center = (x: Float(sumX) / count + 0.5, y: Float(sumY) / count + 0.5)
        let axis = Self.halfAngle(cosine, sine)
        var (lowU, highU, lowV, highV): (Float, Float, Float, Float) = (0, 0, 0, 0)
        for cell in cells {
            let x = Float(cell.column) + 0.5 - center.x
            let y = Float(cell.row) + 0.5 - center.y
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

    /// The convex hull of the cells' corners: along the left ends of the rows down, and along the right ends up.
    ///
    /// That is the monotone chain of Andrew (Information Processing Letters 9(5), 1979) without its sorting, as the ends come
    /// in order.
    private func hull(of cells: UnsafeBufferPointer<Cell>) -> [(x: Float, y: Float)] {
        var (top, bottom) = (Int32.max, Int32(0))
        for cell in cells { (top, bottom) = (min(top, cell.row), max(bottom, cell.row)) }
        // Of each line between two rows only the ends can be corners.
        var ends = [(left: Int32, right: Int32)](repeating: (Int32(columns), 0), count: Int(bottom - top) + 2)
        for cell in cells {
            for line in Int(cell.row - top)...Int(cell.row - top) + 1 {
                ends[line] = (min(ends[line].left, cell.column), max(ends[line].right, cell.column + 1))
            }
        }
        var chain: [(x: Float, y: Float)] = []
        chain.reserveCapacity(2 * ends.count)
        func append(_ point: (x: Float, y: Float), after start: Int) {
            while chain.count >= start + 2 {
                let (a, b) = (chain[chain.count - 2], chain[chain.count - 1])
                if (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x) > 0 { break }
                chain.removeLast()
            }
            chain.append(point)
        }
        for (line, end) in ends.enumerated().reversed() { append((Float(end.left), Float(line + Int(top))), after: 0) }
        let start = chain.count
        for (line, end) in ends.enumerated() { append((Float(end.right), Float(line + Int(top))), after: start) }
        return chain
    }
}

/// The place of a cell.
struct Cell {
    var row: Int32
    var column: Int32
}

/// Takes regions out of a copy of a map that has an empty rim, so that every cell has eight neighbours.
private struct RegionFlood {
    let open: UnsafeMutablePointer<UInt16>
    private let queue: UnsafeMutablePointer<Cell>
    private let stride: Int

    /// Lends the copy; each word loses the bits of what is taken.
    static func with(_ map: CellMap, _ body: (RegionFlood) -> Void) {
        let stride = map.columns + 2
        withUnsafeTemporaryAllocation(of: UInt16.self, capacity: stride * (map.rows + 2)) { open in
            withUnsafeTemporaryAllocation(of: Cell.self, capacity: map.columns * map.rows) { queue in
                guard let open = open.baseAddress, let queue = queue.baseAddress else { return }
                open.initialize(repeating: 0, count: stride * (map.rows + 2))
                map.bits.withUnsafeBufferPointer { bits in
                    guard let bits = bits.baseAddress else { return }
                    for row in 0..<map.rows {
                        (open + (row + 1) * stride + 1).update(from: bits + row * map.columns, count: map.columns)
                    }
                }
                body(RegionFlood(open: open, queue: queue, stride: stride))
            }
        }
    }

    @inline(__always)
    func index(_ row: Int, _ column: Int) -> Int { (row &+ 1) &* stride &+ column &+ 1 }

    /// The cells of one region; valid until the next is taken.
    func collect(row: Int, column: Int, bit: UInt16) -> UnsafeBufferPointer<Cell> {
        let (open, queue) = (open, queue)
        var (next, count) = (0, 1)
        queue[0] = Cell(row: Int32(truncatingIfNeeded: row), column: Int32(truncatingIfNeeded: column))
        open[index(row, column)] &= ~bit
        while next < count {
            let cell = queue[next]
            next &+= 1
            let middle = open + index(Int(cell.row), Int(cell.column))
            @inline(__always)
            func take(_ offset: Int, _ row: Int32, _ column: Int32) {
                guard middle[offset] & bit != 0 else { return }
                middle[offset] &= ~bit
                queue[count] = Cell(row: cell.row &+ row, column: cell.column &+ column)
                count &+= 1
            }
            take(-stride - 1, -1, -1)
            take(-stride, -1, 0)
            take(-stride + 1, -1, 1)
            take(-1, 0, -1)
            take(1, 0, 1)
            take(stride - 1, 1, -1)
            take(stride, 1, 0)
            take(stride + 1, 1, 1)
        }
        return UnsafeBufferPointer(start: queue, count: count)
    }
}
