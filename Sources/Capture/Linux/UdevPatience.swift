// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ScanModel

/// How long a node is left alone that udev has not finished with.
///
/// The kernel makes a node as root's, and udev gives it its group and its lasting names up to a second later. A camera
/// that is opened in between is refused, or is not known again when it comes back as another number. udev's event tells
/// when it is done; where it never comes, the node is taken as it is.
struct UdevPatience {
    private var firstSeen: [String: MonotonicTime] = [:]

    static let limit = Duration.seconds(3)

    /// Notes which nodes are there and not settled.
    mutating func look(at entries: [VideoNodeEntry], now: MonotonicTime) {
        var seen: [String: MonotonicTime] = [:]
        for entry in entries where !entry.isSettled { seen[entry.node] = firstSeen[entry.node] ?? now }
        firstSeen = seen
    }

    func isOver(for entry: VideoNodeEntry, now: MonotonicTime) -> Bool {
        guard !entry.isSettled, let since = firstSeen[entry.node] else { return true }
        return now - since >= UdevPatience.limit
    }
}
