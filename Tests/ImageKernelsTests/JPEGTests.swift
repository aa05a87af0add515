// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ImageKernels
import ScanTestSupport
import Testing

@Suite struct JPEGTests {
    @Test func whatIsEncodedIsDecoded() throws {
        let picture = gradient(width: 61, height: 43)
        let bytes = try picture.withView { try JPEGEncoder.encode(luma: $0, quality: 95) }
        let header = try header(bytes)
        #expect(header.width == 61 && header.height == 43 && !header.isProgressive && !header.isCMYK)
        let decoded = try decode(bytes, width: 61, height: 43)
        #expect(zip(decoded, picture.pixels).allSatisfy { abs(Int($0) - Int($1)) <= 6 })
    }

    @Test func colourBecomesItsLuma() throws {
        // Red, green, blue, white in wide stripes; the middle of each.
        let stripes: [[UInt8]] = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255]]
        var pixels: [UInt8] = []
        for _ in 0..<32 { for stripe in stripes { for _ in 0..<32 { pixels += stripe } } }
        let bytes = try pixels.withUnsafeBytes {
            try JPEGEncoder.encode($0, layout: .rgb, width: 128, height: 32, stride: 384, quality: 95)
        }
        let luma = try decode(bytes, width: 128, height: 32)
        for (index, expected) in [76, 150, 29, 255].enumerated() {
            #expect(abs(Int(luma[16 * 128 + index * 32 + 16]) - expected) <= 4)
        }
    }

    @Test func inksBecomeLight() throws {
        // Adobe's inverted inks: nothing printed, only black printed, half of each colour.
        let patches: [[UInt8]] = [[255, 255, 255, 255], [255, 255, 255, 0], [128, 128, 128, 255]]
        var pixels: [UInt8] = []
        for _ in 0..<16 { for patch in patches { for _ in 0..<16 { pixels += patch } } }
        let bytes = try pixels.withUnsafeBytes {
            try JPEGEncoder.encode($0, layout: .cmyk, width: 48, height: 16, stride: 192, quality: 95)
        }
        #expect(try header(bytes).isCMYK)
        let luma = try decode(bytes, width: 48, height: 16)
        for (index, expected) in [255, 0, 128].enumerated() {
            #expect(abs(Int(luma[8 * 48 + index * 16 + 8]) - expected) <= 6)
        }
    }

    /// Fault A13: the library says "success" for some truncated headers.
    @Test func everyShortPrefixIsRefused() throws {
        let bytes = try sample()
        for count in 0...64 {
            #expect(throws: PictureError.self, "\(count) bytes") { try header(Array(bytes.prefix(count))) }
        }
    }

    /// Fault A11: half a frame must not pass for a picture that is grey below.
    @Test func everyCutPictureIsRefused() throws {
        let bytes = try sample()
        #expect(try decode(bytes, width: 160, height: 120).count == 160 * 120)
        for sixteenth in 0..<16 {
            let cut = Array(bytes.prefix(bytes.count * sixteenth / 16))
            #expect(throws: PictureError.self, "\(sixteenth)/16") { try decode(cut, width: 160, height: 120) }
        }
        let error = #expect(throws: PictureError.self) {
            try decode(Array(bytes.prefix(bytes.count / 2)), width: 160, height: 120)
        }
        #expect(error?.description.contains("ends before its picture does") == true)
    }

    /// Fault A11: a camera's frames come through one decoder, one after the other.
    @Test func aCutPictureDoesNotSpoilTheNextOne() throws {
        let bytes = try sample()
        let decoder = try JPEGDecoder()
        for count in 0..<bytes.count {
            #expect(throws: PictureError.self, "\(count) bytes") {
                var pixels = [UInt8](repeating: 0, count: 160 * 120)
                try bytes.prefix(count).withUnsafeBytes { bytes in
                    try pixels.withUnsafeMutableBytes {
                        try decoder.decodeLuma(bytes, into: $0, width: 160, height: 120)
                    }
                }
            }
            let header = try bytes.withUnsafeBytes { try decoder.header(of: $0) }
            #expect(header.width == 160 && header.height == 120, "after \(count) bytes")
        }
    }

    @Test func flippedBytesNeverCrash() throws {
        let bytes = try sample()
        var generator = SeededGenerator(seed: 11)
        var refused = 0
        for _ in 0..<1000 {
            var flipped = bytes
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                flipped[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            do { _ = try decode(flipped, width: 160, height: 120) } catch { refused += 1 }
        }
        // A byte of entropy-coded data can become another valid one; headers and lengths can not.
        #expect(refused > 100)
    }

    /// Fault A12: a frame header that claims 65500x65500.
    @Test func aLyingHeaderIsRefusedBeforeAllocation() throws {
        var bytes = try sample()
        let frame = try #require(bytes.indices.first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 })
        bytes.replaceSubrange(frame + 5..<frame + 9, with: [0xFF, 0xDC, 0xFF, 0xDC])
        #expect(throws: PictureError.tooLarge(width: 65_500, height: 65_500, limits: PictureLimits())) {
            try header(bytes)
        }
        #expect(throws: PictureError.self) { try decode(bytes, width: 160, height: 120) }
    }

    @Test func progressiveIsRefusedWhereACameraWouldSendIt() throws {
        let picture = gradient(width: 160, height: 120)
        let bytes = try picture.withView {
            try JPEGEncoder.encode(
                $0.bytes, layout: .luma, width: 160, height: 120, stride: 160, quality: 90, progressive: true)
        }
        #expect(try header(bytes).isProgressive)
        #expect(throws: PictureError.unsupported("a progressive JPEG is not read")) {
            try header(bytes, progressive: .refused)
        }
        #expect(try decode(bytes, width: 160, height: 120).count == 160 * 120)
        let cut = Array(bytes.prefix(bytes.count / 2))
        #expect(throws: PictureError.self) { try decode(cut, width: 160, height: 120) }
    }

    @Test func onePixelIsAPicture() throws {
        let bytes = try LumaBuffer(width: 1, height: 1, filledWith: 200).withView {
            try JPEGEncoder.encode(luma: $0, quality: 90)
        }
        #expect(try decode(bytes, width: 1, height: 1).first.map { abs(Int($0) - 200) <= 2 } == true)
    }

    private func sample() throws -> [UInt8] {
        try gradient(width: 160, height: 120).withView { try JPEGEncoder.encode(luma: $0, quality: 85) }
    }

    private func gradient(width: Int, height: Int) -> LumaBuffer {
        var picture = LumaBuffer(width: width, height: height)
        for y in 0..<height {
            for x in 0..<width { picture.pixels[y * width + x] = UInt8((x * 2 + y * 3 + (x / 8 & 1) * 40) & 255 / 2) }
        }
        return picture
    }

    private func header(
        _ bytes: [UInt8], progressive: JPEGDecoder.ProgressivePolicy = .limited
    ) throws -> JPEGHeader {
        let decoder = try JPEGDecoder()
        return try bytes.withUnsafeBytes { try decoder.header(of: $0, progressive: progressive) }
    }

    private func decode(_ bytes: [UInt8], width: Int, height: Int) throws -> [UInt8] {
        let decoder = try JPEGDecoder()
        var pixels = [UInt8](repeating: 0, count: width * height)
        try bytes.withUnsafeBytes { bytes in
            try pixels.withUnsafeMutableBytes {
                try decoder.decodeLuma(bytes, into: $0, width: width, height: height)
            }
        }
        return pixels
    }
}
