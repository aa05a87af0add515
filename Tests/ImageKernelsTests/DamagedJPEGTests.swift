// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ImageKernels
import ScanTestSupport
import Testing

/// Fault A11: what transfer makes of pictures, a thousand times each. A picture is refused or what was sent.
@Suite struct DamagedJPEGTests {
    private static let width = 320
    private static let height = 240

    private let whole: [UInt8]
    private let truth: [UInt8]
    private let dataStart: Int

    init() throws {
        let picture = try JPEGPictures.colour(Self.width, Self.height)
        let scan = try #require(picture.indices.dropLast().first { picture[$0] == 0xFF && picture[$0 + 1] == 0xDA })
        dataStart = scan + 2 + Int(picture[scan + 2]) << 8 + Int(picture[scan + 3])
        truth = try JPEGPictures.luma(picture, Self.width, Self.height)
        whole = picture
    }

    @Test func piecesThatAreLostAreMissed() throws {
        // 512 and 1024 are the payloads of packets at full and high speed.
        for size in [512, 1024] {
            let outcome = try damage(seed: 1, times: 300) { bytes, generator in
                let start = Int.random(in: dataStart..<bytes.count - size - 2, using: &generator)
                bytes.removeSubrange(start..<start + size)
            }
            #expect(outcome.accepted == 0, "\(size)")
        }
    }

    @Test func piecesThatComeTwiceAreTooMany() throws {
        let outcome = try damage(seed: 2, times: 300) { bytes, generator in
            let start = Int.random(in: dataStart..<bytes.count - 514, using: &generator)
            bytes.insert(contentsOf: bytes[start..<start + 512], at: start)
        }
        #expect(outcome.accepted == 0)
    }

    @Test func piecesThatAreEmptyAreNoPicture() throws {
        let outcome = try damage(seed: 3, times: 300) { bytes, generator in
            let start = Int.random(in: dataStart..<bytes.count - 514, using: &generator)
            for index in start..<start + 512 { bytes[index] = 0 }
        }
        #expect(outcome.accepted == 0)
    }

    @Test func cutsAnywhereAreMissedThoughAnEndFollows() throws {
        let outcome = try damage(seed: 4, times: 1000) { bytes, generator in
            bytes.removeSubrange(Int.random(in: dataStart..<bytes.count - 8, using: &generator)..<bytes.count - 2)
        }
        #expect(outcome.accepted == 0)
    }

    /// A JPEG has no check sum: a byte that becomes another one can still be a picture. USB does not let such bytes pass,
    /// so that this is for cables and memory that are broken. Of those that pass, few may lose what was there.
    @Test func changedBytesRarelyHideAnything() throws {
        let outcome = try damage(seed: 5, times: 1000) { bytes, generator in
            bytes[Int.random(in: dataStart..<bytes.count - 2, using: &generator)] = .random(
                in: 0...255, using: &generator)
        }
        print("of 1000 pictures with one byte changed, \(outcome.accepted) pass, \(outcome.greyed) with a block greyed")
        #expect(outcome.greyed <= 30)
        #expect(outcome.mostGrey <= 40)
        let several = try damage(seed: 6, times: 1000) { bytes, generator in
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                bytes[Int.random(in: 2..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
            }
        }
        print("with up to 8 bytes changed anywhere, \(several.accepted) pass, \(several.greyed) with a block greyed")
        #expect(several.greyed <= 30)
    }

    private struct Outcome {
        /// Pictures that were decoded, those of them with a block that is grey and was not, and the most of such blocks.
        var accepted = 0
        var greyed = 0
        var mostGrey = 0
    }

    private func damage(
        seed: UInt64, times: Int, _ change: (inout [UInt8], inout SeededGenerator) -> Void
    ) throws -> Outcome {
        var outcome = Outcome()
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<times {
            var bytes = whole
            change(&bytes, &generator)
            guard bytes != whole, let luma = try? JPEGPictures.luma(bytes, Self.width, Self.height) else { continue }
            outcome.accepted += 1
            let grey = greyBlocks(luma)
            if grey > 0 { outcome.greyed += 1 }
            outcome.mostGrey = max(outcome.mostGrey, grey)
        }
        return outcome
    }

    /// Blocks that are flat and were not.
    private func greyBlocks(_ luma: [UInt8]) -> Int {
        func range(_ pixels: [UInt8], _ left: Int, _ top: Int) -> Int {
            var (low, high) = (255, 0)
            for y in top..<top + 8 {
                for x in left..<left + 8 {
                    low = min(low, Int(pixels[y * Self.width + x]))
                    high = max(high, Int(pixels[y * Self.width + x]))
                }
            }
            return high - low
        }
        var count = 0
        for top in stride(from: 0, to: Self.height, by: 8) {
            for left in stride(from: 0, to: Self.width, by: 8)
            where range(luma, left, top) <= 3 && range(truth, left, top) >= 40 { count += 1 }
        }
        return count
    }
}
