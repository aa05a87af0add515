// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ImageKernels
internal import ScanModel

/// One candidate for a linear symbol, from the first pass to the last.
struct LinearReading {
    let candidate: CodeCandidate
    let picture: LumaView
    let asked: Set<Symbology>
    let effort: ReadingEffort
    let quarantine: CropQuarantine
    /// Whether it is one label of several that were one candidate.
    var isAlone = false

    /// What is kept of the picture on each side, as a share of the candidate's width: finders cut a bar or two.
    private static let margin = 0.08
    /// Modules of the widest symbol that is thought likely where the module is not known.
    private static let likelyModules = 140.0

    func symbols() -> [DecodedSymbol] {
        let linear = asked.filter { $0.isLinear && !$0.isAddOn }
        guard !linear.isEmpty else { return [] }
        let module =
            candidate.moduleSize ?? ModuleMeasure(picture: picture, quad: candidate.quad).module()
            ?? max(1, candidate.quad.width / Self.likelyModules)
        var votes = LinearVotes()
        var strips = StripCache(candidate: candidate, picture: picture, margin: margin, module: module)
        for pass in LinearPass.plan(for: candidate, effort: effort) {
            if isDecided(votes) { break }
            // What confirms is for what was read; what digs is for what was not.
            guard isWorthwhile(pass, votes), let strip = strips.strip(for: pass) else { continue }
            for read in LinearEngines(asked: linear, quarantine: quarantine)
                .read(strip, pass: pass)
            { votes.add(read) }
        }
        let blurred = blurred(votes)
        if let blurred { votes.add(blurred.read) }
        let located = LinearPlacing(candidate: candidate, picture: picture, margin: margin)
        // Each pair of digits of a 2 of 5 is whole by itself: at the picture's edge there may be more of them.
        let symbols = votes.winners.flatMap { winner -> [DecodedSymbol] in
            if let blurred, winner.ballot.isSame(as: blurred.read) {
                return [blurred.symbol(of: winner.ballot, confidence: winner.confidence)]
            }
            return located.symbols(of: winner.ballot, confidence: winner.confidence)
        }
        .filter { !($0.touchesEdge && LinearNaming.family($0.symbology) == .i2of5) }
        let supplement = LinearSupplement(picture: picture)
        return (isAlone ? symbols : apart(symbols)).map { symbol in
            var symbol = symbol.proved(
                in: picture, needsProof: symbol.symbology.isRetail || symbol.symbology.isUnchecked,
                knowsPerspective: effort != .glance)
            symbol.supplement = symbol.supplement ?? supplement.digits(beside: symbol, asked: asked)
            return symbol
        }
    }

    /// Beside a label that is cut out alone, its neighbour's bars are near.
    private var margin: Double { isAlone ? 0.04 : Self.margin }

    private func isDecided(_ votes: LinearVotes) -> Bool {
        let winners = votes.winners
        return !winners.isEmpty && winners.allSatisfy { $0.confidence >= ReadingTrust.confirmed }
            && votes.ballots.allSatisfy { $0.reads.contains { $0.witness.engine == .zxing } || winners.count > 1 }
    }

    private func isWorthwhile(_ pass: LinearPass, _ votes: LinearVotes) -> Bool {
        guard !votes.ballots.isEmpty else { return true }
        // ZBar repeats itself: once it has read, the other engine's word is wanted.
        let hasZBar = votes.ballots.contains { $0.reads.contains { $0.witness.engine == .zbar } }
        return pass.engine == .zxing || !hasZBar
    }

    /// What whole symbols compared with the bars say where the engines say nothing that is sure.
    private func blurred(_ votes: LinearVotes) -> BlurredRetailReading.Reading? {
        guard effort > .glance, !votes.winners.contains(where: { $0.confidence >= ReadingTrust.confirmed }) else {
            return nil
        }
        return BlurredRetailReading(picture: picture, candidate: candidate, asked: asked)
            .reading(triesShort: effort == .thorough)
    }

