// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ImageKernels
import ScanTestSupport
import Testing

@Suite struct PictureFileTests {
    private let jpeg: JPEGDecoder

    init() throws { jpeg = try JPEGDecoder() }

    @Test func pngOfEveryDepthBecomesEightBits() throws {
        func read(_ depth: UInt8, _ rows: [[UInt8]]) throws -> [UInt8] {
            try luma(HandMadePicture.png(width: 3, height: 2, depth: depth, rows: rows)).pixels
        }
        #expect(try read(1, [[0b1010_0000], [0b0110_0000]]) == [255, 0, 255, 0, 255, 255])
        #expect(try read(2, [[0b0001_1000], [0b1111_0000]]) == [0, 85, 170, 255, 255, 0])
        #expect(try read(4, [[0x0F, 0x80], [0xF0, 0x10]]) == [0, 255, 136, 255, 0, 17])
        #expect(try read(8, [[1, 2, 3], [4, 5, 6]]) == [1, 2, 3, 4, 5, 6])
        #expect(try read(16, [[0, 9, 128, 9, 255, 9], [1, 0, 2, 0, 3, 0]]) == [0, 128, 255, 1, 2, 3])
    }

    @Test func pngInColourBecomesLuma() throws {
        let rgb = HandMadePicture.png(
            width: 3, height: 2, colour: .rgb,
            rows: [[255, 0, 0, 0, 255, 0, 0, 0, 255], [255, 255, 255, 0, 0, 0, 100, 100, 100]])
        #expect(try luma(rgb).pixels == [77, 149, 29, 255, 0, 100])
        let palette = HandMadePicture.png(
            width: 3, height: 1, colour: .palette, rows: [[2, 0, 1]],
            extra: [("PLTE", [255, 0, 0, 0, 255, 0, 255, 255, 255])])
        #expect(try luma(palette).pixels == [255, 77, 149])
    }

    @Test func whatIsTransparentShowsWhite() throws {
        let rgba = HandMadePicture.png(
            width: 3, height: 1, colour: .rgba, rows: [[0, 0, 0, 0, 0, 0, 0, 255, 0, 0, 0, 128]])
        #expect(try luma(rgba).pixels == [255, 0, 127])
        let grey = HandMadePicture.png(width: 2, height: 1, colour: .greyAlpha, rows: [[10, 255, 10, 0]])
        #expect(try luma(grey).pixels == [10, 255])
        let palette = HandMadePicture.png(
            width: 2, height: 1, colour: .palette, rows: [[0, 1]],
            extra: [("PLTE", [0, 0, 0, 0, 0, 0]), ("tRNS", [0, 255])])
        #expect(try luma(palette).pixels == [255, 0])
    }

    @Test func theOtherKindsAreRead() throws {
        #expect(try luma(HandMadePicture.pgm(width: 3, height: 1, pixels: [7, 8, 9])).pixels == [7, 8, 9])
        let ppm = Array("P6 2 1 255\n".utf8) + [255, 0, 0, 0, 0, 255]
        #expect(try luma(ppm).pixels == [77, 29])
        let pbm = Array("P4\n# a comment\n10 1\n".utf8) + [0b1000_0000, 0b0100_0000]
        #expect(try luma(pbm).pixels == [0, 255, 255, 255, 255, 255, 255, 255, 255, 0])
        #expect(try luma(Array("P2\n3 1\n255\n1 20 255\n".utf8)).pixels == [1, 20, 255])
        #expect(try luma(Array("P3\n1 1\n255\n0 0 255\n".utf8)).pixels == [29])
        #expect(try luma(Array("P1\n3 1\n1 0 1\n".utf8)).pixels == [0, 255, 0])
        #expect(try luma(HandMadePicture.tiff(width: 3, height: 1, data: [1, 2, 3])).pixels == [1, 2, 3])
        let deep = HandMadePicture.tiff(width: 2, height: 1, depth: 16, data: [9, 1, 9, 200])
        #expect(try luma(deep).pixels == [1, 200])
        #expect(try luma(HandMadePicture.webp).pixels == [0, 255, 255, 255, 255, 77])
    }

    @Test func onePixelIsAPicture() throws {
        #expect(try luma(HandMadePicture.png(width: 1, height: 1, rows: [[42]])).pixels == [42])
        #expect(try luma(HandMadePicture.pgm(width: 1, height: 1, pixels: [43])).pixels == [43])
    }

