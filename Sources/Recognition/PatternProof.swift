// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ImageKernels
internal import ScanModel

/// Compares what an engine says of a linear symbol with the bars in the picture, character by character.
///
/// An engine goes by the widths between edges; on a blurred picture it can take one width for another in step with the check
/// digit. Here the payload's own bars are drawn, blurred as the picture is, and laid over the picture's profile, and each
/// character has to fit better than all others would in its place: a test of its own, for microseconds a character.
struct PatternProof {
    /// Modules beside the symbol that are compared as well: the quiet zone.
    private static let margin = 6
    /// How far the ends are searched, in modules, at first, ...
    private static let search: Float = 3
    /// ... and in which steps around the best.
    private static let steps: [Float] = [1, 0.5, 0.25]
    /// Samples of the profile for a module.
    private static let density: Float = 6
    /// Blur of the picture that is tried, standard deviation in modules.
    private static let blurs: [Double] = [0.3, 0.6, 0.9]
    /// Likeness of the whole below which nothing is proved.
    private static let fewestLikeness: Float = 0.8
    /// The share of the second best character's error that the claimed one's may have at the most.
    private static let largestShare: Float = 0.75
    /// The same from which on the bars say another character. Over 528 pictures, wrong payloads had 2.5 to 4.1; of the right
    /// ones, eight whose ends were placed badly had more than 2.
    private static let contradicted: Float = 2
    /// Lines whose mean is the profile.
    private static let lines = 9
    /// The longest symbol that is drawn, in modules.
    private static let longest: Float = 900

    let picture: LumaView
    /// Whether modules may grow from one end to the other, which costs five times as much where nothing fits.
    var knowsPerspective = false

    /// By what share of itself a module is larger at the right end than at the left, as the ratio of the two.
    private static let slants: [Float] = [0.75, 0.87, 1.15, 1.33]

    /// Whether each character of the symbol is the one that fits best; `nil` for what can not be drawn or does not fit at
    /// all.
    func isProved(_ symbol: DecodedSymbol) -> Bool? {
        var best: Fit?
        func tryAll(_ variants: [BarPattern.Variant], slants: [Float] = [1]) -> Bool {
            for variant in variants {
                guard
                    let pattern = BarPattern(
                        symbology: symbol.symbology, payload: symbol.payload, isGS1: symbol.isGS1, variant: variant),
                    pattern.length <= Self.longest
                else { return false }
                for slant in slants {
                    let fit = fit(of: pattern, to: symbol, slant: slant)
                    if fit.likeness > best?.likeness ?? -2 { best = fit }
                }
            }
            return true
        }
        let usual = BarPattern.variants(of: symbol.symbology)
        guard tryAll(usual) else { return nil }
        if best?.likeness ?? 0 < Self.fewestLikeness { _ = tryAll(BarPattern.rareVariants(of: symbol.symbology)) }
        if best?.likeness ?? 0 < Self.fewestLikeness, knowsPerspective {
            _ = tryAll(
                BarPattern.hasTwoWidths(symbol.symbology)
                    ? usual.filter { $0.ratio != 2.25 && $0.ratio != 2.75 } : usual, slants: Self.slants)
        }
        guard let best, best.likeness >= Self.fewestLikeness else { return nil }
        let worst = best.pattern.characters.reduce(Float(0)) { max($0, best.share(of: $1, margin: Self.margin)) }
        if worst < Self.largestShare { return true }
        // A Code 128 may be written in other ways than the shortest.
        return worst > Self.contradicted && symbol.symbology != .code128 ? false : nil
    }

    private func fit(of pattern: BarPattern, to symbol: DecodedSymbol, slant: Float) -> Fit {
        let straight = profile(of: symbol, modules: pattern.length)
        let profile = ProfileFit(profile: slant == 1 ? straight : Self.evened(straight, slant: slant))
        let drawn = Self.blurs.map { DrawnBars(widths: pattern.widths, margin: Self.margin, blur: $0).values }
        let count = drawn[0].count
        /// From the first place to the last, with both ends moved by so many modules.
        func range(_ left: Float, _ right: Float) -> (start: Float, step: Float) {
            let start = (Self.search + left) * Self.density
            let end = (Self.search + 2 * Float(Self.margin) + pattern.length + right) * Self.density
            return (start, (end - start) / Float(count))
        }
        var best = (likeness: Float(-1), left: Float(0), right: Float(0), blur: 1)
        for (index, step) in Self.steps.enumerated() {
            let center = best
            let reach = index == 0 ? Self.search : step
            // The blur is of no account until the ends are near.
            let blurs = index == 0 ? 1..<2 : 0..<Self.blurs.count
            for left in stride(from: center.left - reach, through: center.left + reach, by: step) {
                for right in stride(from: center.right - reach, through: center.right + reach, by: step) {
                    let (start, width) = range(left, right)
                    for blur in blurs {
                        let likeness = profile.likeness(to: drawn[blur], from: start + width / 2, step: width)
                        if likeness > best.likeness { best = (likeness, left, right, blur) }
                    }
                }
            }
        }
        let (start, width) = range(best.left, best.right)
        return Fit(
            pattern: pattern, likeness: best.likeness, blur: Self.blurs[best.blur],
            profile: profile.sampled(from: start + width / 2, step: width, count: count))
    }

