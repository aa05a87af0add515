// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanModel

/// What barcodes and lines of text have in common while they are followed.
struct Life {
    var place: Place
    var presence: Presence
    /// Set when the item is certain; it is then announced, unless only one item is wanted and another is nearer.
    var id: ItemID?
    /// Why it is to be forgotten at the end of this look; only told for items that were announced.
    var ended: RemovalReason?
    /// Until when it is followed by what it says, because it jumped.
    var movingUntil: MonotonicTime?
    /// What its place is followed by from frame to frame.
    var key: PlaceKey?
    /// The newest frame in which it was read, and where it was in that frame.
    private(set) var readIn: UInt64
    private(set) var readAt: Quad
    var appearance = Appearance()

    init(at bounds: Quad, in frame: FrameStamp, leastThickness: Double = Shape.barcodeThickness) {
        place = Place(bounds, leastThickness: leastThickness)
        presence = Presence(at: frame)
        (readIn, readAt) = (frame.sequence, bounds)
    }

    var isCertain: Bool { id != nil && ended == nil }

    func wasSeen(in frame: FrameStamp) -> Bool { presence.lastSeen.sequence == frame.sequence }

    /// Whether it was last seen before the other one was seen for the first time.
    func isUnseenSince(_ other: Life) -> Bool {
        presence.lastSeen.sequence < other.presence.firstSeen.sequence
    }

    mutating func see(_ bounds: Quad, in look: Look) {
        guard presence.isNewer(look.frame) else { return }
        let elapsed = look.frame.monotonic - presence.lastSeen.monotonic
        place.follow(bounds, seconds: elapsed.inSeconds, aspectRatio: look.aspectRatio)
        presence.see(in: look.frame)
        (readIn, readAt) = (look.frame.sequence, place.seen)
    }

    /// Notes that the last reading's place is told as it is in a newer frame.
    mutating func noteReading(in frame: FrameStamp) { (readIn, readAt) = (frame.sequence, place.seen) }

    /// Takes the place of a candidate that turned out to be this item elsewhere.
    mutating func move(to other: Life) {
        place.jump(to: other.place)
        presence.take(over: other.presence)
        (readIn, readAt) = (other.readIn, other.readAt)
        appearance = other.appearance
        movingUntil = other.presence.lastSeen.monotonic + TrackerLimits.motionMemory
    }

    /// Whether the look covered the place, so that not seeing the item there says something.
    func isCovered(by look: Look) -> Bool { look.covers(place.seen) }

    /// Whether something that was not announced was not seen for so long that it begins anew.
    func isForgotten(at frame: FrameStamp) -> Bool {
        guard id == nil else { return false }
        let unseen = frame.monotonic - presence.lastSeen.monotonic
        return unseen > EvidenceRule.candidateLifetime * 5
            || (unseen > EvidenceRule.candidateLifetime && presence.missed >= TrackerLimits.barcodeMisses)
    }

    /// Why the item is no longer there.
    func reasonOfAbsence(in region: RegionOfInterest) -> RemovalReason {
        // A third of a second ahead: a look or two, in which an item that moves is gone before it touches the edge.
        place.isLeaving(region.boundingRect, within: 0.33) ? .outOfView : .gone
    }
}

/// One payload at one place.
struct BarcodeTrack {
    let identity: BarcodeIdentity
    /// The reading with the most scan lines, completed by what only others said.
    private(set) var reading: BarcodeReading
    private var supplement = SupplementVotes()
    var life: Life
    /// The sum of the readings' weights, one a frame.
    private(set) var evidence = 0.0
    /// The sum of the weights of what was read at this place and says otherwise, since the first sighting.
    private(set) var contradiction = 0.0
    /// Frames in which an equal payload was seen elsewhere too.
    var twinFrames = 0
    /// The item without its volatile fields, once it is certain.
    var item: RecognizedItem.Barcode?

    init(_ sighting: BarcodeSighting, in frame: FrameStamp) {
        identity = sighting.identity
        reading = sighting.reading
        supplement.take(sighting.reading.supplement)
        life = Life(at: sighting.bounds, in: frame)
        evidence = sighting.weight
    }

