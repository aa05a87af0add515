// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// For eight places at even steps the pixels around each: those above as words, the left one in the lower byte, and those
/// below; and how far each place lies from the left and from the upper ones, in 65536ths.
///
/// No instruction of every processor loads eight words from anywhere, so that is done one by one; all arithmetic with them is
/// done together, which takes a third of the time of pixel by pixel. The loads are written out: in a loop over lanes the
/// compiler keeps the vectors in memory, and that costs more than it saves.
struct NeighbourPairs {
    var upper = SIMD8<UInt16>.zero
    var lower = SIMD8<UInt16>.zero
    let x: SIMD8<UInt16>
    let y: SIMD8<UInt16>

    /// Loads around the next eight places, or `count` if that is less, and moves on; all must be within the picture.
    @inline(__always)
    init(_ bytes: UnsafeRawPointer, stride: Int, at place: inout (x: Int, y: Int), step: (x: Int, y: Int), count: Int) {
        let lanes = SIMD8<UInt16>(0, 1, 2, 3, 4, 5, 6, 7)
        x = lanes &* UInt16(truncatingIfNeeded: step.x) &+ UInt16(truncatingIfNeeded: place.x)
        y = lanes &* UInt16(truncatingIfNeeded: step.y) &+ UInt16(truncatingIfNeeded: place.y)
        guard count >= 8 else {
            for lane in 0..<count { load(lane, bytes, stride, &place, step) }
            return
        }
        load(0, bytes, stride, &place, step)
        load(1, bytes, stride, &place, step)
        load(2, bytes, stride, &place, step)
        load(3, bytes, stride, &place, step)
        load(4, bytes, stride, &place, step)
        load(5, bytes, stride, &place, step)
        load(6, bytes, stride, &place, step)
        load(7, bytes, stride, &place, step)
    }

    @inline(__always)
    private mutating func load(
        _ lane: Int, _ bytes: UnsafeRawPointer, _ stride: Int, _ place: inout (x: Int, y: Int), _ step: (x: Int, y: Int)
    ) {
        let at = bytes + ((place.y >> 16) &* stride &+ (place.x >> 16))
        upper[lane] = at.loadUnaligned(as: UInt16.self)
        lower[lane] = at.loadUnaligned(fromByteOffset: stride, as: UInt16.self)
        place.x &+= step.x
        place.y &+= step.y
    }

    /// The brightness at each place, up to a level.
    @inline(__always)
    var levels: SIMD8<UInt8> {
        // Rounded after each direction, all fits 16 bits.
        let (x, y) = (x &>> 8, y &>> 8)
        let top = ((upper & 255) &* (256 &- x) &+ (upper &>> 8) &* x &+ 128) &>> 8
        let bottom = ((lower & 255) &* (256 &- x) &+ (lower &>> 8) &* x &+ 128) &>> 8
        return SIMD8<UInt8>(truncatingIfNeeded: (top &* (256 &- y) &+ bottom &* y &+ 128) &>> 8)
    }

    /// The brightness at each place.
    @inline(__always)
    var reals: SIMD8<Float> {
        @inline(__always)
        func real(_ words: SIMD8<UInt16>) -> SIMD8<Float> { SIMD8<Float>(SIMD8<Int32>(truncatingIfNeeded: words)) }
        let (fx, fy) = (real(x) * (1 / 65_536), real(y) * (1 / 65_536))
        let (left, leftBelow) = (real(upper & 255), real(lower & 255))
        let top = left + (real(upper &>> 8) - left) * fx
        let bottom = leftBelow + (real(lower &>> 8) - leftBelow) * fx
        return top + (bottom - top) * fy
    }
}
