// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// Where a row turns from light to dark and back.
struct DarkRuns {
    /// Even ones begin a dark run, odd ones the light one behind it; their number is even.
    private(set) var edges: [Int32] = []
    private var line: [UInt8]

    init(width: Int) { line = [UInt8](repeating: 0, count: width) }

    mutating func scan(_ picture: LumaView, row: Int, threshold: LocalThreshold) {
        let width = picture.width
        threshold.fill(&line, row: row, width: width)
        edges.removeAll(keepingCapacity: true)
        let base = row * picture.stride
        var carry: UInt64 = 0
        var x = 0
        line.withUnsafeBytes { line in
            while x < width {
                var word: UInt64 = 0
                let count = min(64, width - x)
                if count == 64 {
                    for group in 0..<8 {
                        let pixels = picture.bytes.loadUnaligned(
                            fromByteOffset: base + x + 8 * group, as: UInt64.self)
                        let limits = line.loadUnaligned(fromByteOffset: x + 8 * group, as: UInt64.self)
                        let bits = lessBits(UInt64(littleEndian: pixels), UInt64(littleEndian: limits))
                        word |= bits << UInt64(8 * group)
                    }
                } else {
                    for offset in 0..<count where picture.bytes[base + x + offset] < line[x + offset] {
                        word |= 1 << UInt64(offset)
                    }
                }
                var changes = word ^ (word << 1 | carry)
                if count < 64 { changes &= (1 << UInt64(count)) - 1 }
                carry = word >> 63
                while changes != 0 {
                    edges.append(Int32(x + changes.trailingZeroBitCount))
                    changes &= changes - 1
                }
                x += 64
            }
        }
        if edges.count % 2 == 1 { edges.append(Int32(width)) }
    }
}

/// For eight bytes at once, bit n tells whether byte n of the first is less than that of the second.
@inline(__always)
private func lessBits(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let highs: UInt64 = 0x8080_8080_8080_8080
    // Bytes are subtracted without their highest bits, so that none borrows from the next; those decide where they differ.
    let difference = (a | highs) &- (b & ~highs)
    let less = ((~a & b) | (~(a ^ b) & ~difference)) & highs
    // Bit 0 of each byte is carried to the highest byte, at places that do not meet.
    return ((less &>> 7) &* 0x0102_0408_1020_4080) &>> 56
}
