// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

extension LumaView {
    /// The picture at half the size, rounded down: each new pixel is the mean of four. `nil` when nothing would be left.
    public func halved() -> LumaBuffer? {
        let (halfWidth, halfHeight) = (width / 2, height / 2)
        guard halfWidth > 0, halfHeight > 0 else { return nil }
        var result = LumaBuffer(width: halfWidth, height: halfHeight)
        let (source, stride) = (bytes, stride)
        result.pixels.withUnsafeMutableBytes { target in
            for row in 0..<halfHeight {
                let upper = 2 * row * stride
                let lower = upper + stride
                var column = 0
                // Eight results at a time: the low and the high bytes of 16-bit lanes are neighbours.
                while column + 8 <= halfWidth {
                    let a = source.loadUnaligned(fromByteOffset: upper + 2 * column, as: SIMD8<UInt16>.self)
                    let b = source.loadUnaligned(fromByteOffset: lower + 2 * column, as: SIMD8<UInt16>.self)
                    let sum = (a & 0xFF) &+ (a &>> 8) &+ (b & 0xFF) &+ (b &>> 8) &+ 2
                    let mean = SIMD8<UInt8>(truncatingIfNeeded: sum &>> 2)
                    target.storeBytes(of: mean, toByteOffset: row * halfWidth + column, as: SIMD8<UInt8>.self)
                    column += 8
                }
                while column < halfWidth {
                    let sum =
                        UInt16(source[upper + 2 * column]) + UInt16(source[upper + 2 * column + 1])
                        + UInt16(source[lower + 2 * column]) + UInt16(source[lower + 2 * column + 1]) + 2
                    target[row * halfWidth + column] = UInt8(truncatingIfNeeded: sum >> 2)
                    column += 1
                }
            }
        }
        return result
    }
}
