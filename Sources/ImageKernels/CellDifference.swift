// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// How a cell of a picture differs from the same place of another one; of every second row.
public struct CellDifference: Sendable {
    /// The mean absolute difference, in grey levels.
    public var difference: Float = 0
    /// The mean difference with its sign, newer less older.
    public var change: Float = 0
    /// The mean of the newer picture.
    public var brightness: Float = 0
    /// The mean slope over both directions, in grey levels a pixel.
    public var slope: Float = 0
    /// The shift that would explain the differences best, in pixels; right only where it is small against a pixel.
    public var shiftX: Float = 0
    public var shiftY: Float = 0
    /// How much of the cell could be compared, 0...1.
    public var part: Float = 0

    public init() {}
}

/// Compares two pictures of one size in cells of about 16x16 pixels.
///
/// The shift of a cell is the sum of the differences, each with the sign of the slope, over the sum of the slopes: the
/// Gauss-Newton step for the sum of absolute values, in 16-bit integers alone. The whole of 480x270 once
/// where nothing is moved and once with each row of each cell taken from between pixels takes 150 us.
public struct CellGrid: Sendable, Equatable {
    public let columns: Int
    public let rows: Int
    private let width: Int
    private let height: Int

    /// The grid over a picture of this size; `nil` where there is not one cell that can be compared.
    public init?(width: Int, height: Int) {
        guard width >= 20, height >= 20 else { return nil }
        self.width = width
        self.height = height
        columns = (width + 15) / 16
        rows = (height + 15) / 16
    }

    public var count: Int { columns * rows }

    /// Where a place of the newer picture was in the older one, in pixels.
    public struct Source {
        /// What x, y and 1 count in x, in y and in the weight.
        public var toX: SIMD3<Float>
        public var toY: SIMD3<Float>
        public var toWeight: SIMD3<Float>

        public init(toX: SIMD3<Float>, toY: SIMD3<Float>, toWeight: SIMD3<Float>) {
            self.toX = toX
            self.toY = toY
            self.toWeight = toWeight
        }
    }

    /// Writes one result a cell, row by row; both pictures have the grid's size and `result` has room for `count`.
    ///
    /// - Parameter source: `nil` for the same place in both.
    public func compare(
        _ picture: LumaView, with older: LumaView, source: Source? = nil,
        into result: UnsafeMutableBufferPointer<CellDifference>
    ) {
        guard picture.width == width, picture.height == height, older.width == width, older.height == height,
            result.count >= count, let new = picture.bytes.baseAddress, let old = older.bytes.baseAddress
        else { return }
        for row in 0..<rows {
            let top = max(1, row * height / rows)
            let bottom = min(height - 1, (row + 1) * height / rows)
            for column in 0..<columns {
                let left = max(1, min(width - 17, column * width / columns))
                var sums = Sums()
                var y = top
                while y < bottom {
                    let here = new + y * picture.stride + left
                    if let source {
                        if let from = place(source, x: left, y: y) {
                            let place = old + from.y * older.stride + from.x
                            sums.add(here, picture.stride, mixed(place, older.stride, from.fx, from.fy))
                        }
                    } else {
                        sums.add(here, picture.stride, wide(old + y * older.stride + left))
                    }
                    y += 2
                }
                result[row * columns + column] = sums.result(of: (bottom - top + 1) / 2)
            }
        }
    }

    /// Where 16 pixels of a row were, all moved like their middle; `nil` where not all of them were in the picture.
    ///
    /// The rest of a turn is left out: at 0.01 radian a frame the ends are off by 0.08 pixels.
    @inline(__always)
    private func place(_ source: Source, x: Int, y: Int) -> (x: Int, y: Int, fx: UInt16, fy: UInt16)? {
        let middle = SIMD3(Float(x) + 7.5, Float(y), 1)
        let weight = (source.toWeight * middle).sum()
        guard weight > 1e-3 else { return nil }
        let fromX = (source.toX * middle).sum() / weight - 7.5
        let fromY = (source.toY * middle).sum() / weight
        guard fromX >= 0, fromY >= 0, fromX < Float(width - 17), fromY < Float(height - 2) else { return nil }
        let (wholeX, wholeY) = (Int(fromX * 16 + 0.5), Int(fromY * 16 + 0.5))
        return (
            wholeX >> 4, wholeY >> 4, UInt16(truncatingIfNeeded: wholeX & 15), UInt16(truncatingIfNeeded: wholeY & 15)
        )
    }
}

