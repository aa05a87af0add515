// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ScanModel

/// Turns what recognisers saw into items that keep their identity, and into the events that tell of them.
///
/// It is a value without a clock: time is what the frames' stamps say. Looks for barcodes and for text may come in any
/// order between each other; an older look than the last one that saw an item changes nothing of that item.
/// A call gives at most one `didRemove`, one `didAdd` and one `didUpdate`, in this order.
public struct ItemTracker: Sendable {
    var settings: TrackerSettings
    private var random: any RandomNumberGenerator & Sendable
    private var roster = Roster()
    private(set) var newest = FrameStamp(
        sequence: 0, monotonic: MonotonicTime(nanoseconds: 0), time: WallTime(milliseconds: 0))
    private var aspectRatio = 16.0 / 9
    private var nearest: ItemID?
    /// The newest frame at the last `removeAll`.
    private var forgotten: UInt64?

    var barcodes: [BarcodeTrack] = []
    var lines: [TextTrack] = []
    var formers = FormerItems()
    var chain = MotionChain()
    var placesNumbered: UInt64 = 0
    /// The part of the frame in which items are announced.
    public private(set) var region: RegionOfInterest
    /// Observations that were left out because `TrackerLimits.maximumTracks` were followed already.
    public private(set) var omittedObservations = 0

    /// Makes a tracker that knows no items; IDs are drawn from `random`.
    public init(
        settings: TrackerSettings, random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        self.settings = settings
        self.random = random
        region = settings.region
    }

    /// The announced items as last told, in reading order.
    public var items: [RecognizedItem] { roster.items }

    // MARK: - What happens

    /// Takes in what one look found; `newest` is the newest frame that was processed, and stands in the events.
    public mutating func process(_ look: Look, newest frame: FrameStamp) -> [ScanEvent] {
        pass(to: frame)
        // What was on its way when everything was removed is not to come back as news.
        if let forgotten, look.frame.sequence <= forgotten { return tell() }
        // A reading of an older frame is compared with where things are now.
        let motion = chain.motion(since: look.frame)
        let isCarried = motion != .identity
        var look = look.carried(by: motion)
        if !(look.aspectRatio.isFinite && look.aspectRatio > 0) { look.aspectRatio = aspectRatio }
        aspectRatio = look.aspectRatio
        // Before anything is matched: an old reading and a new one are not two that agree.
        barcodes.removeAll { $0.life.isForgotten(at: look.frame) }
        lines.removeAll { $0.life.isForgotten(at: look.frame) }
        switch look.subject {
        case .barcodes: takeBarcodes(look)
        case .text: takeText(look)
        }
        if isCarried { noteCarriedReadings(of: look) }
        return tell()
    }

    /// Lets time pass: moves all that is followed as the picture moved, tells what waited for a new frame and forgets what is
    /// too old to come back.
    ///
    /// Nothing is removed by time alone: without looks there is no telling whether an item is there. `motion` is that of
    /// this frame against the last one for which there was one, for the places that `places` gave; `nil` where it is not
    /// known.
    public mutating func advance(to frame: FrameStamp, motion: FrameMotion? = nil) -> [ScanEvent] {
        pass(to: frame)
        if let motion { carry(by: motion, to: frame) }
        return tell()
    }

    /// Removes all items and forgets everything; after `sourceLost` what comes back gets its old ID.
    public mutating func removeAll(_ reason: RemovalReason, at frame: FrameStamp) -> [ScanEvent] {
        pass(to: frame)
        for index in barcodes.indices { barcodes[index].life.ended = barcodes[index].life.ended ?? reason }
        for index in lines.indices { lines[index].life.ended = lines[index].life.ended ?? reason }
        let events = tell()
        forgotten = newest.sequence
        chain.forget()
        if reason != .sourceLost { formers.forgetAll() }
        return events
    }

    /// Changes the region of interest; items outside of it are removed.
    public mutating func setRegion(_ region: RegionOfInterest, at frame: FrameStamp) -> [ScanEvent] {
        pass(to: frame)
        self.region = region
        for index in barcodes.indices where usableBounds(barcodes[index].life.place.seen) == nil {
            barcodes[index].life.ended = barcodes[index].life.ended ?? .regionChanged
        }
        for index in lines.indices where usableBounds(lines[index].life.place.seen) == nil {
            lines[index].life.ended = lines[index].life.ended ?? .regionChanged
        }
        return tell()
    }

    /// What the tracker knows that helps to decide where to look next.
    public func attention(now: MonotonicTime) -> TrackedAttention {
        let recent = Duration.milliseconds(500)
        return TrackedAttention(
            barcodes: knownBarcodes(at: now),
            lines: lines.filter { $0.life.ended == nil }.map {
                TrackedAttention.Line(
                    bounds: $0.life.place.seen, isSettled: $0.isSettled, lastRead: $0.lastRead?.monotonic)
            },
            uncertainBarcodes: barcodes.reduce(0) {
                $0 + ($1.life.id == nil && now - $1.life.presence.lastSeen.monotonic <= recent ? 1 : 0)
            })
    }