    @Test func aHugePictureIsRefusedByItsHeader() {
        // A bomb: the pixels are not even there, so a refusal for any other reason would show.
        let expected = PictureError.tooLarge(width: 20_000, height: 20_000, limits: PictureLimits())
        let png = HandMadePicture.png(width: 20_000, height: 20_000, rows: [[0]])
        let pgm = Array("P5 20000 20000 255\n".utf8) + [0]
        let tiff = HandMadePicture.tiff(width: 20_000, height: 20_000, data: [0])
        for file in [png, pgm, tiff] { #expect(throws: expected) { try luma(file) } }
        let narrow = HandMadePicture.png(width: 16_385, height: 1, rows: [[0]])
        #expect(throws: PictureError.tooLarge(width: 16_385, height: 1, limits: PictureLimits())) { try luma(narrow) }
        let small = PictureLimits(maximumPixels: 5)
        #expect(throws: PictureError.tooLarge(width: 3, height: 2, limits: small)) {
            try luma(HandMadePicture.webp, limits: small)
        }
    }

    @Test func whatIsNoPictureIsRefused() {
        #expect(throws: PictureError.empty) { try luma([]) }
        #expect(throws: PictureError.unknownKind) { try luma(Array("a shopping list\n".utf8)) }
        #expect(throws: PictureError.unknownKind) { try luma(Array("GIF89a\u{1}\u{0}\u{1}\u{0}".utf8)) }
        #expect(throws: PictureError.self) { try luma(Array("P5 0 4 255\n".utf8)) }
        #expect(throws: PictureError.self) { try luma(Array("P5\n".utf8)) }
    }

    @Test func anAnimatedWebPIsCalledSo() throws {
        // The extended header with its animation bit, then the animation's own (WebP container specification).
        let extended = Array("VP8X".utf8) + [10, 0, 0, 0, 0x02, 0, 0, 0, 15, 0, 0, 15, 0, 0]
        let animation = Array("ANIM".utf8) + [6, 0, 0, 0, 255, 255, 255, 255, 0, 0]
        let body = Array("WEBP".utf8) + extended + animation
        let file = Array("RIFF".utf8) + [UInt8(body.count), 0, 0, 0] + body
        #expect(throws: PictureError.unsupported("an animated WebP is not read")) { try luma(file) }
        #expect(PictureError.unsupported("an animated WebP is not read").description == "an animated WebP is not read")
    }

    @Test func everyCutPictureIsRefused() throws {
        var generator = SeededGenerator(seed: 3)
        let pixels = (0..<64 * 48).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let rows = (0..<48).map { Array(pixels[$0 * 64..<$0 * 64 + 64]) }
        let colour = (0..<64 * 48 * 3).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let files = [
            ("png", HandMadePicture.png(width: 64, height: 48, rows: rows)),
            ("pgm", HandMadePicture.pgm(width: 64, height: 48, pixels: pixels)),
            ("plain pgm", Array(("P2\n64 48\n255\n" + pixels.map { "\($0) " }.joined()).utf8)),
            ("ppm", Array("P6 64 48 255\n".utf8) + colour),
            ("tiff", HandMadePicture.tiff(width: 64, height: 48, data: pixels)),
            ("colour tiff", HandMadePicture.tiff(width: 64, height: 48, samples: 3, data: colour)),
            ("webp", HandMadePicture.webp),
        ]
        for (name, file) in files {
            _ = try luma(file)
            for sixteenth in 0..<16 {
                let cut = Array(file.prefix(file.count * sixteenth / 16))
                #expect(throws: PictureError.self, "\(name), \(sixteenth)/16") { _ = try luma(cut) }
            }
        }
    }

    @Test func flippedBytesNeverCrash() throws {
        var generator = SeededGenerator(seed: 5)
        let pixels = (0..<16 * 16).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let files = [
            HandMadePicture.png(width: 16, height: 16, rows: (0..<16).map { Array(pixels[$0 * 16..<$0 * 16 + 16]) }),
            HandMadePicture.pgm(width: 16, height: 16, pixels: pixels),
            HandMadePicture.tiff(width: 16, height: 16, data: pixels), HandMadePicture.webp,
        ]
        var refused = 0
        for file in files {
            for _ in 0..<500 {
                var flipped = file
                for _ in 0..<Int.random(in: 1...4, using: &generator) {
                    let at = Int.random(in: 0..<min(file.count, 200), using: &generator)
                    flipped[at] = .random(in: 0...255, using: &generator)
                }
                do { _ = try luma(flipped) } catch { refused += 1 }
            }
        }
        #expect(refused > 500)
    }

    private func luma(_ file: [UInt8], limits: PictureLimits = PictureLimits()) throws -> LumaBuffer {
        try file.withUnsafeBytes { try PictureFile($0, limits: limits, jpeg: jpeg).luma(jpeg: jpeg) }
    }
}
