// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ScanModel

/// Squares within squares: a finder pattern of a QR code, or the bullseye of an Aztec code.
public struct RingPattern: Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
        /// Dark, light and dark rings whose widths along any line through the middle are 1:1:3:1:1.
        case finder
        /// Rings of one module around a module.
        case bullseye
    }

    public var kind: Kind
    public var center: Point
    /// The corners of the outer dark ring of a finder, of the second dark ring of a bullseye (5 modules wide).
    ///
    /// Clockwise as seen, in pixels, edges of pixels being whole numbers; which comes first is of no meaning.
    public var corners: Quad
    /// The part of the rays from the middle that met the rings where they should, 0...1.
    public var support: Double
    /// Light where it should be dark.
    public var isInverted: Bool

    /// The mean side.
    public var side: Double { (corners.width + corners.height) / 2 }
}

/// Finds rings by runs along rows, and proves and measures them by rays from their middle.
///
/// A line through the middle of squares within squares cuts them in the same proportions at every angle, so one set of
/// rows serves all rotations; the rays then follow the rings themselves. Contours of the whole thresholded picture were
/// rejected: they cost five times as much and break where a ring touches its neighbour.
public struct RingFinder {
    /// Runs shorter than this in sum are no finder that anybody could read.
    static let minimumSpan: Int32 = 7
    /// Seeds that are looked at, at most: a page of text gives some 2000.
    static let maximumSeeds = 20_000

    let picture: LumaView
    let threshold: LocalThreshold

    public init(_ picture: LumaView) {
        self.picture = picture
        threshold = LocalThreshold(of: picture)
    }

    /// The patterns found in every `rowStep`-th row, at most `limit`.
    public func patterns(_ kinds: Set<RingPattern.Kind>, rowStep: Int, limit: Int) -> [RingPattern] {
        precondition(rowStep > 0, "rows are counted upwards")
        var found = FoundRings(limit: limit)
        var row = DarkRuns(width: picture.width)
        var seeds = 0
        let (looksForFinders, looksForBullseyes) = (kinds.contains(.finder), kinds.contains(.bullseye))
        for y in stride(from: rowStep / 2, to: picture.height, by: rowStep) {
            row.scan(picture, row: y, threshold: threshold)
            let edges = row.edges
            guard edges.count >= 6 else { continue }
            for first in 0..<(edges.count - 5) {
                // Even edges begin a dark run, odd ones a light run.
                let isInverted = first & 1 == 1
                if looksForFinders, Self.isFinder(edges, first) {
                    seeds += 1
                    examine(Seed(.finder, edges, first, row: y, isInverted: isInverted), into: &found)
                }
                if looksForBullseyes, first + 7 < edges.count, Self.isBullseye(edges, first) {
                    seeds += 1
                    examine(Seed(.bullseye, edges, first + 1, row: y, isInverted: !isInverted), into: &found)
                }
            }
            if found.isFull || seeds > Self.maximumSeeds { break }
        }
        return found.patterns
    }

    /// Five runs near 1:1:3:1:1: loosely, as a row may cut off the middle and blur takes from one kind for the other.
    @inline(__always)
    static func isFinder(_ edges: [Int32], _ first: Int) -> Bool {
        let span = edges[first + 5] - edges[first]
        guard span >= minimumSpan else { return false }
        let middle = edges[first + 3] - edges[first + 2]
        guard 100 * middle >= 26 * span, 100 * middle <= 64 * span else { return false }
        let (a, b) = (edges[first + 1] - edges[first], edges[first + 2] - edges[first + 1])
        let (c, d) = (edges[first + 4] - edges[first + 3], edges[first + 5] - edges[first + 4])
        let (left, right) = (a + b, c + d)
        return 2 * (left - right).magnitude <= min(left, right).magnitude + 3
            && max(a, d) <= middle && max(b, c) <= middle && 5 * a + 3 > b && 5 * b + 3 > a && 5 * c + 3 > d
            && 5 * d + 3 > c
    }