    var rule: EvidenceRule { EvidenceRule.rule(for: reading.symbology) }

    /// The evidence for the payload less that against it.
    var lead: Double { evidence - contradiction }

    /// Whether the payload is certain, for all that was read at its place.
    var isReady: Bool { lead >= rule.frames - 1e-9 }

    /// How sure it is, 0...1, and never quite: the doubt of the surest reading, of which each `frames` of full weight that
    /// the payload leads by after the first leave a quarter. Frames are not as independent as engines, and what contradicts
    /// the payload brings the doubt back.
    var confidence: Double {
        var doubt = 1 - reading.confidence
        if !identity.isLinear { return Swift.min(BarcodeTrack.surest, 1 - doubt) }
        var rest = (lead - 1) / rule.frames
        while rest < 0, doubt < 0.5 {
            doubt *= 4
            rest += 1
        }
        while rest >= 1 {
            doubt /= 4
            rest -= 1
        }
        return Swift.min(BarcodeTrack.surest, 1 - Swift.min(0.5, doubt * (1 - 0.75 * Swift.max(0, rest))))
    }

    private static let surest = 0.99

    mutating func see(_ sighting: BarcodeSighting, in look: Look) {
        // One frame counts once, however many looks or passes found the label in it.
        guard life.presence.isNewer(look.frame) else { return }
        life.see(sighting.bounds, in: look)
        evidence = Swift.min(rule.frames * EvidenceRule.ceilingFactor, evidence + sighting.weight)
        var better = sighting.reading.quality > reading.quality && life.id == nil ? sighting.reading : reading
        better.complete(from: reading)
        better.complete(from: sighting.reading)
        better.confidence = Swift.max(reading.confidence, sighting.reading.confidence)
        supplement.take(sighting.reading.supplement)
        better.supplement = supplement.digits
        reading = better
    }

    mutating func miss(in look: Look) {
        life.presence.miss(in: look.frame)
        if life.id == nil { evidence *= EvidenceRule.decay }
    }

    /// Notes what else was read at this place in a look: the strongest of it, 0 for nothing.
    mutating func contradict(_ weight: Double) {
        if weight > 0 {
            contradiction = Swift.min(rule.frames * EvidenceRule.ceilingFactor * 2, contradiction + weight)
        } else {
            contradiction *= EvidenceRule.decay
        }
    }

    /// What another reading at this place says against this one.
    func weightAgainst(_ sighting: BarcodeSighting) -> Double {
        // A symbol with error correction is not in doubt, and a linear code inside one is read out of its texture.
        if !identity.isLinear { return 0 }
        if !sighting.identity.isLinear { return rule.frames * 2 }
        // The longest of overlapping reads is right: its parts are cut off, not contradictions.
        return sighting.identity.isPart(of: identity) ? 0 : sighting.weight
    }

    /// Whether this certain-enough candidate is to take the place of an item that stands there.
    func displaces(_ other: BarcodeTrack) -> Bool {
        let isOverwhelming = lead >= rule.frames * EvidenceRule.displacementFactor - 1e-9
        guard other.life.isUnseenSince(life) else {
            if !identity.isLinear { return false }
            return other.identity.isPart(of: identity) || isOverwhelming
        }
        if identity.isLikelyMisread(of: other.identity) { return isOverwhelming }
        return other.life.presence.missed >= TrackerLimits.displacementMisses
    }
}

/// Which digits beside a barcode are its add-on's: the first that were read, until two readings say the same other ones.
struct SupplementVotes {
    private(set) var digits: [UInt8]?
    private var rival: [UInt8]?

    /// Takes in what one frame says. That it says nothing is no contradiction: an add-on is the smaller symbol.
    mutating func take(_ read: [UInt8]?) {
        guard let read else { return }
        if digits == nil || rival == read { digits = read }
        rival = digits == read ? nil : read
    }
}

/// One observation of a barcode, checked and weighed.
struct BarcodeSighting {
    var bounds: Quad
    var shape: Shape
    var reading: BarcodeReading
    var identity: BarcodeIdentity
    var weight: Double
}
