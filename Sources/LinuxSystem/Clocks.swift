// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Glibc
public import ScanModel

extension MonotonicTime {
    /// CLOCK_MONOTONIC now: the clock of V4L2's timestamps. (Swift's `ContinuousClock` is CLOCK_BOOTTIME.)
    public static var now: MonotonicTime {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}

extension WallTime {
    /// CLOCK_REALTIME now, for display.
    public static var now: WallTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return WallTime(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }
}

/// How long the machine has been suspended since it was booted: CLOCK_BOOTTIME runs on meanwhile, CLOCK_MONOTONIC does not.
///
/// The clocks are read one after the other: differences below some milliseconds mean nothing.
public func suspendedTime() -> Duration {
    var boot = timespec()
    clock_gettime(CLOCK_BOOTTIME, &boot)
    return .nanoseconds(Int64(boot.tv_sec) * 1_000_000_000 + Int64(boot.tv_nsec) - MonotonicTime.now.nanoseconds)
}

/// CPU time that this process used so far, all threads, user and system.
public func processCPUTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return .nanoseconds(Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
}
