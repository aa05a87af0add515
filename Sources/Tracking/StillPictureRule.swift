// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ScanModel

/// What is certain in a picture that there is only one of, where no second frame can agree.
///
/// Of barcodes, a symbol with error correction is, a reading that the second engine confirms, and one that so many scan
/// lines agree on as no wrong value ever had; two such readings that contradict each other at one place leave neither. Of
/// text, a line is that Tesseract is as sure of as the tracker wants it.
public struct StillPictureRule: Sendable {
    private let qualityLevel: QualityLevel
    private let region: RegionOfInterest

    public init(qualityLevel: QualityLevel, region: RegionOfInterest = .full) {
        self.qualityLevel = qualityLevel
        self.region = region
    }

    /// The items of one picture, in reading order, with identities that are drawn from `random`.
    ///
    /// - Parameters:
    ///   - observations: of looks at barcodes and at text, in 0...1 of the picture.
    ///   - aspectRatio: the picture's width over its height.
    public func items(
        in observations: [Observation], aspectRatio: Double, at time: WallTime,
        using random: inout some RandomNumberGenerator
    ) -> [RecognizedItem] {
        let sightings = sightings(in: observations, aspectRatio: aspectRatio)
        var items = certain(sightings).map { sighting in
            var barcode = RecognizedItem.Barcode(
                id: ItemID(at: time, using: &random), bounds: sighting.bounds,
                symbology: sighting.reading.symbology, payload: Payload(sighting.reading),
                confidence: StillPictureRule.confidence(sighting), firstSeen: time, lastSeen: time)
            barcode.take(sighting.reading)
            return RecognizedItem.barcode(barcode)
        }
        // Bars that could not be read for certain are no text either.
        let masks = sightings.map(\.shape)
        for observation in observations {
            guard case .text(let reading) = observation.content, isCertain(reading),
                let bounds = region.usable(observation.bounds)
            else { continue }
            let shape = Shape(line: bounds, aspectRatio: aspectRatio)
            if masks.contains(where: { shape.share(inside: $0) >= StillPictureRule.insideBarcode }) { continue }
            items.append(
                .text(
                    .init(
                        id: ItemID(at: time, using: &random), bounds: bounds, transcript: reading.transcript,
                        languages: reading.languages, confidence: reading.confidence, firstSeen: time, lastSeen: time)))
        }
        return inReadingOrder(items, aspectRatio: aspectRatio)
    }

    /// A line is a barcode's own when this share of it lies inside one.
    private static let insideBarcode = 0.6

    // MARK: - Barcodes

    private func sightings(in observations: [Observation], aspectRatio: Double) -> [BarcodeSighting] {
        var sightings: [BarcodeSighting] = []
        for observation in observations {
            guard case .barcode(let reading) = observation.content, !reading.payload.isEmpty,
                let bounds = region.usable(observation.bounds)
            else { continue }
            let sighting = BarcodeSighting(
                bounds: bounds, shape: Shape(bounds, aspectRatio: aspectRatio), reading: reading,
                identity: BarcodeIdentity(reading),
                weight: EvidenceRule.rule(for: reading.symbology).weight(of: reading))
            let twin = sightings.firstIndex {
                $0.identity == sighting.identity && $0.shape.collides(with: sighting.shape)
            }
            guard let twin else {
                sightings.append(sighting)
                continue
            }
            let isBetter = sighting.isBetter(than: sightings[twin])
            var (better, rest) = isBetter ? (sighting, sightings[twin]) : (sightings[twin], sighting)
            better.reading.complete(from: rest.reading)
            sightings[twin] = better
        }
        return sightings.withAddOnsJoined()
    }

    private func certain(_ sightings: [BarcodeSighting]) -> [BarcodeSighting] {
        let strong = sightings.filter(StillPictureRule.isStrong)
        return strong.filter { one in
            !strong.contains { other in
                other.identity != one.identity && one.shape.collides(with: other.shape)
                    && StillPictureRule.isDoubtful(one, beside: other)
            }
        }
    }

    private static func isStrong(_ sighting: BarcodeSighting) -> Bool {
        guard sighting.weight > 0 else { return false }
        let rule = EvidenceRule.rule(for: sighting.reading.symbology)
        return !sighting.identity.isLinear || sighting.reading.isConfirmed
            || (sighting.reading.quality >= rule.stillLines && sighting.reading.confidence > leastConfidence)
    }

    /// What a reader itself is not surer of was contradicted at its place, or does not fit the bars there: lines do not make
    /// up for that.
    private static let leastConfidence = 0.3
    /// What so many lines are worth as no wrong value ever had.
    private static let manyLines = 0.95

    /// Whether a strong reading is not to be believed because of another one at its place.
    private static func isDoubtful(_ one: BarcodeSighting, beside other: BarcodeSighting) -> Bool {
        // Symbols with error correction are not in doubt, and a linear one inside them is read out of their texture.
        guard one.identity.isLinear else { return false }
        guard other.identity.isLinear else { return true }
        // The longest of overlapping reads is right: its parts are cut off, not contradictions.
        if other.identity.isPart(of: one.identity) { return false }
        if one.identity.isPart(of: other.identity) { return true }
        return !one.reading.isConfirmed || other.reading.isConfirmed
    }

    private static func confidence(_ sighting: BarcodeSighting) -> Double {
        let isRead = !sighting.identity.isLinear || sighting.reading.isConfirmed
        return isRead ? sighting.reading.confidence : max(manyLines, sighting.reading.confidence)
    }

    // MARK: - Text and order

    private func isCertain(_ reading: TextReading) -> Bool {
        TextVotes.isText(reading.transcript)
            && reading.confidence >= TextVotes.need(for: reading.transcript, at: qualityLevel).confidence
    }

    private func inReadingOrder(_ items: [RecognizedItem], aspectRatio: Double) -> [RecognizedItem] {
        var order = ReadingOrder()
        let byID = Dictionary(items.map { ($0.id, $0) }) { first, _ in first }
        return order.sort(items, aspectRatio: aspectRatio).compactMap { byID[$0] }
    }
}

extension BarcodeSighting {
    fileprivate func isBetter(than other: BarcodeSighting) -> Bool {
        if reading.isConfirmed != other.reading.isConfirmed { return reading.isConfirmed }
        return reading.quality > other.reading.quality
    }
}
