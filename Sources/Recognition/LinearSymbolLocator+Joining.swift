// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ScanModel

extension LinearSymbolLocator {
    /// What two parts of one label may be apart along the bars, in widths of the label: a fold or a glare.
    ///
    /// Labels that are printed one above the other have their digits and two margins in between, 15 % and more.
    private static let largestFold = 0.08
    /// What two halves of an EAN may be apart, in widths of the whole: the middle guard is 3 of 95 modules.
    ///
    /// Two whole labels side by side have two quiet zones in between, 18 modules of some 210.
    private static let largestMiddle = 0.05

    /// Labels that are parts of one: above and below a fold, or the two halves of an EAN.
    func joined(_ labels: [LocatedLabel]) -> [LocatedLabel] {
        var result: [LocatedLabel] = []
        for label in labels {
            var label = label
            func whole(_ other: LocatedLabel) -> Quad? {
                other.axis == label.axis ? Self.union(of: other.quad, label.quad, hasHalves: barCount != nil) : nil
            }
            while let index = result.firstIndex(where: { whole($0) != nil }) {
                let other = result.remove(at: index)
                guard let quad = whole(other) else { break }
                label = LocatedLabel(quad: quad, axis: other.axis, hits: other.hits + label.hits)
            }
            result.append(label)
        }
        return result
    }

    /// The whole of two parts of a label; `nil` when they are two labels.
    static func union(of a: Quad, _ b: Quad, hasHalves: Bool) -> Quad? {
        let along = (a.topRight - a.topLeft).normalized
        let across = (a.bottomLeft - a.topLeft).normalized
        let (spanA, spanB) = (Span(widthOf: a, along), Span(widthOf: b, along))
        let (heightA, heightB) = (Span(heightOf: a, across), Span(heightOf: b, across))
        let width = max(spanA.length, spanB.length)
        if spanA.shared(spanB) >= 0.75 * width, heightA.gap(to: heightB) <= Self.largestFold * width {
            let upper = heightA.low <= heightB.low ? a : b
            let base = heightA.high >= heightB.high ? a : b
            return Quad(
                topLeft: upper.topLeft, topRight: upper.topRight, bottomRight: base.bottomRight,
                bottomLeft: base.bottomLeft)
        }
        guard hasHalves else { return nil }
        let whole = max(spanA.high, spanB.high) - min(spanA.low, spanB.low)
        let isBeside = heightA.shared(heightB) >= 0.5 * min(heightA.length, heightB.length)
        guard isBeside, width < 0.65 * whole, spanA.gap(to: spanB) <= Self.largestMiddle * whole else { return nil }
        let (left, right) = spanA.low <= spanB.low ? (a, b) : (b, a)
        return Quad(
            topLeft: left.topLeft, topRight: right.topRight, bottomRight: right.bottomRight,
            bottomLeft: left.bottomLeft)
    }
}

/// What a quad covers along a direction.
private struct Span {
    var low: Double
    var high: Double

    // Means of the two corners of a side: a side that leans does not reach further for that.
    init(widthOf quad: Quad, _ direction: Point) {
        self.init(
            (quad.topLeft + quad.bottomLeft).dot(direction) / 2, (quad.topRight + quad.bottomRight).dot(direction) / 2)
    }

    init(heightOf quad: Quad, _ direction: Point) {
        self.init(
            (quad.topLeft + quad.topRight).dot(direction) / 2, (quad.bottomLeft + quad.bottomRight).dot(direction) / 2)
    }

    private init(_ a: Double, _ b: Double) {
        low = min(a, b)
        high = max(a, b)
    }

    var length: Double { high - low }
    func shared(_ other: Span) -> Double { min(high, other.high) - max(low, other.low) }
    func gap(to other: Span) -> Double { -shared(other) }
}
