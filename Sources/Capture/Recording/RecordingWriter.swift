// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ImageKernels
internal import LinuxSystem
internal import ScanModel

/// Writes a camera's frames to files, so that what is there is a whole recording whenever it stops.
///
/// JPEG frames are kept as they are; of raw formats the luma is. Each frame's bytes are written before the line of the
/// side file that names them; a frame that did not fit is taken back.
///
/// - Important: Confined to the thread that owns it. It waits for the disk: keep it off the capture thread.
public final class RecordingWriter {
    public let destination: RecordingDestination
    public private(set) var tally = RecordingTally()
    private let limits: RecordingLimits
    private let replaces: Bool
    /// Of the camera's mode, for the header of a Y4M file; to be set before the first frame.
    public var interval: FrameInterval?
    private var files: (any RecordingFiles)?
    private var luma: LumaMaker?
    private var form: PictureForm?
    private var end: RecordingEnd?

    /// Prepares a recording; nothing is made before the first frame.
    ///
    /// - Parameter replacing: whether a recording that is there makes way, which it does once the first frame is written.
    public init(
        _ destination: RecordingDestination, limits: RecordingLimits = RecordingLimits(), replacing: Bool = false
    ) {
        self.destination = destination
        self.limits = limits
        replaces = replacing
    }

    /// Writes a frame; answers why the recording has ended, else `nil`.
    ///
    /// After an end nothing more is written and the answer stays. Throws where the files can not be made or written for
    /// another reason than a full disk; what was written before is whole then too.
    public func append(_ picture: RawPicture) throws(RecordingError) -> RecordingEnd? {
        if end == nil { end = try taking(picture) }
        return end
    }

    /// Writes what the recording is of into a directory's `recording.json`; a single file has none.
    ///
    /// In the place of what was written there before, or not at all.
    public func describe(_ json: [UInt8]) throws(RecordingError) {
        guard destination.kind == .directory, files != nil else { return }
        do throws(SystemError) {
            try PictureFolder.write(json, to: destination.path(of: "recording.json"))
        } catch {
            throw RecordingError(error)
        }
    }

    private func taking(_ picture: RawPicture) throws(RecordingError) -> RecordingEnd? {
        let form = PictureForm(picture)
        if let known = self.form, known != form { return .formatChanged("\(known) to \(form)") }
        if let first = tally.first, picture.stamp.monotonic - first >= limits.duration { return .duration }
        try check(form)
        if picture.bytes.isEmpty {
            tally.damaged += 1
            return nil
        }
        if form.format.isJPEG { return try write(picture.bytes, of: picture, as: form) }
        let maker: LumaMaker
        if let luma { maker = luma } else { maker = try LumaMaker(form, for: destination.path) }
        luma = maker
        guard let frame = maker.frame(of: picture) else {
            tally.damaged += 1
            return nil
        }
        // `withLuma` rethrows without the error's type.
        let result: Result<RecordingEnd?, RecordingError> = frame.withLuma { view in
            do throws(RecordingError) {
                let pixels = UnsafeRawBufferPointer(rebasing: view.bytes[..<(view.width * view.height)])
                return .success(try write(pixels, of: picture, as: form))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Writes one frame's bytes where the limits let it.
    private func write(
        _ bytes: UnsafeRawBufferPointer, of picture: RawPicture, as form: PictureForm
    ) throws(RecordingError) -> RecordingEnd? {
        // Without a first frame there is no recording: its files go with them, and what was there before stays.
        defer { if tally.frames == 0 { files = nil } }
        do throws(SystemError) {
            let files: any RecordingFiles
            if let known = self.files { files = known } else { files = try make(form) }
            self.files = files
            self.form = form
            let line = files.line(number: tally.frames, stamp: picture.stamp, byteCount: bytes.count)
            guard files.size(with: line) <= limits.bytes else { return .size }
            try files.append(bytes, line)
            tally.frames += 1
            tally.bytes = files.size
            tally.first = tally.first ?? picture.stamp.monotonic
            tally.last = picture.stamp.monotonic
            return tally.frames >= min(limits.frames ?? .max, files.maximumFrames) ? .frames : nil
        } catch {
            guard error.isForWantOfRoom else { throw RecordingError(error) }
            return .noRoom("\(error)")
        }
    }

    private func make(_ form: PictureForm) throws(SystemError) -> any RecordingFiles {
        switch destination.kind {
        case .directory: try PictureFolder(destination, form, replacing: replaces)
        case .mjpeg: try FrameStream(destination, replacing: replaces)
        case .y4m: try FrameStream(destination, replacing: replaces, y4m: form, interval: interval)
        }
    }

    private func check(_ form: PictureForm) throws(RecordingError) {
        let advice: String
        if form.format.isJPEG {
            guard destination.kind == .y4m else { return }
            advice =
                "the camera gives \(form.format), and JPEG pictures are kept as they are: "
                + "record into a FILE.mjpeg or a directory, or ask for a raw format such as --format YUYV"
        } else if !LumaMaker.reads(form.format) {
            advice = "frames in \(form.format) are not read: ask for another format such as --format MJPG"
        } else {
            guard destination.kind == .mjpeg else { return }
            advice =
                "the camera gives \(form.format), which is no JPEG: "
                + "record into a directory or a FILE.y4m, or ask for --format MJPG"
        }
        throw RecordingError(.unsuitableFormat, destination.path, advice)
    }
}
