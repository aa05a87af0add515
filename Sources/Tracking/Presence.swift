// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanModel

/// When an item was seen, and whether the looks that did not see it mean that it is not there.
///
/// Only looks count: while none come, as when a recogniser is lost, nothing is absent.
struct Presence {
    private(set) var firstSeen: FrameStamp
    private(set) var lastSeen: FrameStamp
    /// Frames in a row whose look covered the place and did not see the item.
    private(set) var missed = 0
    private var missedSince: MonotonicTime?
    private var lastMissed: FrameStamp?
    /// How often looks see it, as counts that forget, with two sightings in two looks assumed at the start.
    private var hits = 2.0
    private var looks = 2.2

    /// What the counts keep at each sighting: they speak of the last 20 or so.
    private static let memory = 0.95
    /// A run of misses is taken for absence when it would come by chance less often than this.
    private static let chance = 0.02
    /// Looks that are waited for at the most, however hard the item is to read.
    private static let mostLooks = 20

    init(at frame: FrameStamp) {
        firstSeen = frame
        lastSeen = frame
    }

    /// Whether the frame is newer than the last sighting.
    func isNewer(_ frame: FrameStamp) -> Bool { frame.sequence > lastSeen.sequence }

    mutating func see(in frame: FrameStamp) {
        guard isNewer(frame) else { return }
        hits = hits * Presence.memory + 1
        looks = looks * Presence.memory + 1 + Double(Swift.min(missed, Presence.mostLooks))
        lastSeen = frame
        missed = 0
        missedSince = nil
        lastMissed = nil
    }

    mutating func miss(in frame: FrameStamp) {
        guard isNewer(frame), frame.sequence > lastMissed?.sequence ?? 0 || missed == 0 else { return }
        missed += 1
        missedSince = missedSince ?? frame.monotonic
        lastMissed = frame
    }

    /// Whether so many looks in a row missed it that chance does not explain it.
    func isMissing(leastLooks: Int) -> Bool {
        let rate = Swift.min(0.99, hits / looks)
        // The smallest n with (1 - rate)^n <= chance, by multiplication: pure code has no logarithm.
        var needed = 0
        var probability = 1.0
        while probability > Presence.chance, needed < Presence.mostLooks {
            probability *= 1 - rate
            needed += 1
        }
        return missed >= Swift.max(leastLooks, needed)
    }

    /// Whether its place was seen without it for `delay`, in `leastLooks` looks at least.
    ///
    /// An item that is often missed is waited for longer, up to three times the delay.
    func isAbsent(delay: Duration, leastLooks: Int) -> Bool {
        guard missed >= leastLooks, let missedSince, let lastMissed else { return false }
        let time = lastMissed.monotonic - missedSince
        return time >= delay && (isMissing(leastLooks: leastLooks) || time >= delay * 3)
    }

    /// Starts afresh at a new place: the item was there all the time.
    mutating func take(over other: Presence) {
        lastSeen = other.lastSeen
        missed = other.missed
        missedSince = other.missedSince
        lastMissed = other.lastMissed
    }
}
