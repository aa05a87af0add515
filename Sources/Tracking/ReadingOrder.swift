// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanModel

/// The order of lines on a page: rows from top to bottom, each row in the direction of its script.
///
/// A barcode is a line of one word. Jitter does not change the order: items keep the places that they were last
/// sorted by until one of them moved by more than half its height.
struct ReadingOrder {
    private struct Line {
        var id: ItemID
        var x: Double
        var y: Double
        var height: Double
        var isRightToLeft: Bool?
    }

    private var anchors: [ItemID: Line] = [:]

    /// Sorts items; remembers by what.
    mutating func sort(_ items: [RecognizedItem], aspectRatio: Double) -> [ItemID] {
        let current = items.map { ReadingOrder.line(of: $0, aspectRatio: aspectRatio) }
        let hasMoved = current.contains { line in
            guard let anchor = anchors[line.id] else { return false }
            let limit = Swift.max(anchor.height, line.height) / 2
            return (line.y - anchor.y).magnitude > limit || (line.x - anchor.x).magnitude > limit
        }
        var kept: [ItemID: Line] = [:]
        for line in current { kept[line.id] = hasMoved ? line : anchors[line.id] ?? line }
        anchors = kept
        return ReadingOrder.rows(current.compactMap { kept[$0.id] }).flatMap { $0 }.map(\.id)
    }

    /// Lines whose middles are within half the height of the lower one are a row.
    private static func rows(_ lines: [Line]) -> [[Line]] {
        var rows: [[Line]] = []
        for line in lines.sorted(by: { ($0.y, $0.x, $0.id) < ($1.y, $1.x, $1.id) }) {
            if let first = rows.last?.first, line.y - first.y <= Swift.min(line.height, first.height) / 2 {
                rows[rows.count - 1].append(line)
            } else {
                rows.append([line])
            }
        }
        return rows.map { row in
            let votes = row.reduce(0) { $0 + ($1.isRightToLeft.map { $0 ? 1 : -1 } ?? 0) }
            return row.sorted { votes > 0 ? ($1.x, $0.id) < ($0.x, $1.id) : ($0.x, $0.id) < ($1.x, $1.id) }
        }
    }

    private static func line(of item: RecognizedItem, aspectRatio: Double) -> Line {
        let shape = Shape(line: item.bounds, aspectRatio: aspectRatio)
        let center = shape.quad.center
        var direction: Bool?
        if case .text(let text) = item { direction = isRightToLeft(text.transcript) }
        return Line(id: item.id, x: center.x, y: center.y, height: shape.height, isRightToLeft: direction)
    }

    /// The direction of most of the strong characters; `nil` for a line without any.
    static func isRightToLeft(_ transcript: String) -> Bool? {
        var balance = 0
        for scalar in transcript.unicodeScalars {
            switch scalar.value {
            // Hebrew, Arabic, Syriac, Thaana, NKo and their presentation forms (UAX #9, classes R and AL).
            case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF: balance += 1
            default: if scalar.properties.isAlphabetic { balance -= 1 }
            }
        }
        return balance == 0 ? nil : balance > 0
    }
}
