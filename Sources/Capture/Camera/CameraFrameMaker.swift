// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ImageKernels
internal import LinuxSystem
internal import ScanModel

/// Makes frames of a camera's buffers.
///
/// Raw formats become luma in a slot at once, which costs no more than to copy them. A JPEG is looked through from marker
/// to marker, its bytes are kept, and it is decoded when somebody looks at the frame.
///
/// Confined to the capture thread; its frames are not. The bytes are only read during the call.
final class CameraFrameMaker {
    private let orientation: Orientation
    private let writer: FrameWriter
    private let buffers = CompressedBuffers()
    // Of its own, and locked: frames are developed on another thread, while this one goes on.
    private let developer: Monitor<FrameWriter>
    private let thumbnails: JPEGDecoder

    /// Throws `noRoom` when the JPEG library has no memory for its state.
    init(orientation: Orientation) throws(PictureError) {
        let limits = PictureLimits(maximumPixels: FramePool.maximumPixels, maximumSide: FramePool.maximumSide)
        self.orientation = orientation
        writer = try FrameWriter(orientation: orientation, limits: limits)
        developer = Monitor(try FrameWriter(orientation: orientation, limits: limits))
        thumbnails = try JPEGDecoder()
    }

    /// Whether frames of this format can be read without libv4l2.
    static func reads(_ format: FourCC) -> Bool { format.isJPEG || native.contains(format) }

    private static let native: Set<FourCC> = [.grey, .yuyv, .uyvy, .yvyu, .nv12, .nv21, .yu12, .yv12, .y16]

    /// Makes a frame of a buffer's used bytes; of those formats too that libv4l2 converts to, YU12 and RGB3.
    ///
    /// The frame of a JPEG is to be developed, and throws `damaged` then where its data is not whole.
    func makeFrame(
        _ bytes: UnsafeRawBufferPointer, as format: NegotiatedFormat, stamp: FrameStamp, in pool: FramePool
    ) throws(FrameFault) -> Frame {
        format.code.isJPEG
            ? try makeUndeveloped(bytes, as: format, stamp: stamp, in: pool)
            : try makeDeveloped(bytes, as: format, stamp: stamp, in: pool)
    }

    private func makeDeveloped(
        _ bytes: UnsafeRawBufferPointer, as format: NegotiatedFormat, stamp: FrameStamp, in pool: FramePool
    ) throws(FrameFault) -> Frame {
        let frame = try orDamaged { () throws(PictureError) in try RawFrame(bytes, as: format) }
        guard let lease = pool.lease() else { throw .noSlot }
        let size = try orDamaged { () throws(PictureError) in try writer.write(raw: frame, into: lease.writableBytes) }
        return Frame(stamp: stamp, width: size.width, height: size.height, lease: lease)
    }

    private func makeUndeveloped(
        _ bytes: UnsafeRawBufferPointer, as format: NegotiatedFormat, stamp: FrameStamp, in pool: FramePool
    ) throws(FrameFault) -> Frame {
        let (width, height) = (format.width, format.height)
        let jpeg = try orDamaged { () throws(PictureError) in
            try CameraJPEG(checking: bytes, width: width, height: height)
        }
        guard jpeg.byteCount <= CompressedBuffers.maximumBytes else {
            throw .damaged("a JPEG of \(jpeg.byteCount) bytes; the limit is \(CompressedBuffers.maximumBytes)")
        }
        guard let kept = buffers.lease(jpeg.byteCount) else { throw .noSlot }
        jpeg.copy(into: kept.writableBytes)
        let size = orientation.size(ofWidth: width, height: height)
        let frame = pool.makeFrame(stamp, width: size.width, height: size.height) {
            [developer] (slot) throws(PictureError) in
            let result = developer.withLock { writer in
                Result { () throws(PictureError) in
                    try writer.write(cameraJPEG: kept.bytes, width: width, height: height, into: slot)
                }
            }
            try result.get()
        }
        guard let frame else { throw .damaged("\(width)x\(height) pixels are more than a slot holds") }
        return frame
    }

    /// A number that two buffers share when their bytes are the same (see `fingerprint`).
    func hash(of bytes: UnsafeRawBufferPointer) -> UInt64 { fingerprint(of: bytes) }

    /// The luma that 99 of 100 pixels do not exceed; `nil` where the bytes are no picture.
    ///
    /// Of a raw frame, some 64 rows are looked at; a JPEG is decoded at an eighth, which takes some milliseconds.
    func brightness(of bytes: UnsafeRawBufferPointer, as format: NegotiatedFormat) -> UInt8? {
        do throws(PictureError) {
            guard format.code.isJPEG else { return try RawFrame(bytes, as: format).sampledRows().percentile(99) }
            _ = try CameraJPEG(checking: bytes, width: format.width, height: format.height)
            return try thumbnails.decodeEighth(bytes, width: format.width, height: format.height).percentile(99)
        } catch {
            return nil
        }
    }
}

private func orDamaged<Value>(_ body: () throws(PictureError) -> Value) throws(FrameFault) -> Value {
    do throws(PictureError) {
        return try body()
    } catch {
        throw .damaged(error.description)
    }
}

extension RawFrame {
    /// Takes a buffer's used bytes as the driver's format says.
    fileprivate init(_ bytes: UnsafeRawBufferPointer, as format: NegotiatedFormat) throws(PictureError) {
        guard let layout = RawLayout(format.code) else {
            throw .unsupported("frames of the format \(format.code) are not read")
        }
        try self.init(
            bytes, layout: layout, width: format.width, height: format.height, bytesPerLine: format.bytesPerLine)
    }
}
