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
    /// Whether the payload is the symbol's own bytes: ZBar turns what an ECI names into UTF-8, and does not say so.
    var isExact = false
    /// How sure the payload is, 0...1.
    var confidence: Double
    var eci: Int?
    /// The payload in UTF-8 by `eci`.
    var text: String?
    var isMirrored = false
    var isReaderProgramming = false
    var part: SymbolPart?
    /// The digits of the add-on beside it.
    var supplement: [UInt8]?
    /// Whether an end lies at the picture's edge, as far as the pass that placed it could tell.
    var isCut = false

    init(_ symbol: DecodedSymbol) {
        quad = symbol.quad
        symbology = symbol.symbology
        payload = symbol.payload
        quality = symbol.quality
        identifier = SymbologyIdentifier.told(symbol.identifier, symbology: symbol.symbology, isGS1: symbol.isGS1)
        isGS1 = symbol.isGS1
        isInverted = symbol.isInverted
        isConfirmed = symbol.isConfirmed
        isExact = symbol.witnesses.contains { $0.engine == .zxing }
        confidence = symbol.confidence
        eci = symbol.eci
        text = symbol.text
        isMirrored = symbol.isMirrored
        isReaderProgramming = symbol.isReaderProgramming
        part = symbol.part
        supplement = symbol.supplement
        isCut = symbol.touchesEdge
    }

    /// What ZBar says of a symbol in a picture that it swept.
    init(
        quad: Quad, symbology: Symbology, payload: [UInt8], quality: Int, identifier: String? = nil,
        isGS1: Bool = false,
        isInverted: Bool = false
    ) {
        self.quad = quad
        self.symbology = symbology
        self.payload = payload
        self.quality = quality
        self.identifier = SymbologyIdentifier.told(identifier, symbology: symbology, isGS1: isGS1)
        self.isGS1 = isGS1
        self.isInverted = isInverted
        // How many lines of how many it took is not known here: many are the tracker's to value.
        confidence = symbology.hasErrorCorrection ? ReadingTrust.errorCorrected : ReadingTrust.firstEngineWeak
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
    /// lines speak for it. Of different readings of a symbol in two dimensions, whose error correction lets no wrong one
    /// through, the symbol's own bytes stay.
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
                if candidate.symbology == other.symbology, candidate.symbology.hasErrorCorrection {
                    if candidate.isExact, !other.isExact { return true }
                    isBeaten = true
                    return false
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

    /// The better of two readings of one symbol, with what only the other one knows.
    private func merged(with other: FoundBarcode) -> FoundBarcode {
        var best = quality >= other.quality ? self : other
        let rest = quality >= other.quality ? other : self
        if rest.isGS1, !best.isGS1 { best.identifier = rest.identifier ?? best.identifier }
        best.isGS1 = isGS1 || other.isGS1
        best.isConfirmed = isConfirmed || other.isConfirmed
        best.isExact = isExact || other.isExact
        best.confidence = max(confidence, other.confidence)
        best.identifier = best.identifier ?? rest.identifier
        if best.eci == nil { (best.eci, best.text) = (rest.eci, rest.text) }
        best.isReaderProgramming = isReaderProgramming || other.isReaderProgramming
        best.part = best.part ?? rest.part
        best.supplement = best.supplement ?? rest.supplement
        // Equal qualities are QR's: the place from the earlier pass is the less processed one.
        if quality == other.quality { (best.quad, best.isCut) = (other.quad, other.isCut) }
        // A pass over the whole picture places a symbol without a quiet zone up to the picture's edge; its own bars say more.
        if isCut != other.isCut {
            best.quad = isCut ? other.quad : quad
            best.isCut = false
        }
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
        let touches = Self.isCut(
            quad, symbology: symbology, payload: payload, width: region.width, height: region.height)
        let isReadable = Payload(bytes: payload, eci: eci, symbology: symbology).encoding != nil
        let reading = BarcodeReading(
            symbology: symbology, payload: payload, symbologyIdentifier: identifier, isGS1: isGS1,
            quality: quality, isConfirmed: isConfirmed, touchesEdge: touches, confidence: confidence, eci: eci,
            text: isReadable ? nil : text.flatMap { $0.utf8.count <= RecognitionLimits.maximumTextBytes ? $0 : nil },
            isInverted: isInverted, isMirrored: isMirrored, isReaderProgramming: isReaderProgramming, part: part,
            supplement: supplement)
        return Observation(bounds: bounds, content: .barcode(reading))
    }
}
