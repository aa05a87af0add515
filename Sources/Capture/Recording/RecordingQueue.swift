// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import LinuxSystem
internal import ScanModel

/// Frames between a capture thread, which does not wait, and a writer, which waits for the disk.
///
/// It is bounded in bytes: a frame that does not fit is left out and counted.
public final class RecordingQueue: RawPictureObserver {
    /// What comes out, in the order in which it went in.
    enum Element: Sendable {
        case picture(OwnedPicture)
        /// No frames come, and why.
        case unavailable(UnavailabilityCode, message: String)
        /// The source has ended.
        case ended
    }

    private struct State {
        var elements: [Element] = []
        var byteCount = 0
        var dropped = 0
        var isInterrupted = false
    }

    /// A second of 1080p in a raw format at 15/s.
    public static let standardByteLimit = 64 << 20

    private let byteLimit: Int
    private let state = Monitor(State())

    public init(byteLimit: Int = RecordingQueue.standardByteLimit) { self.byteLimit = byteLimit }

    /// Frames that were left out because the writer was behind.
    public var droppedCount: Int { state.withLock { $0.dropped } }

    public func take(_ picture: RawPicture) {
        // The copy is made outside the lock, or the writer would wait for it.
        let hasRoom = state.withLock { state in
            // One frame has to fit, however large it is.
            guard state.byteCount == 0 || state.byteCount + picture.bytes.count <= byteLimit else {
                state.dropped += 1
                return false
            }
            state.byteCount += picture.bytes.count
            return true
        }
        guard hasRoom else { return }
        let copy = OwnedPicture(picture)
        state.signal { $0.elements.append(.picture(copy)) }
    }

    func put(_ element: Element) { state.signal { $0.elements.append(element) } }

    /// Ends the taker's wait for good; what is still inside is not given any more. Any thread may call it.
    func interrupt() { state.signal { $0.isInterrupted = true } }

    /// What came first, waiting for it until `deadline`; `nil` at the deadline or when interrupted.
    func next(until deadline: MonotonicTime?) -> Element? {
        state.wait(until: deadline) { state -> Element?? in
            if state.isInterrupted { return .some(nil) }
            guard !state.elements.isEmpty else { return nil }
            let first = state.elements.removeFirst()
            if case .picture(let picture) = first { state.byteCount -= picture.bytes.count }
            return first
        } ?? nil
    }

    var isInterrupted: Bool { state.withLock { $0.isInterrupted } }
}
