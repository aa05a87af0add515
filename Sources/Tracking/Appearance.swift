// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanModel

/// What an item's place looks like from frame to frame, between readings.
///
/// The normalised correlation with the picture of the last reading is 0.94 and more where the item is, 0.45 and less where
/// something covers it. It does not tell one label from another, which may give 0.8.
struct Appearance {
    enum State: Hashable {
        /// Nothing can be said.
        case unknown
        /// The place looks as it did when the item was read.
        case there
        /// Something passes in front of the place, or did a moment ago.
        case covered
        /// The place looks otherwise, and stands still.
        case missing
    }

    private(set) var state = State.unknown
    private(set) var coveredSince: MonotonicTime?
    private var lastChange: MonotonicTime?

    private static let thereFrom = 0.6
    private static let otherBelow = 0.4
    /// A cell of the map of changes that is more than noise.
    private static let leastChange: UInt8 = 8
    /// How long the place must stand still before what is seen there counts.
    private static let settling = Duration.milliseconds(500)

    /// Takes in a frame: how alike the place looks there, and what changed in it.
    mutating func take(likeness: Double?, changes: ChangeMap, at bounds: Quad, now: MonotonicTime) {
        if Appearance.isChanging(changes, in: bounds) { lastChange = now }
        switch likeness {
        case nil: state = .unknown
        case let likeness? where likeness > Appearance.thereFrom:
            state = .there
            coveredSince = nil
            return
        case let likeness? where likeness < Appearance.otherBelow:
            let isSettled = lastChange.map { now - $0 >= Appearance.settling } ?? true
            state = isSettled ? .missing : .covered
        default: state = .unknown
        }
        if state == .covered { coveredSince = coveredSince ?? now }
        if state == .missing { coveredSince = nil }
    }

    /// Whether it has been covered for longer than a limit.
    func isCovered(for limit: Duration, at now: MonotonicTime) -> Bool {
        coveredSince.map { now - $0 >= limit } ?? false
    }

    private static func isChanging(_ changes: ChangeMap, in bounds: Quad) -> Bool {
        guard !changes.isEmpty else { return false }
        // The corners, the middles of the sides and the middle: a cell is larger than a ninth of most labels.
        let points = bounds.corners
        var places = points + [bounds.center]
        for index in 0..<4 {
            let (a, b) = (points[index], points[(index + 1) % 4])
            places.append(Point(x: (a.x + b.x) / 2, y: (a.y + b.y) / 2))
        }
        return places.contains { changes.change(at: $0) >= leastChange }
    }
}
