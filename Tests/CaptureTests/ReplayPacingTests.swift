// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Capture
import ImageKernels
import LinuxSystem
import ScanModel
import ScanTestSupport
import Testing

@Suite(.serialized) struct ReplayPacingTests {
    private let directory: TemporaryDirectory
    private let pool: FramePool
    private let cancellation: EventDescriptor

    init() throws {
        directory = try TemporaryDirectory()
        pool = try FramePool(slotCount: 4, maximumPixels: 1 << 16)
        cancellation = try EventDescriptor()
    }

    @Test func framesComeAtTheirRate() throws {
        let source = try clip(of: 10, rate: 50)
        let began = MonotonicTime.now
        var stamps: [FrameStamp] = []
        while case .frame(let frame) = source.next(into: pool, cancellation: cancellation) {
            // Never early; how late is up to the machine.
            #expect(MonotonicTime.now >= frame.stamp.monotonic)
            stamps.append(frame.stamp)
        }
        let took = (MonotonicTime.now - began).inSeconds
        #expect(took >= 0.199 && took < 2)
        // On a machine that is busy some may be dropped; each that came is at its place.
        let first = try #require(stamps.first)
        for stamp in stamps {
            #expect((stamp.monotonic - first.monotonic).inNanoseconds == Int64(stamp.sequence) * 20_000_000)
            #expect(abs(stamp.time.milliseconds - first.time.milliseconds - Int64(stamp.sequence) * 20) <= 2)
        }
        let counters = source.counters
        #expect(counters.delivered + counters.dropped == 10)
    }

    @Test func aLateCallerGetsWhatIsDue() throws {
        let source = try clip(of: 100, rate: 20)
        #expect(describe(source.next(into: pool, cancellation: cancellation)) == "0:0")
        pause(for: .milliseconds(310))
        let called = MonotonicTime.now
        guard case .frame(let frame) = source.next(into: pool, cancellation: cancellation) else {
            Issue.record("no frame")
            return
        }
        #expect(frame.stamp.sequence >= 6)
        #expect(frame.withLuma { UInt64($0[0, 0]) } == frame.stamp.sequence)
        // Not a frame that was over when the call came.
        #expect(called - frame.stamp.monotonic < .milliseconds(50))
        #expect(source.counters.dropped == frame.stamp.sequence - 1)
    }

    @Test func aLateCallerStillSeesTheLastPicture() throws {
        let source = try clip(of: 5, rate: 100)
        #expect(describe(source.next(into: pool, cancellation: cancellation)) == "0:0")
        pause(for: .milliseconds(200))
        #expect(describe(source.next(into: pool, cancellation: cancellation)) == "4:4")
        #expect(describe(source.next(into: pool, cancellation: cancellation)) == "ended")
        #expect(source.counters == counters(delivered: 2, dropped: 3))
    }

    @Test func aLateCallerOfAHeldPictureGetsALaterNumber() throws {
        let source = try clip(of: 1, rate: 100, hold: 1000)
        #expect(describe(source.next(into: pool, cancellation: cancellation)) == "0:0")
        pause(for: .milliseconds(100))
        guard case .frame(let frame) = source.next(into: pool, cancellation: cancellation) else {
            Issue.record("no frame")
            return
        }
        #expect(frame.stamp.sequence >= 10)
        #expect(source.counters.dropped == frame.stamp.sequence - 1)
    }

    @Test func cancellationEndsTheWaitAtOnce() throws {
        let source = try clip(of: 3, rate: 0.1)
        #expect(describe(source.next(into: pool, cancellation: cancellation)) == "0:0")
        let prompt = isPrompt(cancellation) {
            describe(source.next(into: pool, cancellation: cancellation)) == "cancelled"
        }
        #expect(prompt)
        // And before anything else while it stays signalled.
        cancellation.signal()
        #expect(describe(source.next(into: pool, cancellation: cancellation)) == "cancelled")
    }

    @Test func cancellationEndsTheWaitForASlot() throws {
        let source = try ReplaySource(path: clipDirectory(of: 3), options: unpaced)
        let one = try FramePool(slotCount: 1, maximumPixels: 4096)
        let first = source.next(into: one, cancellation: cancellation)
        let prompt = isPrompt(cancellation) {
            describe(source.next(into: one, cancellation: cancellation)) == "cancelled"
        }
        #expect(describe(first) == "0:0" && prompt)
    }

    @Test func unpacedWaitsForASlotAndDropsNothing() throws {
        let source = try ReplaySource(path: clipDirectory(of: 40), options: unpaced)
        let one = try FramePool(slotCount: 1, maximumPixels: 4096)
        let box = Mailbox<Frame>(capacity: 4)
        let taker = NamedThread("taker") {
            var taken = 0
            while taken < 40 {
                taken += box.takeAll(until: .now + .seconds(5)).count
                pause(for: .milliseconds(1))
            }
        }
        var stamps: [FrameStamp] = []
        while case .frame(let frame) = source.next(into: one, cancellation: cancellation) {
            stamps.append(frame.stamp)
            box.put(frame)
        }
        taker.join()
        #expect(stamps.map(\.sequence) == Array(0..<40))
        // The clock is the clip's.
        let first = try #require(stamps.first)
        for stamp in stamps {
            let expected = (Double(stamp.sequence) * 1e9 / 30).rounded()
            #expect((stamp.monotonic - first.monotonic).inNanoseconds == Int64(expected))
        }
        #expect(source.counters == counters(delivered: 40, dropped: 0))
    }

    private func counters(delivered: UInt64, dropped: UInt64) -> ReplayCounters {
        var counters = ReplayCounters()
        counters.delivered = delivered
        counters.dropped = dropped
        return counters
    }

    private func clip(of count: Int, rate: Double, hold: Int = 1) throws -> ReplaySource {
        var options = ReplayOptions()
        options.rate = .fixed(rate)
        options.hold = hold
        return try ReplaySource(path: clipDirectory(of: count), options: options)
    }

    /// Pictures whose brightness is their index.
    private func clipDirectory(of count: Int) throws -> String {
        for index in 0..<count {
            let number = String(index)
            try directory.write(
                String(repeating: "0", count: 4 - number.utf8.count) + number + ".pgm", pgm(UInt8(index)))
        }
        return directory.path
    }
}
