// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ImageKernels
internal import ScanModel

/// A place that looks like a line of text, in pixels of the region.
struct LineCandidate: Hashable {
    /// Tight around the letters, leaning with the line.
    var quad: Quad
    /// Whether the letters are lighter than their ground.
    var isLightOnDark: Bool

    var height: Double { quad.height }
}

/// Finds lines of text in a scene by gradient morphology: thin strokes, close together along x.
///
/// A black-hat keeps what is dark and thin, at 1/2 and 1/4 of the size for small and large print; runs of it that are
/// close along x make lines. Closing over more than one row was rejected: it joins lines. A shelf of 1080p takes 5 to 8 ms
/// dark on light, 11 with both polarities (release build).
struct LineFinder {
    /// Runs of one hat picture that are looked at: a full page at 1080p has some 40,000.
    static let maximumRuns = 200_000
    /// Candidates a region: what is over is noise.
    static let maximumCandidates = 256
    /// How much decoded barcodes are grown before they are painted over.
    static let maskGrowth = 0.03

    /// The smallest capitals that are worth finding, in pixels.
    var smallestCapital: Double
    var findsLightOnDark: Bool

    /// Lines in a picture, barcodes painted over; largest first.
    func candidates(in picture: LumaBuffer, masks: [Quad]) -> [LineCandidate] {
        var picture = picture
        for mask in masks { picture.paintOver(mask.grown(by: 1 + Self.maskGrowth * max(mask.width, mask.height))) }
        guard let half = picture.halved() else { return [] }
        var found = lines(in: half, scale: 2, hatSize: 9, closing: 13)
        if let quarter = half.halved() { found += lines(in: quarter, scale: 4, hatSize: 11, closing: 11) }
        return Array(Self.withoutDoubles(found).prefix(Self.maximumCandidates))
    }

    private func lines(in picture: LumaBuffer, scale: Double, hatSize: Int, closing: Int) -> [LineCandidate] {
        var found: [LineCandidate] = []
        for isLight in findsLightOnDark ? [false, true] : [false] {
            let hat = isLight ? picture.topHat(size: hatSize) : picture.blackHat(size: hatSize)
            let otsu = otsuThreshold(of: hat.histogram())
            // Under 18 levels it is paper and sensor noise; 0.6 of Otsu's keeps faint print beside black.
            let threshold = UInt8(max(18, min(254, Int(0.6 * Double(otsu)))))
            let runs = Self.withoutClutter(PixelRuns(of: hat, above: threshold, limit: Self.maximumRuns))
            let shapes = LineShape.shapes(of: runs, closing: closing).flatMap { $0.splitAtLongGaps() }
            // Small letters without tails are three quarters of a capital high.
            let smallest = 0.75 * smallestCapital / scale
            let lines = LineShape.linked(shapes.filter { $0.isLetters && $0.height >= smallest * 0.7 })
            for line in lines where line.isLine && line.height >= smallest {
                let quad = line.quad(scale: scale)
                // What is between dark letters is bright and thin as well: the ground around tells which it is.
                let contrast = line.brightness(in: picture) - picture.ground(around: quad.scaled(by: 1 / scale))
                guard (isLight ? contrast : -contrast) > 0.5 * Double(threshold) else { continue }
                found.append(LineCandidate(quad: quad, isLightOnDark: isLight))
            }
        }
        return found
    }

    /// One candidate a line: both scales and both polarities find some lines twice.
    private static func withoutDoubles(_ found: [LineCandidate]) -> [LineCandidate] {
        var kept: [LineCandidate] = []
        let dark = found.filter { !$0.isLightOnDark }.sorted { $0.quad.width > $1.quad.width }
        let light = found.filter(\.isLightOnDark).sorted { $0.quad.width > $1.quad.width }
        // Dark ones first: the ground between dark lines and letters looks like light ones, not the other way about, as
        // most labels are light. Then long ones first: a part of a line is no line of its own.
        for candidate in dark + light {
            let area = candidate.quad.signedArea.magnitude
            if candidate.isLightOnDark,
                kept.contains(where: { other in
                    let smaller = min(area, other.quad.signedArea.magnitude)
                    return !other.isLightOnDark && candidate.quad.intersectionArea(with: other.quad) > 0.3 * smaller
                })
            {
                continue
            }
            let isDouble = kept.contains { other in
                let shared = candidate.quad.intersectionArea(with: other.quad)
                let ratio = candidate.height / max(1, other.height)
                return shared > 0.5 * area && ratio > 0.3 && ratio < 1.8
            }
            // A tall one over several lines that are there already, or beside a line that it merely touches.
            let covered = kept.filter { other in
                other.height < 0.7 * candidate.height
                    && candidate.quad.intersectionArea(with: other.quad) > 0.6 * other.quad.signedArea.magnitude
            }
            if !isDouble, covered.count < 2 { kept.append(candidate) }
        }
        return kept.sorted { $0.height > $1.height }
    }
}

extension LumaBuffer {
    /// The median brightness just outside of a quad.
    fileprivate func ground(around quad: Quad) -> Double {
        let around = samples(onEdgeOf: quad.grown(by: 1.5))
        return around.isEmpty ? 0 : Double(around[around.count / 2])
    }

    /// Brightness along the sides of a quad, as far as they lie in the picture, sorted.
    private func samples(onEdgeOf quad: Quad) -> [UInt8] {
        var samples: [UInt8] = []
        let corners = quad.corners
        for side in 0..<4 {
            let (a, b) = (corners[side], corners[(side + 1) % 4])
            for step in 0..<16 {
                let point = a + (b - a) * (Double(step) / 16)
                guard point.x >= 0, point.y >= 0, point.x < Double(width), point.y < Double(height) else { continue }
                samples.append(pixels[Int(point.y) * width + Int(point.x)])
            }
        }
        samples.sort()
        return samples
    }

    /// Fills a quad with the ground around it, so that its edge is no line.
    mutating func paintOver(_ quad: Quad) {
        let box = quad.boundingRect
        guard quad.isFinite, box.maxX > 0, box.maxY > 0, box.minX < Double(width), box.minY < Double(height) else {
            return
        }
        let corners = quad.corners
        let around = samples(onEdgeOf: quad)
        let ground = around.isEmpty ? 255 : around[around.count / 2]
        for y in Int(max(0, box.minY))...Int(min(Double(height - 1), box.maxY)) {
            let row = Double(y) + 0.5
            var crossings: [Double] = []
            for side in 0..<4 {
                let (a, b) = (corners[side], corners[(side + 1) % 4])
                guard (a.y <= row) != (b.y <= row) else { continue }
                crossings.append(a.x + (b.x - a.x) * (row - a.y) / (b.y - a.y))
            }
            guard let from = crossings.min(), let to = crossings.max(), to > 0, from < Double(width) else { continue }
            let start = Int(max(0, from))
            let end = Int(min(Double(width), to.rounded(.up)))
            for x in start..<max(start, end) { pixels[y * width + x] = ground }
        }
    }
}
