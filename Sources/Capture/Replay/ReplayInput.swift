// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Glibc
internal import ImageKernels
internal import LinuxSystem
internal import ScanModel

extension ReplayError {
    init(_ error: SystemError) {
        switch error.code {
        case ENOENT, ENOTDIR: self.init(.notFound, error.subject, "no such file or directory")
        case EACCES, EPERM:
            self.init(
                .notPermitted, error.subject, "this user may not read it (\(error.reason)); check its mode and owner")
        default: self.init(.system, error.subject, "\(error.operation): \(error.reason)")
        }
    }
}

/// What a replay reads: pictures in their order, or bytes whose kind shows once they come.
///
/// Confined to the thread that owns it.
final class ReplayInput {
    let name: String
    private(set) var pictures: (any PictureSequence)?
    private let undecided: ByteStream?

    /// Looks at what the path names, by its suffix first and then by its first bytes.
    init(path: String, limits: PictureLimits) throws(ReplayError) {
        name = path
        undecided = nil
        var status = stat()
        guard stat(path, &status) == 0 else { throw ReplayError(.last("stat", path)) }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: pictures = try PictureFiles(directory: path)
        case S_IFREG: pictures = try ReplayInput.file(path, isEmpty: status.st_size == 0, limits)
        default:
            throw ReplayError(
                .unsupported, path, "neither a file nor a directory; a pipe is given as - on standard input")
        }
    }

    /// A pipe: not a byte is waited for before the first `prepare`.
    init(stream: ByteStream) {
        name = stream.name
        pictures = nil
        undecided = stream
    }

    /// Finds out the kind where that is still open, and reads what comes before the first picture.
    func prepare(
        limits: PictureLimits, until deadline: MonotonicTime?, cancellation: EventDescriptor
    ) -> Preparation {
        while pictures == nil, let stream = undecided {
            switch ReplayInput.kind(of: stream) {
            case .mjpeg: pictures = MJPEGSequence(stream)
            case .y4m: pictures = Y4MSequence(stream, limits: limits)
            case .neither: return .failed(.unknownKind, reason: "it begins neither as a JPEG nor as Y4M")
            case .needsMore:
                switch stream.read(until: deadline, cancellation: cancellation) {
                case .bytes: continue
                case .notYet: return .notYet
                case .cancelled: return .cancelled
                case .end where stream.bytes.count == 0:
                    return .failed(.empty, reason: "it ended before the first byte")
                case .end: return .failed(.unknownKind, reason: "it ended after \(stream.bytes.count) bytes")
                case .failed(let error): return .failed(.system, reason: error.description)
                }
            }
        }
        return pictures?.prepare(until: deadline, cancellation: cancellation) ?? .ready
    }

    private static func y4m(
        _ stream: ByteStream, _ limits: PictureLimits, _ never: EventDescriptor
    ) throws(ReplayError) -> any PictureSequence {
        let pictures = Y4MSequence(
            stream, limits: limits, recordedRate: FrameTimes.meanRate(ofFile: stream.name + ".times"))
        if case .failed(let kind, let reason) = pictures.prepare(until: nil, cancellation: never) {
            throw ReplayError(kind, stream.name, reason)
        }
        return pictures
    }

    private static func file(
        _ path: String, isEmpty: Bool, _ limits: PictureLimits
    ) throws(ReplayError) -> any PictureSequence {
        let isNamedPicture = PictureFiles.hasPictureSuffix(Array(path.utf8))
        // A picture is opened when it is due; that it may be read is checked here, where it can still be an error.
        guard !isEmpty || isNamedPicture else { throw ReplayError(.empty, path, "the file is empty") }
        let stream: ByteStream
        let never: EventDescriptor
        do throws(SystemError) {
            stream = ByteStream(try .openForReading(path), name: path)
            if isNamedPicture { return PictureFiles(path: path) }
            // A file is never waited for, so nobody has to cancel this.
            never = try EventDescriptor()
            reading: while stream.bytes.count < 16 {
                switch stream.read(until: nil, cancellation: never) {
                case .failed(let error): throw error
                case .end: break reading
                case .bytes, .notYet, .cancelled: continue
                }
            }
        } catch {
            throw ReplayError(SystemError(error.operation, code: error.code, subject: path))
        }
        let lowercased = path.lowercased()
        let isNamedMJPEG = lowercased.hasSuffix(".mjpeg") || lowercased.hasSuffix(".mjpg")
        // `datascan record` leaves the frames' times beside the file.
        func mjpeg() -> MJPEGSequence {
            MJPEGSequence(stream, frameRate: FrameTimes.meanRate(ofFile: path + ".times"))
        }
        switch kind(of: stream) {
        case .y4m: return try y4m(stream, limits, never)
        case .mjpeg: return mjpeg()
        // By its name it may begin with something else: a cut picture, a header of a capture program.
        case .neither where isNamedMJPEG, .needsMore where isNamedMJPEG: return mjpeg()
        case .neither, .needsMore: break
        }
        if PictureFile.isPicture(stream.bytes) { return PictureFiles(path: path) }
        throw ReplayError(
            .unknownKind, path, "neither a PNG, JPEG, PNM, TIFF or WebP picture nor MJPEG (.mjpeg) or Y4M video")
    }

    private enum Kind { case mjpeg, y4m, neither, needsMore }

    private static func kind(of stream: ByteStream) -> Kind {
        let bytes = stream.bytes.prefix(16)
        if bytes.starts(with: [0xFF, 0xD8]) { return .mjpeg }
        let magic = Y4MHeader.magic
        if bytes.starts(with: magic) { return .y4m }
        return magic.starts(with: bytes) || [0xFF, 0xD8].starts(with: bytes) ? .needsMore : .neither
    }
}
