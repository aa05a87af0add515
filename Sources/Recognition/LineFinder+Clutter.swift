// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ImageKernels
internal import ScanModel

extension LineFinder {
    /// Bars of about one height, this many within two heights, are a barcode; letters like I and l do not come so often.
    private static let barsOfACode = 8

    /// Without what is thin and dark and no letter: frames, rules and cables, codes that were not decoded, specks.
    static func withoutClutter(_ runs: PixelRuns) -> PixelRuns {
        let shapes = PixelComponents(runs)
        var isClutter = shapes.shapes.map(isFrameOrCode)
        for bar in barcodeBars(shapes.shapes) { isClutter[bar] = true }
        var kept: [PixelRun] = []
        kept.reserveCapacity(runs.runs.count)
        for (index, run) in runs.runs.enumerated() where !isClutter[Int(shapes.labels[index])] { kept.append(run) }
        return PixelRuns(runs: kept)
    }

    private static func isFrameOrCode(_ shape: PixelComponents.Shape) -> Bool {
        let (long, short) = (max(shape.width, shape.height), max(1, min(shape.width, shape.height)))
        // One or two pixels are noise; a full stop does not make or break a line.
        if shape.area < 3 { return true }
        if (long > 24 && shape.fill < 0.15) || (long > 16 && shape.fill < 0.1) { return true }
        if long > 10 * short && long >= 14 { return true }
        // A QR or Data Matrix symbol: many strokes begin in it at 1/2 of the size, and at 1/4 it is a nearly solid square
        // whose rows still cross two strokes. An M has four strokes a row, but two that begin.
        guard shape.height >= 12, 10 * short > 7 * long else { return false }
        return shape.topCount >= 8 || (Double(shape.runCount) > 1.9 * Double(shape.height) && shape.fill > 0.7)
    }

    /// The bars of linear codes.
    private static func barcodeBars(_ shapes: [PixelComponents.Shape]) -> [Int] {
        let bars = shapes.indices.filter { shapes[$0].height >= 10 && shapes[$0].height >= 3 * shapes[$0].width }
            .sorted { shapes[$0].minX < shapes[$1].minX }
        var found: [Int] = []
        var first = 0
        for bar in bars {
            let shape = shapes[bar]
            while shapes[bars[first]].minX < shape.minX - 200 { first += 1 }
            var position = first
            var neighbours = 0
            while position < bars.count, shapes[bars[position]].minX <= shape.minX + 2 * shape.height {
                let other = shapes[bars[position]]
                let shared = min(other.maxY, shape.maxY) - max(other.minY, shape.minY)
                let isNear = other.minX >= shape.minX - 2 * shape.height
                if isNear, 5 * shared > 4 * max(shape.height, other.height) { neighbours += 1 }
                position += 1
            }
            if neighbours >= barsOfACode { found.append(bar) }
        }
        return found
    }
}
