// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// Where a line across bars turns from bright to dark and back, and which of the turns belong together.
public struct BarEdges: Sendable {
    /// Edges that follow each other without a quiet zone, in samples.
    public struct Group: Sendable {
        public var start: Float
        public var end: Float
        public var count: Int
        /// The width of the narrow bars and spaces.
        public var module: Float
        /// Whether what lies around it is as dark as its dark parts; `nil` where the line shows neither.
        public var isInverted: Bool?
        public var traits: BarTraits
    }

    /// The widest space within a symbol, in narrow elements: 9 modules in DataBar, and one for blur.
    static let widestElement: Float = 10

    public let groups: [Group]

    public init(of line: [Float]) {
        let places = Self.turns(of: line).places
        var groups: [Group] = []
        guard places.count >= 2 else {
            self.groups = []
            return
        }
        let distances = zip(places.dropFirst(), places).map { $0 - $1 }
        let narrow = Self.lower(distances, share: 0.25)
        let gap = max(6, Self.widestElement * narrow)
        var first = 0
        for index in 1...places.count where index == places.count || places[index] - places[index - 1] > gap {
            let own = Array(places[first..<index])
            first = index
            guard own.count >= 2, let start = own.first, let end = own.last else { continue }
            let widths = zip(own.dropFirst(), own).map { $0 - $1 }
            let module = Self.lower(widths, share: 0.2)
            let steps = own.map { place in
                let at = min(max(Int(place.rounded()), 1), line.count - 2)
                return (line[at + 1] - line[at - 1]).magnitude
            }
            groups.append(
                Group(
                    start: start, end: end, count: own.count, module: module,
                    isInverted: Self.isInverted(
                        line, start: start, end: end, quiet: 3 * narrow, isFramed: Self.isFramed(widths, module: module)
                    ),
                    traits: BarTraits(of: line, places: own, steps: steps, module: module)))
        }
        self.groups = groups
    }

    /// Where the line turns, dark to bright and back taking turns, and whether the first one turns dark.
    static func turns(of line: [Float]) -> (places: [Float], beginsDark: Bool) {
        let slopes = slopes(of: line)
        // A seventh of the strong slopes: narrow bars are faint where the picture is soft.
        let places = edges(of: slopes, threshold: max(3, strongest(of: slopes) / 7))
        guard let first = places.first else { return ([], false) }
        return (places, slopes[min(slopes.count - 1, Int(first.rounded()))] < 0)
    }

    private static func slopes(of line: [Float]) -> [Float] {
        var slopes = [Float](repeating: 0, count: line.count)
        guard line.count > 2 else { return slopes }
        for index in 1..<(line.count - 1) { slopes[index] = line[index + 1] - line[index - 1] }
        return slopes
    }

    /// Extremes of the slope, each the strongest until its sign changes, between samples by a parabola.
    private static func edges(of slopes: [Float], threshold: Float) -> [Float] {
        var result: [Float] = []
        var best: Int?
        func finish() {
            guard let index = best else { return }
            let (a, b, c) = (
                slopes[max(index - 1, 0)].magnitude, slopes[index].magnitude,
                slopes[min(index + 1, slopes.count - 1)].magnitude
            )
            let curve = a - 2 * b + c
            let shift = curve < 0 ? (a - c) / (2 * curve) : 0
            result.append(Float(index) + min(0.5, max(-0.5, shift)))
        }
        for index in slopes.indices where slopes[index].magnitude >= threshold {
            if let old = best, (slopes[old] > 0) == (slopes[index] > 0) {
                if slopes[index].magnitude > slopes[old].magnitude { best = index }
            } else {
                finish()
                best = index
            }
        }
        finish()
        return result
    }

    /// Whether one of the outermost elements is as wide as a quiet zone: beyond it there is a label's side, or a digit.
    private static func isFramed(_ widths: [Float], module: Float) -> Bool {
        (widths.prefix(4) + widths.suffix(4)).contains { $0 > 5.5 * module }
    }

    /// Compares what lies before and behind with what lies within.
    ///
    /// What is dark around a label, whose sides count as edges here, says nothing of its bars.
    private static func isInverted(
        _ line: [Float], start: Float, end: Float, quiet: Float, isFramed: Bool
    ) -> Bool? {
        // Whole levels suffice, and their tenths are found by counting.
        var counts = [Int](repeating: 0, count: 256)
        for value in line[Int(start)...Int(end)] { counts[min(255, max(0, Int(value)))] += 1 }
        let tenth = (Int(end) - Int(start) + 1) / 10
        func level(_ order: some Sequence<Int>) -> Float {
            var left = tenth
            for value in order {
                left -= counts[value]
                if left < 0 { return Float(value) }
            }
            return 0
        }
        let (dark, bright) = (level(0..<256), level((0..<256).reversed()))
        let reach = max(2, Int(quiet))
        let before = line[max(0, Int(start) - reach)..<max(0, Int(start) - 1)]
        let behind = line[min(line.count, Int(end) + 2)..<min(line.count, Int(end) + 1 + reach)]
        let around = Array(before) + Array(behind)
        guard !around.isEmpty, bright - dark > 8 else { return nil }
        let level = around.reduce(0, +) / Float(around.count)
        let share = (level - dark) / (bright - dark)
        return share > 0.65 ? false : share < 0.35 && !isFramed ? true : nil
    }

    /// What a twentieth of the slopes exceed; a histogram, as sorting would cost as much as all the rest.
    private static func strongest(of slopes: [Float]) -> Float {
        var counts = [Int](repeating: 0, count: 512)
        for slope in slopes { counts[min(511, Int(slope.magnitude))] += 1 }
        var left = slopes.count / 20
        for value in stride(from: 511, through: 0, by: -1) {
            left -= counts[value]
            if left < 0 { return Float(value) }
        }
        return 0
    }

    private static func lower(_ values: [Float], share: Float) -> Float {
        let sorted = values.sorted()
        return sorted.isEmpty ? 0 : sorted[Int(Float(sorted.count - 1) * share)]
    }
}
