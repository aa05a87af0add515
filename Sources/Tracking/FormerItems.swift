// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanModel

/// Items that were removed a short while ago, so that they come back under their old IDs.
struct FormerItems {
    struct Former {
        var item: RecognizedItem
        var identity: BarcodeIdentity?
        var bounds: Quad
        /// When it was last seen by the frames' clock.
        var removed: MonotonicTime
        /// Whether no other item said the same while it was there.
        var wasUnique: Bool
    }

    private var formers: [Former] = []

    mutating func remember(_ former: Former) {
        if formers.count >= TrackerLimits.maximumFormerItems { formers.removeFirst() }
        formers.append(former)
    }

    mutating func forget(olderThan window: Duration, at now: MonotonicTime) {
        formers.removeAll { now - $0.removed > window }
    }

    /// Moves the places as the picture moved, also outside of the frame.
    mutating func carry(by motion: PlaneMotion) {
        for index in formers.indices { formers[index].bounds = motion(formers[index].bounds) }
    }

    mutating func forgetAll() { formers.removeAll() }

    /// The distance to the nearest place where the payload was before, in sizes; infinite for none within the gate.
    func distance(of track: BarcodeTrack, aspectRatio: Double) -> Double {
        formers.filter { $0.identity == track.identity }.reduce(.infinity) {
            Swift.min($0, FormerItems.distance($1.bounds, track.life.place.seen, aspectRatio: aspectRatio))
        }
    }

    /// Finds what a barcode was before, and forgets it: the same payload at its place, or a payload that was unique
    /// then and is the only one now.
    mutating func take(for track: BarcodeTrack, isOnly: Bool, aspectRatio: Double) -> RecognizedItem.Barcode? {
        let equals = formers.indices.filter { formers[$0].identity == track.identity }
        let nearest = equals.map { index in
            let distance = FormerItems.distance(
                formers[index].bounds, track.life.place.seen, aspectRatio: aspectRatio)
            return (index: index, distance: distance)
        }.min { ($0.distance, $0.index) < ($1.distance, $1.index) }
        var found = nearest.flatMap { $0.distance < .infinity ? $0.index : nil }
        if found == nil, isOnly, equals.count == 1, formers[equals[0]].wasUnique { found = equals[0] }
        guard let found, case .barcode(let barcode) = formers[found].item else { return nil }
        formers.remove(at: found)
        return barcode
    }

    /// Finds what a line of text was before, and forgets it: the same transcript at its place.
    mutating func take(transcript: String, at bounds: Quad, aspectRatio: Double) -> RecognizedItem.Text? {
        for (index, former) in formers.enumerated() {
            guard case .text(let text) = former.item, text.transcript == transcript,
                FormerItems.distance(
                    former.bounds, bounds, aspectRatio: aspectRatio, leastThickness: Shape.lineThickness) < .infinity
            else { continue }
            formers.remove(at: index)
            return text
        }
        return nil
    }

    /// In the first one's widths and heights; infinite outside of the gate.
    private static func distance(
        _ a: Quad, _ b: Quad, aspectRatio: Double, leastThickness: Double = Shape.barcodeThickness
    ) -> Double {
        let offset = Shape(a, aspectRatio: aspectRatio, leastThickness: leastThickness)
            .offset(to: Shape(b, aspectRatio: aspectRatio, leastThickness: leastThickness))
        guard offset.along <= TrackerLimits.gate, offset.across <= TrackerLimits.gate else { return .infinity }
        return offset.along + offset.across
    }
}
