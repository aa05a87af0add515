// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ImageKernels
import ScanModel
import ScanTestSupport
import Testing

private func small(_ picture: LumaBuffer, _ width: Int, _ height: Int) -> LumaBuffer {
    var result = LumaBuffer(width: width, height: height)
    let isDone = result.pixels.withUnsafeMutableBytes { pixels in
        picture.withView { $0.small(width: width, height: height, into: pixels) }
    }
    #expect(isDone)
    return result
}

@Test(arguments: [(4, 37, 23), (4, 64, 9), (3, 41, 17), (1, 20, 20), (2, 33, 5), (7, 11, 3), (100, 2, 2)])
func eachSmallPixelIsTheMeanOfASquare(factor: Int, width: Int, height: Int) {
    var random = SeededGenerator(seed: 8)
    // Some are left over at the right and at the bottom.
    var picture = LumaBuffer(
        width: width * factor + min(factor / 2, width - 1), height: height * factor + min(factor / 3, height - 1))
    for index in picture.pixels.indices { picture.pixels[index] = UInt8.random(in: 0...255, using: &random) }
    let result = small(picture, width, height)
    for y in 0..<height {
        for x in 0..<width {
            var sum = 0
            for row in 0..<factor {
                for column in 0..<factor {
                    sum += Int(picture.pixels[(y * factor + row) * picture.width + x * factor + column])
                }
            }
            let area = factor * factor
            #expect(Int(result.pixels[y * width + x]) == (sum + area / 2) / area)
        }
    }
}

@Test func aSmallPictureOfAnotherShapeIsMadeToo() {
    let result = small(LumaBuffer(width: 100, height: 100, filledWith: 77), 40, 33)
    #expect(result.pixels.allSatisfy { $0 == 77 })
}

@Test func aSmallPictureNeedsRoomAndASmallerSize() {
    var room = [UInt8](repeating: 0, count: 10)
    room.withUnsafeMutableBytes { room in
        LumaBuffer(width: 8, height: 8).withView { view in
            #expect(!view.small(width: 4, height: 4, into: room))
            #expect(!view.small(width: 0, height: 4, into: room))
            #expect(!view.small(width: 9, height: 1, into: room))
            #expect(view.small(width: 3, height: 3, into: room))
        }
    }
}

/// 1080p and 720p at the sizes that motion is followed in, and sizes that no factor divides.
@Test(arguments: [
    (1920, 1080, 480, 270), (1280, 720, 426, 240), (646, 363, 161, 90), (320, 200, 320, 200), (1100, 90, 110, 9),
])
func aJPEGComesSmallAsItsLumaWould(width: Int, height: Int, smallWidth: Int, smallHeight: Int) throws {
    let jpeg = try JPEGPictures.colour(width, height)
    let decoder = try JPEGDecoder()
    var whole = LumaBuffer(width: width, height: height)
    var direct = LumaBuffer(width: smallWidth, height: smallHeight)
    try jpeg.withUnsafeBytes { bytes in
        try whole.pixels.withUnsafeMutableBytes {
            try decoder.decodeLuma(bytes, into: $0, width: width, height: height)
        }
        try direct.pixels.withUnsafeMutableBytes {
            try decoder.decodeSmall(
                bytes, width: width, height: height, smallWidth: smallWidth, smallHeight: smallHeight, into: $0)
        }
    }
    let expected = small(whole, smallWidth, smallHeight)
    let differences = zip(direct.pixels, expected.pixels).map { abs(Int($0) - Int($1)) }.sorted()
    #expect(differences[differences.count * 99 / 100] <= 3)
    #expect(differences.reduce(0, +) <= differences.count)
    #expect((differences.last ?? 0) <= 12)
}

@Test func aSmallJPEGNeedsRoomAndTheRightSize() throws {
    let jpeg = try JPEGPictures.colour(64, 64)
    let decoder = try JPEGDecoder()
    var room = [UInt8](repeating: 0, count: 256)
    try jpeg.withUnsafeBytes { bytes in
        try room.withUnsafeMutableBytes { room in
            try decoder.decodeSmall(bytes, width: 64, height: 64, smallWidth: 16, smallHeight: 16, into: room)
            #expect(throws: PictureError.self) {
                try decoder.decodeSmall(bytes, width: 64, height: 64, smallWidth: 17, smallHeight: 17, into: room)
            }
            #expect(throws: PictureError.self) {
                try decoder.decodeSmall(bytes, width: 64, height: 60, smallWidth: 16, smallHeight: 15, into: room)
            }
            #expect(throws: PictureError.self) {
                let cut = UnsafeRawBufferPointer(rebasing: bytes[0..<(bytes.count * 2 / 3)])
                try decoder.decodeSmall(cut, width: 64, height: 64, smallWidth: 16, smallHeight: 16, into: room)
            }
        }
    }
}
