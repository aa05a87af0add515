// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanModel

extension ItemTracker {
    /// Numbers of how lines are matched.
    private enum Matching {
        /// How far a line may be above or below, in its heights, to be it by place.
        static let across = 0.7
        /// How far its middle may be to the side, in the mean of the two widths: the ends of lines come and go.
        static let along = 0.45
        /// A reading that is less like a line than this is of another line: two wrong characters of ten give 0.82,
        /// two lot numbers 0.6.
        static let leastLikeness = 0.7
        /// The same for a line that is not announced, and whose own reading may be the wrong one.
        static let leastLikenessToCandidate = 0.4
        /// A transcript that is unique in the look and among the lines is followed this far, in frame heights.
        static let reach = 0.15
        /// The shortest transcript, in characters, that says which line it is.
        static let distinctive = 4
        /// A line is a barcode's own when this share of it lies inside one.
        static let insideBarcode = 0.6
        /// How long a barcode that is not certain masks text.
        static let candidateMask = Duration.milliseconds(500)
        /// How near to the edge, as a share of the frame, a line is taken to be cut off.
        static let cutMargin = 0.003
    }

    /// Takes in a look for text.
    mutating func takeText(_ look: Look) {
        let sightings = textSightings(in: look)
        var pairs = pairLines(with: sightings, in: look)
        pairs += pairMovedLines(with: sightings, paired: pairs, in: look)
        for pair in pairs { lines[pair.track].see(sightings[pair.observation], in: look) }
        let known = Set(pairs.filter { lines[$0.track].life.isCertain }.map(\.observation))
        let others = sightings.indices.filter { !known.contains($0) }.map { sightings[$0].shape }
        startLines(sightings, paired: Set(pairs.map(\.observation)), in: look)
        for index in lines.indices where !lines[index].life.wasSeen(in: look.frame) {
            guard lines[index].life.isCovered(by: look) else { continue }
            // Something is written there: garbled by blur, or another line, which then shows by being read again.
            let shape = Shape(line: lines[index].life.place.seen, aspectRatio: look.aspectRatio)
            if lines[index].life.isCertain, others.contains(where: { $0.collides(with: shape) }) { continue }
            if isMiss(lines[index].life, hasOther: false) { lines[index].life.presence.miss(in: look.frame) }
        }
        confirmLines(in: look)
        for index in lines.indices where lines[index].life.isCertain {
            lines[index].reconsider(at: settings.qualityLevel, now: look.frame.monotonic)
        }
        endLines(in: look)
    }

    /// Quads where text is not to be looked for: barcodes that are known, and those that probably are ones.
    func barcodeMasks(at now: MonotonicTime) -> [Quad] { knownBarcodes(at: now).map(\.bounds) }

    /// Barcodes that are announced or probably there.
    func knownBarcodes(at now: MonotonicTime) -> [KnownBarcode] {
        barcodes.filter {
            $0.life.ended == nil
                && ($0.life.isCertain || now - $0.life.presence.lastSeen.monotonic <= Matching.candidateMask)
        }.map { KnownBarcode(bounds: $0.life.place.seen, symbology: $0.reading.symbology) }
    }

    /// Drops lines inside a barcode: they were read out of its bars before it was known.
    mutating func dropLines(inside barcode: Shape, aspectRatio: Double) {
        for index in lines.indices where lines[index].life.ended == nil {
            let shape = Shape(line: lines[index].life.place.seen, aspectRatio: aspectRatio)
            if shape.share(inside: barcode) >= Matching.insideBarcode { lines[index].life.ended = .gone }
        }
    }

    // MARK: - Matching

    private func textSightings(in look: Look) -> [TextSighting] {
        let masks = barcodeMasks(at: look.frame.monotonic).map { Shape($0, aspectRatio: look.aspectRatio) }
        return look.observations.compactMap { observation in
            guard let bounds = usableBounds(observation.bounds) else { return nil }
            let shape = Shape(line: bounds, aspectRatio: look.aspectRatio)
            if masks.contains(where: { shape.share(inside: $0) >= Matching.insideBarcode }) { return nil }
            switch observation.content {
            case .barcode, .unreadCode: return nil
            case .unreadLine: return TextSighting(bounds: bounds, shape: shape)
            case .text(let reading):
                let isVote =
                    reading.confidence >= TextVotes.leastConfidence && TextVotes.isText(reading.transcript)
                    && !look.searched.contains { isCut(bounds, by: $0) }
                return TextSighting(
                    bounds: bounds, shape: shape, reading: isVote ? reading : nil, transcript: reading.transcript)
            }
        }
    }

    /// Whether a line may go on beyond what was looked at: what is read of it is then only a part.
    private func isCut(_ bounds: Quad, by rect: Rect) -> Bool {
        let box = bounds.boundingRect
        return box.minX <= rect.minX + Matching.cutMargin || box.maxX >= rect.maxX - Matching.cutMargin
    }

    private func pairLines(with sightings: [TextSighting], in look: Look) -> [Assignment.Candidate] {
        var candidates: [Assignment.Candidate] = []
        for (index, line) in lines.enumerated() where line.life.ended == nil {
            let shape = Shape(line: line.life.place.seen, aspectRatio: look.aspectRatio)
            let transcript = line.transcript
            for (number, sighting) in sightings.enumerated() {
                let offset = shape.offset(to: sighting.shape)
                let along = offset.along * shape.width * 2 / (shape.width + sighting.shape.width)
                guard offset.across <= Matching.across, along <= Matching.along else { continue }
                var cost = offset.across + along
                if let transcript, let reading = sighting.reading {
                    let likeness = Likeness.of(transcript, reading.transcript)
                    let isKnown = line.life.isCertain
                    if likeness < (isKnown ? Matching.leastLikeness : Matching.leastLikenessToCandidate) { continue }
                    cost += 1 - likeness
                } else {
                    cost += 0.5
                }
                candidates.append(.init(track: index, observation: number, cost: cost))
            }
        }
        return Assignment.nearestFirst(candidates)
    }

