// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ScanModel

/// The bars that begin and end every row of a PDF417 (ISO/IEC 15438, 5.3.2), and the symbol's place by them.
///
/// They are the same in each row, so a line meets them wherever it runs, and lines that lean by some degrees too. Of
/// regions of bars that are not linear one in thirty is a PDF417; these lines tell for a hundredth of what a decoder takes.
public struct StackedGuards {
    /// From the start's outer edge to the stop's, in the symbol's own order as far as both were met.
    public private(set) var quad: Quad
    /// Pixels along the rows.
    public private(set) var module: Double
    /// Lines that met the start and the stop.
    public private(set) var counts: (start: Int, stop: Int)

    /// Lines over the height of the region.
    private static let lines = 12
    /// Lines that must meet one of the two.
    private static let fewest = 3
    /// Steps from the region's middle, at most.
    private static let furthest = 24
    /// Modules from the one to the other: 1 column has 69, 10 columns have 222; more than 20 are not looked for.
    private static let spans = 60.0...400.0

    /// `nil` where not enough lines meet either; the region is a rectangle whose axis runs across the bars.
    public init?(_ picture: LumaView, center: Point, axis: Point, length: Double, height: Double) {
        let step = max(1.5, height / Double(Self.lines))
        let reach = 0.65 * length + 12
        var search = GuardSearch(picture: picture, center: center, axis: axis)
        // The middle third tells whether there is anything.
        for line in -2...2 { search.look(at: Double(line) * step, from: -reach, to: reach) }
        guard !search.hits.isEmpty else { return nil }
        for side in [1.0, -1.0] {
            var misses = 0
            for line in 3...Self.furthest {
                let isMet = search.look(at: side * Double(line) * step, from: -reach, to: reach)
                misses = isMet ? 0 : misses + 1
                if misses == 3, 2 * line >= Self.lines { break }
            }
        }
        search.keepOneDirection()
        guard max(search.starts.count, search.stops.count) >= Self.fewest else { return nil }
        module = search.module
        search.lookBeyond(spans: Self.spans)
        let (starts, stops, isReversed) = (search.starts, search.stops, search.isReversed)
        counts = (starts.count, stops.count)
        let whole = search.hits.map(\.across)
        guard let low = whole.min(), let high = whole.max() else { return nil }
        var rows = (low - step / 2)...(high + step / 2)
        // What one side alone tells of the height may be what dirt left of it.
        if min(starts.count, stops.count) < 2 {
            rows = min(rows.lowerBound, -height / 2)...max(rows.upperBound, height / 2)
        }
        let side = isReversed ? -1.0 : 1.0
        guard let begin = search.edge(of: starts, rows: rows, step: step, else: -side * length / 2),
            let end = search.edge(of: stops, rows: rows, step: step, else: side * length / 2)
        else { return nil }
        quad =
            isReversed
            ? Quad(topLeft: begin.below, topRight: end.below, bottomRight: end.above, bottomLeft: begin.above)
            : Quad(topLeft: begin.above, topRight: end.above, bottomRight: end.below, bottomLeft: begin.below)
        guard quad.isFinite, quad.signedArea > 0, quad.width > 40 * module else { return nil }
    }
}

/// Lines across bars, and where they met guards.
private struct GuardSearch {
    struct Hit {
        var isStart: Bool
        /// Whether it is read against the line.
        var isReversed: Bool
        /// The outer edge, along the line and across it, from the centre.
        var along: Double
        var across: Double
        var module: Double
    }

    let picture: LumaView
    let center: Point
    let axis: Point
    var hits: [Hit] = []

    var isReversed: Bool { 2 * hits.count { $0.isReversed } > hits.count }
    var starts: [Hit] { hits.filter(\.isStart) }
    var stops: [Hit] { hits.filter { !$0.isStart } }
    var module: Double {
        let modules = hits.map(\.module).sorted()
        return modules.isEmpty ? 0 : modules[modules.count / 2]
    }

    private func point(_ along: Double, _ across: Double) -> Point {
        Point(x: center.x + axis.x * along - axis.y * across, y: center.y + axis.y * along + axis.x * across)
    }

    /// Whether the line so far from the centre meets a guard between two places along it.
    @discardableResult
    mutating func look(at across: Double, from: Double, to: Double) -> Bool {
        let (start, end) = (point(from, across), point(to, across))
        guard max(start.x, end.x) > 0, max(start.y, end.y) > 0, min(start.x, end.x) < Double(picture.width),
            min(start.y, end.y) < Double(picture.height), picture.width > 1, picture.height > 1
        else { return false }
        let count = min(1400, max(64, Int(1.3 * (to - from))))
        let line = picture.profile(
            from: Point(x: start.x - 0.5, y: start.y - 0.5), to: Point(x: end.x - 0.5, y: end.y - 0.5), count: count)
        let (places, beginsDark) = BarEdges.turns(of: line)
        let unit = (to - from) / Double(count - 1)
        let before = hits.count
        for isReversed in [false, true] {
            let own = isReversed ? places.reversed().map { Float(count - 1) - $0 } : places
            // Turns take turns: of an even number the last one turns dark as seen from behind if the first one does.
            let begins = isReversed ? (places.count % 2 == 0) == beginsDark : beginsDark
            for match in GuardPattern.matches(in: own, beginsDark: begins) {
                let along = Double(isReversed ? Float(count - 1) - match.edge : match.edge) * unit + from
                hits.append(
                    Hit(
                        isStart: match.isStart, isReversed: isReversed, along: along, across: across,
                        module: Double(match.module) * unit))
            }
        }
        return hits.count > before
    }

