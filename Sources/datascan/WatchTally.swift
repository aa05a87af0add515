// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import LinuxSystem
import ScanModel
import ScanProtocol

/// What a watch has seen, for its last line.
struct WatchTally {
    private let started = MonotonicTime.now
    private var barcodes = SeenItems()
    private var lines = SeenItems()
    private var firstFrame: UInt64?
    private var lastFrame: UInt64 = 0

    mutating func count(_ message: ServerMessage) {
        switch message {
        // Connected before anything happened: the source's frames count from 0.
        case .hello(let hello): if hello.sequence == 0 { firstFrame = 0 }
        case .snapshot(let snapshot): snapshot.items.forEach { count($0) }
        case .didAdd(let change), .didUpdate(let change), .didRemove(let change):
            change.items.forEach { count($0) }
            firstFrame = firstFrame ?? change.frame.sequence
            lastFrame = max(lastFrame, change.frame.sequence)
        default: break
        }
    }

    private mutating func count(_ item: Wire.Item) {
        if item.kind == "text" { lines.see(item.id) } else { barcodes.see(item.id) }
    }

    /// Such as `14 items seen (10 barcodes, 4 lines of text), 160 frames, 5.3 s`.
    var summary: String {
        let seconds = (MonotonicTime.now - started).inSeconds
        let frames = barcodes.count + lines.count == 0 ? 0 : lastFrame - (firstFrame ?? lastFrame) + 1
        return "\(barcodes.count + lines.count) items seen (\(barcodes.count) barcodes, \(lines.count) lines of text), "
            + "\(frames) frames, \((seconds * 10).rounded() / 10) s\n"
    }
}

/// How many items were seen, each counted once, in bounded memory: a watch may run for months.
private struct SeenItems {
    /// IDs that are remembered. When there are more, all are forgotten: what is still in view is counted a second time.
    private static let remembered = 65_536

    private(set) var count = 0
    private var ids: Set<String> = []

    mutating func see(_ id: String) {
        guard ids.insert(id).inserted else { return }
        count += 1
        if ids.count >= SeenItems.remembered { ids = [id] }
    }
}
