// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ScanModel

/// The numbers and moments of a camera's frames, over all its openings.
struct FrameLedger {
    private var timing = FrameTiming()
    private var numbers = FrameNumbers()

    /// A buffer that was taken: its frame's number and moment.
    struct Entry: Hashable {
        var number: UInt64
        var moment: MonotonicTime
        /// Frames before it that never came.
        var dropped: UInt64
        /// Whether the driver's stamp was not believed.
        var isReplaced: Bool
    }

    mutating func beginStream() {
        timing.beginStream()
        numbers.beginStream()
    }

    mutating func excuseGap() { numbers.excuseGap() }

    mutating func enter(_ buffer: DequeuedBuffer, now: MonotonicTime) -> Entry {
        let (number, dropped) = numbers.take(buffer.sequence)
        let (moment, isReplaced) = timing.moment(driver: buffer.timestamp, now: now)
        return Entry(number: number, moment: moment, dropped: dropped, isReplaced: isReplaced)
    }

    /// The stamp of a frame that is given out, or told as skipped, at `now`.
    mutating func stamp(_ entry: Entry, now: MonotonicTime, wall: WallTime) -> FrameStamp {
        timing.stamp(entry.number, moment: entry.moment, now: now, wall: wall)
    }
}
