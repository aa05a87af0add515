// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanModel

/// Lets looks wait for a sharper frame while the camera moves fast: a hand that shakes stands still twice a swing.
struct BlurWait {
    /// Frame heights a frame over which a picture may be blurred: 9 px of 1080p, half of it during the exposure.
    static let fastSpeed = 0.008
    /// The share of the best sharpness of the last second under which a frame is worth waiting for a better one. In a quarter
    /// of 1080p labels blurred by less than 3 px have 0.86 and more, by more than 7 px 0.72 and less; bars of 2 px are
    /// lost from 5 px on.
    static let leastShare = 0.84
    /// The share under which it is looked at, and again when there is a better one.
    static let enoughShare = 0.95
    static let mostFrames = 4
    static let mostTime = Duration.milliseconds(150)
    /// What is seen for the first time waits no longer than this.
    static let mostTimeOfNew = Duration.milliseconds(100)
    private static let memory = Duration.seconds(1)

    /// The best of two spells of half a second each: a window without a list.
    private var best = 0.0
    private var bestBefore = 0.0
    private var spellBegan: MonotonicTime?
    private(set) var isBlurred = false
    private var lastBlurred: MonotonicTime?
    private var waitingSince: MonotonicTime?
    private var frames = 0

    var isWaiting: Bool { waitingSince != nil }

    mutating func note(_ motion: FrameMotion, at now: MonotonicTime) {
        let sharpness = motion.light.sharpness.isFinite ? motion.light.sharpness : 0
        if spellBegan.map({ now - $0 >= BlurWait.memory / 2 }) ?? true {
            (bestBefore, best, spellBegan) = (best, 0, now)
        }
        best = Swift.max(best, sharpness)
        isBlurred = motion.speed > BlurWait.fastSpeed && sharpness < BlurWait.leastShare * Swift.max(best, bestBefore)
        if isBlurred { lastBlurred = now }
    }

    /// What was searched in less sharp a picture is searched again in a sharper one.
    var sharpEnough: Double { BlurWait.enoughShare * Swift.max(best, bestBefore) }

    /// Whether frames were blurred in the last second, so that the next may be.
    func isLikely(at now: MonotonicTime) -> Bool { lastBlurred.map { now - $0 < BlurWait.memory } ?? false }

    /// Whether a look that is due in this frame is to wait for another one.
    mutating func waits(forNew isNew: Bool, at now: MonotonicTime) -> Bool {
        guard isBlurred else {
            waitingSince = nil
            return false
        }
        guard let since = waitingSince else {
            (waitingSince, frames) = (now, 1)
            return true
        }
        let limit = isNew ? BlurWait.mostTimeOfNew : BlurWait.mostTime
        guard frames < BlurWait.mostFrames, now - since < limit else {
            // This one is looked at; the next one may wait again.
            waitingSince = nil
            return false
        }
        frames += 1
        return true
    }
}
