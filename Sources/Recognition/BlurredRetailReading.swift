// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ImageKernels
internal import ScanModel

/// Reads an EAN or UPC that is blurred, or of hardly more than a pixel a module, where the engines find no edges any more.
///
/// Nothing is made black or white. The bars' lines are laid over each other and averaged; a path of characters with free widths
/// tells where the symbol lies; then all symbols that are allowed are compared, blurred as the picture is, with each
/// character's blur reaching into its neighbours (Gallo and Manduchi, TPAMI 33(9), 2011, and Chen, Man and Jia, TIP 23, 2014,
/// have such templates; the comparison of pairs, the second best that keeps all rules, and the thirds are this reader's).
/// The same is read in three separate thirds of the lines: their noise is their own, and a scratch is in one of them.
struct BlurredRetailReading {
    /// What is read, where, and from which side.
    struct Reading {
        var symbology: Symbology
        var payload: [UInt8]
        /// In pixels of the picture, corners named from the symbol's point of view.
        var quad: Quad
        /// Lines of the picture that were averaged.
        var lines: Int
        var isInverted: Bool
    }

    /// Pixels of the narrowest candidate, ...
    private static let leastWidth = 56.0
    /// ... and lines of the lowest: three for each third.
    private static let leastLines = 9
    /// Samples of the lines, with a share of the candidate's width on each side: finders cut some bars.
    private static let samples = 480
    private static let margin = 0.105
    /// Modules within which light and dark are taken from the extremes.
    private static let reach = 12
    private static let firstBlur = BarBlur(spread: 0.75)
    /// Times that place, light and blur are taken anew from what was read.
    private static let rounds = 4
    /// What a path's fit must explain to be looked at again.
    private static let leastHope: Float = 0.6
    /// A third with this lead for something else forbids the reading.
    private static let contradiction: Float = 0.25

    let picture: LumaView
    let candidate: CodeCandidate
    /// Of these it reads EAN-13, UPC-A, EAN-8 and UPC-E.
    let asked: Set<Symbology>

    /// The symbol that the candidate holds without a doubt, or none.
    ///
    /// - Parameter triesShort: whether EAN-8 and UPC-E are looked for as well, for as much time again each.
    func reading(triesShort: Bool) -> Reading? {
        let plans = plans(triesShort: triesShort)
        guard !plans.isEmpty, candidate.quad.width >= Self.leastWidth, candidate.quad.height >= Double(Self.leastLines),
            let bars = StraightBars(
                picture, quad: candidate.quad.extended(along: Self.margin, across: 0), samples: Self.samples),
            bars.rows.count >= Self.leastLines
        else { return nil }
        let whole = profile(bars, bars.rows)
        for plan in plans {
            if let reading = reading(of: plan, in: bars, whole) { return reading }
        }
        return nil
    }

    private func plans(triesShort: Bool) -> [RetailPlan] {
        var plans: [RetailPlan] = []
        if asked.contains(.ean13) || asked.contains(.upcA) { plans.append(.ean13) }
        if triesShort, asked.contains(.ean8) { plans.append(.ean8) }
        if triesShort, asked.contains(.upcE) { plans.append(.upcE) }
        return plans
    }

    private func profile(_ bars: StraightBars, _ rows: Range<Int>) -> BarProfile {
        let mean = bars.mean(of: rows)
        return BarProfile(brightness: candidate.isInverted == true ? mean.map { 255 - $0 } : mean)
    }

    /// A symbol laid over the bars.
    private struct Laid {
        var fit: BlurredFit
        var isForward: Bool
    }

    /// The best of the symbols that are allowed.
    private struct Decision {
        var payload: [UInt8]
        var words: [Int]
        var residue: Float
        /// The residue of the character that is explained least.
        var worst: Float
        var lead: Float
    }

