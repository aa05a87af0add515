// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

package import ImageKernels
package import ScanModel

/// Finds what looks like a code, so that an engine gets a small upright crop instead of the whole picture.
///
/// Three looks at a pyramid of the picture: cells whose brightness changes in one direction are bars, cells where it
/// changes in two are modules (both from one structure tensor, so that a turned code costs and counts the same), and runs
/// of 1:1:3:1:1 are finder patterns, which are put together to QR codes.
package final class RegionFinder {
    /// What is looked for; may be set between two pictures.
    var kinds: Set<CodeCandidate.Kind>

    package init(kinds: Set<CodeCandidate.Kind>) { self.kinds = kinds }

    /// The best candidates, those of each kind in the order of their scores, the kinds taking turns; `limit` at most.
    ///
    /// - Parameter read: what is known to be a code, in pixels of the picture: nothing is looked for there.
    package func candidates(
        in picture: LumaView, level: QualityLevel, limit: Int, besides read: [Quad] = []
    ) -> [CodeCandidate] {
        guard limit > 0, picture.width >= 16, picture.height >= 16 else { return [] }
        let plan = FinderPlan(level: level, width: picture.width, height: picture.height)
        let pyramid = plan.pyramid(of: picture)
        let rings = kinds.isDisjoint(with: [.qr, .bullseye]) ? [] : rings(in: picture, pyramid: pyramid, plan: plan)
        let finders = rings.filter { $0.kind == .finder }
        var found = FinderGrouping(picture: picture, finders: finders).candidates(limit: plan.maximumRings)
        // A code with three finders and timing is one; what else its modules look like is of no interest.
        let certain = found.filter { $0.score >= CodeCandidate.certainQR }.map(\.quad)
        let covers = (certain + read).map { $0.grown(by: 0.1 * $0.width) }
        let (bars, textures) = regions(in: picture, pyramid: pyramid, plan: plan)
        for region in BarRegion.distinct(bars, besides: covers, limit: plan.maximumBars) {
            found += region.candidates(in: picture, stacked: kinds.contains(.stacked))
        }
        found += StackedLines.candidates(of: found)
        var matrices: [CodeCandidate] = []
        for region in TextureRegion.distinct(textures, besides: covers, limit: plan.maximumTextures) {
            pyramid[region.level].withView(of: picture) { matrices += region.candidates(in: $0, finders: finders) }
        }
        for bullseye in rings where bullseye.kind == .bullseye { found += bullseye.candidates(in: matrices) }
        let wanted = (found + matrices).filter { kinds.contains($0.kind) && $0.promise >= plan.leastPromise }
        return CandidateRanking.best(wanted, limit: limit)
    }

    private func rings(in picture: LumaView, pyramid: [ScaledPicture], plan: FinderPlan) -> [RingPattern] {
        let wanted: Set<RingPattern.Kind> = kinds.contains(.bullseye) ? [.finder, .bullseye] : [.finder]
        let patterns = RingFinder(picture).patterns(
            wanted, rowStep: plan.ringRowStep, limit: plan.maximumRings)
        guard plan.looksForRingsAtHalf, let half = pyramid.first(where: { $0.scale == 2 })?.luma else {
            return patterns
        }
        // Noise breaks the runs of large modules; their means hold.
        let coarse = half.withView {
            RingFinder($0).patterns(wanted, rowStep: plan.ringRowStep, limit: plan.maximumRings)
        }
        return RingPattern.merged(patterns, coarse.map { $0.scaled(by: 2) })
    }

    private func regions(
        in picture: LumaView, pyramid: [ScaledPicture], plan: FinderPlan
    ) -> (bars: [BarRegion], textures: [TextureRegion]) {
        var bars: [BarRegion] = []
        var textures: [TextureRegion] = []
        let looksForBars = !kinds.isDisjoint(with: [.linear, .stacked])
        let looksForTextures = !kinds.isDisjoint(with: [.matrix, .bullseye])
        guard looksForBars || looksForTextures else { return ([], []) }
        for (level, scaled) in pyramid.enumerated() {
            scaled.withView(of: picture) { view in
                guard let tensor = CellTensor(of: view)?.smoothed() else { return }
                if looksForBars {
                    bars += BarRegion.regions(
                        of: tensor, scale: scaled.scale, directionStep: plan.directionStep)
                }
                if looksForTextures {
                    textures += TextureRegion.regions(of: tensor, level: level, scale: scaled.scale)
                }
            }
        }
        return (bars, textures)
    }
}

/// How much a level of quality looks at.
struct FinderPlan {
    var width: Int
    var height: Int
    /// The longest side of the finest picture for bars and modules; larger ones begin at half their size.
    var finest: Int
    var scales: Int
    var maximumBars: Int
    var maximumTextures: Int
    /// 1 takes all sets of directions, which overlap by half; 2 those that just meet.
    var directionStep: Int
    var ringRowStep: Int
    var looksForRingsAtHalf: Bool
    var maximumRings: Int
    /// Candidates that promise less are left out.
    var leastPromise: Double

    init(level: QualityLevel, width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        switch level {
        case .fast:
            (finest, scales, maximumBars, maximumTextures) = (1000, 2, 12, 24)
            directionStep = 2
            (ringRowStep, looksForRingsAtHalf, maximumRings, leastPromise) = (4, false, 512, 0.1)
        case .balanced:
            // A small picture has no room for many codes that are more than a few pixels wide.
            (finest, scales, maximumBars, maximumTextures) = (1000, 3, 16, 20 + width * height / 57_344)
            directionStep = 1
            (ringRowStep, looksForRingsAtHalf, maximumRings, leastPromise) = (3, false, 512, 0.01)
        case .accurate:
            (finest, scales, maximumBars, maximumTextures) = (4000, 4, 96, 128)
            directionStep = 1
            (ringRowStep, looksForRingsAtHalf, maximumRings, leastPromise) = (1, true, 1024, 0.001)
        }
    }

    /// The picture and its halves that bars and modules are looked for in, finest first.
    func pyramid(of picture: LumaView) -> [ScaledPicture] {
        var result: [ScaledPicture] = []
        if max(width, height) <= finest { result.append(ScaledPicture(scale: 1, luma: nil)) }
        var last = picture.halved()
        var scale = 2.0
        while result.count < scales, let luma = last, min(luma.width, luma.height) >= 16 {
            result.append(ScaledPicture(scale: scale, luma: luma))
            scale *= 2
            last = max(luma.width, luma.height) >= 200 ? luma.halved() : nil
        }
        return result
    }
}

/// The picture, or a smaller copy.
struct ScaledPicture {
    /// Pixels of the picture for one of these.
    var scale: Double
    /// `nil` for the picture itself.
    var luma: LumaBuffer?

    func withView(of picture: LumaView, _ body: (LumaView) -> Void) {
        if let luma { luma.withView(body) } else { body(picture) }
    }
}
