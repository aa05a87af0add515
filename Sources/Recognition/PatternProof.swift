// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ImageKernels
internal import ScanModel

/// Compares what an engine says of an EAN or UPC with the bars in the picture, digit by digit.
///
/// An engine goes by the widths between edges; on a blurred picture it can take one width for another in step with the check
/// digit. Here the payload's own bars are drawn, blurred as the picture is, and laid over the picture's profile, and each
/// digit has to fit better than the nine others would in its place: a test of its own, for microseconds a digit.
struct PatternProof {
    /// Places for a module at which profile and pattern are compared.
    private static let density = 4
    /// Modules beside the symbol that are compared as well: the quiet zone.
    private static let margin = 6
    /// How far the ends are searched, in modules, ...
    private static let search = 3.0
    /// ... and in what steps.
    private static let step = 0.25
    /// Blur of the picture that is tried, standard deviation in modules.
    private static let blurs: [Double] = [0.3, 0.6, 0.9]
    /// Likeness of the whole below which nothing is proved.
    private static let fewestLikeness: Float = 0.8
    /// The share of the second best digit's error that the claimed digit's may have at the most.
    private static let largestShare: Float = 0.75
    /// Lines whose mean is the profile.
    private static let lines = 9

    let picture: LumaView

    /// Whether each digit of the symbol is the one that fits best; `nil` for what can not be drawn or does not fit at all.
    func isProved(_ symbol: DecodedSymbol) -> Bool? {
        guard let pattern = BarPattern(symbology: symbol.symbology, payload: symbol.payload) else { return nil }
        let count = (pattern.modules.count + 2 * Self.margin) * Self.density
        var best: (likeness: Float, profile: [Float], blur: Double) = (-1, [], 0)
        let drawn = Self.blurs.map { Self.drawn(pattern.modules, blur: $0) }
        // Both ends coarsely, then finely around the best.
        var center = (left: 0.0, right: 0.0)
        for (range, step) in [(Self.search, 1.0), (0.75, Self.step)] {
            let from = center
            for left in stride(from: from.left - range, through: from.left + range, by: step) {
                for right in stride(from: from.right - range, through: from.right + range, by: step) {
                    let profile = profile(
                        symbol, modules: pattern.modules.count, left: left, right: right, count: count)
                    for (index, bars) in drawn.enumerated() {
                        let likeness = correlation(bars, profile)
                        guard likeness > best.likeness else { continue }
                        best = (likeness, profile, Self.blurs[index])
                        center = (left, right)
                    }
                }
            }
        }
        guard best.likeness >= Self.fewestLikeness else { return nil }
        return pattern.digits.allSatisfy { fits($0, of: pattern, in: best.profile, blur: best.blur) }
    }

    private func fits(_ digit: BarPattern.Digit, of pattern: BarPattern, in profile: [Float], blur: Double) -> Bool {
        // With the neighbours' nearest modules, over which the blur reaches.
        let from = (Self.margin + digit.start - 1) * Self.density
        let to = from + (BarPattern.digitModules + 2) * Self.density
        let errors = (0...9).map { value in
            Self.error(Self.drawn(pattern.replacing(digit, by: value), blur: blur)[from..<to], profile[from..<to])
        }
        let others = errors.indices.filter { $0 != digit.value }.map { errors[$0] }
        return errors[digit.value] < Self.largestShare * (others.min() ?? 0)
    }

    /// What of the second is not explained by the first, whatever its brightness and contrast: 0...1.
    private static func error(_ bars: ArraySlice<Float>, _ profile: ArraySlice<Float>) -> Float {
        1 - max(0, correlation(Array(bars), Array(profile)))
    }

    /// Dark is 0, light is 255.
    private static func drawn(_ modules: [Bool], blur: Double) -> [Float] {
        var sharp = [Float](repeating: 255, count: (modules.count + 2 * margin) * density)
        for (index, isDark) in modules.enumerated() where isDark {
            for place in 0..<density { sharp[(margin + index) * density + place] = 0 }
        }
        // Two boxes are near enough to a bell: their variances add up to the blur's.
        let width = max(1, Int((blur * Double(density) * 2.45).rounded()))
        return smoothed(smoothed(sharp, width: width), width: width)
    }

    private static func smoothed(_ values: [Float], width: Int) -> [Float] {
        guard width > 1 else { return values }
        let before = width / 2
        return values.indices.map { index in
            var sum: Float = 0
            for offset in 0..<width { sum += values[min(max(index + offset - before, 0), values.count - 1)] }
            return sum / Float(width)
        }
    }

    private func profile(
        _ symbol: DecodedSymbol, modules: Int, left: Double, right: Double, count: Int
    ) -> [Float] {
        let quad = symbol.quad
        let module = quad.width / Double(modules)
        let along = (quad.topRight - quad.topLeft).normalized
        let start = along * ((left - Double(Self.margin)) * module)
        let end = along * ((right + Double(Self.margin)) * module)
        var sums = [Float](repeating: 0, count: count)
        for line in 0..<Self.lines {
            let share = 0.25 + 0.5 * Double(line) / Double(Self.lines - 1)
            let from = quad.topLeft + (quad.bottomLeft - quad.topLeft) * share + start
            let to = quad.topRight + (quad.bottomRight - quad.topRight) * share + end
            let values = picture.profile(from: from, to: to, count: count)
            for index in 0..<count { sums[index] += symbol.isInverted ? 255 - values[index] : values[index] }
        }
        return sums
    }
}
