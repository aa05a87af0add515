// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Capture
import ImageKernels
import LinuxSystem
import ScanModel
import Testing

/// Frames that are developed when somebody looks at them.
@Suite struct FrameTests {
    private static let stamp = FrameStamp(
        sequence: 1, monotonic: MonotonicTime(nanoseconds: 0), time: WallTime(milliseconds: 0))

    @Test func aFrameTakesNoSlotBeforeItIsDeveloped() throws {
        let pool = try FramePool(slotCount: 2, maximumPixels: 4096)
        let frames = (0..<100).compactMap { index in
            pool.makeFrame(Self.stamp, width: 4, height: 3) { (slot) throws(PictureError) in
                slot.initializeMemory(as: UInt8.self, repeating: UInt8(index))
            }
        }
        #expect(frames.count == 100 && pool.freeCount == 2)
        #expect(frames.allSatisfy { !$0.isDeveloped })
        try frames[7].develop()
        try frames[7].develop()
        #expect(frames[7].isDeveloped && pool.freeCount == 1)
        #expect(frames[7].withLuma { Array($0.bytes.prefix(13)) } == [UInt8](repeating: 7, count: 12) + [0])
        try frames[8].develop()
        #expect(Set([frames[7].offset, frames[8].offset]).count == 2)
        #expect(throws: FrameFault.noSlot) { try frames[9].develop() }
    }

    @Test func aFrameWithoutASlotIsDevelopedLater() throws {
        let pool = try FramePool(slotCount: 1, maximumPixels: 4096)
        let tries = Monitor(0)
        let late = try #require(
            pool.makeFrame(Self.stamp, width: 4, height: 3) { (slot) throws(PictureError) in
                tries.withLock { $0 += 1 }
                slot.initializeMemory(as: UInt8.self, repeating: 9)
            })
        var first = pool.makeFrame(Self.stamp, width: 4, height: 3) { _ in true }
        #expect(first != nil)
        #expect(throws: FrameFault.noSlot) { try late.develop() }
        #expect(tries.withLock { $0 } == 0 && !late.isDeveloped)
        first = nil
        try late.develop()
        #expect(late.withLuma { $0[3, 2] } == 9)
    }

    @Test func damageIsFoundOnceAndKept() throws {
        let pool = try FramePool(slotCount: 1, maximumPixels: 4096)
        let tries = Monitor(0)
        let frame = try #require(
            pool.makeFrame(Self.stamp, width: 4, height: 3) { (_) throws(PictureError) in
                tries.withLock { $0 += 1 }
                throw .damaged("torn")
            })
        for _ in 0..<3 {
            #expect(throws: FrameFault.damaged("the picture is damaged: torn")) { try frame.develop() }
        }
        #expect(tries.withLock { $0 } == 1 && pool.freeCount == 1 && !frame.isDeveloped)
    }

    @Test func manyThreadsDevelopAFrameOnce() throws {
        let pool = try FramePool(slotCount: 2, maximumPixels: 4096)
        let tries = Monitor(0)
        let frame = try #require(
            pool.makeFrame(Self.stamp, width: 8, height: 8) { (slot) throws(PictureError) in
                tries.withLock { $0 += 1 }
                pause(for: .milliseconds(20))
                slot.initializeMemory(as: UInt8.self, repeating: 200)
            })
        let seen = Monitor<[UInt8]>([])
        let threads = (0..<8).map { number in
            NamedThread("developer \(number)") {
                guard (try? frame.develop()) != nil else { return }
                let pixel = frame.withLuma { $0[7, 7] }
                seen.withLock { $0.append(pixel) }
            }
        }
        for thread in threads { thread.join() }
        #expect(tries.withLock { $0 } == 1)
        #expect(seen.withLock { $0 } == [UInt8](repeating: 200, count: 8))
    }

    @Test func whatDevelopsAFrameIsLetGo() throws {
        final class Bytes: Sendable {}
        let pool = try FramePool(slotCount: 1, maximumPixels: 4096)
        for isWhole in [true, false] {
            weak var kept: Bytes?
            var frame: Frame?
            do {
                let bytes = Bytes()
                kept = bytes
                frame = pool.makeFrame(Self.stamp, width: 4, height: 3) { [bytes] (_) throws(PictureError) in
                    if !isWhole { throw .damaged("\(bytes)") }
                }
            }
            #expect(kept != nil)
            try? frame?.develop()
            #expect(kept == nil && frame != nil)
        }
    }

    @Test func sizesBeyondASlotMakeNoFrame() throws {
        let pool = try FramePool(slotCount: 1, maximumPixels: 4096)
        for (width, height) in [(0, 1), (1, 0), (-4, -4), (65, 64), (20_000, 1)] {
            #expect(pool.makeFrame(Self.stamp, width: width, height: height, developing: { _ in }) == nil)
        }
        #expect(pool.makeFrame(Self.stamp, width: 64, height: 64, developing: { _ in }) != nil)
    }
}
