// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ImageKernels
internal import ScanModel

/// A barcode as one pass saw it, in pixels of the region.
struct FoundBarcode {
    var quad: Quad
    var symbology: Symbology
    var payload: [UInt8]
    var quality: Int
    var identifier: String?
    var isGS1: Bool
    /// Whether it is light on dark.
    var isInverted = false
    /// Whether the second engine reads the same in the label's own crop.
    var isConfirmed = false

    init(_ symbol: DecodedSymbol) {
        quad = symbol.quad
        symbology = symbol.symbology
        payload = symbol.payload
        quality = symbol.quality
        identifier = symbol.identifier
        isGS1 = symbol.isGS1
        isInverted = symbol.isInverted
        isConfirmed = symbol.isConfirmed
    }

    init(
        quad: Quad, symbology: Symbology, payload: [UInt8], quality: Int, identifier: String? = nil,
        isGS1: Bool = false,
        isInverted: Bool = false
    ) {
        self.quad = quad
        self.symbology = symbology
        self.payload = payload
        self.quality = quality
        self.identifier = identifier
        self.isGS1 = isGS1
        self.isInverted = isInverted
    }

    /// Whether both are readings of one label.
    func covers(_ other: FoundBarcode) -> Bool { isSame(as: other) && overlaps(other) }

    /// Modules beside a 2 of 5 that must lie inside the region, or it counts as touching the edge: each pair of its digits
    /// is whole by itself, and the last one read was up to 7 px inside where the rest of the symbol was outside. The other
    /// linear symbologies gave no wrong value in 429 cuts.
    static let quietZone = 7.0
    /// Pixels from the region's edge within which a symbol counts as touching it.
    static let edgeWidth = 2.0

    /// One reading for each place.
    ///
    /// The same payload seen by several passes is one reading with the best quality. Of different linear readings at one
    /// place the longer stays, as a part of a 2 of 5 or an EAN-8 within an EAN-13 decodes on its own, unless far fewer
    /// lines speak for it.
    static func withoutOverlaps(_ found: [FoundBarcode]) -> [FoundBarcode] {
        var kept: [FoundBarcode] = []
        for candidate in found {
            var candidate = candidate
            var isBeaten = false
            kept.removeAll { other in
                if isBeaten { return false }
                // Another pass saw the part of a label that lies beyond a fold.
                if candidate.symbology.isLinear, candidate.isSame(as: other),
                    let whole = LinearSymbolLocator.union(of: other.quad, candidate.quad, hasHalves: false)
                {
                    candidate = candidate.merged(with: other)
                    if whole.signedArea > 1.25 * candidate.quad.signedArea { candidate.quad = whole }
                    return true
                }
                guard candidate.overlaps(other) else { return false }
                if candidate.isSame(as: other) {
                    candidate = candidate.merged(with: other)
                    return true
                }
                guard candidate.symbology.isLinear, other.symbology.isLinear else { return false }
                // An add-on stands beside its EAN and is told apart by its symbology.
                guard candidate.symbology.isAddOn == other.symbology.isAddOn else { return false }
                if candidate.beats(other) { return true }
                isBeaten = true
                return false
            }
            if !isBeaten { kept.append(candidate) }
        }
        return kept
    }

    private func overlaps(_ other: FoundBarcode) -> Bool {
        let smaller = min(quad.signedArea.magnitude, other.quad.signedArea.magnitude)
        if smaller <= 0 { return quad.contains(other.quad.center) || other.quad.contains(quad.center) }
        return quad.intersectionArea(with: other.quad) > 0.4 * smaller
    }

    private func isSame(as other: FoundBarcode) -> Bool {
        symbology == other.symbology && payload == other.payload
    }

    private func merged(with other: FoundBarcode) -> FoundBarcode {
        var best = quality >= other.quality ? self : other
        best.isGS1 = isGS1 || other.isGS1
        best.isConfirmed = isConfirmed || other.isConfirmed
        // Equal qualities are QR's: the place from the earlier pass is the less processed one.
        if quality == other.quality { best.quad = other.quad }
        return best
    }

    /// Whether this reading is to be believed rather than a different one at the same place.
    private func beats(_ other: FoundBarcode) -> Bool {
        if isConfirmed != other.isConfirmed { return isConfirmed }
        if quality > 8 * other.quality { return true }
        if other.quality > 8 * quality { return false }
        if quad.width > 1.15 * other.quad.width { return true }
        if other.quad.width > 1.15 * quad.width { return false }
        return quality > other.quality
    }

    /// The observation in 0...1 of the frame.
    func observation(region: PixelRect, frame: FrameLocation) -> Observation {
        let bounds = quad.mapped {
            Point(
                x: min(max(($0.x + Double(region.x)) / Double(frame.width), 0), 1),
                y: min(max(($0.y + Double(region.y)) / Double(frame.height), 0), 1))
        }
        let isTwoOfFive = symbology == .i2of5 || symbology == .itf14
        let margin = isTwoOfFive ? Self.quietZone * quad.width / (moduleCount ?? 1) : 0
        let box = quad.grown(along: margin, across: 0).boundingRect
        let touches =
            box.minX < Self.edgeWidth || box.minY < Self.edgeWidth
            || box.maxX > Double(region.width) - Self.edgeWidth || box.maxY > Double(region.height) - Self.edgeWidth
        let reading = BarcodeReading(
            symbology: symbology, payload: payload, symbologyIdentifier: identifier, isGS1: isGS1,
            quality: quality, isConfirmed: isConfirmed, touchesEdge: touches)
        return Observation(bounds: bounds, content: .barcode(reading))
    }
}

extension Symbology {
    var isAddOn: Bool { self == .ean2 || self == .ean5 }
}