    mutating func keepOneDirection() {
        let isReversed = isReversed
        hits.removeAll { $0.isReversed != isReversed }
    }

    /// Looks for the other guard where only one was met: the region may have been one end of the symbol.
    mutating func lookBeyond(spans: ClosedRange<Double>) {
        guard starts.isEmpty != stops.isEmpty else { return }
        let (known, isReversed, module) = (hits, isReversed, module)
        let side = starts.isEmpty == isReversed ? 1.0 : -1.0
        for hit in known {
            let (near, far) = (
                hit.along + side * spans.lowerBound * module, hit.along + side * spans.upperBound * module
            )
            // Outside the picture there is nothing.
            let inside = max(picture.width, picture.height)
            let reach = side * min((far - hit.along).magnitude, 1.5 * Double(inside))
            var beyond = GuardSearch(picture: picture, center: center, axis: axis)
            let from = near - side * 20 * module
            beyond.look(at: hit.across, from: min(from, hit.along + reach), to: max(from, hit.along + reach))
            let others = beyond.hits.filter {
                $0.isStart != hit.isStart && $0.isReversed == isReversed && (0.6...1.7).contains($0.module / module)
                    && side * ($0.along - hit.along) > spans.lowerBound * module
            }
            if let other = others.min(by: { side * $0.along < side * $1.along }) { hits.append(other) }
        }
    }

    /// The ends of the line through outer edges.
    ///
    /// They end where both sides' rows do, or, as perspective has it, where its own do when nearly all of them were met.
    /// Where there are none, it is a line at `place` along the axis.
    func edge(of hits: [Hit], rows: ClosedRange<Double>, step: Double, else place: Double) -> (
        above: Point, below: Point
    )? {
        guard hits.count >= 2, let low = hits.map(\.across).min(), let high = hits.map(\.across).max() else {
            return (point(place, rows.lowerBound), point(place, rows.upperBound))
        }
        let own = (low - step / 2)...(high + step / 2)
        let isWhole = own.upperBound - own.lowerBound > 0.85 * (rows.upperBound - rows.lowerBound)
        let ends = isWhole ? own : rows
        // In the plane of along and across, so that it can be cut with the first and the last line.
        guard let line = FittedLine(hits.map { Point(x: $0.along, y: $0.across) }), line.direction.y.magnitude > 0.5
        else { return nil }
        func along(_ across: Double) -> Double {
            line.point.x + line.direction.x / line.direction.y * (across - line.point.y)
        }
        return (point(along(ends.lowerBound), ends.lowerBound), point(along(ends.upperBound), ends.upperBound))
    }
}

/// The widths of the guards, compared by pairs of neighbours, which blur and spread ink leave alone.
enum GuardPattern {
    struct Match {
        var isStart: Bool
        var edge: Float
        var module: Float
    }

    /// A bar and the space behind it, then that space and the next bar, and so on: of 8, 1, 1, 1, 1, 1, 1, 3.
    private static let start: [Float] = [9, 2, 2, 2, 2, 2, 4]
    /// The same of the stop's 7, 1, 1, 3, 1, 1, 1, 2, 1.
    private static let stop: [Float] = [8, 2, 4, 4, 2, 2, 3, 3]

    /// Where turns of a line that is read forwards show a guard.
    static func matches(in places: [Float], beginsDark: Bool) -> [Match] {
        var found: [Match] = []
        for first in places.indices where (first % 2 == 0) == beginsDark {
            if let module = module(of: start, total: 17, in: places, at: first) {
                found.append(Match(isStart: true, edge: places[first], module: module))
            }
            if let module = module(of: stop, total: 18, in: places, at: first) {
                found.append(Match(isStart: false, edge: places[first + stop.count + 1], module: module))
            }
        }
        return found
    }

    private static func module(of pattern: [Float], total: Float, in places: [Float], at first: Int) -> Float? {
        guard first + pattern.count + 1 < places.count else { return nil }
        let module = (places[first + pattern.count + 1] - places[first]) / total
        for (index, expected) in pattern.enumerated() {
            let width = (places[first + index + 2] - places[first + index]) / module
            guard (width - expected).magnitude < 0.45 + 0.1 * expected else { return nil }
        }
        return module
    }
}
