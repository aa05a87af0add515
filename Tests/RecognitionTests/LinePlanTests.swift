// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanModel
import Testing

@testable import Recognition

@Suite struct LinePlanTests {
    /// Lines of falling height, one below the other.
    private func candidates(_ count: Int) -> [LineCandidate] {
        (0..<count).map { index in
            let rect = Rect(x: 100, y: Double(index) * 100, width: 200, height: 60 - Double(index) * 3)
            return LineCandidate(quad: Quad(rect), isLightOnDark: false)
        }
    }

    private func read(_ count: Int, known: [Quad] = [], lines: Int, turn: Int) -> [Double] {
        LinePlan(
            candidates: candidates(count), known: known, maximumLines: lines, turn: turn, center: Point(x: 0, y: 0)
        ).toRead.map { $0.quad.topLeft.y / 100 }
    }

    @Test func everyLineHasItsTurn() {
        for (count, lines) in [(14, 8), (9, 4), (3, 1), (8, 8), (20, 7)] {
            let turns = (count + lines - 1) / lines
            for start in [0, 5, 1_000_003] {
                let seen = (start..<start + turns).flatMap { read(count, lines: lines, turn: $0) }
                #expect(Set(seen).count == count, "\(count) lines, \(lines) a turn, from \(start)")
                #expect(read(count, lines: lines, turn: start).count == min(count, lines))
            }
        }
    }

    @Test func theLargestComeFirst() {
        #expect(read(14, lines: 3, turn: 0) == [0, 1, 2])
    }

    @Test func knownLinesAreNotRead() {
        let known = candidates(14)[0].quad
        let plan = LinePlan(
            candidates: candidates(14), known: [known], maximumLines: 20, turn: 0, center: Point(x: 0, y: 0))
        #expect(plan.toRead.count == 13)
        #expect(plan.unread.map(\.quad) == [known])
    }

    @Test func nothingToReadIsNoTurn() {
        #expect(read(0, lines: 8, turn: 3).isEmpty)
        #expect(read(5, lines: 0, turn: 3).isEmpty)
        #expect(
            LinePlan(candidates: candidates(5), known: [], maximumLines: 0, turn: 1, center: Point(x: 0, y: 0))
                .unread.count == 5)
    }
}
