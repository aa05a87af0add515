// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ImageKernels

/// Puts pictures into slots, turned as the options say.
///
/// Confined to the capture thread; the decoder and the intermediate picture are kept from frame to frame.
final class FrameWriter {
    private let jpeg: JPEGDecoder
    private let orientation: Orientation
    private let limits: PictureLimits
    private let upright = ByteBuffer()

    init(orientation: Orientation, limits: PictureLimits) throws(PictureError) {
        jpeg = try JPEGDecoder()
        self.orientation = orientation
        self.limits = limits
    }

    /// A picture file's bytes, of any kind that is read; turned as its file says where `asFileSays`, which no live source
    /// does.
    func write(
        encoded bytes: UnsafeRawBufferPointer, into slot: UnsafeMutableRawBufferPointer, asFileSays: Bool = false
    ) throws(PictureError) -> PictureSize {
        let picture = try PictureFile(bytes, limits: limits, jpeg: jpeg)
        let orientation = asFileSays ? picture.orientation : orientation
        let (width, height) = (picture.width, picture.height)
        try checkRoom(width, height, in: slot)
        guard orientation != .upright else {
            try picture.decodeLuma(into: slot, jpeg: jpeg)
            return PictureSize(width: width, height: height)
        }
        upright.removeAll()
        let room = upright.room(for: width * height)
        try picture.decodeLuma(into: room, jpeg: jpeg)
        return turn(UnsafeRawBufferPointer(room), width, height, orientation, into: slot)
    }

    /// A camera's JPEG of a known size, of the kind that `CameraJPEG` lets pass.
    func write(
        cameraJPEG bytes: UnsafeRawBufferPointer, width: Int, height: Int, into slot: UnsafeMutableRawBufferPointer
    ) throws(PictureError) {
        try checkRoom(width, height, in: slot)
        guard orientation != .upright else {
            return try jpeg.decodeLuma(bytes, into: slot, width: width, height: height, progressive: .refused)
        }
        upright.removeAll()
        let room = upright.room(for: width * height)
        try jpeg.decodeLuma(bytes, into: room, width: width, height: height, progressive: .refused)
        _ = turn(UnsafeRawBufferPointer(room), width, height, orientation, into: slot)
    }

    /// A frame that is not compressed.
    func write(
        raw frame: RawFrame, into slot: UnsafeMutableRawBufferPointer
    ) throws(PictureError) -> PictureSize {
        try checkRoom(frame.width, frame.height, in: slot)
        upright.removeAll()
        frame.writeLuma(
            into: slot, orientation: orientation, work: upright.room(for: RawFrame.workBytes(width: frame.width)))
        let size = orientation.size(ofWidth: frame.width, height: frame.height)
        return PictureSize(width: size.width, height: size.height)
    }

    /// Luma in tight rows.
    func write(
        luma bytes: UnsafeRawBufferPointer, width: Int, height: Int, into slot: UnsafeMutableRawBufferPointer
    ) throws(PictureError) -> PictureSize {
        try limits.check(width: width, height: height)
        try checkRoom(width, height, in: slot)
        return turn(bytes, width, height, orientation, into: slot)
    }

    private func turn(
        _ bytes: UnsafeRawBufferPointer, _ width: Int, _ height: Int, _ orientation: Orientation,
        into slot: UnsafeMutableRawBufferPointer
    ) -> PictureSize {
        guard let view = LumaView(bytes: bytes, width: width, height: height) else {
            preconditionFailure("the buffer holds \(width)x\(height) pixels")
        }
        orientation.write(view, into: slot)
        let size = orientation.size(ofWidth: width, height: height)
        return PictureSize(width: size.width, height: size.height)
    }

    private func checkRoom(
        _ width: Int, _ height: Int, in slot: UnsafeMutableRawBufferPointer
    ) throws(PictureError) {
        guard width * height <= slot.count else {
            throw .noRoom("\(width)x\(height) pixels, and a slot of \(slot.count) bytes")
        }
    }
}
