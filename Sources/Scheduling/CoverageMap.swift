// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanModel

/// Which parts of the scene were searched and when: a grid that is carried along with the picture.
///
/// It reaches beyond the frame by some cells, so that a strip which shakes out of view and back is no news. The grid is
/// moved by whole cells; what is left of the motion is kept beside it, so that a pan of a fraction of a cell a frame adds up.
struct CoverageMap {
    static let columns = 32
    static let rows = 18
    /// Cells beyond each edge of the frame.
    static let border = 4
    private static let width = columns + 2 * border
    private static let height = rows + 2 * border

    /// Frame heights from the region's edge within which a label may be cut, and which a search reaches beyond a cell:
    /// codes of up to twice this width are found whole. Those of a shelf in 1080p are 0.2 frame heights wide.
    static let edgeDepth = 0.15
    /// A cell that was this deep is not searched again for the last bit.
    static let wholeDepth = 0.13

    private var cells: [CoverageCell]
    /// Where the grid, laid over the frame, is now.
    private var toFrame = PlaneMotion.identity

    init() { cells = Array(repeating: CoverageCell(), count: CoverageMap.width * CoverageMap.height) }

    /// Forgets what was seen, but not when each part of the picture was looked at last.
    mutating func forget() {
        let old = cells
        self = CoverageMap()
        for index in cells.indices { cells[index].waitingSince = old[index].searched ?? old[index].waitingSince }
    }

    /// Notes what has come into view.
    mutating func noteArrivals(at now: MonotonicTime) {
        update(in: Rect(x: 0, y: 0, width: 1, height: 1)) { cell, _ in
            if cell.searched == nil, cell.waitingSince == nil { cell.waitingSince = now }
        }
    }

    // MARK: - Motion

    /// Follows the picture to the next frame.
    mutating func carry(along motion: PlaneMotion) {
        guard motion.isFinite else { return forget() }
        toFrame = toFrame.then(motion)
        let middle = toFrame(Point(x: 0.5, y: 0.5))
        let columns = ((middle.x - 0.5) * Double(CoverageMap.columns)).rounded()
        let rows = ((middle.y - 0.5) * Double(CoverageMap.rows)).rounded()
        guard columns.magnitude < Double(CoverageMap.width), rows.magnitude < Double(CoverageMap.height) else {
            return forget()
        }
        if columns != 0 || rows != 0 {
            move { ($0 - Int(columns), $1 - Int(rows)) }
            toFrame = PlaneMotion.shift(
                x: -columns / Double(CoverageMap.columns), y: -rows / Double(CoverageMap.rows)
            ).then(toFrame)
        }
        // Turned, tilted or zoomed by a cell: each cell takes what is known of the one that lies there now.
        guard isDistorted else { return }
        guard let back = toFrame.inverse else { return forget() }
        move { column, row in
            let place = CoverageMap.cell(at: back(CoverageMap.center(column, row)))
            return (place.column, place.row)
        }
        toFrame = .identity
    }

    private var isDistorted: Bool {
        [Point(x: 0, y: 0), Point(x: 1, y: 0), Point(x: 1, y: 1), Point(x: 0, y: 1)].contains { corner in
            let moved = toFrame(corner)
            return ((moved.x - corner.x) * Double(CoverageMap.columns)).magnitude > 0.9
                || ((moved.y - corner.y) * Double(CoverageMap.rows)).magnitude > 0.9
        }
    }

    private mutating func move(_ source: (Int, Int) -> (Int, Int)) {
        let old = cells
        for row in -CoverageMap.border..<CoverageMap.rows + CoverageMap.border {
            for column in -CoverageMap.border..<CoverageMap.columns + CoverageMap.border {
                let (fromColumn, fromRow) = source(column, row)
                guard let index = CoverageMap.index(column, row) else { continue }
                cells[index] = CoverageMap.index(fromColumn, fromRow).map { old[$0] } ?? CoverageCell()
            }
        }
    }

    // MARK: - Places

