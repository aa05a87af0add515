// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ImageKernels
internal import ScanModel

/// One scan line that decoded a linear symbol, as far as ZBar tells: where it was when it had the last bar.
struct ScanHit: Hashable {
    enum Axis: Hashable {
        case row
        case column
    }

    var axis: Axis
    /// y of a row, x of a column.
    var line: Int
    /// x in a row, y in a column.
    var position: Int
    /// Whether the line ran to the right (or down), so that the position is the symbol's right (lower) end.
    var isForward: Bool
}

extension ScanHit {
    /// Tells row hits from column hits among the points of one symbol.
    ///
    /// ZBar scans all rows from top to bottom, then all columns from left to right, and appends a point for each line
    /// that decoded. So the points are a run with rising y followed by one with rising x; where both are possible, the
    /// longer run of rows is taken. The direction is the line's parity: ZBar goes forth on one line and back on the next.
    static func hits(
        of points: [PixelPoint], density: ScanDensity, width: Int, height: Int
    ) -> [ScanHit] {
        let split = rowCount(of: points, density: density)
        let rowBorder = density.rows > 0 ? border(size: height, density: density.rows) : 0
        let columnBorder = density.columns > 0 ? border(size: width, density: density.columns) : 0
        return points.enumerated().map { index, point in
            if index < split {
                let number = (point.y - rowBorder) / max(density.rows, 1)
                return ScanHit(axis: .row, line: point.y, position: point.x, isForward: number % 2 == 0)
            }
            let number = (point.x - columnBorder) / max(density.columns, 1)
            return ScanHit(axis: .column, line: point.x, position: point.y, isForward: number % 2 == 0)
        }
    }

    private static func rowCount(of points: [PixelPoint], density: ScanDensity) -> Int {
        if density.columns == 0 { return points.count }
        if density.rows == 0 { return 0 }
        var longestPrefix = points.isEmpty ? 0 : 1
        while longestPrefix < points.count, points[longestPrefix].y >= points[longestPrefix - 1].y {
            longestPrefix += 1
        }
        var suffixStart = max(points.count - 1, 0)
        while suffixStart > 0, points[suffixStart].x >= points[suffixStart - 1].x { suffixStart -= 1 }
        // A suffix that reaches into the prefix leaves a choice; one that does not was broken by noise in the order.
        return longestPrefix >= suffixStart ? longestPrefix : suffixStart
    }

    /// Lines that ZBar leaves out before the first, so that the scan is centred.
    private static func border(size: Int, density: Int) -> Int {
        min((((size - 1) % density) + 1) / 2, size / 2)
    }
}
