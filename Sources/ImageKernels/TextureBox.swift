// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ScanModel

/// How much brightness changes over a rectangle that may lean, on a grid of 40x40 places.
public struct TextureBox {
    /// Places along each side.
    public static let size = 40

    public let center: Point
    /// A unit vector along the first side.
    public let axis: Point
    public let length: Double
    public let height: Double
    /// The sums of each column and of each row.
    public private(set) var columns = [Float](repeating: 0, count: size)
    public private(set) var rows = [Float](repeating: 0, count: size)

    public init(_ picture: LumaView, center: Point, axis: Point, length: Double, height: Double) {
        self.center = center
        self.axis = axis
        self.length = length
        self.height = height
        // Up to four places in each field, so that a grid of modules does not fall between.
        let across = length > 2 * Double(Self.size) ? 2 : 1
        let down = height > 2 * Double(Self.size) ? 2 : 1
        let steps = (along: Double(across * Self.size), down: Double(down * Self.size))
        let first = (u: (0.5 / steps.along - 0.5) * length, v: (0.5 / steps.down - 0.5) * height)
        let start = (
            x: center.x + axis.x * first.u - axis.y * first.v, y: center.y + axis.y * first.u + axis.x * first.v
        )
        let (stepU, stepV) = (length / steps.along, height / steps.down)
        guard [start.x, start.y, stepU, stepV].allSatisfy({ $0.magnitude < 1e6 }) else { return }
        var grid = PlaceGrid(
            x: Self.fixed(start.x), y: Self.fixed(start.y),
            along: (Self.fixed(axis.x * stepU), Self.fixed(axis.y * stepU)),
            down: (Self.fixed(-axis.y * stepV), Self.fixed(axis.x * stepV)), columns: across * Self.size,
            rows: down * Self.size)
        columns.withUnsafeMutableBufferPointer { columns in
            rows.withUnsafeMutableBufferPointer { rows in
                for row in 0..<grid.rows {
                    grid.addChanges(of: picture, to: columns, per: across, row: &rows[row / down])
                    grid.x &+= grid.down.x
                    grid.y &+= grid.down.y
                }
            }
        }
    }

    private static func fixed(_ value: Double) -> Int { Int(value * 65_536) }

    /// The stretches of a side, in parts of it (0...1), where there is texture: from the middle half's mean down to
    /// `share` of it. Gaps of a field are bridged, stretches under a tenth left out.
    public static func stretches(_ sums: [Float], share: Float) -> [ClosedRange<Double>] {
        let inner = sums[(sums.count / 4)..<(3 * sums.count / 4)]
        let limit = share * inner.reduce(0, +) / Float(inner.count)
        guard limit > 0 else { return [] }
        var result: [ClosedRange<Double>] = []
        var start: Int?
        for index in 0...sums.count {
            let isIn = index < sums.count && sums[index] >= limit
            let bridges = index > 0 && index + 1 < sums.count && sums[index - 1] >= limit && sums[index + 1] >= limit
            if isIn || bridges {
                if start == nil { start = index }
            } else if let first = start {
                if index - first >= sums.count / 10 {
                    result.append(Double(first) / Double(sums.count)...Double(index) / Double(sums.count))
                }
                start = nil
            }
        }
        return result
    }
}

/// Places at even distances along two directions, in 65536ths of a pixel.
private struct PlaceGrid {
    var x: Int
    var y: Int
    var along: (x: Int, y: Int)
    var down: (x: Int, y: Int)
    var columns: Int
    var rows: Int

    /// Adds for each place of the present row how much brightness changes there.
    @inline(__always)
    func addChanges(
        of picture: LumaView, to sums: UnsafeMutableBufferPointer<Float>, per field: Int, row: inout Float
    ) {
        guard let bytes = picture.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        let stride = picture.stride
        var (x, y) = (x, y)
        var total: Int32 = 0
        for column in 0..<(columns / field) {
            var sum: Int32 = 0
            for _ in 0..<field {
                let (px, py) = (x >> 16, y >> 16)
                if px > 0, py > 0, px < picture.width &- 1, py < picture.height &- 1 {
                    let place = bytes + (py &* stride &+ px)
                    let dx = Int32(place[1]) &- Int32(place[-1])
                    let dy = Int32(place[stride]) &- Int32(place[-stride])
                    sum &+= abs(dx) &+ abs(dy)
                }
                x &+= along.x
                y &+= along.y
            }
            sums[column] += Float(sum)
            total &+= sum
        }
        row += Float(total)
    }
}

