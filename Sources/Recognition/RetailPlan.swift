// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ImageKernels
internal import ScanModel

/// What is allowed in a symbol of the retail family: its characters, its guards, and the rules between its digits.
struct RetailPlan: Sendable {
    let symbology: Symbology
    let plan: CharacterPlan
    let variants: [CheckedVariant]
    /// The digits before the characters', for each variant: what the sets alone say.
    let leading: [[Int]]
    /// The digits behind them.
    let trailing: [[Int]]
    /// Templates for each blur of the ladder.
    let pairs: [BlurredPairs]
    /// What a reading must show to be believed.
    let demands: Demands

    /// The limits of what is believed.
    ///
    /// Of 12,185 candidates of 1,327 public pictures, true ones and false ones of every kind, 207 of 278 EAN-13 and UPC-A are read,
    /// and no wrong payload that is the best without the rules as well reaches a lead of 0.02; with the rules alone one has
    /// 0.12. EAN-8 reads 11 of 15 and UPC-E 41 of 60; six and eight digits are found in other codes with leads of up to 0.5, where
    /// they explain less and their paths are worse.
    struct Demands: Sendable {
        /// The error of the path with free widths up to which it is looked at more closely, ...
        var largestPathError: Float
        /// ... and the share of the variance that may stay unexplained.
        var largestResidue: Float
        /// By how much the second best leaves more than the best, as a multiple of what that leaves.
        var leastLead: Float
        /// The share that may stay unexplained of the worst character, and as a multiple of the whole's.
        ///
        /// Where bars are printed over or torn through all lines, two digits that fit badly can keep the check digit right: of
        /// 5,000 EAN-13 with 3 to 16 modules replaced 82 were read wrong without this, and 2 with it, in which the
        /// new bars are another symbol without a fault; of 4,000 whole ones that are blurred 3 and 0, with 2,799 right.
        static let largestWorst: Float = 0.18
        static let largestShare: Float = 4.5
        /// How many of three separate thirds of the lines have to say the same with such a lead.
        var leastThirds: Int

        static let long = Demands(largestPathError: 17, largestResidue: 0.15, leastLead: 0.25, leastThirds: 2)
        static let short = Demands(largestPathError: 9, largestResidue: 0.1, leastLead: 0.6, leastThirds: 3)
    }

    /// Blurs that are told apart: from sharp to a bell as wide as two bars.
    static let spreads: [Float] = [0.35, 0.55, 0.75, 0.95, 1.15, 1.4, 1.7]
    /// Bars that look thinner and thicker than they are.
    static let gains: [Float] = [-0.2, 0, 0.2]
    static let blurs = spreads.flatMap { spread in gains.map { BarBlur(spread: spread, gain: $0) } }

    static let ean13 = RetailPlan(.ean13)
    static let ean8 = RetailPlan(.ean8)
    static let upcE = RetailPlan(.upcE)

    private static let normal = (bits: 0b101, count: 3)
    private static let center = (bits: 0b01010, count: 5)
    private static let none = (bits: 0, count: 0)

