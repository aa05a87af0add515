// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanModel
import ScanTestSupport
import Scheduling
import Testing

/// When text is looked for and read, where the picture's motion is known.
@Suite struct TextRhythmTests {
    private let line = Quad(Rect(x: 0.2, y: 0.2, width: 0.3, height: 0.02))

    private func bench() -> SceneBench {
        SceneBench {
            $0.wantsBarcodes = false; $0.wantsText = true
        }
    }
    private func looks(_ bench: SceneBench, from first: Int) -> [(frame: Int, look: ScanPlan.TextLook)] {
        bench.plans.enumerated().dropFirst(first).compactMap { index, plan in plan.text.map { (index, $0) } }
    }

    @Test func aStillShelfIsVerifiedEachTwoSecondsAndItsLinesAreNotReadAgain() {
        var bench = bench()
        bench.run(10)
        bench.attention.lines = [.init(bounds: line, isSettled: true, lastRead: bench.now)]
        bench.run(600)
        let looks = looks(bench, from: 10)
        #expect(zip(looks, looks.dropFirst()).allSatisfy { $1.frame - $0.frame == 60 })
        #expect(looks.count == 10)
        #expect(looks.allSatisfy { $0.look.knownLines == [line] && $0.look.region == SceneBench.whole })
    }

    @Test func aLineWhosePlaceChangedIsReadAgain() {
        var bench = bench()
        bench.run(10)
        bench.attention.lines = [.init(bounds: line, isSettled: true, lastRead: bench.now)]
        bench.run(10)
        let change = bench.frame
        bench.run(1, changes: SceneBench.changes(in: line.boundingRect.grown(by: 0.03)))
        bench.run(12)
        let looks = looks(bench, from: change)
        #expect(looks.first.map { $0.look.knownLines.isEmpty } == true)
        // A band: no line is cut at its sides, and the rest of the picture is left alone.
        #expect(looks[0].look.region.width == 1 && looks[0].look.region.height < 0.5)
        #expect(looks[0].frame - change <= 7)
    }

    @Test func unsettledLinesAreReadFiveTimesASecond() {
        var bench = bench()
        bench.attention.lines = [.init(bounds: line, isSettled: false, lastRead: nil)]
        bench.run(300)
        let frames = looks(bench, from: 0).map(\.frame)
        #expect(zip(frames, frames.dropFirst()).allSatisfy { $1 - $0 == 6 })
    }

    @Test func newPartsOfThePictureAreLookedAt() {
        var bench = bench()
        bench.run(20)
        bench.run(100, y: 8)
        let looks = looks(bench, from: 20)
        #expect(looks.count >= 12)
        #expect(looks.allSatisfy { $0.look.region.minY == 0 })
        #expect(looks.contains { $0.look.region.height < 0.5 })
    }
}

extension Rect {
    fileprivate func grown(by margin: Double) -> Rect {
        Rect(x: x - margin, y: y - margin, width: width + 2 * margin, height: height + 2 * margin)
    }
}