    private func reading(of retail: RetailPlan, in bars: StraightBars, _ whole: BarProfile) -> Reading? {
        let demands = retail.demands
        guard let laid = laid(retail, over: whole), let pairs = retail.pairs(of: laid.fit.blur),
            let decision = Self.decision(laid.fit, retail, pairs),
            // What the rules had to bend is no reading.
            decision.words == laid.fit.path,
            decision.residue <= demands.largestResidue, decision.lead >= demands.leastLead,
            decision.worst <= min(RetailPlan.Demands.largestWorst, RetailPlan.Demands.largestShare * decision.residue)
        else { return nil }
        let third = bars.rows.count / 3
        var agreeing = 0
        for part in 0..<3 {
            let first = bars.rows.lowerBound + part * third
            let own = profile(bars, first..<(first + third))
            var fit = laid.fit.moved(to: laid.isForward ? own : own.reversed)
            for _ in 0..<2 {
                fit.read(pairs)
                fit.settle(blurs: [], degree: 1)
            }
            guard let other = Self.decision(fit, retail, pairs) else { continue }
            if other.payload == decision.payload {
                if other.lead >= demands.leastLead { agreeing += 1 }
            } else if other.lead >= Self.contradiction {
                return nil
            }
        }
        guard agreeing >= demands.leastThirds, let name = name(retail, decision.payload) else { return nil }
        return Reading(
            symbology: name.symbology, payload: name.payload, quad: quad(of: laid, in: bars), lines: bars.rows.count,
            isInverted: candidate.isInverted ?? false)
    }

    /// The symbol of a plan that explains the profile best, from either side.
    private func laid(_ retail: RetailPlan, over profile: BarProfile) -> Laid? {
        let expected = Float(Self.samples) / Float(1 + 2 * Self.margin) / Float(retail.plan.modules)
        let coarse = DeformablePath.density / expected
        let line = profile.resampled(count: Int(Float(Self.samples) * coarse))
            .stretched(reach: Self.reach * Int(DeformablePath.density))
        let found = DeformablePath.places(
            in: line, plan: retail.plan, largestError: retail.demands.largestPathError)
        guard let first = retail.pairs(of: Self.firstBlur) else { return nil }
        var best: Laid?
        for (path, isForward) in [(found.forward, true), (found.backward, false)] {
            guard let path else { continue }
            var fit = BlurredFit(
                profile: isForward ? profile : profile.reversed, plan: retail.plan,
                places: path.places.scaled(by: 1 / coarse), blur: first.blur)
            fit.read(first)
            fit.settle(blurs: [], degree: 1)
            guard fit.residue < Self.leastHope else { continue }
            for round in 0..<Self.rounds {
                guard let pairs = retail.pairs(of: fit.blur) else { break }
                fit.read(pairs)
                fit.settle(blurs: retail.neighbours(of: fit.blur), degree: round == 0 ? 2 : 3)
            }
            if fit.residue < best?.fit.residue ?? .infinity { best = Laid(fit: fit, isForward: isForward) }
        }
        return best
    }

    private static func decision(_ fit: BlurredFit, _ retail: RetailPlan, _ pairs: BlurredPairs) -> Decision? {
        let errors = PairErrors(of: fit.darkness, pairs: pairs)
        guard let best = errors.best(of: retail.variants) else { return nil }
        let words = retail.words(best)
        let energy = fit.darkness.reduce(Float(0)) { $0 + $1 * $1 }
        let left = max(energy + best.error, 1e-3)
        return Decision(
            payload: retail.payload(best), words: words, residue: fit.residue(of: words, blur: pairs.blur),
            worst: fit.worstResidue(of: words, blur: pairs.blur),
            lead: (best.secondError - best.error) / left)
    }

    /// By its name among those that are asked for: a UPC-A is an EAN-13 that begins with 0.
    private func name(_ retail: RetailPlan, _ payload: [UInt8]) -> (symbology: Symbology, payload: [UInt8])? {
        guard retail.symbology == .ean13 else { return (retail.symbology, payload) }
        if payload.first == UInt8(ascii: "0"), asked.contains(.upcA) { return (.upcA, Array(payload.dropFirst())) }
        return asked.contains(.ean13) ? (.ean13, payload) : nil
    }

    private func quad(of laid: Laid, in bars: StraightBars) -> Quad {
        let places = laid.fit.places
        let ends = (Double(places[0]), Double(places[Float(places.modules)]))
        let last = Double(Self.samples - 1)
        let (top, bottom) = (Double(bars.rows.lowerBound) - 0.5, Double(bars.rows.upperBound) - 0.5)
        if laid.isForward {
            return Quad(
                topLeft: bars.point(row: top, sample: ends.0), topRight: bars.point(row: top, sample: ends.1),
                bottomRight: bars.point(row: bottom, sample: ends.1),
                bottomLeft: bars.point(row: bottom, sample: ends.0))
        }
        return Quad(
            topLeft: bars.point(row: bottom, sample: last - ends.0),
            topRight: bars.point(row: bottom, sample: last - ends.1),
            bottomRight: bars.point(row: top, sample: last - ends.1),
            bottomLeft: bars.point(row: top, sample: last - ends.0))
    }
}
