// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanModel

/// Few rectangles that hold all places that are to be searched, each with what a label needs around it.
struct SearchParts {
    private(set) var parts: [Rect] = []
    private let region: Rect
    /// What is taken around each place, in 0...1 of the frame.
    private let marginX: Double
    private let marginY: Double

    static let maximum = 4
    /// Parts that are kept apart while places come in: more would take long to compare.
    private static let maximumInWork = 12
    /// What a part costs besides its pixels, as a share of the frame.
    private static let fixedArea = 0.01
    /// From this share of the region on all of it is searched: no label is cut, and no part is seen twice.
    private static let wholeShare = 0.8

    init(region: Rect, marginX: Double, marginY: Double) {
        self.region = region
        self.marginX = marginX
        self.marginY = marginY
    }

    /// Takes in a place.
    mutating func add(_ place: Rect) {
        guard let part = grown(place) else { return }
        for index in parts.indices.reversed() where SearchParts.isWorthJoining(parts[index], part) {
            parts[index] = SearchParts.union(parts[index], part)
            return
        }
        parts.append(part)
        if parts.count > SearchParts.maximumInWork { joinCheapest() }
    }

    /// Takes in a place that could wait, where that makes a part hardly larger.
    mutating func addIfCheap(_ place: Rect) {
        guard let part = grown(place) else { return }
        for index in parts.indices {
            let joined = SearchParts.union(parts[index], part)
            if joined.area - parts[index].area <= SearchParts.fixedArea {
                parts[index] = joined
                return
            }
        }
    }

    /// The rectangles, `maximum` at the most.
    mutating func finished() -> [Rect] {
        joinWorthwhile()
        while parts.count > SearchParts.maximum {
            joinCheapest()
            joinWorthwhile()
        }
        if parts.reduce(0, { $0 + $1.area }) >= SearchParts.wholeShare * region.area { parts = [region] }
        return parts
    }

    private func grown(_ place: Rect) -> Rect? {
        Rect(
            x: place.x - marginX, y: place.y - marginY, width: place.width + 2 * marginX,
            height: place.height + 2 * marginY
        ).intersection(region)
    }

    private mutating func joinWorthwhile() {
        var first = 0
        while first < parts.count {
            let other = parts.indices.dropFirst(first + 1).first { SearchParts.isWorthJoining(parts[first], parts[$0]) }
            if let other {
                parts[first] = SearchParts.union(parts[first], parts.remove(at: other))
                first = 0
            } else {
                first += 1
            }
        }
    }

    private mutating func joinCheapest() {
        var best: (first: Int, second: Int, growth: Double)?
        for first in parts.indices {
            for second in parts.indices.dropFirst(first + 1) {
                let growth = SearchParts.growth(parts[first], parts[second])
                if growth < best?.growth ?? .infinity { best = (first, second, growth) }
            }
        }
        guard let best else { return }
        parts[best.first] = SearchParts.union(parts[best.first], parts[best.second])
        parts.remove(at: best.second)
    }

    private static func growth(_ a: Rect, _ b: Rect) -> Double { union(a, b).area - a.area - b.area }
    private static func isWorthJoining(_ a: Rect, _ b: Rect) -> Bool { growth(a, b) <= fixedArea }

    static func union(_ a: Rect, _ b: Rect) -> Rect {
        let (x, y) = (Swift.min(a.minX, b.minX), Swift.min(a.minY, b.minY))
        return Rect(x: x, y: y, width: Swift.max(a.maxX, b.maxX) - x, height: Swift.max(a.maxY, b.maxY) - y)
    }
}
