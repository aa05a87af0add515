// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanModel

/// When each known barcode, and each place of an unread code, is looked at by its own crop.
struct PlaceRhythm {
    /// A place that is to be looked at now.
    struct Due {
        var index: Int
        /// Over twice its time: it is looked at whatever the budget says.
        var isOverdue: Bool
    }

    private struct Looks {
        var last: MonotonicTime
        /// Looks since it was last certain.
        var uncertain = 0
    }

    private var known: [PlaceKey: Looks] = [:]
    private var unread: [(place: Point, tries: Int, last: MonotonicTime)] = []
    /// When the next one is due, of those that were asked for last.
    private(set) var nextDue: MonotonicTime?

    // MARK: - Known barcodes

    /// How long after its last look a barcode is due.
    private func interval(of barcode: SchedulerAttention.Barcode, isStill: Bool) -> Duration {
        if !barcode.isCertain {
            // At once while it is new; a phantom that never becomes certain is looked at less and less often.
            let looks = known[barcode.key]?.uncertain ?? 0
            return PlaceRhythm.backOff(after: looks, free: SchedulerLimits.freeLooks, most: .milliseconds(500))
        }
        if barcode.presence == .missing { return SchedulerLimits.missingInterval }
        if isStill, barcode.presence == .there, barcode.missed == 0 { return SchedulerLimits.stillInterval }
        return SchedulerLimits.movingInterval
    }

    /// The barcodes that are due, those that waited longest first.
    mutating func due(
        _ barcodes: [SchedulerAttention.Barcode], isStill: Bool, slack: Duration, at now: MonotonicTime
    ) -> (uncertain: [Due], certain: [Due]) {
        var late: [(due: Due, share: Double)] = []
        var uncertain: [Due] = []
        nextDue = nil
        for (index, barcode) in barcodes.enumerated() {
            let interval = interval(of: barcode, isStill: isStill)
            guard let last = [barcode.lastRead, known[barcode.key]?.last].compactMap({ $0 }).max() else {
                if barcode.isCertain {
                    late.append((Due(index: index, isOverdue: false), .infinity))
                } else {
                    uncertain.append(Due(index: index, isOverdue: false))
                }
                nextDue = now
                continue
            }
            nextDue = Swift.min(nextDue ?? last + interval, last + interval)
            let age = now - last
            guard age >= interval - slack else { continue }
            guard barcode.isCertain else {
                uncertain.append(Due(index: index, isOverdue: false))
                continue
            }
            late.append(
                (Due(index: index, isOverdue: age >= interval * 2), age / Swift.max(interval, .milliseconds(1))))
        }
        late.sort { ($0.share, $1.due.index) > ($1.share, $0.due.index) }
        return (uncertain, late.map(\.due))
    }

    mutating func look(at barcode: SchedulerAttention.Barcode, now: MonotonicTime) {
        let uncertain = barcode.isCertain ? 0 : (known[barcode.key]?.uncertain ?? 0) + 1
        known[barcode.key] = Looks(last: now, uncertain: uncertain)
    }

    /// Forgets those that are no longer followed.
    mutating func keep(_ barcodes: [SchedulerAttention.Barcode]) {
        guard known.count > barcodes.count else { return }
        let keys = Set(barcodes.map(\.key))
        known = known.filter { keys.contains($0.key) }
    }

    // MARK: - Codes that were not read

    /// The unread places that are due, up to `SchedulerLimits.mostUnreadPlaces`.
    func due(_ codes: [SchedulerAttention.UnreadCode], isStill: Bool, slack: Duration, at now: MonotonicTime) -> [Int] {
        var due: [(index: Int, share: Double)] = []
        for (index, code) in codes.enumerated() {
            guard let record = unread.first(where: { PlaceRhythm.isSame($0.place, code.bounds) }) else {
                due.append((index, .infinity))
                continue
            }
            let interval = PlaceRhythm.backOff(
                after: record.tries, free: 3, most: isStill ? .seconds(2) : .milliseconds(500))
            let age = now - record.last
            if age >= interval - slack { due.append((index, age / Swift.max(interval, .milliseconds(1)))) }
        }
        due.sort { ($0.share, $1.index) > ($1.share, $0.index) }
        return due.prefix(SchedulerLimits.mostUnreadPlaces).map(\.index)
    }

    mutating func look(at code: SchedulerAttention.UnreadCode, now: MonotonicTime) {
        if let index = unread.firstIndex(where: { PlaceRhythm.isSame($0.place, code.bounds) }) {
            unread[index] = (code.bounds.center, unread[index].tries + 1, now)
        } else {
            unread.append((code.bounds.center, 1, now))
            if unread.count > SchedulerLimits.mostUnreadRecords { unread.removeFirst() }
        }
    }

    /// Follows the picture; what was not tried for some seconds, or is out of view, is forgotten.
    mutating func carry(along motion: PlaneMotion, at now: MonotonicTime) {
        guard !unread.isEmpty else { return }
        for index in unread.indices { unread[index].place = motion(unread[index].place) }
        unread.removeAll { now - $0.last > .seconds(4) || $0.place.x.magnitude > 2 || $0.place.y.magnitude > 2 }
    }

    /// What changed is as good as new.
    mutating func forgetUnread(where hasChanged: (Point) -> Bool) { unread.removeAll { hasChanged($0.place) } }

    private static func isSame(_ place: Point, _ bounds: Quad) -> Bool {
        let box = bounds.boundingRect
        return Rect(
            x: box.x - 0.01, y: box.y - 0.01, width: box.width + 0.02, height: box.height + 0.02
        ).contains(place)
    }

    /// No wait for the first looks, then a time that doubles with each.
    private static func backOff(after looks: Int, free: Int, most: Duration) -> Duration {
        guard looks >= free else { return .zero }
        return Swift.min(most, .milliseconds(66) * (1 << Swift.min(looks - free, 6)))
    }
}
