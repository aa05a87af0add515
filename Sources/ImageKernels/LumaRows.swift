// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

// The inner loops of `LumaExtraction`: one row each, 16 pixels at a time with the instructions that every x86-64 and
// arm64 has. Pairs of bytes are loaded as little-endian words, which both are.

/// Writes the first byte of each pair; reads `2 * count` bytes.
func copyEvenBytes(_ from: UnsafeRawPointer, _ to: UnsafeMutableRawPointer, _ count: Int) {
    var x = 0
    while x + 16 <= count {
        let pairs = from.loadUnaligned(fromByteOffset: 2 * x, as: SIMD16<UInt16>.self)
        to.storeBytes(of: SIMD16<UInt8>(truncatingIfNeeded: pairs & 0xFF), toByteOffset: x, as: SIMD16<UInt8>.self)
        x += 16
    }
    while x < count {
        to.storeBytes(of: from.load(fromByteOffset: 2 * x, as: UInt8.self), toByteOffset: x, as: UInt8.self)
        x += 1
    }
}

/// Writes the second byte of each pair; reads `2 * count` bytes.
func copyOddBytes(_ from: UnsafeRawPointer, _ to: UnsafeMutableRawPointer, _ count: Int) {
    var x = 0
    while x + 16 <= count {
        let pairs = from.loadUnaligned(fromByteOffset: 2 * x, as: SIMD16<UInt16>.self)
        to.storeBytes(of: SIMD16<UInt8>(truncatingIfNeeded: pairs &>> 8), toByteOffset: x, as: SIMD16<UInt8>.self)
        x += 16
    }
    while x < count {
        to.storeBytes(of: from.load(fromByteOffset: 2 * x + 1, as: UInt8.self), toByteOffset: x, as: UInt8.self)
        x += 1
    }
}

/// Writes Rec. 601 luma of red, green and blue; reads `3 * count` bytes.
///
/// Two pixels are three words: red and green, blue and red, green and blue. The words of 16 pixels are sorted into three
/// vectors, in the order of pairs 0 2 4 6 1 3 5 7; all arithmetic is in 16 bits, where the largest luma times 256 fits.
/// (Loading each pixel as 32 bits takes 1.8 times as long, a plain loop twice.)
func writeLumaOfRGB(_ from: UnsafeRawPointer, _ to: UnsafeMutableRawPointer, _ count: Int) {
    // Where a word is r + 256 g, 77 r + 150 g is 77 times the word and this times g; the excess overflows away.
    let greenInRed: UInt16 = 150 &- 77 &* 256
    let blueInGreen: UInt16 = 29 &- 150 &* 256
    var x = 0
    // The last load reads 4 bytes beyond its 12.
    while x + 18 <= count {
        let base = from + 3 * x
        let ab = base.loadUnaligned(as: SIMD8<UInt16>.self)
        let cd = base.loadUnaligned(fromByteOffset: 12, as: SIMD8<UInt16>.self)
        let ef = base.loadUnaligned(fromByteOffset: 24, as: SIMD8<UInt16>.self)
        let gh = base.loadUnaligned(fromByteOffset: 36, as: SIMD8<UInt16>.self)
        let redGreen = SIMD8(ab[0], cd[0], ef[0], gh[0], ab[3], cd[3], ef[3], gh[3])
        let blueRed = SIMD8(ab[1], cd[1], ef[1], gh[1], ab[4], cd[4], ef[4], gh[4])
        let greenBlue = SIMD8(ab[2], cd[2], ef[2], gh[2], ab[5], cd[5], ef[5], gh[5])
        let first = redGreen &* 77 &+ (redGreen &>> 8) &* greenInRed &+ (blueRed & 0xFF) &* 29 &+ 128
        let second = (blueRed &>> 8) &* 77 &+ greenBlue &* 150 &+ (greenBlue &>> 8) &* blueInGreen &+ 128
        let sorted = (first &>> 8) | (second & 0xFF00)
        let pairs = SIMD8(
            sorted[0], sorted[4], sorted[1], sorted[5], sorted[2], sorted[6], sorted[3], sorted[7])
        to.storeBytes(of: pairs, toByteOffset: x, as: SIMD8<UInt16>.self)
        x += 16
    }
    while x < count {
        let pixel = from + 3 * x
        let luma = lumaOf(
            red: UInt32(pixel.load(as: UInt8.self)), green: UInt32(pixel.load(fromByteOffset: 1, as: UInt8.self)),
            blue: UInt32(pixel.load(fromByteOffset: 2, as: UInt8.self)))
        to.storeBytes(of: UInt8(truncatingIfNeeded: luma), toByteOffset: x, as: UInt8.self)
        x += 1
    }
}