extension LumaView {
    /// The direction of a grid, up to quarter turns: of the gradients in a polygon, by the fourth power of their angles.
    ///
    /// `certainty` is 1 for straight lines of two directions at right angles and near 0 for none. The polygon is convex,
    /// in pixels; at most some 1200 places in it are looked at.
    public func gridDirection(in polygon: [Point]) -> (axis: Point, certainty: Double) {
        let box = polygon.reduce(into: (minX: Double(width), minY: Double(height), maxX: 0.0, maxY: 0.0)) {
            box, point in
            box = (min(box.minX, point.x), min(box.minY, point.y), max(box.maxX, point.x), max(box.maxY, point.y))
        }
        let (left, top) = (max(1, Int(box.minX)), max(1, Int(box.minY)))
        let (right, bottom) = (min(width - 2, Int(box.maxX)), min(height - 2, Int(box.maxY)))
        guard left < right, top < bottom else { return (Point(x: 1, y: 0), 0) }
        // An odd step in rows against columns, so that a regular pattern is met at all its phases.
        let step = max(1, Int((Double((right - left) * (bottom - top)) / 1200).squareRoot()))
        guard let bytes = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
            return (Point(x: 1, y: 0), 0)
        }
        var (sumX, sumY, weight): (Float, Float, Float) = (0, 0, 0)
        for y in Swift.stride(from: top, through: bottom, by: step) {
            guard let (from, to) = Self.crossing(of: polygon, y: Double(y) + 0.5) else { continue }
            var x = max(left, Int(from))
            let last = min(right, Int(to))
            while x <= last {
                let (gx, gy) = Self.gradient(bytes + (y &* stride &+ x), stride)
                x &+= step
                let square = gx &* gx &+ gy &* gy
                guard square > 400 else { continue }
                let (dx, dy) = (Float(gx &* gx &- gy &* gy), Float(2 &* gx &* gy))
                let length = Float(square)
                sumX += (dx * dx - dy * dy) / length
                sumY += 2 * dx * dy / length
                weight += length
            }
        }
        guard weight > 0 else { return (Point(x: 1, y: 0), 0) }
        let sum = Point(x: Double(sumX), y: Double(sumY))
        return (sum.halfTurned.halfTurned, (sum.x * sum.x + sum.y * sum.y).squareRoot() / Double(weight))
    }

    /// Sobel's derivatives at a pixel that is not on the picture's edge.
    @inline(__always)
    private static func gradient(_ place: UnsafePointer<UInt8>, _ stride: Int) -> (x: Int32, y: Int32) {
        let (above, below) = (place - stride, place + stride)
        let corners = (Int32(above[-1]), Int32(above[1]), Int32(below[-1]), Int32(below[1]))
        let x = corners.1 &- corners.0 &+ corners.3 &- corners.2 &+ 2 &* (Int32(place[1]) &- Int32(place[-1]))
        let y = corners.2 &- corners.0 &+ corners.3 &- corners.1 &+ 2 &* (Int32(below[0]) &- Int32(above[0]))
        return (x, y)
    }

    private static func crossing(of polygon: [Point], y: Double) -> (Double, Double)? {
        var (low, high) = (Double.infinity, -Double.infinity)
        for index in polygon.indices {
            let (a, b) = (polygon[index], polygon[(index + 1) % polygon.count])
            guard (a.y <= y) != (b.y <= y) else { continue }
            let x = a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y)
            (low, high) = (min(low, x), max(high, x))
        }
        return low <= high ? (low, high) : nil
    }
}
