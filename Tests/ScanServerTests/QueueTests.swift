// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import LinuxSystem
import ScanModel
import Testing

@testable import ScanServer

@Suite struct QueueTests {
    private func take(_ count: Int, from queue: inout OutputQueue) throws -> [UInt8] {
        let bytes = try queue.withNext { Array($0.prefix(count)) } ?? []
        return bytes
    }

    @Test func linesLeaveInOrderAndInPieces() throws {
        var queue = OutputQueue()
        var expected: [UInt8] = []
        for number in 0..<300 {
            let line = [UInt8](repeating: UInt8(number % 251), count: number % 17 + 1)
            expected += line
            #expect(queue.append(SharedLine(line)) == line.count)
        }
        var got: [UInt8] = []
        var freed = 0
        while !queue.isEmpty {
            let piece = try take(5, from: &queue)
            got += piece
            freed += queue.advance(by: piece.count)
            #expect(queue.byteCount == expected.count - got.count)
        }
        #expect(got == expected && freed == expected.count)
    }

    @Test func aSharedLineCountsOnce() throws {
        var first = OutputQueue()
        var second = OutputQueue()
        let line = SharedLine([1, 2, 3])
        #expect(first.append(line) == 3 && second.append(line) == 0)
        #expect(first.advance(by: 1) == 0 && first.advance(by: 2) == 0)
        #expect(second.byteCount == 3 && second.removeAll() == 3 && line.owners == 0)
    }

    @Test func linesAreCutWhereverTheBytesAreCut() {
        let text = Array("one\ntwo\r\n\nthree".utf8)
        for size in 1...text.count {
            var buffer = LineBuffer()
            var lines: [String] = []
            for start in stride(from: 0, to: text.count, by: size) {
                text[start..<min(start + size, text.count)].withUnsafeBytes { buffer.append($0) }
                while case .line(let line) = buffer.next(limit: 5) {
                    lines.append(String(decoding: line, as: UTF8.self))
                }
            }
            #expect(lines == ["one", "two\r", ""])
            #expect(!buffer.isEmpty && buffer.takeRest() == Array("three".utf8) && buffer.isEmpty)
        }
    }

    @Test func aLineAtTheLimitPassesAndOneMoreByteDoesNot() {
        var buffer = LineBuffer()
        [UInt8](repeating: 0x61, count: 5).withUnsafeBytes { buffer.append($0) }
        #expect(buffer.next(limit: 5) == .incomplete)
        [0x0A].withUnsafeBytes { buffer.append(UnsafeRawBufferPointer(rebasing: $0[..<1])) }
        #expect(buffer.next(limit: 5) == .line([UInt8](repeating: 0x61, count: 5)))
        [UInt8](repeating: 0x61, count: 6).withUnsafeBytes { buffer.append($0) }
        #expect(buffer.next(limit: 5) == .tooLong)
    }

    @Test func theAllowanceComesBackWithTime() {
        var now = MonotonicTime(nanoseconds: 0)
        var allowance = RequestAllowance(perSecond: 10, now: now)
        #expect((0..<20).count { _ in allowance.take(now: now) } == 10)
        now = now + .milliseconds(350)
        #expect((0..<20).count { _ in allowance.take(now: now) } == 3)
        now = now + .seconds(60)
        #expect((0..<20).count { _ in allowance.take(now: now) } == 10)
    }

    @Test func theLogIsQuietBetweenAndCounts() {
        var now = MonotonicTime(nanoseconds: 0)
        var gate = LogGate()
        #expect(gate.pass("a", now: now) == "a")
        #expect(gate.pass("b", now: now) == nil && gate.pass("c", now: now) == nil)
        now = now + .seconds(61)
        #expect(gate.pass("d", now: now) == "d (and 2 more like it since the last such line)")
        now = now + .seconds(61)
        #expect(gate.pass("e", now: now) == "e")
    }
}
