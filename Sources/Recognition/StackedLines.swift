// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ScanModel

/// Puts linear candidates that stand on each other together: the rows of DataBar Expanded Stacked.
///
/// Each row is 34 modules high and looks like a symbol of its own, but none of them can be read alone: the check is over all
/// of them. Rows begin and end at one place, but for the last, which may be shorter, and are 3 modules apart
/// (ISO/IEC 24724, 7.2.8).
enum StackedLines {
    /// Candidates that are compared, the promising first.
    private static let mostCandidates = 16
    /// What two rows' ends may be apart, as a share of the longer one's length, and their gap as a share of their height.
    private static let (endShare, gapShare) = (0.06, 0.5)
    /// How much two rows' modules, and their heights, may differ.
    private static let (moduleRatio, heightRatio) = (1.35, 2.5)
    /// Of such stacks one in seven was read; the others are labels on each other.
    private static let promiseShare = 0.5

    static func candidates(of lines: [CodeCandidate]) -> [CodeCandidate] {
        let rows = lines.filter { $0.kind == .linear }.sorted { $0.promise > $1.promise }.prefix(mostCandidates)
            .map(Row.init)
        var left = Array(rows)
        var result: [CodeCandidate] = []
        while !left.isEmpty {
            var stack = [left.removeFirst()]
            // Rows come in any order: whatever stands on one that is in.
            while let next = left.firstIndex(where: { row in stack.contains { $0.standsOn(row) } }) {
                stack.append(left.remove(at: next))
            }
            if stack.count >= 2, let candidate = joined(stack) { result.append(candidate) }
        }
        return result
    }

    private static func joined(_ rows: [Row]) -> CodeCandidate? {
        guard let first = rows.max(by: { $0.width < $1.width }) else { return nil }
        var (left, right, top, bottom) = (0.0, first.width, 0.0, first.height)
        for row in rows {
            let place = first.place(of: row)
            (left, right) = (min(left, place.left), max(right, place.right))
            (top, bottom) = (min(top, place.top), max(bottom, place.bottom))
        }
        let origin = first.candidate.quad.topLeft
        func corner(_ u: Double, _ v: Double) -> Point { origin + first.along * u + first.across * v }
        let polarities = Set(rows.map(\.candidate.isInverted))
        return CodeCandidate(
            kind: .stacked,
            quad: Quad(
                topLeft: corner(left, top), topRight: corner(right, top), bottomRight: corner(right, bottom),
                bottomLeft: corner(left, bottom)), moduleSize: first.candidate.moduleSize,
            isInverted: polarities.count == 1 ? first.candidate.isInverted : nil, score: first.candidate.score,
            promise: promiseShare * (rows.map(\.candidate.promise).min() ?? 0))
    }

    private struct Row {
        let candidate: CodeCandidate
        let along: Point
        let across: Point
        let width: Double
        let height: Double

        init(_ candidate: CodeCandidate) {
            self.candidate = candidate
            along = (candidate.quad.topRight - candidate.quad.topLeft).normalized
            across = Point(x: -along.y, y: along.x)
            (width, height) = (candidate.quad.width, candidate.quad.height)
        }

        /// Where another one lies, seen from this one's corner.
        func place(of other: Row) -> (left: Double, right: Double, top: Double, bottom: Double) {
            let places = other.candidate.quad.corners.map { corner -> (Double, Double) in
                let offset = corner - candidate.quad.topLeft
                return (offset.dot(along), offset.dot(across))
            }
            let (us, vs) = (places.map(\.0), places.map(\.1))
            return (us.min() ?? 0, us.max() ?? 0, vs.min() ?? 0, vs.max() ?? 0)
        }

        func standsOn(_ other: Row) -> Bool {
            guard along.dot(other.along).magnitude > 0.985,
                max(height, other.height) < heightRatio * min(height, other.height),
                let module = candidate.moduleSize, let second = other.candidate.moduleSize,
                max(module, second) < moduleRatio * min(module, second)
            else { return false }
            let place = place(of: other)
            let near = endShare * max(width, other.width)
            guard place.left.magnitude < near || (place.right - width).magnitude < near else { return false }
            let gap = max(place.top - height, -place.bottom)
            return gap < gapShare * min(height, other.height) && gap > -0.3 * min(height, other.height)
        }
    }
}
