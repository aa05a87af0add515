// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ScanModel

/// How well IDs stay with labels, over the looks in which the labels are in view.
public struct TrackingMetrics: Sendable {
    /// Times that another ID stood for a label than before.
    public private(set) var idSwitches = 0
    /// Looks in which a second item stood on a label.
    public private(set) var duplicates = 0
    /// Looks in which a label in view had its item, and all looks in which it was in view.
    public private(set) var hits = 0
    public private(set) var looks = 0
    private var last: [String: ItemID] = [:]

    public init() {}

    /// Notes which items stand on a label that is in view.
    public mutating func note(label: String, ids: [ItemID]) {
        looks += 1
        if ids.count > 1 { duplicates += 1 }
        guard let first = ids.min() else { return }
        hits += 1
        let previous = last[label]
        let current = previous.flatMap { ids.contains($0) ? $0 : nil } ?? first
        if let previous, previous != current { idSwitches += 1 }
        last[label] = current
    }
}
