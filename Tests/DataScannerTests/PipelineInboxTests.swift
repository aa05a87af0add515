// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Capture
import ScanModel
import Testing

@testable import DataScanner

@Suite struct PipelineInboxTests {
    private func frame(_ sequence: UInt64) throws -> Frame {
        let pool = try FramePool(slotCount: 1, maximumPixels: 64)
        let stamp = FrameStamp(
            sequence: sequence, monotonic: MonotonicTime(nanoseconds: 1), time: WallTime(milliseconds: 5))
        return try #require(pool.makeFrame(stamp, width: 8, height: 8) { _ in true })
    }

    @Test func aFrameThatWaitedWhenItsSourceWasLostIsDropped() throws {
        let inbox = PipelineInbox()
        inbox.putNewest(try frame(0))
        inbox.putUnavailable(.cameraLost, message: "gone")
        let taken = inbox.take(until: MonotonicTime(nanoseconds: 0))
        #expect(taken.messages.count == 1)
        #expect(taken.frame == nil)
        #expect(taken.dropped == 1)
    }

    @Test func aFrameThatComesAfterTheLossIsKept() throws {
        let inbox = PipelineInbox()
        inbox.putUnavailable(.cameraLost, message: "gone")
        inbox.putNewest(try frame(1))
        #expect(inbox.take(until: MonotonicTime(nanoseconds: 0)).frame?.stamp.sequence == 1)
    }
}
