// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ScanModel

/// When a frame was taken: the driver's word where it can be true, else the moment of the dequeue.
///
/// Drivers are wrong in every way (faults seen: 900 ms old, all equal, negative, an hour ahead), and vivid's stamps run
/// 20 to 35 ms ahead of now.
struct FrameTiming {
    /// A driver's stamp may lie this far behind the dequeue: a frame waits in its buffer while nobody asks.
    static let furthestBehind = Duration.seconds(2)
    /// A driver's stamp may lie this far ahead of the dequeue.
    static let furthestAhead = Duration.milliseconds(100)

    /// The driver's last stamp that was believed, of the present stream.
    private var believed: MonotonicTime?
    /// The last moment that was given out, of all streams.
    private var last: MonotonicTime?

    /// What the driver says belongs to one stream: after a re-opening its clock may be another.
    mutating func beginStream() { believed = nil }

    /// The moment of a frame that was dequeued at `now`, perhaps some milliseconds ahead of it; `isReplaced` where the driver
    /// was not believed.
    mutating func moment(driver: MonotonicTime?, now: MonotonicTime) -> (moment: MonotonicTime, isReplaced: Bool) {
        guard let driver, isSane(driver, now: now) else { return (now, true) }
        believed = driver
        return (driver, false)
    }

    /// The stamp of a frame that is given out at `now`: never in the future, and never before one that was given out.
    mutating func stamp(
        _ sequence: UInt64, moment: MonotonicTime, now: MonotonicTime, wall: WallTime
    ) -> FrameStamp {
        var moment = moment
        if let last, moment <= last { moment = last + .nanoseconds(1) }
        // Two frames within a nanosecond share it.
        moment = min(moment, max(now, last ?? now))
        last = moment
        let age = max(0, (now - moment).inNanoseconds / 1_000_000)
        return FrameStamp(
            sequence: sequence, monotonic: moment, time: WallTime(milliseconds: wall.milliseconds - age))
    }

    private func isSane(_ driver: MonotonicTime, now: MonotonicTime) -> Bool {
        if let believed, driver <= believed { return false }
        // Compared this way round, no stamp however wild overflows.
        return driver.nanoseconds >= now.nanoseconds - FrameTiming.furthestBehind.inNanoseconds
            && driver.nanoseconds <= now.nanoseconds + FrameTiming.furthestAhead.inNanoseconds
    }
}
