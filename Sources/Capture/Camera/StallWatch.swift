// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ScanModel

/// When a stream that gives nothing counts as one that stands still.
///
/// The limit follows the rate that is measured, not the one that was agreed upon: in low light a camera lengthens its
/// exposure and goes from 30 frames a second to 5, or 1, and is well.
struct StallWatch {
    /// Nothing good for this long is a stall.
    static let patience = Duration.milliseconds(1500)
    /// A slower stream is waited for by so many of its own intervals.
    static let intervals = 3
    /// What a slow stream is waited for at the most.
    static let longestPatience = Duration.seconds(10)
    /// The first frame of a stream may take this long: sensors start slowly, and a new opening starts them anew.
    static let firstFramePatience = Duration.seconds(5)

    enum Verdict: Hashable {
        case fine
        /// Worth telling, and worth waiting on: the first frame has not come yet.
        case slowStart
        case stalled
    }

    private var start: MonotonicTime
    private let agreed: Duration
    /// Of the last frames, by their own stamps.
    private var recent: [Duration] = []
    private var newest: MonotonicTime?
    private var lastGood: MonotonicTime?
    /// When a damaged buffer came last.
    private var lastBuffer: MonotonicTime?
    /// Buffers with nothing good in them since the last good frame.
    private(set) var damagedSinceGood = 0
    private(set) var lastDamage: String?

    /// Begins with the stream; `interval` is what the driver agreed to, `nil` where it does not tell.
    init(interval: FrameInterval?, start: MonotonicTime) {
        self.start = start
        agreed = interval.map { .nanoseconds(Int64(1e9 / $0.framesPerSecond)) } ?? .zero
    }

    /// A buffer came, of whatever kind, taken at `moment`.
    mutating func sawBuffer(at moment: MonotonicTime) {
        if let newest, moment > newest {
            recent.append(moment - newest)
            if recent.count > 3 { recent.removeFirst() }
        }
        newest = max(newest ?? moment, moment)
    }

    mutating func sawGood(now: MonotonicTime) {
        lastGood = now
        (damagedSinceGood, lastDamage) = (0, nil)
    }

    mutating func sawDamaged(_ reason: String, now: MonotonicTime) {
        damagedSinceGood += 1
        lastBuffer = now
        lastDamage = reason
    }

    /// Time in which nobody asked for frames does not count.
    mutating func excuse(_ gap: Duration) {
        start = start + gap
        lastGood = lastGood.map { $0 + gap }
        lastBuffer = lastBuffer.map { $0 + gap }
        newest = nil
    }

    /// How long the stream may give nothing good, as it runs now.
    var limit: Duration {
        // The middle one of three: one late frame is no new rate.
        let interval = recent.count == 3 ? recent.sorted()[1] : agreed
        return min(max(StallWatch.patience, interval * StallWatch.intervals), StallWatch.longestPatience)
    }

    var hasGivenFrames: Bool { lastGood != nil }

    /// How long nothing good has come.
    func silence(at now: MonotonicTime) -> Duration { now - (lastGood ?? start) }

    /// When the verdict may change next, if nothing comes.
    func deadline(isSlowStartTold: Bool) -> MonotonicTime {
        if let lastGood { return lastGood + limit }
        return isSlowStartTold ? endOfStart : min(start + limit, endOfStart)
    }

    func verdict(at now: MonotonicTime) -> Verdict {
        if let lastGood { return now >= lastGood + limit ? .stalled : .fine }
        if now >= endOfStart { return .stalled }
        return now >= start + limit ? .slowStart : .fine
    }

    /// When a stream that has not given a frame is given up.
    ///
    /// A sensor that starts slowly gives nothing at all. Buffers that came back damaged, and none after them, are a stream
    /// that broke: uvcvideo returns all of them after a failed transfer (EPROTO) and never fills one again.
    private var endOfStart: MonotonicTime {
        let patience = start + max(StallWatch.firstFramePatience, limit)
        guard damagedSinceGood > 0, let lastBuffer else { return patience }
        return min(patience, lastBuffer + limit)
    }
}