    // MARK: - For both kinds

    /// An observation's bounds inside the frame and the region; `nil` where they are outside, or no numbers.
    func usableBounds(_ bounds: Quad) -> Quad? { region.usable(bounds) }

    /// Whether another item of a kind may be followed; counts it if not.
    mutating func canTrackMore(than count: Int) -> Bool {
        if count < TrackerLimits.maximumTracks { return true }
        omittedObservations += 1
        return false
    }

    mutating func makeID() -> ItemID { ItemID(at: newest.time, using: &random) }

    private mutating func pass(to frame: FrameStamp) {
        // The frame of an event never goes back, whatever order looks come in.
        if frame.sequence >= newest.sequence { newest = frame }
        formers.forget(olderThan: settings.reidentifyWindow, at: newest.monotonic)
    }

    // MARK: - Telling

    private mutating func tell() -> [ScanEvent] {
        var reasons: [ItemID: RemovalReason] = [:]
        for track in barcodes {
            guard let id = track.life.id, let reason = track.life.ended, let item = track.current(in: region) else {
                continue
            }
            reasons[id] = reason
            let equals = barcodes.filter { $0.identity == track.identity && ($0.life.id != nil || $0.twinFrames > 0) }
            formers.remember(
                .init(
                    item: .barcode(item), identity: track.identity, bounds: track.life.place.seen,
                    removed: newest.monotonic, wasUnique: equals.count == 1))
        }
        for line in lines {
            guard let id = line.life.id, let reason = line.life.ended, let item = line.current(in: region) else {
                continue
            }
            reasons[id] = reason
            formers.remember(
                .init(
                    item: .text(item), identity: nil, bounds: line.life.place.seen, removed: newest.monotonic,
                    wasUnique: false))
        }
        barcodes.removeAll { $0.life.ended != nil }
        lines.removeAll { $0.life.ended != nil }
        numberPlaces()
        let certain =
            barcodes.compactMap { $0.current(in: region).map(RecognizedItem.barcode) }
            + lines.compactMap { $0.current(in: region).map(RecognizedItem.text) }
        return roster.become(
            settings.recognizesMultipleItems ? certain : onlyNearest(of: certain), reasons: reasons,
            // An item that is still in view leaves the list only when another is nearer to the point of interest.
            otherwise: .regionChanged, frame: newest, aspectRatio: aspectRatio, deadBand: settings.deadBand)
    }

    /// The item nearest to the point of interest; the one that was it before, unless another is clearly nearer.
    private mutating func onlyNearest(of items: [RecognizedItem]) -> [RecognizedItem] {
        let clearly = 0.8
        let point = settings.pointOfInterest
        func distance(_ item: RecognizedItem) -> Double {
            let center = item.bounds.center
            return Point(x: center.x * aspectRatio, y: center.y)
                .distance(to: Point(x: point.x * aspectRatio, y: point.y)) * (item.id == nearest ? clearly : 1)
        }
        let chosen = items.min { (distance($0), $0.id) < (distance($1), $1.id) }
        nearest = chosen?.id
        return chosen.map { [$0] } ?? []
    }
}

extension BarcodeTrack {
    /// The item as it is now; `nil` while it is not certain.
    func current(in region: RegionOfInterest) -> RecognizedItem.Barcode? {
        guard var item else { return nil }
        item.bounds = life.place.told.clamped(to: region.boundingRect)
        item.take(reading)
        item.confidence = confidence
        item.lastSeen = life.presence.lastSeen.time
        return item
    }
}

extension TextTrack {
    /// The item as it is now; `nil` while it is not certain.
    func current(in region: RegionOfInterest) -> RecognizedItem.Text? {
        guard var item else { return nil }
        item.bounds = life.place.told.clamped(to: region.boundingRect)
        item.confidence = confidence
        item.lastSeen = life.presence.lastSeen.time
        return item
    }
}

extension RegionOfInterest {
    /// The bounds of what was seen, cut to the region; `nil` where it is not in it.
    func usable(_ bounds: Quad) -> Quad? {
        guard bounds.isFinite else { return nil }
        let full = RegionOfInterest.full.boundingRect
        guard full.contains(bounds.center) else { return nil }
        let inFrame = bounds.clamped(to: full)
        guard contains(inFrame.center) else { return nil }
        // A little over the edge is jitter of the corners; more is an item that is not in the region.
        guard share(of: inFrame) >= 0.9 else { return nil }
        return inFrame.clamped(to: boundingRect)
    }
}
