// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ImageKernels
internal import LinuxSystem
internal import ScanModel

/// JPEG pictures one behind the other, from a file or a pipe.
final class MJPEGSequence: PictureSequence {
    /// Bytes of one picture at the most.
    static let maximumPictureSize = 32 << 20

    let frameRate: Double?
    private(set) var position = -1
    private let stream: ByteStream
    private var splitter: JPEGSplitter
    /// A copy of the current picture: it is still wanted while the next one is looked for.
    private let current = ByteBuffer()
    private var currentIndex = 0
    private var problem: String?
    private var isOver = false

    /// - Parameter frameRate: what is known of it from elsewhere; the pictures themselves say nothing.
    init(
        _ stream: ByteStream, frameRate: Double? = nil, maximumPictureSize: Int = MJPEGSequence.maximumPictureSize
    ) {
        self.stream = stream
        self.frameRate = frameRate
        splitter = JPEGSplitter(limit: maximumPictureSize)
    }

    var subject: String { "\(stream.name), picture \(currentIndex)" }

    func prepare(until deadline: MonotonicTime?, cancellation: EventDescriptor) -> Preparation { .ready }

    func advance(until deadline: MonotonicTime?, cancellation: EventDescriptor) -> Advance {
        while !isOver {
            switch splitter.next(in: stream.bytes) {
            case .picture(let range):
                take(range)
                return .picture
            case .tooLarge:
                passOver()
                fail("a JPEG of more than \(splitter.limit) bytes")
                return .picture
            case .needsMore:
                passOver()
            }
            switch stream.read(until: deadline, cancellation: cancellation) {
            case .bytes: continue
            case .notYet: return .notYet
            case .cancelled: return .cancelled
            case .end:
                isOver = true
                if let rest = splitter.end(of: stream.bytes.count) {
                    take(rest)
                    return .picture
                }
                guard position < 0 else { return .ended }
                // Otherwise the replay would end without a word.
                fail("there is no JPEG picture in it")
                return .picture
            case .failed(let error):
                isOver = true
                fail(error.description)
                return .picture
            }
        }
        return .ended
    }

    func write(
        with writer: FrameWriter, into slot: UnsafeMutableRawBufferPointer
    ) throws(UnreadablePicture) -> PictureSize {
        if let problem { throw UnreadablePicture(reason: problem) }
        do throws(PictureError) {
            return try writer.write(encoded: current.bytes, into: slot)
        } catch {
            throw UnreadablePicture(reason: error.description)
        }
    }

    func rewind() -> Bool {
        guard stream.rewind() else { return false }
        splitter = JPEGSplitter(limit: splitter.limit)
        (position, isOver) = (-1, false)
        return true
    }

    private func take(_ range: Range<Int>) {
        current.removeAll()
        current.append(UnsafeRawBufferPointer(rebasing: stream.bytes[range]))
        problem = nil
        countOne()
        passOver()
    }

    private func fail(_ reason: String) {
        problem = reason
        countOne()
    }

    private func countOne() {
        position += 1
        currentIndex = position
    }

    private func passOver() {
        let count = splitter.discardable
        stream.discard(count)
        splitter.discarded(count)
    }
}
