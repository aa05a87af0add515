// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ScanModel

extension ItemTracker {
    /// What is to be followed in the next frame, announced items first.
    public var places: [FollowedPlace] {
        let lives = (barcodes.map(\.life) + lines.map(\.life)).filter { $0.ended == nil && $0.key != nil }
        let ordered = lives.filter(\.isCertain) + lives.filter { !$0.isCertain }
        return ordered.prefix(TrackerLimits.maximumFollowed).compactMap { life in
            life.key.map {
                FollowedPlace(key: $0, bounds: life.place.smoothed, readIn: life.readIn, readAt: life.readAt)
            }
        }
    }

    /// Carries all that is followed, and what may come back, to a new frame.
    mutating func carry(by motion: FrameMotion, to frame: FrameStamp) {
        chain.append(motion, to: frame)
        let moved = Dictionary(motion.places.map { ($0.key, $0) }) { first, _ in first }
        for index in barcodes.indices {
            carry(&barcodes[index].life, by: motion, place: barcodes[index].life.key.flatMap { moved[$0] }, to: frame)
        }
        for index in lines.indices {
            carry(&lines[index].life, by: motion, place: lines[index].life.key.flatMap { moved[$0] }, to: frame)
        }
        if motion.plane != .identity { formers.carry(by: motion.plane) }
    }

    private func carry(_ life: inout Life, by motion: FrameMotion, place: PlaceMotion?, to frame: FrameStamp) {
        let target = place?.bounds ?? motion.plane(life.place.smoothed)
        life.place.carry(to: target, isTold: settings.isHighFrameRateTrackingEnabled)
        let bounds = life.place.smoothed
        life.appearance.take(
            likeness: place?.likeness, changes: motion.changes, at: bounds, now: frame.monotonic)
        guard life.ended == nil else { return }
        if !isInView(bounds) {
            life.ended = .outOfView
        } else if life.appearance.isCovered(for: settings.occlusionLimit, at: frame.monotonic) {
            life.ended = .gone
        }
    }

    /// Whether enough of an item is in the frame and the region to stay one.
    private func isInView(_ bounds: Quad) -> Bool {
        guard bounds.isFinite else { return false }
        return region.share(of: bounds) >= TrackerLimits.leastInView
    }

    /// Gives each new track the number by which its place is followed.
    mutating func numberPlaces() {
        for index in barcodes.indices where barcodes[index].life.key == nil {
            barcodes[index].life.key = nextKey()
        }
        for index in lines.indices where lines[index].life.key == nil { lines[index].life.key = nextKey() }
    }

    /// What a look of an older frame said is told as of the newest: its place was carried there.
    mutating func noteCarriedReadings(of look: Look) {
        for index in barcodes.indices where barcodes[index].life.wasSeen(in: look.frame) {
            barcodes[index].life.noteReading(in: newest)
        }
        for index in lines.indices where lines[index].life.wasSeen(in: look.frame) {
            lines[index].life.noteReading(in: newest)
        }
    }

    /// Whether a look at a place that did not see its item says that the item is not there.
    func isMiss(_ life: Life, hasOther: Bool) -> Bool {
        // Another label that is read there is there, however alike it looks.
        if hasOther { return true }
        if let speed = chain.speed, speed > TrackerLimits.blurringSpeed { return false }
        return life.appearance.state == .missing || life.appearance.state == .unknown
    }

    private mutating func nextKey() -> PlaceKey {
        placesNumbered += 1
        return PlaceKey(placesNumbered)
    }
}
