// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanTestSupport
import Testing

@testable import ImageKernels

@Suite struct DarkRunsTests {
    private static func noise(width: Int, height: Int, range: ClosedRange<Int> = 0...255) -> LumaBuffer {
        var generator = SeededGenerator(seed: UInt64(width))
        var picture = LumaBuffer(width: width, height: height)
        for index in picture.pixels.indices {
            picture.pixels[index] = UInt8(Int.random(in: range, using: &generator))
        }
        return picture
    }

    @Test(arguments: [1, 7, 8, 63, 64, 65, 127, 128, 200])
    func edgesAreWhereTheDefinitionHasThem(width: Int) {
        let picture = Self.noise(width: width, height: 40)
        picture.withView { view in
            let threshold = LocalThreshold(of: view)
            var runs = DarkRuns(width: width)
            var line = [UInt8](repeating: 0, count: width)
            for row in 0..<40 {
                threshold.fill(&line, row: row, width: width)
                runs.scan(view, row: row, threshold: threshold)
                var expected: [Int32] = []
                var wasDark = false
                for x in 0..<width {
                    let isDark = view[x, row] < line[x]
                    if isDark != wasDark { expected.append(Int32(x)) }
                    wasDark = isDark
                }
                if wasDark { expected.append(Int32(width)) }
                #expect(runs.edges == expected)
            }
        }
    }

    @Test func whatIsFlatIsLight() {
        let picture = Self.noise(width: 300, height: 200, range: 120...140)
        picture.withView { view in
            let threshold = LocalThreshold(of: view)
            #expect(threshold.values.allSatisfy { $0 == 0 })
        }
    }

    @Test func theInsideOfALargeSquareIsDark() {
        var picture = LumaBuffer(width: 400, height: 400, filledWith: 220)
        for y in 100..<300 {
            for x in 100..<300 { picture.pixels[y * 400 + x] = 40 }
        }
        picture.withView { view in
            var runs = DarkRuns(width: 400)
            runs.scan(view, row: 200, threshold: LocalThreshold(of: view))
            #expect(runs.edges == [100, 300])
        }
    }
}
