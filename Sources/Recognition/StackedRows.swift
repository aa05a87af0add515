// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ImageKernels
internal import ScanModel

/// Tells a stacked code from other places where neighbouring lines differ, which in most pictures is text.
///
/// Each row of PDF417 has at least the edges of its start, its stop and three codewords, 42 in all (ISO/IEC 15438, 5.1);
/// a row of DataBar Expanded Stacked at least 2 finders and 4 characters. On 126 pictures of both, the median line of the
/// candidates that were read had 32 edges and more, that of 90 in 100 others fewer than 26.
struct StackedRows {
    /// Lines on which edges are counted.
    private static let lines = 9
    /// Edges of one group on the median line, some of which blur takes.
    private static let fewestEdges = 28
    /// The share of the line that they span at the least.
    private static let smallestSpan = 0.5
    /// Of the candidates that pass without the guards of PDF417 one in six was read; few where the lines nowhere are alike.
    private static let (promise, littlePromise) = (0.15, 0.05)

    let region: BarRegion

    /// The candidate for so many bands of lines that are alike, none where lines nowhere are.
    func candidate(in picture: LumaView, bands: Int) -> CodeCandidate? {
        guard region.length > 0.5 * region.height, hasRows(in: picture) else { return nil }
        return CodeCandidate(
            kind: .stacked, quad: region.quad, moduleSize: nil, isInverted: nil,
            score: 0.5 * region.energy.squareRoot(),
            promise: bands >= 2 ? Self.promise : Self.littlePromise)
    }

    private func hasRows(in picture: LumaView) -> Bool {
        // A pixel for a module is the least that anything reads.
        guard region.length >= 2 * Double(Self.fewestEdges) else { return false }
        let strip = BarStrip(
            picture, center: region.center, axis: region.axis, length: 1.06 * region.length + 2 * region.cell,
            height: 0.85 * region.height, rows: Self.lines)
        let still = [Int](repeating: 0, count: Self.lines)
        var rich = 0
        for line in 0..<Self.lines {
            let groups = BarEdges(of: strip.mean(of: line..<(line + 1), shifts: still)).groups
            let isRich = groups.contains { group in
                group.count >= Self.fewestEdges
                    && Double(group.end - group.start) >= Self.smallestSpan * Double(strip.samples)
            }
            rich += isRich ? 1 : 0
            // The median is decided as soon as half of the lines are.
            if rich > Self.lines / 2 { return true }
            if rich + Self.lines - line - 1 <= Self.lines / 2 { return false }
        }
        return false
    }
}
