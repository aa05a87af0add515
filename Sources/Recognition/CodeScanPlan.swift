// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ImageKernels
internal import ScanModel

/// What a level spends on a picture.
struct CodeScanPlan {
    /// One effort over all that is left unread.
    struct Round {
        var effort: ReadingEffort
        /// Candidates of less promise are left alone; linear ones are few.
        var leastPromise: Double
        var leastPromiseOfLinear: Double
        /// From here on a candidate is read whatever it costs.
        var certain: Double
        /// Microseconds that may be spent on the others, for a picture and for each megapixel of it.
        var base: Double
        var perMegapixel: Double

        /// In a small picture the whole has been read: textures that show no mark of a code are left alone there. Of 4,000 of
        /// them 64 held one, nearly all in large pictures.
        func leastPromise(of kind: CodeCandidate.Kind, isSmallPicture: Bool) -> Double {
            if kind == .linear { return leastPromiseOfLinear }
            return isSmallPicture && leastPromise > 0 ? max(leastPromise, 0.03) : leastPromise
        }

        func purse(pixels: Int) -> Double { base + perMegapixel * Double(pixels) / 1e6 }

        /// Microseconds that a look is expected to take: a table, so that a picture is read the same each time.
        func price(of candidate: CodeCandidate) -> Double {
            let isLinear = candidate.kind == .linear
            switch effort {
            case .glance: return isLinear ? 250 : 400
            case .look: return isLinear ? 1000 : 2000
            case .thorough: return isLinear ? 3000 : 6000
            }
        }
    }

    var level: QualityLevel
    var maximumCandidates: Int
    var rounds: [Round]
    /// Pixels up to which two-dimensional symbols are looked for in the whole picture at the lower levels.
    static let smallPicture = 600_000
    /// The share of a small picture from which on a symbol is its subject, and `fast` looks for no other.
    static let subjectShare = 0.08
    /// From here on a candidate that gave nothing is told: about one of three such holds a code.
    static let tellingPromise = 0.12
    /// So many are told at the most.
    static let maximumUnread = 32
    var searchesAnyWhole = false
    var triesHarderOnWhole = false
    /// How a picture in which nothing was found is given to zxing-cpp once more as a whole.
    var wholeForms: [WholeForm] = []

    init(level: QualityLevel) {
        self.level = level
        switch level {
        case .fast:
            maximumCandidates = 64
            rounds = [
                Round(
                    effort: .glance, leastPromise: 0.1, leastPromiseOfLinear: 0.1, certain: 0.5, base: 400,
                    perMegapixel: 2000)
            ]
        case .balanced:
            maximumCandidates = 96
            wholeForms = [WholeForm()]
            rounds = [
                Round(
                    effort: .glance, leastPromise: 0.02, leastPromiseOfLinear: 0.01, certain: 0.3, base: 2000,
                    perMegapixel: 8000),
                Round(
                    effort: .look, leastPromise: 0.1, leastPromiseOfLinear: 0.02, certain: 0.5, base: 2000,
                    perMegapixel: 8000),
            ]
        case .accurate:
            maximumCandidates = 160
            rounds = [ReadingEffort.glance, .look, .thorough].map {
                Round(
                    effort: $0, leastPromise: 0, leastPromiseOfLinear: 0, certain: 0.1, base: 200_000,
                    perMegapixel: 400_000)
            }
            (searchesAnyWhole, triesHarderOnWhole) = (true, true)
            wholeForms = [
                WholeForm(scale: 2), WholeForm(scale: 0.5), WholeForm(isInverted: true),
                WholeForm(scale: 2, isInverted: true),
            ]
        }
    }

    /// What is looked for by regions.
    ///
    /// Fast is for large labels: of a small picture zxing-cpp has read those in two dimensions, if there are any, but for
    /// QR codes that are tilted or several.
    func kinds(pixels: Int, hasSeenWhole: Bool) -> Set<CodeCandidate.Kind> {
        if level == .fast, hasSeenWhole, pixels <= Self.smallPicture { return [.linear, .qr] }
        return [.linear, .qr, .matrix, .bullseye, .stacked]
    }
}

/// The whole picture at another size or in the other polarity.
struct WholeForm: Hashable {
    /// Pixels of a picture that is doubled at most: zxing-cpp takes 10 ms a megapixel and more.
    private static let mostPixels = 1_000_000
    /// The side of a picture that is halved at least.
    private static let leastSide = 60

    var scale = 1.0
    var isInverted = false

    /// `nil` where it would be too large or too small.
    func applied(to picture: LumaBuffer) -> LumaBuffer? {
        var result = picture
        if scale == 2 {
            guard picture.width * picture.height <= Self.mostPixels else { return nil }
            result = picture.doubled()
        } else if scale != 1 {
            let (width, height) = (Int(Double(picture.width) * scale), Int(Double(picture.height) * scale))
            guard min(width, height) >= Self.leastSide else { return nil }
            result = picture.resized(width: width, height: height)
        }
        return isInverted ? result.inverted() : result
    }
}

extension DecodedSymbol {
    /// The same symbol in a picture of another size.
    func scaled(by factor: Double) -> DecodedSymbol {
        var symbol = self
        symbol.quad = quad.scaled(by: factor)
        return symbol
    }
}