    /// Labels that are one candidate are read again, each alone: ZBar joins the halves of neighbours.
    private func apart(_ symbols: [DecodedSymbol]) -> [DecodedSymbol] {
        let width = candidate.quad.width
        return symbols.flatMap { symbol -> [DecodedSymbol] in
            guard symbols.count > 1, symbol.quad.width < 0.7 * width, symbol.quad.width >= 16 else { return [symbol] }
            let reading = LinearReading(
                candidate: CodeCandidate(
                    kind: .linear, quad: symbol.quad, moduleSize: nil, isInverted: symbol.isInverted,
                    score: candidate.score), picture: picture, asked: asked, effort: effort, quarantine: quarantine,
                isAlone: true)
            let again = reading.symbols()
            return again.isEmpty ? [symbol.doubted()] : again
        }
    }
}

extension DecodedSymbol {
    /// The reading as one that its own place does not give.
    fileprivate func doubted() -> DecodedSymbol {
        var symbol = self
        symbol.confidence = min(confidence, ReadingTrust.contradicted)
        return symbol
    }
}

/// The crops of one candidate, each cut once.
private struct StripCache {
    let candidate: CodeCandidate
    let picture: LumaView
    let margin: Double
    let module: Double
    private var cut: [LinearPass: LumaBuffer] = [:]
    private var lean: Double?
    /// Means of a sixth of the lines each: three for each half that is read.
    private static let bands = 6

    init(candidate: CodeCandidate, picture: LumaView, margin: Double, module: Double) {
        self.candidate = candidate
        self.picture = picture
        self.margin = margin
        self.module = module
    }

    /// The crop of a pass, prepared; `nil` where it can not be had or would be that of another pass.
    mutating func strip(for pass: LinearPass) -> PreparedStrip? {
        var raw = pass
        raw.engine = .zbar
        raw.preparation = .plain
        let plain: LumaBuffer
        if let known = cut[raw] {
            plain = known
        } else {
            guard let made = made(raw) else { return nil }
            cut[raw] = made
            plain = made
        }
        let scale = pass.pixelsPerModule
        let prepared: LumaBuffer
        switch pass.preparation {
        case .plain, .redrawn, .templates: prepared = plain
        case .stretched: prepared = plain.locallyStretched(block: Int(8 * scale))
        case .sharpened: prepared = plain.sharpened(sigma: scale, amount: 1.5, alongRowsOnly: true)
        case .averaged:
            prepared = plain.bandMeans(Self.bands).sharpened(sigma: scale, amount: 2, alongRowsOnly: true)
        }
        let (fading, white) = (Int(2 * scale), Int(10 * scale))
        return PreparedStrip(pixels: prepared.paddedAtSides(fading: fading, white: white), padding: fading + white)
    }

    private mutating func made(_ pass: LinearPass) -> LumaBuffer? {
        var quad = pass.shape == .turned ? candidate.quad.turned(quarters: 1) : candidate.quad
        if pass.shape == .leaning {
            let angle = lean ?? LeanMeasure(picture: picture, quad: quad).shift()
            lean = angle
            guard angle.magnitude > 0.5 else { return nil }
            quad = quad.leaning(by: angle)
        }
        // Never below half of what is there: the module may be measured wrong.
        let scale = min(max(pass.pixelsPerModule / module, 0.5), 4)
        let place = quad.extended(along: margin, across: pass.shape == .whole ? 0.05 : 0)
        let width = min(Int((place.width * scale).rounded()), WarpLimits.maximumSide - 256)
        let height =
            pass.shape == .whole
            ? Int((place.height * Double(width) / max(place.width, 1)).rounded())
            : min(pass.lines, max(3, Int(place.height.rounded())))
        // What lies outside of the picture is paper: the edge's own grey would make a bar there as wide as the margin.
        let crop = picture.warped(
            place, width: max(width, 16), height: max(height, 3), outside: pass.isInverted ? 0 : 255)
        return pass.isInverted ? crop?.inverted() : crop
    }
}
