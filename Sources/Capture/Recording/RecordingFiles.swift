// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ImageKernels
internal import LinuxSystem
internal import ScanModel

/// What all frames of a recording have in common.
struct PictureForm: Hashable, CustomStringConvertible {
    let format: FourCC
    let width: Int
    let height: Int

    init(_ picture: RawPicture) {
        format = picture.format
        width = picture.width
        height = picture.height
    }

    var description: String { "\(width)x\(height) \(format)" }
}

/// The files of a recording. A frame is in them whole, with its line in the side file, or not at all.
///
/// Confined to the writer's thread.
protocol RecordingFiles: AnyObject {
    /// Bytes of all files together.
    var size: Int { get }
    /// Frames that can be told apart in them.
    var maximumFrames: Int { get }

    /// The next frame's line, and so its place.
    func line(number: Int, stamp: FrameStamp, byteCount: Int) -> FrameTimes.Line
    /// What `size` is once that frame is in.
    func size(with line: FrameTimes.Line) -> Int
    func append(_ bytes: UnsafeRawBufferPointer, _ line: FrameTimes.Line) throws(SystemError)
}

/// Makes luma of raw frames, one at a time.
final class LumaMaker {
    private let maker: CameraFrameMaker
    private let pool: FramePool

    init(_ form: PictureForm, for path: String) throws(RecordingError) {
        do {
            maker = try CameraFrameMaker(orientation: .upright)
            pool = try FramePool(slotCount: 1, maximumPixels: max(form.width * form.height, 1))
        } catch {
            throw RecordingError(.system, path, "\(error)")
        }
    }

    /// Whether luma can be made of a raw format: those of cameras, and what libv4l2 makes of others.
    static func reads(_ format: FourCC) -> Bool {
        CameraFrameMaker.reads(format) || ModeChoice.convertedFormats.contains(format)
    }

    /// `nil` where the bytes are no whole picture. Forgotten before the next call: there is one slot.
    func frame(of picture: RawPicture) -> Frame? {
        let format = NegotiatedFormat(
            width: picture.width, height: picture.height, code: picture.format, bytesPerLine: picture.bytesPerLine,
            sizeImage: picture.bytes.count)
        return try? maker.makeFrame(picture.bytes, as: format, stamp: picture.stamp, in: pool)
    }
}
