// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ImageKernels
import LinuxSystem
import ScanModel
import ScanTestSupport
import Testing

@testable import Capture

/// What becomes of a camera's buffers.
@Suite struct CameraFrameMakerTests {
    private static let stamp = FrameStamp(
        sequence: 1, monotonic: MonotonicTime(nanoseconds: 0), time: WallTime(milliseconds: 0))

    @Test(arguments: ["GREY", "YUYV", "UYVY", "YVYU", "NV12", "NV21", "YU12", "YV12", "Y16", "RGB3"])
    func aRawFormatIsLumaAtOnce(name: String) throws {
        let code = try #require(FourCC(name))
        let pool = try FramePool(slotCount: 1, maximumPixels: 4096)
        let maker = try CameraFrameMaker(orientation: .upright)
        let (bytes, format) = Self.raw(code, width: 6, height: 4)
        let frame = try bytes.withUnsafeBytes { try maker.makeFrame($0, as: format, stamp: Self.stamp, in: pool) }
        #expect(frame.isDeveloped && pool.freeCount == 0)
        let expected: [UInt8] = (0..<24).map { UInt8(10 * $0 + 5) }
        #expect(frame.withLuma { Array($0.bytes.prefix(24)) } == expected)
        // libv4l2 makes RGB3 where a camera has nothing better; a camera's own is left to it.
        #expect(CameraFrameMaker.reads(code) == (name != "RGB3"))
        #expect(throws: FrameFault.noSlot) {
            try bytes.withUnsafeBytes { _ = try maker.makeFrame($0, as: format, stamp: Self.stamp, in: pool) }
        }
        // Fault A10.
        for count in [0, 1, bytes.count - 1] {
            #expect(throws: FrameFault.self) {
                try bytes[..<count].withUnsafeBytes {
                    _ = try maker.makeFrame($0, as: format, stamp: Self.stamp, in: pool)
                }
            }
        }
        let brightness = bytes.withUnsafeBytes { maker.brightness(of: $0, as: format) }
        #expect(brightness == 235)
        #expect(bytes.dropLast().withUnsafeBytes { maker.brightness(of: $0, as: format) } == nil)
    }

    @Test func formatsThatAreNotReadAreCalledByName() throws {
        let pool = try FramePool(slotCount: 1, maximumPixels: 4096)
        let maker = try CameraFrameMaker(orientation: .upright)
        let code = try #require(FourCC("H264"))
        let format = NegotiatedFormat(width: 6, height: 4, code: code, bytesPerLine: 0, sizeImage: 96)
        #expect(!CameraFrameMaker.reads(code) && CameraFrameMaker.reads(.mjpg) && CameraFrameMaker.reads(.jpeg))
        #expect(throws: FrameFault.damaged("frames of the format H264 are not read")) {
            try [UInt8](repeating: 0, count: 96).withUnsafeBytes {
                _ = try maker.makeFrame($0, as: format, stamp: Self.stamp, in: pool)
            }
        }
    }

    @Test func framesAreTurnedAsTheOptionsSay() throws {
        let orientation = Orientation(turn: .quarter, isMirrored: true)
        let pool = try FramePool(slotCount: 2, maximumPixels: 1 << 16)
        let maker = try CameraFrameMaker(orientation: orientation)
        let (bytes, format) = Self.raw(.yuyv, width: 6, height: 4)
        let raw = try bytes.withUnsafeBytes { try maker.makeFrame($0, as: format, stamp: Self.stamp, in: pool) }
        #expect((raw.width, raw.height) == (4, 6))
        #expect(raw.withLuma { [$0[0, 0], $0[1, 0], $0[0, 1]] } == [5, 65, 15])

        let picture = Self.picture(width: 96, height: 64)
        let camera = try Camera(picture)
        let frame = try camera.frame(maker, pool)
        #expect((frame.width, frame.height) == (64, 96))
        try frame.develop()
        var expected = [UInt8](repeating: 0, count: 96 * 64)
        let upright = try camera.decoded()
        expected.withUnsafeMutableBytes { buffer in upright.withView { orientation.write($0, into: buffer) } }
        #expect(frame.withLuma { Array($0.bytes.prefix(96 * 64)) } == expected)
    }

    @Test func aJPEGIsKeptAndDecodedWhenItIsWanted() throws {
        let pool = try FramePool(slotCount: 1, maximumPixels: 1 << 16)
        let maker = try CameraFrameMaker(orientation: .upright)
        var camera = try Camera(Self.picture(width: 96, height: 64))
        let frame = try camera.frame(maker, pool)
        #expect((frame.width, frame.height) == (96, 64))
        #expect(!frame.isDeveloped && pool.freeCount == 1)
        let expected = try camera.decoded().pixels
        // The driver has its buffer back.
        camera.bytes = [UInt8](repeating: 0, count: camera.bytes.count)
        try frame.develop()
        #expect(frame.withLuma { Array($0.bytes.prefix(96 * 64)) } == expected)
    }

    @Test func damageIsFoundAtOnceOrWhenItIsDecoded() throws {
        let pool = try FramePool(slotCount: 1, maximumPixels: 1 << 16)
        let maker = try CameraFrameMaker(orientation: .upright)
        let whole = try Camera(Self.picture(width: 96, height: 64))
        var camera = whole
        camera.bytes.removeLast(2)
        #expect(throws: FrameFault.damaged("the picture is damaged: the JPEG ends before its picture does")) {
            _ = try camera.frame(maker, pool)
        }
        #expect(camera.brightness(maker) == nil)
        camera = whole
        camera.format.width = 640
        #expect(throws: FrameFault.damaged("the picture is damaged: 96x64 pixels where 640x64 were expected")) {
            _ = try camera.frame(maker, pool)
        }
        camera = whole
        camera.bytes.removeSubrange(camera.bytes.count - 90..<camera.bytes.count - 30)
        let frame = try camera.frame(maker, pool)
        let fault = #expect(throws: FrameFault.self) { try frame.develop() }
        guard case .damaged(let reason) = fault else { return }
        #expect(reason.contains("the JPEG's data"))
        #expect(pool.freeCount == 1)
    }

    /// Fault A30: whoever holds frames costs memory up to a limit, and no more.
    @Test func framesThatAreHeldLeaveNoBufferForOthers() throws {
        let pool = try FramePool(slotCount: 2, maximumPixels: 1 << 16)
        let maker = try CameraFrameMaker(orientation: .upright)
        let camera = try Camera(Self.picture(width: 96, height: 64))
        var held = try (0..<CompressedBuffers.limit).map { _ in try camera.frame(maker, pool) }
        #expect(throws: FrameFault.noSlot) { _ = try camera.frame(maker, pool) }
        // A frame that was developed needs its bytes no more.
        try held[0].develop()
        held.append(try camera.frame(maker, pool))
        #expect(throws: FrameFault.noSlot) { _ = try camera.frame(maker, pool) }
        held.removeLast()
        held.append(try camera.frame(maker, pool))
    }

    @Test func tenThousandFramesTakeNoMoreThanTheFirst() throws {
        let pool = try FramePool(slotCount: 3, maximumPixels: 1 << 16)
        let maker = try CameraFrameMaker(orientation: .upright)
        let camera = try Camera(Self.picture(width: 96, height: 64))
        let (bytes, format) = Self.raw(.nv12, width: 96, height: 64)
        var newest: [Frame] = []
        var developed = 0
        for number in 0..<10_000 {
            let frame =
                number % 4 == 3
                ? try bytes.withUnsafeBytes { try maker.makeFrame($0, as: format, stamp: Self.stamp, in: pool) }
                : try camera.frame(maker, pool)
            if number % 10 == 0 {
                try frame.develop()
                developed += 1
            }
            newest.append(frame)
            if newest.count > 2 { newest.removeFirst() }
            #expect(pool.freeCount >= 1)
        }
        newest = []
        #expect(pool.freeCount == 3 && developed == 1000)
    }

    @Test func buffersGrowOnlyAsFarAsPicturesDo() throws {
        let buffers = CompressedBuffers()
        #expect(buffers.byteCount == 0)
        for _ in 0..<1000 {
            let one = try #require(buffers.lease(1000))
            let two = try #require(buffers.lease(300_000))
            #expect(one.bytes.count == 1000 && two.writableBytes.count == 300_000 && buffers.usedCount == 2)
        }
        #expect(buffers.usedCount == 0)
        #expect(buffers.byteCount <= 2 * 327_680)
        #expect(buffers.lease(CompressedBuffers.maximumBytes + 1) == nil)
        #expect(buffers.lease(CompressedBuffers.maximumBytes)?.bytes.count == CompressedBuffers.maximumBytes)
    }

    @Test func brightnessAndHashTellPicturesApart() throws {
        let maker = try CameraFrameMaker(orientation: .upright)
        let dark = try Camera(LumaBuffer(width: 96, height: 64, filledWith: 4))
        let bright = try Camera(Self.picture(width: 96, height: 64))
        #expect(dark.brightness(maker).map { (3...5).contains($0) } == true)
        #expect(bright.brightness(maker).map { $0 > 200 } == true)
        #expect(dark.hash(maker) == dark.hash(maker) && dark.hash(maker) != bright.hash(maker))
    }

    // MARK: - Pictures

    /// A camera that shows one picture as MJPG.
    private struct Camera {
        var bytes: [UInt8]
        var format: NegotiatedFormat

        init(_ picture: LumaBuffer) throws {
            bytes = try picture.withView { try JPEGEncoder.encode(luma: $0, quality: 90) }
            format = NegotiatedFormat(
                width: picture.width, height: picture.height, code: .mjpg, bytesPerLine: 0, sizeImage: bytes.count)
        }

        func frame(_ maker: CameraFrameMaker, _ pool: FramePool) throws -> Frame {
            try bytes.withUnsafeBytes {
                try maker.makeFrame($0, as: format, stamp: CameraFrameMakerTests.stamp, in: pool)
            }
        }

        func decoded() throws -> LumaBuffer {
            let decoder = try JPEGDecoder()
            return try bytes.withUnsafeBytes { try PictureFile($0, jpeg: decoder).luma(jpeg: decoder) }
        }

        func brightness(_ maker: CameraFrameMaker) -> UInt8? {
            bytes.withUnsafeBytes { maker.brightness(of: $0, as: format) }
        }

        func hash(_ maker: CameraFrameMaker) -> UInt64 { bytes.withUnsafeBytes { maker.hash(of: $0) } }
    }

    private static func picture(width: Int, height: Int) -> LumaBuffer {
        var picture = LumaBuffer(width: width, height: height)
        for y in 0..<height {
            for x in 0..<width { picture.pixels[y * width + x] = (x / 8 + y / 8) % 2 == 0 ? 230 : UInt8(x) }
        }
        return picture
    }

    /// A frame whose pixel n has the luma 10 n + 5, grey in colour, with 10 bytes behind each row.
    private static func raw(_ code: FourCC, width: Int, height: Int) -> ([UInt8], NegotiatedFormat) {
        func luma(_ pixel: Int) -> UInt8 { UInt8(truncatingIfNeeded: 10 * pixel + 5) }
        let pixel: (Int) -> [UInt8]
        var chroma = 0
        switch code.description {
        case "YUYV", "YVYU": pixel = { [luma($0), 128] }
        case "UYVY": pixel = { [128, luma($0)] }
        case "Y16": pixel = { [99, luma($0)] }
        case "RGB3": pixel = { [UInt8](repeating: luma($0), count: 3) }
        case "GREY": pixel = { [luma($0)] }
        default:
            pixel = { [luma($0)] }
            chroma = height / 2
        }
        var bytes: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width { bytes += pixel(y * width + x) }
            bytes += [UInt8](repeating: 0xEE, count: 10)
        }
        let line = bytes.count / height
        bytes += [UInt8](repeating: 128, count: chroma * line)
        // What is behind the last row need not be there: 10 bytes, or 5 of a plane with rows of half the length.
        bytes.removeLast(code == .yu12 || code == .yv12 ? 5 : 10)
        let format = NegotiatedFormat(
            width: width, height: height, code: code, bytesPerLine: line, sizeImage: bytes.count)
        return (bytes, format)
    }
}