    /// Pairs a transcript that is unique among the lines and in the look with its line, a little further away.
    private func pairMovedLines(
        with sightings: [TextSighting], paired: [Assignment.Candidate], in look: Look
    ) -> [Assignment.Candidate] {
        let known = Set(paired.map(\.observation))
        let seen = Set(paired.map(\.track))
        let read = Dictionary(grouping: sightings.indices.filter { sightings[$0].reading != nil }) {
            sightings[$0].reading?.transcript ?? ""
        }
        let told = Dictionary(grouping: lines.indices) { lines[$0].transcript ?? "" }
        var pairs: [Assignment.Candidate] = []
        for (transcript, numbers) in read.sorted(by: { $0.value[0] < $1.value[0] }) {
            guard transcript.count >= Matching.distinctive, numbers.count == 1, !known.contains(numbers[0]),
                let tracks = told[transcript], tracks.count == 1, !seen.contains(tracks[0])
            else { continue }
            let shape = Shape(line: lines[tracks[0]].life.place.seen, aspectRatio: look.aspectRatio)
            guard shape.centerDistance(to: sightings[numbers[0]].shape) <= Matching.reach else { continue }
            pairs.append(.init(track: tracks[0], observation: numbers[0], cost: 0))
        }
        return pairs
    }

    private mutating func startLines(_ sightings: [TextSighting], paired: Set<Int>, in look: Look) {
        for (number, sighting) in sightings.enumerated() where !paired.contains(number) {
            guard let reading = sighting.reading, !isFragment(sighting, of: reading.transcript, in: look),
                canTrackMore(than: lines.count)
            else { continue }
            lines.append(TextTrack(sighting, in: look.frame))
        }
    }

    /// Whether what was read lies in a line that is there: a word of it, or its double. Keeps that line alive.
    private mutating func isFragment(_ sighting: TextSighting, of transcript: String, in look: Look) -> Bool {
        for index in lines.indices where lines[index].life.isCertain {
            let shape = Shape(line: lines[index].life.place.seen, aspectRatio: look.aspectRatio)
            guard sighting.shape.share(inside: shape) >= 0.5 else { continue }
            if lines[index].life.wasSeen(in: look.frame) { return true }
            guard let told = lines[index].transcript, TextVotes.isPart(transcript, of: told) else { continue }
            lines[index].life.presence.see(in: look.frame)
            return true
        }
        return false
    }

    // MARK: - Certainty

    private mutating func confirmLines(in look: Look) {
        for index in lines.indices where lines[index].life.id == nil && lines[index].life.ended == nil {
            guard lines[index].life.wasSeen(in: look.frame),
                let winner = lines[index].votes.winner(at: settings.qualityLevel)
            else { continue }
            confirmLine(index, as: winner, in: look)
        }
    }

    private mutating func confirmLine(_ index: Int, as winner: TextVotes.Tally, in look: Look) {
        let life = lines[index].life
        let shape = Shape(line: life.place.seen, aspectRatio: look.aspectRatio)
        let inTheWay = lines.indices.filter {
            $0 != index && lines[$0].life.isCertain
                && shape.collides(with: Shape(line: lines[$0].life.place.seen, aspectRatio: look.aspectRatio))
        }
        for other in inTheWay {
            guard lines[other].life.isUnseenSince(life),
                winner.count >= TextVotes.readingsToChange
                    || lines[other].life.presence.missed >= TrackerLimits.displacementMisses
            else { return }
        }
        let equals = lines.indices.filter {
            lines[$0].life.isCertain && lines[$0].item?.transcript == winner.transcript
        }
        if equals.count == 1, winner.transcript.count >= Matching.distinctive,
            lines[equals[0]].life.isUnseenSince(life), lines[equals[0]].life.isCovered(by: look),
            lines[equals[0]].life.presence.isMissing(leastLooks: TrackerLimits.textMisses)
        {
            // The line itself, at another place.
            lines[equals[0]].life.move(to: life)
            lines[index].life.ended = .gone
        } else {
            identify(index, as: winner, in: look)
        }
        for other in inTheWay where !equals.contains(other) { lines[other].life.ended = .gone }
    }

    private mutating func identify(_ index: Int, as winner: TextVotes.Tally, in look: Look) {
        let life = lines[index].life
        let former = formers.take(
            transcript: winner.transcript, at: life.place.seen, aspectRatio: look.aspectRatio)
        let id = former?.id ?? makeID()
        lines[index].life.id = id
        lines[index].item =
            former
            ?? RecognizedItem.Text(
                id: id, bounds: life.place.smoothed, transcript: winner.transcript, languages: winner.languages,
                confidence: winner.confidence, firstSeen: life.presence.firstSeen.time,
                lastSeen: life.presence.lastSeen.time)
    }

    private mutating func endLines(in look: Look) {
        for index in lines.indices where lines[index].life.ended == nil {
            let life = lines[index].life
            if life.isCertain {
                guard life.presence.isAbsent(delay: settings.textRemovalDelay, leastLooks: TrackerLimits.textMisses)
                else { continue }
                lines[index].life.ended = life.reasonOfAbsence(in: region)
            } else if life.presence.missed >= TextTrack.candidateMisses {
                lines[index].life.ended = .gone
            }
        }
    }
}
