// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ImageKernels
import Testing

@Suite struct ExifOrientationTests {
    /// What a picture of the rows "ab", "cd" looks like when it is turned as the value says.
    static let seen: [(UInt16, String)] = [
        (1, "ab/cd"), (2, "ba/dc"), (3, "dc/ba"), (4, "cd/ab"), (5, "ac/bd"), (6, "ca/db"), (7, "db/ca"), (8, "bd/ac"),
    ]

    @Test(arguments: seen) func everyValueTurnsThePictureAsEXIFSays(value: UInt16, rows: String) throws {
        let orientation = try #require(Orientation(exif: Int(value)))
        let picture = try #require(LumaBuffer(pixels: Array("abcd".utf8), width: 2, height: 2))
        var turned = LumaBuffer(width: 2, height: 2)
        picture.withView { view in turned.pixels.withUnsafeMutableBytes { orientation.write(view, into: $0) } }
        let text = String(decoding: turned.pixels, as: UTF8.self)
        #expect(text.prefix(2) + "/" + text.suffix(2) == rows)
    }

    @Test func otherValuesSayNothing() {
        for value in [0, 9, -1, 65_535] { #expect(Orientation(exif: value) == nil) }
    }

    @Test(arguments: 1...8) func everyKindOfFileTellsIt(value: Int) throws {
        let orientation = try #require(Orientation(exif: value))
        let exif = HandMadePicture.exif(orientation: UInt16(value))
        let name = Array("Exif".utf8) + [0, 0]
        let jpeg = try plainJPEG()
        let files = [
            HandMadePicture.jpeg(jpeg, app1: name + exif),
            HandMadePicture.jpeg(
                jpeg, app1: name + HandMadePicture.exif(orientation: UInt16(value), isBigEndian: true)),
            // Another APP1 stands before it.
            HandMadePicture.jpeg(
                HandMadePicture.jpeg(jpeg, app1: name + exif), app1: Array("http://ns.adobe.com/xap/1.0/".utf8) + [0]),
            HandMadePicture.png(width: 2, height: 1, rows: [[1, 2]], extra: [("eXIf", exif)]),
            HandMadePicture.tiff(width: 2, height: 1, orientation: UInt16(value), data: [1, 2]),
            webp(exif), webp(name + exif),
        ]
        for (index, file) in files.enumerated() { #expect(try read(file).orientation == orientation, "file \(index)") }
    }

    @Test func aFileWithoutItIsUpright() throws {
        let jpeg = try plainJPEG()
        for file in [
            jpeg, HandMadePicture.jpeg(jpeg, app1: Array("Exif".utf8) + [0, 0]),
            HandMadePicture.png(width: 2, height: 1, rows: [[1, 2]]), HandMadePicture.webp,
            HandMadePicture.tiff(width: 2, height: 1, orientation: 9, data: [1, 2]),
            HandMadePicture.pgm(width: 2, height: 1, pixels: [1, 2]),
        ] { #expect(try read(file).orientation == .upright) }
    }

    /// Live sources take the pixels as they are stored; so must every kind of file, TIFF too, whose library would turn it.
    @Test(arguments: 1...8) func pixelsAreDecodedAsTheyAreStored(value: Int) throws {
        let file = HandMadePicture.tiff(width: 3, height: 2, orientation: UInt16(value), data: [1, 2, 3, 4, 5, 6])
        let picture = try read(file)
        #expect(picture.width == 3 && picture.height == 2)
        #expect(picture.pixels == [1, 2, 3, 4, 5, 6])
    }

    @Test func cutAndFlippedBlocksNeverCrash() throws {
        let jpeg = try plainJPEG()
        let exif = HandMadePicture.exif(orientation: 6)
        for count in 0...exif.count {
            let block = Array("Exif".utf8) + [0, 0] + exif[..<count]
            let orientation = try read(HandMadePicture.jpeg(jpeg, app1: block)).orientation
            #expect(orientation == .upright || orientation == Orientation(exif: 6))
        }
        for position in exif.indices {
            for value: UInt8 in [0, 1, 0x7F, 0xFF] {
                var flipped = exif
                flipped[position] = value
                _ = try read(HandMadePicture.jpeg(jpeg, app1: Array("Exif".utf8) + [0, 0] + flipped)).orientation
                _ = try read(webp(flipped)).orientation
            }
        }
    }

    private func plainJPEG() throws -> [UInt8] {
        try LumaBuffer(width: 24, height: 16, filledWith: 99).withView { try JPEGEncoder.encode(luma: $0, quality: 90) }
    }

    private func webp(_ exif: [UInt8]) -> [UInt8] {
        func word(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
        func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
            Array(name.utf8) + word(content.count) + content + (content.count % 2 == 1 ? [0] : [])
        }
        // The extended header says that EXIF follows, and the size less one: 3x2.
        let chunks =
            chunk("VP8X", [0x08, 0, 0, 0, 2, 0, 0, 1, 0, 0]) + HandMadePicture.webp[12...] + chunk("EXIF", exif)
        return Array("RIFF".utf8) + word(chunks.count + 4) + Array("WEBP".utf8) + chunks
    }

    private func read(
        _ file: [UInt8]
    ) throws -> (orientation: Orientation, width: Int, height: Int, pixels: [UInt8]) {
        try file.withUnsafeBytes { bytes in
            let jpeg = try JPEGDecoder()
            let picture = try PictureFile(bytes, jpeg: jpeg)
            return (picture.orientation, picture.width, picture.height, try picture.luma(jpeg: jpeg).pixels)
        }
    }
}
