// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanModel
import Testing

@testable import DataScanner

@Suite struct FrameRateMeterTests {
    private func time(_ seconds: Double) -> MonotonicTime {
        MonotonicTime(nanoseconds: 1_000_000_000 + Int64(seconds * 1e9))
    }

    /// A meter that saw frames at a steady rate, the first at 0.
    private func meter(rate: Double, seconds: Double) -> FrameRateMeter {
        var meter = FrameRateMeter()
        for number in 0...Int(rate * seconds) {
            meter.note(delivered: number + 1, now: time(Double(number) / rate))
        }
        return meter
    }

    @Test(arguments: [0.1, 0.5, 1, 5, 29.9, 120, 1000]) func aSteadyRateIsTold(rate: Double) {
        let meter = meter(rate: rate, seconds: 40)
        // Within one interval of the newest frame.
        for part in [0, 0.5, 0.99] {
            let told = meter.framesPerSecond(at: time(40 + part / rate))
            #expect(abs(told - rate) <= max(0.1, rate * 0.02), "\(told) at \(part)")
        }
    }

    @Test func itFallsWhileNoFrameComes() {
        let meter = meter(rate: 30, seconds: 10)
        let told = [0, 0.5, 1, 2, 5, 30].map { meter.framesPerSecond(at: time(10 + $0)) }
        #expect(told[0] == 30)
        #expect(zip(told, told.dropFirst()).allSatisfy { $0 > $1 }, "\(told)")
        #expect(told[3] < 3 && told[5] < 0.2, "\(told)")
    }

    @Test func itIsWhatCameAndNotWhatWasPromised() {
        // A source that promises 30 a second and gives 3, then 15 with every second one dropped unseen.
        var meter = meter(rate: 3, seconds: 4)
        #expect(meter.framesPerSecond(at: time(4)) == 3)
        for number in 1...45 { meter.note(delivered: 13 + number * 2, now: time(4 + Double(number) / 15)) }
        #expect(abs(meter.framesPerSecond(at: time(7)) - 30) <= 0.5)
    }

    @Test func nothingIsKnownBeforeTheSecondFrame() {
        var meter = FrameRateMeter()
        #expect(meter.framesPerSecond(at: time(0)) == 0)
        meter.note(delivered: 1, now: time(0))
        #expect(meter.framesPerSecond(at: time(1)) == 0)
        meter.note(delivered: 2, now: time(0))
        #expect(meter.framesPerSecond(at: time(0)) == 0)
    }
}
