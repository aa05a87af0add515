// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanModel

extension ItemTracker {
    /// Takes in a look for barcodes.
    mutating func takeBarcodes(_ look: Look) {
        let sightings = barcodeSightings(in: look)
        let inPlace = pairBarcodes(with: sightings, in: look)
        let moved = pairMovedBarcodes(with: sightings, paired: inPlace, in: look)
        for pair in inPlace + moved {
            barcodes[pair.track].see(sightings[pair.observation], in: look)
            completeLate(pair.track)
        }
        for pair in moved where barcodes[pair.track].life.isCertain {
            barcodes[pair.track].life.movingUntil = look.frame.monotonic + TrackerLimits.motionMemory
        }
        startBarcodes(sightings, paired: inPlace + moved, in: look)
        weighContradictions(sightings, in: look)
        confirmBarcodes(in: look)
        endBarcodes()
    }

    /// The usable observations, those of one label joined.
    private func barcodeSightings(in look: Look) -> [BarcodeSighting] {
        var sightings: [BarcodeSighting] = []
        for observation in look.observations {
            guard case .barcode(let reading) = observation.content, !reading.payload.isEmpty,
                let bounds = usableBounds(observation.bounds)
            else { continue }
            let weight = EvidenceRule.rule(for: reading.symbology).weight(of: reading)
            let sighting = BarcodeSighting(
                bounds: bounds, shape: Shape(bounds, aspectRatio: look.aspectRatio), reading: reading,
                identity: BarcodeIdentity(reading), weight: weight)
            let twin = sightings.firstIndex {
                $0.identity == sighting.identity && $0.shape.collides(with: sighting.shape)
            }
            guard let twin else {
                sightings.append(sighting)
                continue
            }
            // Two readings of one label in one frame are one: the better one.
            let isBetter = sighting.reading.quality > sightings[twin].reading.quality
            var (better, rest) = isBetter ? (sighting, sightings[twin]) : (sightings[twin], sighting)
            better.reading.complete(from: rest.reading)
            sightings[twin] = better
        }
        return sightings.withAddOnsJoined()
    }

    /// Finds which observation is which known payload by place.
    private func pairBarcodes(with sightings: [BarcodeSighting], in look: Look) -> [Assignment.Candidate] {
        let byIdentity = Dictionary(grouping: sightings.indices) { sightings[$0].identity }
        var candidates: [Assignment.Candidate] = []
        for (index, track) in barcodes.enumerated() {
            guard let matches = byIdentity[track.identity] else { continue }
            let shape = Shape(track.life.place.seen, aspectRatio: look.aspectRatio)
            for match in matches {
                let offset = shape.offset(to: sightings[match].shape)
                guard offset.along <= TrackerLimits.gate, offset.across <= TrackerLimits.gate else { continue }
                candidates.append(.init(track: index, observation: match, cost: offset.along + offset.across))
            }
        }
        return Assignment.nearestFirst(candidates)
    }

    /// Pairs what place alone did not: a payload that is unique in the look and has one track that may follow it.
    private func pairMovedBarcodes(
        with sightings: [BarcodeSighting], paired: [Assignment.Candidate], in look: Look
    ) -> [Assignment.Candidate] {
        let byIdentity = Dictionary(grouping: sightings.indices) { sightings[$0].identity }
        let settled = Set(paired.map { barcodes[$0.track].identity })
        let tracksByIdentity = Dictionary(grouping: barcodes.indices) { barcodes[$0].identity }
        var pairs: [Assignment.Candidate] = []
        for (identity, matches) in byIdentity where matches.count == 1 && !settled.contains(identity) {
            guard let tracks = tracksByIdentity[identity] else { continue }
            // A candidate has no ID to lose. An item is followed across a gap only while it is known to move: else
            // its twin, seen alone in one look, would take its ID.
            let moving = tracks.filter { index in
                barcodes[index].life.movingUntil.map { look.frame.monotonic <= $0 } ?? false
            }
            let candidates = tracks.filter { barcodes[$0].life.id == nil }
            if moving.count == 1, tracks.count == 1 {
                pairs.append(.init(track: moving[0], observation: matches[0], cost: 0))
            } else if candidates.count == 1, tracks.count <= 2 {
                pairs.append(.init(track: candidates[0], observation: matches[0], cost: 0))
            }
        }
        return pairs
    }

    private mutating func startBarcodes(
        _ sightings: [BarcodeSighting], paired: [Assignment.Candidate], in look: Look
    ) {
        let known = Set(paired.map(\.observation))
        for (index, sighting) in sightings.enumerated() where !known.contains(index) && sighting.weight > 0 {
            guard canTrackMore(than: barcodes.count) else { continue }
            barcodes.append(BarcodeTrack(sighting, in: look.frame))
        }
    }

