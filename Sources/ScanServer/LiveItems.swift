// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ScanModel
internal import ScanProtocol

/// The items that are in view according to the events so far, for those who come later.
struct LiveItems {
    private var items: [ItemID: RecognizedItem] = [:]
    private var order: [ItemID] = []
    /// Why no frames come, while none come.
    private(set) var unavailable: Wire.Reason?

    /// The items in reading order.
    var inOrder: [RecognizedItem] { order.compactMap { items[$0] } }

    mutating func apply(_ event: ScanEvent) {
        switch event {
        case .didAdd(let added, let allItems, _):
            for item in added { items[item.id] = item }
            order = allItems
        case .didUpdate(let updated, let allItems, _):
            for item in updated where items[item.id] != nil { items[item.id] = item }
            if let allItems { order = allItems }
        case .didRemove(let removed, let allItems, _):
            for removal in removed { items[removal.item.id] = nil }
            order = allItems
        case .becameUnavailable(let code, let message):
            unavailable = Wire.Reason(code: code.rawValue, message: message)
        case .becameAvailable:
            unavailable = nil
        case .guidance: break
        }
    }
}
