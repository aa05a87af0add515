// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanModel
import Testing

@testable import Capture

@Suite struct ReplayClockTests {
    private let start = MonotonicTime(nanoseconds: 5_000_000_123)
    private let wall = WallTime(milliseconds: 1_000_000)

    @Test(arguments: [0.01, 23.976, 25, 29.97, 30, 59.94, 1000])
    func aFrameIsDueAtItsOwnMoment(rate: Double) {
        let clock = ReplayClock(rate: rate, isPaced: true, now: start, wall: wall)
        // The last is that of 40 days.
        for number: UInt64 in [0, 1, 2, 3, 29, 30, 1001, 99_999, UInt64(rate * 86_400 * 40)] {
            let due = clock.due(number)
            #expect(clock.newest(at: due) == number)
            #expect(clock.newest(at: due + .nanoseconds(-1)) == (number == 0 ? 0 : number - 1))
        }
    }

    @Test func postponingMovesAllThatFollows() {
        var clock = ReplayClock(rate: 10, isPaced: true, now: start, wall: wall)
        let late = clock.due(5) + .milliseconds(250)
        clock.postpone(5, to: late)
        #expect(clock.due(5) == late && clock.due(6) == late + .milliseconds(100))
        // Never earlier.
        clock.postpone(6, to: late)
        #expect(clock.due(6) == late + .milliseconds(100))
    }

    @Test func stampsTellTheDueMoment() {
        let paced = ReplayClock(rate: 10, isPaced: true, now: start, wall: wall)
        // The wall clock was set by an hour meanwhile.
        let later = paced.due(7) + .milliseconds(3)
        let set = WallTime(milliseconds: wall.milliseconds + 3_600_703)
        let stamp = paced.stamp(7, now: later, wall: set)
        #expect(stamp.sequence == 7 && stamp.monotonic == start + .milliseconds(700))
        #expect(stamp.time == WallTime(milliseconds: wall.milliseconds + 3_600_700))
        let unpaced = ReplayClock(rate: 10, isPaced: false, now: start, wall: wall)
        #expect(unpaced.stamp(7, now: later, wall: set).time == WallTime(milliseconds: wall.milliseconds + 700))
    }
}