    /// Notes for each track what was read at its place that is not it, and whether it was missed.
    private mutating func weighContradictions(_ sightings: [BarcodeSighting], in look: Look) {
        for index in barcodes.indices {
            let track = barcodes[index]
            let shape = Shape(track.life.place.seen, aspectRatio: look.aspectRatio)
            let wasSeen = track.life.wasSeen(in: look.frame)
            var against = 0.0
            var isMisread = false
            var hasOther = false
            for sighting in sightings
            where sighting.identity != track.identity && sighting.shape.collides(with: shape) {
                against = Swift.max(against, track.weightAgainst(sighting))
                hasOther = hasOther || sighting.weight > 0
                isMisread = isMisread || sighting.identity.isLikelyMisread(of: track.identity)
            }
            let isCovered = track.life.isCovered(by: look)
            if wasSeen || isCovered { barcodes[index].contradict(against) }
            // What looks like a misread of the item says that something is there: neither seen nor missed.
            if !wasSeen, isCovered, !isMisread, isMiss(track.life, hasOther: hasOther) {
                barcodes[index].miss(in: look)
            }
            if track.life.id == nil, wasSeen, hasTwin(index, in: look) { barcodes[index].twinFrames += 1 }
        }
    }

    /// Whether an equal payload is at another place at the same time, as far as this look can tell.
    private func hasTwin(_ index: Int, in look: Look) -> Bool {
        barcodes.indices.contains { other in
            let life = barcodes[other].life
            guard other != index, life.ended == nil, barcodes[other].identity == barcodes[index].identity else {
                return false
            }
            return life.wasSeen(in: look.frame) || (life.isCertain && !life.isCovered(by: look))
        }
    }

    // MARK: - Certainty

    private mutating func confirmBarcodes(in look: Look) {
        let ready = barcodes.indices.filter {
            barcodes[$0].life.id == nil && barcodes[$0].life.wasSeen(in: look.frame) && barcodes[$0].isReady
        }
        // Those next to a place where they were before come first, so that each of some twins gets its own ID back.
        let byDistance = ready.map { index in
            (index: index, distance: formers.distance(of: barcodes[index], aspectRatio: look.aspectRatio))
        }.sorted { ($0.distance, $0.index) < ($1.distance, $1.index) }
        for (index, _) in byDistance { confirmBarcode(index, in: look) }
    }

    private mutating func confirmBarcode(_ index: Int, in look: Look) {
        let track = barcodes[index]
        let shape = Shape(track.life.place.seen, aspectRatio: look.aspectRatio)
        let inTheWay = barcodes.indices.filter {
            let other = barcodes[$0]
            return other.life.isCertain && other.identity != track.identity
                && shape.collides(with: Shape(other.life.place.seen, aspectRatio: look.aspectRatio))
        }
        let displaced = inTheWay.filter { track.displaces(barcodes[$0]) }
        if track.identity.isLinear, displaced.count < inTheWay.count { return }

        let equals = barcodes.indices.filter { barcodes[$0].life.isCertain && barcodes[$0].identity == track.identity }
        if !equals.isEmpty, track.twinFrames < TrackerLimits.twinFrames {
            // Either a second label, which is then seen beside the first, or the first one at another place.
            guard equals.count == 1, barcodes[equals[0]].life.isUnseenSince(track.life),
                barcodes[equals[0]].life.presence.isMissing(leastLooks: TrackerLimits.barcodeMisses)
            else { return }
            barcodes[equals[0]].life.move(to: track.life)
            barcodes[index].life.ended = .gone
        } else {
            identify(index, isOnly: equals.isEmpty, in: look)
        }
        for other in displaced where !isElsewhere(other, in: look) { barcodes[other].life.ended = .gone }
        dropLines(inside: shape, aspectRatio: look.aspectRatio)
    }

    /// Whether an item that is missing at its place is seen at another one: labels that exchange their places.
    private func isElsewhere(_ index: Int, in look: Look) -> Bool {
        barcodes.contains {
            $0.identity == barcodes[index].identity && $0.life.id == nil && $0.life.ended == nil
                && $0.life.wasSeen(in: look.frame)
        }
    }

    /// Gives a certain barcode the ID that it had, or a new one.
    private mutating func identify(_ index: Int, isOnly: Bool, in look: Look) {
        let track = barcodes[index]
        if let former = formers.take(for: track, isOnly: isOnly, aspectRatio: look.aspectRatio) {
            barcodes[index].life.id = former.id
            barcodes[index].item = former
            return
        }
        let id = makeID()
        var item = RecognizedItem.Barcode(
            id: id, bounds: track.life.place.smoothed, symbology: track.reading.symbology,
            payload: Payload(track.reading), confidence: track.confidence,
            firstSeen: track.life.presence.firstSeen.time, lastSeen: track.life.presence.lastSeen.time)
        item.take(track.reading)
        settings.annotate(&item)
        item.id = id
        barcodes[index].item = item
        barcodes[index].life.id = id
    }

    /// Completes an item once more where only a later reading said that its data is GS1's.
    private mutating func completeLate(_ index: Int) {
        guard barcodes[index].reading.isGS1, var item = barcodes[index].item, !item.isGS1 else { return }
        item.take(barcodes[index].reading)
        settings.annotate(&item)
        item.id = barcodes[index].life.id ?? item.id
        barcodes[index].item = item
    }

    private mutating func endBarcodes() {
        for index in barcodes.indices where barcodes[index].life.isCertain {
            let life = barcodes[index].life
            guard life.presence.isAbsent(delay: settings.removalDelay, leastLooks: TrackerLimits.barcodeMisses) else {
                continue
            }
            barcodes[index].life.ended = life.reasonOfAbsence(in: region)
        }
    }
}
