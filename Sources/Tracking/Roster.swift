// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanModel

/// The list of announced items as its followers know it, and the only place where events are made.
///
/// By construction an added item was not on the list, a removed or updated one was, and every `allItems` is the list.
struct Roster {
    private struct Entry {
        var item: RecognizedItem
        /// The newest frame when it was last told.
        var frame: FrameStamp
    }

    private var entries: [ItemID: Entry] = [:]
    private var order: [ItemID] = []
    private var reading = ReadingOrder()

    /// The items as told, in reading order.
    var items: [RecognizedItem] { order.compactMap { entries[$0]?.item } }
    var ids: [ItemID] { order }

    /// Makes the list what it is to be and gives the events that say so: removals, additions, updates.
    ///
    /// Removals come first, so that a place that was taken over is free when the new item appears.
    mutating func become(
        _ wanted: [RecognizedItem], reasons: [ItemID: RemovalReason], otherwise reason: RemovalReason,
        frame: FrameStamp, aspectRatio: Double, deadBand: Double
    ) -> [ScanEvent] {
        let wantedIDs = Set(wanted.map(\.id))
        let removed = items.filter { !wantedIDs.contains($0.id) }.map {
            RemovedItem(item: $0, reason: reasons[$0.id] ?? reason)
        }
        let added = wanted.filter { entries[$0.id] == nil }
        let updated = wanted.filter { item in
            guard let entry = entries[item.id] else { return false }
            // At most once a frame; what is left is told with the next one.
            return entry.frame.sequence < frame.sequence
                && Roster.differs(item, from: entry.item, aspectRatio: aspectRatio, deadBand: deadBand)
        }
        var events: [ScanEvent] = []
        if !removed.isEmpty {
            for item in removed { entries[item.item.id] = nil }
            sort(aspectRatio)
            events.append(.didRemove(removed, allItems: order, frame: frame))
        }
        if !added.isEmpty {
            for item in added { entries[item.id] = Entry(item: item, frame: frame) }
            sort(aspectRatio)
            let position = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
            let sorted = added.sorted { position[$0.id] ?? 0 < position[$1.id] ?? 0 }
            events.append(.didAdd(sorted, allItems: order, frame: frame))
        }
        if !updated.isEmpty {
            for item in updated { entries[item.id] = Entry(item: item, frame: frame) }
            let before = order
            sort(aspectRatio)
            let position = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
            let sorted = updated.sorted { position[$0.id] ?? 0 < position[$1.id] ?? 0 }
            events.append(.didUpdate(sorted, allItems: order == before ? nil : order, frame: frame))
        }
        return events
    }

    private mutating func sort(_ aspectRatio: Double) {
        // From the old order on, so that equal keys stay as they are and a run gives the same order each time.
        let known = order.filter { entries[$0] != nil }
        let new = entries.keys.filter { !known.contains($0) }.sorted()
        order = reading.sort((known + new).compactMap { entries[$0]?.item }, aspectRatio: aspectRatio)
    }

    /// Whether an item changed in what is worth an update: not in its confidence or when it was last seen.
    private static func differs(
        _ item: RecognizedItem, from told: RecognizedItem, aspectRatio: Double, deadBand: Double
    ) -> Bool {
        switch (item, told) {
        case (.barcode(let new), .barcode(let old)):
            // All but where it is, how sure it is and when it was seen.
            var still = new
            (still.bounds, still.confidence, still.lastSeen) = (old.bounds, old.confidence, old.lastSeen)
            if still != old { return true }
        case (.text(let new), .text(let old)):
            // By scalars: `==` holds canonically equivalent strings for equal.
            if !new.transcript.unicodeScalars.elementsEqual(old.transcript.unicodeScalars) { return true }
        default: return true
        }
        let old = Shape(line: told.bounds, aspectRatio: aspectRatio)
        let new = Shape(line: item.bounds, aspectRatio: aspectRatio)
        return old.largestCornerDistance(to: new) > Swift.max(deadBand * old.size, TrackerLimits.leastMove)
    }
}