    private init(_ symbology: Symbology) {
        self.symbology = symbology
        let setA = BarPattern.setA.map { Self.bits($0, beginsDark: false) }
        let setB = BarPattern.setB.map { Self.bits($0, beginsDark: false) }
        let setC = BarPattern.setA.map { Self.bits($0, beginsDark: true) }
        let words = setA + setB + setC
        let (ofA, ofAB, ofC) = (0..<10, 0..<20, 20..<30)
        func three(_ count: Int) -> [Int] { (0..<count).map { $0 % 2 == 0 ? 3 : 1 } }
        var variants: [CheckedVariant] = []
        var leading: [[Int]] = []
        var trailing: [[Int]] = []
        switch symbology {
        case .ean8:
            plan = CharacterPlan(
                codewords: words, choices: Array(repeating: ofA, count: 4) + Array(repeating: ofC, count: 4),
                guards: [Self.normal] + Array(repeating: Self.none, count: 3) + [Self.center]
                    + Array(repeating: Self.none, count: 3) + [Self.normal])
            variants = [
                CheckedVariant(
                    firstWords: Array(repeating: 0, count: 4) + Array(repeating: 20, count: 4), weights: three(8),
                    base: 0)
            ]
            (leading, trailing) = ([[]], [[]])
        case .upcE:
            plan = CharacterPlan(
                codewords: words, choices: Array(repeating: ofAB, count: 6),
                guards: [Self.normal] + Array(repeating: Self.none, count: 5) + [(bits: 0b010101, count: 6)])
            for system in 0...1 {
                for check in 0...9 {
                    let areB = Self.setsOfB(BarPattern.checkOfUPCE[check]).map { $0 == (system == 0) }
                    for (weights, last) in Self.modesOfUPCE {
                        variants.append(
                            CheckedVariant(
                                firstWords: areB.map { $0 ? 10 : 0 }, weights: weights, base: 3 * system + check,
                                lastDigits: last))
                        leading.append([system])
                        trailing.append([check])
                    }
                }
            }
        default:
            plan = CharacterPlan(
                codewords: words, choices: Array(repeating: ofAB, count: 6) + Array(repeating: ofC, count: 6),
                guards: [Self.normal] + Array(repeating: Self.none, count: 5) + [Self.center]
                    + Array(repeating: Self.none, count: 5) + [Self.normal])
            for first in 0...9 {
                variants.append(
                    CheckedVariant(
                        firstWords: Self.setsOfB(BarPattern.leading[first]).map { $0 ? 10 : 0 }
                            + Array(repeating: 20, count: 6),
                        weights: three(12), base: first))
                leading.append([first])
                trailing.append([])
            }
        }
        demands = symbology == .ean13 ? .long : .short
        (self.variants, self.leading, self.trailing) = (variants, leading, trailing)
        let plan = plan
        pairs = Self.blurs.map { BlurredPairs(plan: plan, blur: $0) }
    }

    /// Seven modules from four widths; 1 is dark.
    private static func bits(_ widths: [Float], beginsDark: Bool) -> Int {
        widths.enumerated().reduce(0) { bits, element in
            let isDark = (element.offset % 2 == 0) == beginsDark
            return (0..<Int(element.element)).reduce(bits) { bits, _ in bits << 1 | (isDark ? 1 : 0) }
        }
    }

    /// For each of six digits whether it is of set B.
    private static func setsOfB(_ parity: Int) -> [Bool] { (0..<6).map { parity >> (5 - $0) & 1 == 1 } }

    /// What the six digits count in the sum of the long form, by the last of them: each keeps its place of ISO/IEC 15420, 4.3.5.
    ///
    /// In the long form the places count 3, 1, 3, 1... from the number system on.
    private static let modesOfUPCE: [(weights: [Int], last: Int)] = [
        ([1, 3, 3, 1, 3, 1], 0b0000_0001_11), ([1, 3, 1, 1, 3, 0], 0b0000_0010_00),
        ([1, 3, 1, 3, 3, 0], 0b0000_0100_00),
        ([1, 3, 1, 3, 1, 3], 0b1111_1000_00),
    ]

    /// The digits as they are printed.
    func payload(_ checked: PairErrors.Checked) -> [UInt8] {
        (leading[checked.variant] + checked.digits + trailing[checked.variant]).map { UInt8($0) + 0x30 }
    }

    /// The words of the characters.
    func words(_ checked: PairErrors.Checked) -> [Int] {
        zip(variants[checked.variant].firstWords, checked.digits).map { $0 + $1 }
    }

    /// The templates whose blur is next to another's.
    func neighbours(of blur: BarBlur) -> [BarBlur] {
        Self.blurs.filter { other in
            let spread = Self.spreads.firstIndex(of: other.spread).flatMap { a in
                Self.spreads.firstIndex(of: blur.spread).map { abs(a - $0) }
            }
            let gain = abs(other.gain - blur.gain)
            return (spread ?? 9) <= 1 && gain < 0.3
        }
    }

    func pairs(of blur: BarBlur) -> BlurredPairs? { Self.blurs.firstIndex(of: blur).map { pairs[$0] } }
}
