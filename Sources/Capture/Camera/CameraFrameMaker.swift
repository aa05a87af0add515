// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ImageKernels
internal import ScanModel

/// Why a camera's buffer gives no frame.
enum FrameFault: Error, Hashable {
    /// The bytes are no picture of the size that the driver promised; why.
    case damaged(String)
    /// All slots are in use: the frame is passed over, nothing is wrong with it.
    case noSlot
}

/// Makes frames of a camera's buffers.
///
/// Confined to the capture thread. The bytes are only read during the call.
final class CameraFrameMaker {
    private let writer: FrameWriter
    private let orientation: Orientation

    /// Throws `noRoom` when the JPEG library has no memory for its state.
    init(orientation: Orientation) throws(PictureError) {
        self.orientation = orientation
        writer = try FrameWriter(
            orientation: orientation,
            limits: PictureLimits(maximumPixels: FramePool.maximumPixels, maximumSide: FramePool.maximumSide))
    }

    /// Whether frames of this format can be read without libv4l2.
    static func reads(_ format: FourCC) -> Bool { format == .grey || format.isJPEG }

    /// Makes a frame of a buffer's used bytes.
    func makeFrame(
        _ bytes: UnsafeRawBufferPointer, as format: NegotiatedFormat, stamp: FrameStamp, in pool: FramePool
    ) throws(FrameFault) -> Frame {
        guard let lease = pool.lease() else { throw .noSlot }
        do throws(PictureError) {
            let size =
                format.code.isJPEG
                ? try writer.write(encoded: bytes, into: lease.writableBytes)
                : try writer.write(
                    luma: bytes, width: format.width, height: format.height, into: lease.writableBytes)
            return Frame(stamp: stamp, width: size.width, height: size.height, lease: lease)
        } catch {
            throw .damaged(error.description)
        }
    }

    /// A number that two buffers share when their bytes are the same, and by chance once in 2^64 times.
    func hash(of bytes: UnsafeRawBufferPointer) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return hash
    }

    /// The luma that 99 of 100 pixels do not exceed; `nil` where the bytes are no picture.
    func brightness(of bytes: UnsafeRawBufferPointer, as format: NegotiatedFormat) -> UInt8? {
        guard !format.code.isJPEG, format.code == .grey, bytes.count >= format.width * format.height else { return nil }
        let sorted = bytes.prefix(format.width * format.height).sorted()
        return sorted[sorted.count * 99 / 100]
    }
}