    /// Seven runs of about one length.
    @inline(__always)
    static func isBullseye(_ edges: [Int32], _ first: Int) -> Bool {
        // The outer two may run on into what lies beside them.
        let span = edges[first + 6] - edges[first + 1]
        guard span >= minimumSpan else { return false }
        for run in 1..<6 {
            let length = edges[first + run + 1] - edges[first + run]
            guard 25 * length <= 8 * span + 25, 10 * length + 10 >= span else { return false }
        }
        let (left, right) = (edges[first + 3] - edges[first + 1], edges[first + 6] - edges[first + 4])
        guard 2 * (left - right).magnitude <= min(left, right).magnitude + 2 else { return false }
        return 10 * (edges[first + 1] - edges[first]) + 10 >= span
            && 10 * (edges[first + 7] - edges[first + 6]) + 10 >= span
    }

    /// Five runs of one row.
    private struct Seed {
        var kind: RingPattern.Kind
        var isInverted: Bool
        var row: Int
        /// The middle of the middle run, and those of the light runs beside it.
        var x: Float
        var left: Int
        var right: Int
        var middle: Int32
        var span: Int32

        init(_ kind: RingPattern.Kind, _ edges: [Int32], _ first: Int, row: Int, isInverted: Bool) {
            self.kind = kind
            self.isInverted = isInverted
            self.row = row
            x = Float(edges[first + 2] + edges[first + 3]) / 2
            left = Int(edges[first + 1] + edges[first + 2]) / 2
            right = Int(edges[first + 3] + edges[first + 4]) / 2
            middle = edges[first + 3] - edges[first + 2]
            span = edges[first + 5] - edges[first]
        }
    }

    private func examine(_ seed: Seed, into found: inout FoundRings) {
        let (dark, left, right) = (
            Int(picture[Int(seed.x), seed.row]), Int(picture[seed.left, seed.row]), Int(picture[seed.right, seed.row])
        )
        let contrast = seed.isInverted ? dark - max(left, right) : min(left, right) - dark
        guard contrast >= LocalThreshold.minimumContrast / 2, isTall(seed, level: (dark + (left + right) / 2) / 2)
        else {
            return
        }
        let y = Float(seed.row) + 0.5
        if found.contains(x: seed.x, y: y, kind: seed.kind, isInverted: seed.isInverted) { return }
        let trace = RingTrace(picture: picture, kind: seed.kind, isInverted: seed.isInverted)
        let level = Float(dark + (left + right) / 2) / 2
        if let pattern = trace.pattern(
            x: seed.x, y: y, span: Float(seed.span), level: seed.isInverted ? 255 - level : level)
        {
            found.add(pattern)
        }
    }

    /// Whether the middle run goes on about as far in its column: a quick look before the exact one.
    private func isTall(_ seed: Seed, level: Int) -> Bool {
        let x = Int(seed.x)
        let reach = (seed.kind == .finder ? 3 : 2) * Int(seed.middle) + 2
        func length(_ step: Int) -> Int {
            var y = seed.row + step
            var count = 0
            while y >= 0, y < picture.height, count <= reach, (Int(picture[x, y]) < level) != seed.isInverted {
                y += step
                count += 1
            }
            return count
        }
        let height = length(-1) + length(1) + 1
        return height <= reach && 3 * height + 3 >= Int(seed.middle)
    }
}

/// What was found so far, each once.
private struct FoundRings {
    var limit: Int
    var patterns: [RingPattern] = []

    init(limit: Int) { self.limit = limit }

    var isFull: Bool { patterns.count >= limit }

    /// Whether the middle square of a pattern covers the place.
    func contains(x: Float, y: Float, kind: RingPattern.Kind, isInverted: Bool) -> Bool {
        patterns.contains { pattern in
            guard pattern.kind == kind, pattern.isInverted == isInverted else { return false }
            let reach = 0.3 * pattern.side
            return (Double(x) - pattern.center.x).magnitude < reach && (Double(y) - pattern.center.y).magnitude < reach
        }
    }

    mutating func add(_ pattern: RingPattern) {
        let twin = patterns.firstIndex { other in
            other.kind == pattern.kind && other.isInverted == pattern.isInverted
                && other.center.distance(to: pattern.center) < 0.4 * max(other.side, pattern.side)
        }
        guard let twin else {
            if !isFull { patterns.append(pattern) }
            return
        }
        if pattern.support > patterns[twin].support { patterns[twin] = pattern }
    }
}
