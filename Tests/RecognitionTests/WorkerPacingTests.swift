// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanModel
import Testing

@testable import Recognition

@Suite struct WorkerPacingTests {
    @Test func thePauseDoublesUntilAWorkerProvesHealthy() {
        var backOff = WorkerBackOff(minimum: .milliseconds(200), maximum: .seconds(10))
        let pauses = (0..<8).map { _ in backOff.pause(afterHealthy: false).inSeconds }
        #expect(pauses == [0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 10, 10])
        #expect(backOff.pause(afterHealthy: true) == .zero)
        #expect(backOff.pause(afterHealthy: true) == .zero)
        #expect(backOff.pause(afterHealthy: false) == .milliseconds(200))
    }

    @Test func linesBeyondTheRateAreCounted() {
        var limiter = LineLimiter(linesPerMinute: 2)
        let start = MonotonicTime(nanoseconds: 1)
        #expect(limiter.admit(now: start) == (true, 0))
        #expect(limiter.admit(now: start + .seconds(30)) == (true, 0))
        for _ in 0..<5 { #expect(limiter.admit(now: start + .seconds(59)) == (false, 0)) }
        #expect(limiter.admit(now: start + .seconds(60)) == (true, 5))
        #expect(limiter.admit(now: start + .seconds(61)) == (true, 0))
        #expect(limiter.admit(now: start + .seconds(61)) == (false, 0))
    }

    @Test func noiseIsCutIntoPrintableLines() {
        var splitter = LineSplitter()
        var lines: [String] = []
        splitter.take("one\ntw".utf8) { lines.append($0) }
        splitter.take("o\u{1B}[2J\n\n \n".utf8) { lines.append($0) }
        splitter.take(String(repeating: "x", count: 1000).utf8) { lines.append($0) }
        #expect(lines == ["one", "two [2J"])
        splitter.finish { lines.append($0) }
        #expect(lines.last == String(repeating: "x", count: LineSplitter.maximumBytes))
        splitter.finish { lines.append($0) }
        #expect(lines.count == 3)
    }

    @Test func argumentsComeBackAsTheyWere() {
        let start = WorkerStart(kind: .text, parent: 4711, addressSpace: 1 << 30, languages: ["eng", "kor"])
        #expect(WorkerStart(arguments: start.arguments) == start)
        #expect(WorkerStart(arguments: []) == nil)
        #expect(WorkerStart(arguments: ["text", "x", "1"]) == nil)
        #expect(WorkerStart(arguments: ["pictures", "1", "1"]) == nil)
        #expect(WorkerStart(arguments: ["text", "1", "0"]) == nil)
    }
}
