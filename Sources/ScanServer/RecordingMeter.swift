// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ScanModel
internal import ScanProtocol

/// What one recording got, what it may still get, and how much of it is on the way.
struct RecordingMeter {
    private let request: Wire.RecordingRequest
    /// Bytes that may be on the way to the client.
    private let queueLimit: Int
    /// Frames that were taken for the client.
    private(set) var frames = 0
    /// Frames that were left out because of the queue.
    private(set) var dropped = 0
    /// Bytes of the frames that were taken, the lines before them not counted.
    private var frameBytes = 0
    private var queuedBytes = 0
    /// When the first frame came.
    private(set) var began: MonotonicTime?

    init(_ request: Wire.RecordingRequest, queueLimit: Int) {
        self.request = request
        self.queueLimit = queueLimit
    }

    /// When the time of the request is over; `nil` before the first frame.
    var deadline: MonotonicTime? { began.map { $0 + .seconds(request.seconds) } }

    enum Verdict: Equatable {
        case taken
        /// There is no room; it was counted.
        case dropped
        case ended(RecordingEndReason)
    }

    /// Whether there is room for a frame that would put so many bytes on the way.
    ///
    /// - Parameter size: of the frame itself.
    mutating func offer(size: Int, onTheWay bytes: Int, now: MonotonicTime) -> Verdict {
        let start = began ?? now
        began = start
        if now >= start + .seconds(request.seconds) { return .ended(.seconds) }
        guard frameBytes + size <= request.bytes else { return .ended(.bytes) }
        guard queuedBytes + bytes <= queueLimit else {
            dropped += 1
            return .dropped
        }
        return .taken
    }

    /// Notes that a frame which was `taken` is on the way; answers why it was the last one.
    mutating func send(size: Int, onTheWay bytes: Int) -> RecordingEndReason? {
        frames += 1
        frameBytes += size
        queuedBytes += bytes
        return request.frames.map { frames >= $0 } == true ? .frames : nil
    }

    /// Notes that so many bytes reached the client.
    mutating func arrived(_ bytes: Int) { queuedBytes -= bytes }
}
