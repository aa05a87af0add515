// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ImageKernels
internal import LinuxSystem
internal import ScanModel

/// Frames of a YUV4MPEG2 file or pipe, of which only the luma is kept.
final class Y4MSequence: PictureSequence {
    /// Bytes of the header and of a frame's line at the most.
    static let maximumLineLength = 4096

    private(set) var position = -1
    private let stream: ByteStream
    private let limits: PictureLimits
    private let recordedRate: Double?
    private var header: Y4MHeader?
    private var isPrepared = false
    private var current = ByteBuffer()
    private var currentIndex = 0
    private var problem: String?
    private var isOver = false

    /// The frame that is coming in; a call that was cancelled goes on here.
    private var incoming = ByteBuffer()
    private var place = Place.atFrame
    private enum Place: Equatable { case atFrame, inLuma, inChroma(left: Int) }

    /// - Parameter recordedRate: the rate at which the frames were taken, where that is known; the header's was written
    ///   before the first of them.
    init(_ stream: ByteStream, limits: PictureLimits, recordedRate: Double? = nil) {
        self.stream = stream
        self.limits = limits
        self.recordedRate = recordedRate
    }

    var frameRate: Double? { recordedRate ?? header?.frameRate }
    var subject: String { "\(stream.name), frame \(currentIndex)" }

    func prepare(until deadline: MonotonicTime?, cancellation: EventDescriptor) -> Preparation {
        while !isPrepared {
            switch line() {
            case .line(let line):
                do throws(UnreadablePicture) {
                    header = try Y4MHeader(line, limits: limits)
                    isPrepared = true
                } catch {
                    return .failed(.unsupported, reason: error.reason)
                }
            case .tooLong:
                return .failed(
                    .unsupported, reason: "its first line is over \(Y4MSequence.maximumLineLength) bytes long")
            case .needsMore:
                switch stream.read(until: deadline, cancellation: cancellation) {
                case .bytes: continue
                case .notYet: return .notYet
                case .cancelled: return .cancelled
                case .end: return .failed(.unsupported, reason: "it ends inside its first line")
                case .failed(let error): return .failed(.system, reason: error.description)
                }
            }
        }
        return .ready
    }

    func advance(until deadline: MonotonicTime?, cancellation: EventDescriptor) -> Advance {
        guard let header, isPrepared else { return .ended }
        while !isOver {
            if takeWhatIsThere(header) { return .picture }
            if isOver { break }
            switch stream.read(until: deadline, cancellation: cancellation) {
            case .bytes: continue
            case .notYet: return .notYet
            case .cancelled: return .cancelled
            case .failed(let error): return fail(error.description)
            case .end:
                switch place {
                case .inLuma:
                    return fail("it ends after \(incoming.count) of \(header.width * header.height) bytes of luma")
                case .atFrame where stream.bytes.count > 0: return fail("it ends inside a frame's first line")
                case .atFrame, .inChroma: isOver = true
                }
            }
        }
        return .ended
    }

    func write(
        with writer: FrameWriter, into slot: UnsafeMutableRawBufferPointer
    ) throws(UnreadablePicture) -> PictureSize {
        guard let header, problem == nil else { throw UnreadablePicture(reason: problem ?? "there is no header") }
        do throws(PictureError) {
            return try writer.write(luma: current.bytes, width: header.width, height: header.height, into: slot)
        } catch {
            throw UnreadablePicture(reason: error.description)
        }
    }

    func rewind() -> Bool {
        guard stream.rewind() else { return false }
        (position, isOver, isPrepared, place) = (-1, false, false, .atFrame)
        incoming.removeAll()
        return true
    }

    /// Whether a frame's luma is complete; false when more bytes are needed or the stream is over.
    private func takeWhatIsThere(_ header: Y4MHeader) -> Bool {
        while true {
            switch place {
            case .inChroma(let left):
                let count = min(left, stream.bytes.count)
                stream.discard(count)
                guard count == left else {
                    place = .inChroma(left: left - count)
                    return false
                }
                place = .atFrame
            case .atFrame:
                switch line() {
                case .needsMore: return false
                case .line(let line) where line.starts(with: Array("FRAME".utf8)):
                    incoming.removeAll()
                    place = .inLuma
                case .line, .tooLong:
                    // Frames have no marker to look for: where one is lost, all are.
                    _ = fail("no FRAME where a frame must begin; the rest of the stream is not read")
                    return true
                }
            case .inLuma:
                let size = header.width * header.height
                let count = min(size - incoming.count, stream.bytes.count)
                incoming.append(UnsafeRawBufferPointer(rebasing: stream.bytes[..<count]))
                stream.discard(count)
                guard incoming.count == size else { return false }
                swap(&current, &incoming)
                place = .inChroma(left: header.chromaSize)
                problem = nil
                countOne()
                return true
            }
        }
    }

    private func fail(_ reason: String) -> Advance {
        problem = reason
        isOver = true
        countOne()
        return .picture
    }

    private func countOne() {
        position += 1
        currentIndex = position
    }

    private enum Line { case line([UInt8]), needsMore, tooLong }

    private func line() -> Line {
        let limit = Y4MSequence.maximumLineLength
        let bytes = stream.bytes.prefix(limit)
        let found = bytes.firstIndex(of: UInt8(ascii: "\n")).map { Array(bytes[..<$0]) }
        if let found {
            stream.discard(found.count + 1)
            return .line(found)
        }
        return stream.bytes.count >= limit ? .tooLong : .needsMore
    }
}
