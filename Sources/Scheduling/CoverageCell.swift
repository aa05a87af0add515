// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanModel

/// What is known of one cell of the scene: when it was searched and how well, and when it changed.
struct CoverageCell {
    /// The newest search in which a label here was whole within what was searched.
    var searched: MonotonicTime?
    /// Where it was never searched: since when this part of the picture waits for a look.
    var waitingSince: MonotonicTime?
    /// Searches of what is there now.
    var searches: UInt8 = 0
    /// How deep inside the region it was at a search, in frame heights, up to `CoverageMap.edgeDepth`: nearer to the edge,
    /// a label could have been cut.
    var depth = 0.0
    /// How sharp the picture was at the sharpest search at this depth.
    var sharpness = 0.0
    /// The newest change, the first one of this spell of changes, and how often it was searched since.
    var changed: MonotonicTime?
    var changes: UInt8 = 0
    var searchesSinceChange: UInt8 = 0
    /// The newest plain scan, and how many of what is there now.
    var swept: MonotonicTime?
    var sweeps: UInt8 = 0
    /// The newest look for text.
    var readForText: MonotonicTime?

    /// Changes that go on are one spell until they pause for so long.
    static let pause = Duration.milliseconds(300)
    /// When a cell is searched after a change: at once, and twice again, because a hand is still there and exposure settles.
    static let rhythm: [Duration] = [.zero, .milliseconds(100), .milliseconds(300)]

    mutating func change(at now: MonotonicTime) {
        if changed.map({ now - $0 > CoverageCell.pause }) ?? true { searchesSinceChange = 0 }
        changed = now
        sweeps = 0
        searches = 0
    }

    /// When it is to be searched again because it changed; `nil` where it is done with that.
    var changeDue: MonotonicTime? {
        guard let changed else { return nil }
        guard let searched else { return changed }
        let rhythm = CoverageCell.rhythm
        if Int(searchesSinceChange) < rhythm.count {
            return searchesSinceChange == 0 ? changed : searched + rhythm[Int(searchesSinceChange)]
        }
        // Something that moves there all the time is looked at in a steady rhythm, and once when it has come to rest.
        return changed > searched ? searched + rhythm[rhythm.count - 1] : nil
    }

    /// When the plain scan is to go over it again: twice, and then less and less often while nothing changes.
    var sweepDue: MonotonicTime? {
        guard let swept else { return nil }
        let shift = Swift.min(Swift.max(0, Int(sweeps) - 1), 5)
        return swept + Swift.min(.seconds(1 << shift), SchedulerLimits.longestSweepInterval)
    }

    mutating func search(at now: MonotonicTime, depth: Double, sharpness: Double, sweeps isSwept: Bool) {
        searched = now
        searches = Swift.min(searches, 250) + 1
        searchesSinceChange = Swift.min(searchesSinceChange, 250) + 1
        // A sharp search of half a label says nothing of the whole one.
        self.sharpness = depth > self.depth + 0.01 ? sharpness : Swift.max(self.sharpness, sharpness)
        self.depth = Swift.max(self.depth, depth)
        if isSwept {
            swept = now
            sweeps = Swift.min(sweeps, 250) + 1
        }
    }

    /// A search that gave no result was none.
    mutating func forgetSearch(at now: MonotonicTime) {
        waitingSince = now
        searched = nil
        searches = 0
        sweeps = 0
        depth = 0
        sharpness = 0
    }
}
