// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanModel
import Testing

@testable import Capture

@Suite struct FrameTimingTests {
    private let start = MonotonicTime(nanoseconds: 50_000_000_000)
    private let wall = WallTime(milliseconds: 1_000_000)

    private func at(_ milliseconds: Int64) -> MonotonicTime { start + .milliseconds(milliseconds) }

    /// What becomes of stamps that come 100 ms apart: `driver` says how far each is from its dequeue, in milliseconds.
    private func replaced(_ driver: [Int64?]) -> [Bool] {
        var timing = FrameTiming()
        return driver.enumerated().map { index, offset in
            let now = at(Int64(index) * 100)
            return timing.moment(driver: offset.map { now + .milliseconds($0) }, now: now).isReplaced
        }
    }

    @Test func aSaneStampIsTheFramesMoment() {
        var timing = FrameTiming()
        let (moment, isReplaced) = timing.moment(driver: at(-30), now: start)
        #expect(moment == at(-30) && !isReplaced)
        let stamp = timing.stamp(7, moment: moment, now: start, wall: wall)
        #expect(
            stamp == FrameStamp(sequence: 7, monotonic: at(-30), time: WallTime(milliseconds: wall.milliseconds - 30)))
    }

    @Test func aStampAheadIsNeverHandedOnAsTheFuture() {
        var timing = FrameTiming()
        // vivid: 20 to 35 ms ahead.
        for index: Int64 in 0..<20 {
            let now = at(index * 40)
            let (moment, isReplaced) = timing.moment(driver: now + .milliseconds(20 + index % 15), now: now)
            #expect(!isReplaced)
            let stamp = timing.stamp(UInt64(index), moment: moment, now: now, wall: wall)
            #expect(stamp.monotonic == now && stamp.time == wall)
        }
    }

    @Test func wrongStampsAreReplacedByTheDequeue() {
        // 900 ms old is old, and true; more than 2 s is not, nor is the far future, nor none.
        #expect(replaced([-900, -900]) == [false, false])
        #expect(replaced([-2001]) == [true])
        #expect(replaced([100]) == [false])
        #expect(replaced([101]) == [true])
        #expect(replaced([nil]) == [true])
        #expect(replaced([3_600_000, 0, 0]) == [true, false, false])
        #expect(replaced([0, -100, -200, -300]) == [false, true, true, true])
        var timing = FrameTiming()
        for wild in [Int64.min, -1, 0, Int64.max] {
            #expect(timing.moment(driver: MonotonicTime(nanoseconds: wild), now: start).isReplaced)
        }
    }

    @Test func stampsRiseOverReopenings() {
        var timing = FrameTiming()
        var last = FrameStamp(sequence: 0, monotonic: MonotonicTime(nanoseconds: 0), time: wall)
        for opening: Int64 in 0..<5 {
            timing.beginStream()
            for index: Int64 in 0..<5 {
                // Each stream begins with stamps of before the last one's end.
                let now = at(opening * 500 + index * 100)
                let driver = now + .milliseconds(-700 + index * 10)
                let stamp = timing.stamp(
                    1, moment: timing.moment(driver: driver, now: now).moment, now: now, wall: wall)
                #expect(stamp.monotonic > last.monotonic && stamp.monotonic <= now)
                last = stamp
            }
        }
    }

    @Test func aNewStreamsClockMayBeBehindTheOldOnes() {
        var timing = FrameTiming()
        #expect(!timing.moment(driver: at(0), now: at(0)).isReplaced)
        timing.beginStream()
        #expect(!timing.moment(driver: at(-100), now: at(100)).isReplaced)
    }
}

@Suite struct FrameNumbersTests {
    private func numbers(_ sequences: [UInt32]) -> [UInt64] {
        var numbers = FrameNumbers()
        return sequences.map { numbers.take($0).number }
    }

    @Test func numbersFollowTheDrivers() {
        #expect(numbers([0, 1, 2, 5, 6]) == [0, 1, 2, 5, 6])
        // From 0, whatever the driver begins with.
        #expect(numbers([17, 18, 20]) == [0, 1, 3])
    }

    @Test func gapsAreDrops() {
        var numbers = FrameNumbers()
        #expect([3, 4, 9, 9, 10].map { numbers.take($0).dropped } == [0, 0, 4, 0, 0])
    }

    @Test func theDriversNumberMayWrap() {
        var numbers = FrameNumbers()
        let taken = [UInt32.max - 1, .max, 1].map { numbers.take($0) }
        #expect(taken.map(\.number) == [0, 1, 3] && taken.map(\.dropped) == [0, 0, 1])
    }

    @Test func jumpsAndStepsBackAreResets() {
        #expect(numbers([0, 1, 10_002, 10_003]) == [0, 1, 2, 3])
        #expect(numbers([0, 1, 10_001]) == [0, 1, 10_001])
        #expect(numbers([100, 101, 50, 51]) == [0, 1, 2, 3])
        #expect(numbers([5, 5, 5]) == [0, 1, 2])
    }

    @Test func numbersGoOnOverReopenings() {
        var numbers = FrameNumbers()
        var last: UInt64?
        for _ in 0..<4 {
            numbers.beginStream()
            for sequence: UInt32 in [0, 1, 4] {
                let (number, _) = numbers.take(sequence)
                if let last { #expect(number > last) }
                last = number
            }
        }
        #expect(last == 19)
    }

    @Test func aGapThatNobodyListenedInIsNoDrop() {
        var numbers = FrameNumbers()
        _ = numbers.take(0)
        numbers.excuseGap()
        #expect(numbers.take(90) == (90, 0))
        #expect(numbers.take(92) == (92, 1))
    }
}
