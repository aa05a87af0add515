// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ImageKernels
import Testing

@Suite struct MorphologyTests {
    private func noise(width: Int, height: Int) -> LumaBuffer {
        var picture = LumaBuffer(width: width, height: height)
        var state: UInt32 = 12345
        for index in picture.pixels.indices {
            state = state &* 1_664_525 &+ 1_013_904_223
            picture.pixels[index] = UInt8(state >> 24)
        }
        return picture
    }

    /// The slow and obvious way.
    private func extremes(_ picture: LumaBuffer, size: Int, brightest: Bool) -> LumaBuffer {
        var result = picture
        for y in 0..<picture.height {
            for x in 0..<picture.width {
                var values: [UInt8] = []
                for dy in (-size / 2)...(size / 2) {
                    for dx in (-size / 2)...(size / 2) {
                        let cy = min(max(y + dy, 0), picture.height - 1)
                        let cx = min(max(x + dx, 0), picture.width - 1)
                        values.append(picture.pixels[cy * picture.width + cx])
                    }
                }
                result.pixels[y * picture.width + x] = (brightest ? values.max() : values.min()) ?? 0
            }
        }
        return result
    }

    @Test(arguments: [(1, 1), (1, 20), (20, 1), (9, 5), (50, 33), (64, 20)], [3, 5, 9, 11])
    func hatsAreClosingAndOpeningAgainstThePicture(_ shape: (Int, Int), _ size: Int) {
        let picture = noise(width: shape.0, height: shape.1)
        let closing = extremes(extremes(picture, size: size, brightest: true), size: size, brightest: false)
        let opening = extremes(extremes(picture, size: size, brightest: false), size: size, brightest: true)
        #expect(picture.blackHat(size: size).pixels == zip(closing.pixels, picture.pixels).map { $0 - $1 })
        #expect(picture.topHat(size: size).pixels == zip(picture.pixels, opening.pixels).map { $0 - $1 })
    }

    @Test func otsuPartsTwoHeaps() {
        var histogram = [Int](repeating: 0, count: 256)
        for value in 10...30 { histogram[value] = 100 }
        for value in 180...220 { histogram[value] = 40 }
        #expect((30..<180).contains(otsuThreshold(of: histogram)))
        #expect(otsuThreshold(of: [Int](repeating: 0, count: 256)) == 0)
        let picture = noise(width: 31, height: 7)
        let counts = picture.histogram()
        for value in 0..<256 { #expect(counts[value] == picture.pixels.count { Int($0) == value }) }
    }

    @Test func runsHoldExactlyTheBrightPixels() {
        let picture = noise(width: 67, height: 40)
        let runs = PixelRuns(of: picture, above: 200, limit: 10_000).runs
        var covered = [Bool](repeating: false, count: picture.pixels.count)
        for run in runs { for x in run.start..<run.end { covered[Int(run.row) * 67 + Int(x)] = true } }
        #expect(covered == picture.pixels.map { $0 > 200 })
        #expect(PixelRuns(of: picture, above: 200, limit: 5).runs == Array(runs.prefix(5)))
        #expect(PixelRuns(of: picture, above: 255, limit: 5).runs.isEmpty)
    }

    @Test func closingFillsShortGapsInARow() {
        let runs = PixelRuns(runs: [
            PixelRun(row: 0, start: 0, end: 3), PixelRun(row: 0, start: 5, end: 6),
            PixelRun(row: 0, start: 10, end: 12),
            PixelRun(row: 1, start: 13, end: 14),
        ])
        #expect(
            runs.closed(size: 3).runs == [
                PixelRun(row: 0, start: 0, end: 6), PixelRun(row: 0, start: 10, end: 12),
                PixelRun(row: 1, start: 13, end: 14),
            ])
    }

    @Test func componentsTouchAtCornersToo() {
        // A "V" that closes at its foot, a speck diagonal to it, and a bar apart.
        let rows = ["#...#....#", "#...#....#", ".#.#.....#", "..#......#", "...#.....#"]
        var picture = LumaBuffer(width: 10, height: 5)
        for (y, row) in rows.enumerated() {
            for (x, character) in row.enumerated() where character == "#" { picture.pixels[y * 10 + x] = 255 }
        }
        let components = PixelComponents(PixelRuns(of: picture, above: 0, limit: 100))
        #expect(components.shapes.count == 2)
        let shape = components.shapes[0]
        #expect((shape.minX, shape.minY, shape.maxX, shape.maxY) == (0, 0, 5, 5))
        #expect(shape.area == 8 && shape.runCount == 8 && shape.topCount == 2)
        #expect(components.shapes[1].width == 1 && components.shapes[1].topCount == 1)
    }
}