@inline(__always)
private func wide(_ from: UnsafeRawPointer) -> SIMD16<Int16> {
    SIMD16<Int16>(truncatingIfNeeded: from.loadUnaligned(as: SIMD16<UInt8>.self))
}

/// 16 pixels between four each; weights of sixteenths, so that sums of 255 times 256 fit 16 bits.
@inline(__always)
private func mixed(_ from: UnsafeRawPointer, _ stride: Int, _ fx: UInt16, _ fy: UInt16) -> SIMD16<Int16> {
    func pixels(_ offset: Int) -> SIMD16<UInt16> {
        SIMD16<UInt16>(truncatingIfNeeded: from.loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self))
    }
    let above = pixels(0) &* (16 - fx) &+ pixels(1) &* fx
    let below = pixels(stride) &* (16 - fx) &+ pixels(stride + 1) &* fx
    return SIMD16<Int16>(truncatingIfNeeded: (above &* (16 - fy) &+ below &* fy &+ 128) &>> 8)
}

/// Sums over the rows of a cell, 16 columns side by side: 16 rows of 510 fit 16 bits.
private struct Sums {
    var difference = SIMD16<Int16>.zero
    var slopeX = SIMD16<Int16>.zero
    var slopeY = SIMD16<Int16>.zero
    var signedX = SIMD16<Int16>.zero
    var signedY = SIMD16<Int16>.zero
    /// How many slopes are negative.
    var fallsX = SIMD16<Int16>.zero
    var fallsY = SIMD16<Int16>.zero
    var signed = SIMD16<Int16>.zero
    var brightness = SIMD16<Int16>.zero
    var rows = 0

    @inline(__always)
    mutating func add(_ here: UnsafeRawPointer, _ stride: Int, _ old: SIMD16<Int16>) {
        let new = wide(here)
        let change = new &- old
        signed &+= change
        brightness &+= new
        let x = wide(here + 1) &- wide(here - 1)
        let y = wide(here + stride) &- wide(here - stride)
        // All ones where negative: exclusive or and subtract turn the sign.
        let (signX, signY, sign) = (x &>> 15, y &>> 15, change &>> 15)
        slopeX &+= (x ^ signX) &- signX
        slopeY &+= (y ^ signY) &- signY
        signedX &+= (change ^ signX) &- signX
        signedY &+= (change ^ signY) &- signY
        fallsX &-= signX
        fallsY &-= signY
        difference &+= (change ^ sign) &- sign
        rows += 1
    }

    func result(of all: Int) -> CellDifference {
        guard rows > 0 else { return CellDifference() }
        func sum(_ lanes: SIMD16<Int16>) -> Float { Float(SIMD16<Int32>(truncatingIfNeeded: lanes).wrappedSum()) }
        let count = Float(16 * rows)
        // Differences of pixels two apart.
        let (alongX, alongY) = (sum(slopeX) / 2, sum(slopeY) / 2)
        var result = CellDifference()
        result.difference = sum(difference) / count
        result.change = sum(signed) / count
        result.brightness = sum(brightness) / count
        result.slope = (alongX + alongY) / count
        // Of the differences less their mean: where more pixels rise than fall, more light is no motion.
        let x = sum(signedX) - result.change * (count - 2 * sum(fallsX))
        let y = sum(signedY) - result.change * (count - 2 * sum(fallsY))
        result.shiftX = alongX > 0 ? -x / alongX : 0
        result.shiftY = alongY > 0 ? -y / alongY : 0
        result.part = Float(rows) / Float(max(1, all))
        return result
    }
}