    /// A profile as it would be seen straight from the front: the projective map that keeps both ends.
    private static func evened(_ profile: [Float], slant: Float) -> [Float] {
        let last = Float(profile.count - 1)
        // At the left end a step of the map is the root of the slant shorter than on average, at the right end longer.
        let weight = 1 / slant.squareRoot()
        return profile.indices.map { index in
            let share = Float(index) / last
            let place = last * share * weight / (share * weight + 1 - share)
            let low = min(Int(place), profile.count - 2)
            return profile[low] + (place - Float(low)) * (profile[low + 1] - profile[low])
        }
    }

    /// The mean of lines through the middle half of the symbol, with what the search may need on both sides.
    private func profile(of symbol: DecodedSymbol, modules: Float) -> [Float] {
        let quad = symbol.quad
        let beside = Double(Self.search) + Double(Self.margin)
        let module = quad.width / Double(modules)
        let along = (quad.topRight - quad.topLeft).normalized * (beside * module)
        let count = max(8, Int((modules + 2 * Float(beside)) * Self.density))
        var sums = [Float](repeating: 0, count: count)
        for line in 0..<Self.lines {
            let share = 0.25 + 0.5 * Double(line) / Double(Self.lines - 1)
            let from = quad.topLeft + (quad.bottomLeft - quad.topLeft) * share - along
            let to = quad.topRight + (quad.bottomRight - quad.topRight) * share + along
            let values = picture.profile(from: from, to: to, count: count)
            for index in 0..<count { sums[index] += symbol.isInverted ? 255 - values[index] : values[index] }
        }
        return sums
    }
}

/// A pattern laid over a profile as well as it can be.
private struct Fit {
    let pattern: BarPattern
    let likeness: Float
    let blur: Double
    /// At the pattern's places.
    let profile: [Float]

    /// Elements on both sides of a character that are drawn with it, since the blur reaches over them.
    private static let neighbours = 4

    /// The claimed character's error as a share of the best other's.
    func share(of character: BarPattern.Character, margin: Int) -> Float {
        let widths = pattern.widths
        let near = max(0, character.elements.lowerBound - Self.neighbours)
        let far = min(widths.count, character.elements.upperBound + Self.neighbours)
        let density = Float(DrawnBars.density)
        let paper = 2
        // With the neighbours' nearest modules, over which the blur reaches.
        let start = widths[..<character.elements.lowerBound].reduce(0, +)
        let length = widths[character.elements].reduce(0, +)
        let from = max(0, Int(((Float(margin) + start - 1) * density).rounded()))
        let count = Int(((length + 2) * density).rounded())
        guard from + count <= profile.count else { return 1 }
        let place = Array(profile[from..<(from + count)])
        // Paper where the symbol ends; else the first of the elements is cut short by nothing, as they are drawn whole.
        let shift = Int(
            ((widths[near..<character.elements.lowerBound].reduce(0, +) + Float(paper) - 1) * density).rounded())
        func error(_ own: [Float]) -> Float {
            let elements =
                Array(widths[near..<character.elements.lowerBound]) + own
                + Array(widths[character.elements.upperBound..<far])
            let drawn = DrawnBars(widths: elements, margin: paper, beginsDark: near % 2 == 0, blur: blur).values
            guard shift >= 0, shift + count <= drawn.count else { return 1 }
            return 1 - max(0, correlation(Array(drawn[shift..<(shift + count)]), place))
        }
        let claimed = error(Array(widths[character.elements]))
        let other = character.others.reduce(Float.infinity) { min($0, error($1)) }
        return claimed / max(other, 1e-6)
    }
}
