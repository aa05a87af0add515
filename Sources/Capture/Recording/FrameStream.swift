// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import LinuxSystem
internal import ScanModel

/// Frames one behind the other in one file: JPEG pictures as they are, or the luma of raw ones as Y4M.
final class FrameStream: RecordingFiles {
    let maximumFrames = Int.max
    /// What stands before each frame.
    private let prefix: [UInt8]
    private var frames: GrowingFile
    private var times: GrowingFile
    private let replaces: Bool
    private var isBegun = false

    /// JPEG pictures, with nothing between them.
    convenience init(_ destination: RecordingDestination, replacing: Bool) throws(SystemError) {
        try self.init(destination, replacing: replacing, header: "", prefix: "")
    }

    /// Luma. The rate in the header is the camera's mode's, as it must stand there before the first frame; a replay takes
    /// that of the side file.
    convenience init(
        _ destination: RecordingDestination, replacing: Bool, y4m form: PictureForm, interval: FrameInterval?
    ) throws(SystemError) {
        // 0:0 is what the format has for an unknown rate.
        let rate = interval.map { "\($0.denominator):\($0.numerator)" } ?? "0:0"
        try self.init(
            destination, replacing: replacing,
            header: "YUV4MPEG2 W\(form.width) H\(form.height) F\(rate) Ip A0:0 Cmono\n", prefix: "FRAME\n")
    }

    private init(
        _ destination: RecordingDestination, replacing: Bool, header: String, prefix: String
    ) throws(SystemError) {
        self.prefix = Array(prefix.utf8)
        replaces = replacing
        times = try GrowingFile(beside: destination.timesPath, replacing: replacing)
        frames = try GrowingFile(beside: destination.path, replacing: replacing)
        try frames.append(header)
        try times.append(FrameTimes.header)
    }

    var size: Int { frames.size + times.size }

    func line(number: Int, stamp: FrameStamp, byteCount: Int) -> FrameTimes.Line {
        FrameTimes.Line(number: number, stamp: stamp, offset: frames.size + prefix.count, byteCount: byteCount)
    }

    func size(with line: FrameTimes.Line) -> Int {
        line.offset + line.byteCount + times.size + line.text.utf8.count
    }

    func append(_ bytes: UnsafeRawBufferPointer, _ line: FrameTimes.Line) throws(SystemError) {
        let before = frames.size
        try frames.append(bytes, after: prefix)
        do throws(SystemError) {
            try times.append(line.text)
        } catch {
            frames.cut(to: before)
            throw error
        }
        if !isBegun { try begin() }
    }

    /// Puts both files in their place, once the first frame is in them.
    private func begin() throws(SystemError) {
        // A side file that is left over would be taken for that of the new frames: it makes way first.
        try times.settle(replacing: replaces)
        do throws(SystemError) {
            try frames.settle(replacing: replaces)
        } catch {
            times.remove()
            throw error
        }
        isBegun = true
    }
}
