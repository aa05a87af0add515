// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import LinuxSystem
internal import ScanModel

/// Which frame of a replay is due when.
struct ReplayClock {
    private var start: MonotonicTime
    private let wallStart: WallTime
    let rate: Double
    private let isPaced: Bool

    /// Frame 0 is due at `now`; `rate` is positive.
    init(rate: Double, isPaced: Bool, now: MonotonicTime, wall: WallTime) {
        self.rate = rate
        self.isPaced = isPaced
        start = now
        wallStart = wall
    }

    /// The time from one frame to the next.
    var interval: Duration { .nanoseconds(Int64(1e9 / rate)) }

    func due(_ number: UInt64) -> MonotonicTime {
        // 146 years at the most: an unpaced clip with a slow clock could count past Int64.
        let passed = min(Double(number) * 1e9 / rate, 0x1p62)
        return MonotonicTime(nanoseconds: start.nanoseconds + Int64(passed.rounded()))
    }

    /// The newest frame that is due at `now`; 0 before the start.
    func newest(at now: MonotonicTime) -> UInt64 {
        let passed = Double(now.nanoseconds - start.nanoseconds)
        guard passed > 0 else { return 0 }
        var number = UInt64(passed * rate / 1e9)
        // The division rounds; a frame at its own due moment is due.
        while due(number + 1) <= now { number += 1 }
        while number > 0, due(number) > now { number -= 1 }
        return number
    }

    /// Moves the whole schedule so that `number` is due at `now`; never to an earlier moment.
    mutating func postpone(_ number: UInt64, to now: MonotonicTime) {
        let late = now - due(number)
        if late > .zero { start = start + late }
    }

    /// The frame's moment: when it was due by the paced clock, its place in the clip by the other.
    func stamp(_ number: UInt64, now: MonotonicTime, wall: WallTime) -> FrameStamp {
        let due = due(number)
        // A paced replay runs for days: its wall time follows the system's when that is set.
        let (from, base) = isPaced ? (now, wall) : (start, wallStart)
        let milliseconds = (Double(due.nanoseconds - from.nanoseconds) / 1e6).rounded()
        return FrameStamp(
            sequence: number, monotonic: due, time: WallTime(milliseconds: base.milliseconds + Int64(milliseconds)))
    }
}
