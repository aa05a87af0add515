// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ImageKernels
import ScanTestSupport
import Testing

@Suite struct FingerprintTests {
    @Test func eachBitAndEachLengthCounts() {
        var generator = SeededGenerator(seed: 3)
        var seen: Set<UInt64> = []
        var changed = 0
        for count in 0...200 {
            var bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let before = print(bytes)
            #expect(before == print(bytes))
            seen.insert(before)
            for index in bytes.indices {
                bytes[index] ^= 1 << UInt8(index % 8)
                if print(bytes) != before { changed += 1 }
                bytes[index] ^= 1 << UInt8(index % 8)
            }
        }
        #expect(seen.count == 201)
        #expect(changed == (0...200).reduce(0, +))
        #expect(print([UInt8](repeating: 0, count: 64)) != print([UInt8](repeating: 0, count: 128)))
    }

    @Test func aSmallPatchOfALargeFrameIsSeen() {
        // YUYV of 1080p; a clock of 50x50 pixels, wherever it is.
        var generator = SeededGenerator(seed: 4)
        var frame = [UInt8](repeating: 90, count: 1920 * 1080 * 2)
        let before = print(frame)
        for _ in 0..<50 {
            let (left, top) = (Int.random(in: 0...1870, using: &generator), Int.random(in: 0...1030, using: &generator))
            func fill(_ value: UInt8) {
                for y in top..<top + 50 { for x in left * 2..<(left + 50) * 2 { frame[y * 3840 + x] = value } }
            }
            fill(91)
            #expect(print(frame) != before, "at \(left), \(top)")
            fill(90)
        }
        #expect(print(frame) == before)
    }

    @Test func noByteBehindTheEndIsRead() throws {
        for count in [1, 63, 64, 65, 4095, 500_001] {
            let bytes = try GuardedBytes([UInt8](repeating: 7, count: count))
            #expect(fingerprint(of: UnsafeRawBufferPointer(bytes.bytes)) == print([UInt8](repeating: 7, count: count)))
        }
    }

    private func print(_ bytes: [UInt8]) -> UInt64 { bytes.withUnsafeBytes { fingerprint(of: $0) } }
}
