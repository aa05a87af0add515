// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ImageKernels

extension LineShape {
    /// Gaps over this many heights part columns, and a line from the frame beside it.
    ///
    /// A fixed closing bridges three heights of the smallest print: it has to reach between the words of the largest.
    static let columnGap = 1.5

    /// The parts between long gaps; the shape itself when there are none.
    func splitAtLongGaps() -> [LineShape] {
        guard width > 2 * Self.columnGap * 3, strokes.count > 1 else { return [self] }
        let sorted = strokes.sorted { $0.start < $1.start }
        let limit = max(3, Int(Self.columnGap * bodyHeight()))
        var parts: [LineShape] = []
        var group: [PixelRun] = []
        var end = sorted[0].end
        for stroke in sorted {
            if Int(stroke.start - end) > limit {
                parts.append(LineShape(of: group))
                group = []
            }
            group.append(stroke)
            end = max(end, stroke.end)
        }
        if parts.isEmpty { return [self] }
        parts.append(LineShape(of: group))
        return parts
    }

    /// The height of the rows that hold the middle four fifths of the strokes, and a quarter more.
    private func bodyHeight() -> Double {
        var rows = [Int](repeating: 0, count: maxY - minY)
        for stroke in strokes { rows[Int(stroke.row) - minY] += stroke.length }
        var (seen, low, high) = (0, 0, rows.count)
        for (row, count) in rows.enumerated() {
            if 10 * seen <= area { low = row }
            if 10 * seen < 9 * area { high = row + 1 }
            seen += count
        }
        return 1.25 * Double(max(1, high - low))
    }

    /// A group of strokes; never empty.
    private init(of strokes: [PixelRun]) {
        self.init(
            strokes: strokes, minX: Int(strokes.map(\.start).min() ?? 0), minY: Int(strokes.map(\.row).min() ?? 0),
            maxX: Int(strokes.map(\.end).max() ?? 0), maxY: Int(strokes.map(\.row).max() ?? 0) + 1,
            area: strokes.reduce(0) { $0 + $1.length })
    }
}
