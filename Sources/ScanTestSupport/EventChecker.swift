// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ScanModel

/// Follows a stream of events as a subscriber does, and notes each breach of what events promise.
public struct EventChecker: Sendable {
    /// The items that are on the list, as last told.
    public private(set) var live: [ItemID: RecognizedItem] = [:]
    /// What was wrong, in words.
    public private(set) var violations: [String] = []
    private var order: [ItemID] = []
    private var lastFrame: UInt64 = 0

    public init() {}

    /// Takes in the events of one call.
    public mutating func take(_ events: [ScanEvent]) {
        var kinds: [Int] = []
        for event in events {
            switch event {
            case .didRemove(let removed, let allItems, let frame):
                kinds.append(0)
                expect(!removed.isEmpty, "an empty didRemove")
                for item in removed {
                    expect(live.removeValue(forKey: item.item.id) != nil, "removed unknown \(item.item.id)")
                }
                check(allItems, frame)
            case .didAdd(let items, let allItems, let frame):
                kinds.append(1)
                expect(!items.isEmpty, "an empty didAdd")
                for item in items {
                    expect(live.updateValue(item, forKey: item.id) == nil, "added \(item.id), which is live")
                    check(item)
                }
                check(allItems, frame)
            case .didUpdate(let items, let allItems, let frame):
                kinds.append(2)
                expect(!items.isEmpty, "an empty didUpdate")
                for item in items {
                    expect(live.updateValue(item, forKey: item.id) != nil, "updated unknown \(item.id)")
                    check(item)
                }
                check(allItems ?? order, frame)
            case .becameUnavailable, .becameAvailable, .guidance: break
            }
        }
        expect(kinds == Array(Set(kinds)).sorted(), "events out of order or twice in one call: \(kinds)")
    }

    private mutating func check(_ allItems: [ItemID], _ frame: FrameStamp) {
        expect(Set(allItems) == Set(live.keys) && allItems.count == live.count, "allItems is not the list")
        expect(frame.sequence >= lastFrame, "frame \(frame.sequence) after \(lastFrame)")
        lastFrame = frame.sequence
        order = allItems
    }

    private mutating func check(_ item: RecognizedItem) {
        expect(item.bounds.isFinite, "bounds of \(item.id) are not finite")
        let frame = Rect(x: 0, y: 0, width: 1, height: 1)
        expect(item.bounds.corners.allSatisfy(frame.contains), "bounds of \(item.id) are outside the frame")
        expect(item.confidence >= 0 && item.confidence <= 1, "confidence of \(item.id) is \(item.confidence)")
    }

    private mutating func expect(_ isTrue: Bool, _ what: String) {
        if !isTrue { violations.append(what) }
    }
}
