// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ImageKernels
import LinuxSystem
import ScanModel
import Testing

@testable import Capture

/// How long a raw frame has to be: the same for who judges a buffer, and for who reads it.
@Suite struct RawLengthTests {
    private static let raw = ModeChoice.nativeFormats.filter { !$0.isJPEG } + ModeChoice.convertedFormats

    @Test(arguments: raw, [(6, 4), (7, 5), (1, 1), (16, 3)])
    func aFrameIsWholeForBothOrForNeither(_ code: FourCC, _ size: (Int, Int)) throws {
        let maker = try CameraFrameMaker(orientation: .upright)
        let pool = try FramePool(slotCount: 1, maximumPixels: 1 << 12)
        let stamp = FrameStamp(sequence: 0, monotonic: .now, time: .now)
        for padding in [0, 1, 10] {
            var format = NegotiatedFormat(
                width: size.0, height: size.1, code: code, bytesPerLine: 0, sizeImage: 4096
            ).withPlausibleRows
            format.bytesPerLine += padding
            let bytes = [UInt8](repeating: 100, count: 4096)
            var isRead: [Bool] = []
            for count in 0...format.fewestBytes + 20 {
                let buffer = DequeuedBuffer(index: 0, bytesUsed: count, isDamaged: false, timestamp: nil, sequence: 0)
                let isWhole = buffer.damage(as: format, room: 4096) == nil
                isRead.append(
                    bytes.withUnsafeBytes { all in
                        let some = UnsafeRawBufferPointer(rebasing: all.prefix(count))
                        return (try? maker.makeFrame(some, as: format, stamp: stamp, in: pool)) != nil
                    })
                #expect(isWhole == isRead.last, "\(code) \(size) + \(padding): \(count) bytes")
            }
            #expect(isRead.firstIndex(of: true) == format.fewestBytes)
        }
    }

    @Test func aLastRowWithoutItsPaddingIsNoDamage() throws {
        let camera = ScriptedCamera(formats: [PlayedFormat(.yuyv, [(16, 12)], [5])])
        camera.fewestBytesPerLine = 64
        for (bytes, isWhole) in [(64 * 11 + 32, true), (64 * 11 + 31, false)] {
            camera.picture = { index in
                var picture = PlayedPicture(UInt8(100 + index % 100))
                picture.bytesUsed = bytes
                return picture
            }
            let play = try CameraPlay(camera)
            play.until(3)
            #expect(play.frames().isEmpty != isWhole)
            #expect((play.counts.damagedFrames == 0) == isWhole)
        }
    }
}