    private static func index(_ column: Int, _ row: Int) -> Int? {
        let (x, y) = (column + border, row + border)
        guard x >= 0, x < width, y >= 0, y < height else { return nil }
        return y * width + x
    }

    private static func center(_ column: Int, _ row: Int) -> Point {
        Point(x: (Double(column) + 0.5) / Double(columns), y: (Double(row) + 0.5) / Double(rows))
    }

    private static func cell(at point: Point) -> (column: Int, row: Int) {
        // Far out of the frame is as good as out of the grid.
        func whole(_ value: Double) -> Int { Int(Swift.min(1000, Swift.max(-1000, value.rounded(.down)))) }
        return (whole(point.x * Double(columns)), whole(point.y * Double(rows)))
    }

    /// The size of a cell in 0...1 of the frame.
    static let cellWidth = 1 / Double(columns)
    static let cellHeight = 1 / Double(rows)

    /// A cell's box around its middle, in 0...1 of the frame.
    static func box(around place: Point) -> Rect {
        Rect(x: place.x - cellWidth / 2, y: place.y - cellHeight / 2, width: cellWidth, height: cellHeight)
    }

    /// How deep inside the region a place is, in frame heights, up to `edgeDepth`.
    static func depth(of place: Point, in region: Rect, aspect: Double) -> Double {
        let x = Swift.min(place.x - region.minX, region.maxX - place.x) * aspect
        let y = Swift.min(place.y - region.minY, region.maxY - place.y)
        return Swift.max(0, Swift.min(edgeDepth, x, y))
    }

    /// Calls with each cell whose middle is in the region, and where that is in the frame.
    func forEach(in region: Rect, _ body: (CoverageCell, Point) -> Void) {
        for row in -1...CoverageMap.rows {
            for column in -1...CoverageMap.columns {
                let place = toFrame(CoverageMap.center(column, row))
                guard region.contains(place), let index = CoverageMap.index(column, row) else { continue }
                body(cells[index], place)
            }
        }
    }

    /// The same, for a body that notes something.
    mutating func update(in region: Rect, _ body: (inout CoverageCell, Point) -> Void) {
        for row in -1...CoverageMap.rows {
            for column in -1...CoverageMap.columns {
                let place = toFrame(CoverageMap.center(column, row))
                guard region.contains(place), let index = CoverageMap.index(column, row) else { continue }
                body(&cells[index], place)
            }
        }
    }

    /// Marks what changed.
    mutating func note(_ changes: ChangeMap, level: UInt8, at now: MonotonicTime) {
        guard !changes.isEmpty, let back = toFrame.inverse else { return }
        for row in 0..<changes.rows {
            for column in 0..<changes.columns where changes.cells[row * changes.columns + column] >= level {
                let place = CoverageMap.cell(at: back(changes.rect(column: column, row: row).center))
                guard let index = CoverageMap.index(place.column, place.row) else { continue }
                cells[index].change(at: now)
            }
        }
    }

    /// The newest change within a quad; `nil` for none that is known.
    func newestChange(in bounds: Quad) -> MonotonicTime? {
        guard let back = toFrame.inverse else { return nil }
        let box = back(bounds).boundingRect
        guard box.x.isFinite, box.y.isFinite, box.width.isFinite, box.height.isFinite else { return nil }
        let first = CoverageMap.cell(at: Point(x: box.minX, y: box.minY))
        let last = CoverageMap.cell(at: Point(x: box.maxX, y: box.maxY))
        var newest: MonotonicTime?
        let rows = first.row...Swift.max(first.row, last.row)
        let columns = first.column...Swift.max(first.column, last.column)
        for row in rows.clamped(to: -CoverageMap.border...CoverageMap.rows + CoverageMap.border) {
            for column in columns.clamped(to: -CoverageMap.border...CoverageMap.columns + CoverageMap.border) {
                guard let index = CoverageMap.index(column, row), let changed = cells[index].changed else { continue }
                newest = Swift.max(newest ?? changed, changed)
            }
        }
        return newest
    }
}
