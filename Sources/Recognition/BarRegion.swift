// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ImageKernels
internal import ScanModel

/// Cells whose brightness changes along one direction, as a rectangle in pixels of the picture.
struct BarRegion {
    /// The least share of the strong direction's lead in all energy: short bars, digits beside them and blur lower it.
    static let coherence: Float = 0.5
    /// The least mean square of Sobel's gradient: bars of 20 levels, slightly blurred.
    static let energy: Float = 600
    static let maximumRegions = 400

    var center: Point
    /// A unit vector across the bars.
    var axis: Point
    var length: Double
    var height: Double
    var energy: Double
    /// Pixels of a cell of the scale that it was found at.
    var cell: Double

    /// The share of the strongest cells' energy that bars have everywhere and a single edge nowhere.
    ///
    /// Bars turn at each module or two, which is twice and more in the three cells that are averaged; the side of a label,
    /// a shelf or a box turns once.
    static let strongShare: Float = 0.35

    /// The regions of all directions at one scale.
    ///
    /// Labels side by side are one region by their own sides and those of what they stick to; by what is strong alone each
    /// is one for itself, while faint codes are found by what is weak.
    static func regions(of tensor: CellTensor, scale: Double, directionStep: Int) -> [BarRegion] {
        let cell = scale * Double(CellTensor.cell)
        func regions(energy: Float) -> [CellRegion] {
            CellMap(directionsOf: tensor, coherence: coherence, energy: energy).closed().regions(
                sets: CellMap.directionCount, step: directionStep, tensor: tensor, minimum: 8, limit: maximumRegions
            ).filter { $0.length >= 4 && $0.fill > 0.35 }
        }
        var found = regions(energy: energy)
        let strong = strongShare * tensor.usualEnergy()
        if strong > 2 * energy { found += regions(energy: strong) }
        return found.map { BarRegion($0, cell: cell) }
    }

    private init(_ region: CellRegion, cell: Double) {
        axis = Point(x: Double(region.axis.x), y: Double(region.axis.y))
        let u = Double(region.along.lowerBound + region.along.upperBound) / 2
        let v = Double(region.across.lowerBound + region.across.upperBound) / 2
        center = Point(
            x: (Double(region.center.x) + axis.x * u - axis.y * v) * cell,
            y: (Double(region.center.y) + axis.y * u + axis.x * v) * cell)
        length = Double(region.length) * cell
        height = Double(region.height) * cell
        energy = Double(region.energy) * cell * cell
        self.cell = cell
    }

    var quad: Quad { Quad(center: center, axis: axis, length: length, height: height) }

    /// The strongest, each place and direction once, and none that lies within one of `covers`.
    static func distinct(_ regions: [BarRegion], besides covers: [Quad], limit: Int) -> [BarRegion] {
        var kept: [(region: BarRegion, quad: Quad)] = []
        for region in regions.sorted(by: { $0.energy > $1.energy }) {
            let quad = region.quad
            let area = quad.signedArea.magnitude
            let isDouble = kept.contains { other in
                // Within 15 degrees, up to half a turn.
                guard region.axis.dot(other.region.axis).magnitude > 0.966 else { return false }
                let shared = quad.sharedArea(with: other.quad)
                return shared > 0.7 * area && shared > 0.35 * other.quad.signedArea.magnitude
            }
            if isDouble || covers.contains(where: { $0.sharedArea(with: quad) > 0.8 * area }) { continue }
            kept.append((region, quad))
            if kept.count == limit { break }
        }
        return kept.map(\.region)
    }
}

extension BarRegion {
    /// Likeness of neighbouring lines from which on they are lines of one code.
    static let minimumLikeness: Float = 0.6
    /// EAN-8 has 44 edges, a Code 39 of one character 30; half of them may be lost to blur.
    static let minimumEdges = 12
    /// The least height for its length: rows of DataBar Expanded Stacked are an eighth, truncated labels a twentieth.
    static let minimumHeight = 0.04

    /// The codes that its pixels show: cut at the first and the last bar and where the bars end, apart where lines change.
    func candidates(in picture: LumaView, stacked: Bool = true) -> [CodeCandidate] {
        candidates(in: picture, canGrow: true, looksForStacked: stacked)
    }

    /// With `canGrow`, once more around more of the picture when bars go on to the end of what was looked at.
    private func candidates(in picture: LumaView, canGrow: Bool, looksForStacked: Bool) -> [CodeCandidate] {
        guard looksAlike(in: picture) else {
            return !looksForStacked ? [] : stacked(bands: [], found: [], in: picture).map { [$0] } ?? []
        }
        let stripLength = 1.3 * length + 4 * cell
        let stripHeight = 1.25 * height + 2 * cell
        // Codes above each other are a region much higher than one: the gap between them is to meet a line.
        let rows = min(BarStrip.maximumRows, max(9, Int(stripHeight / max(3, min(height / 12, length / 20)))))
        let strip = BarStrip(
            picture, center: center, axis: axis, length: stripLength, height: stripHeight, rows: rows)
        let margin = Int((stripLength - length) / 2 / strip.sampleStep)
        let inner = max(0, margin)..<max(min(strip.samples, strip.samples - margin), 1)
        let (shifts, bands) = strip.bands(minimum: Self.minimumLikeness, in: inner)
        var found: [CodeCandidate] = []
        for band in bands where band.rows.count >= 2 {
            let middle = (band.rows.lowerBound + band.rows.upperBound - 1) / 2
            let aligned = shifts.map { $0 - shifts[middle] }
            // The middle of the bars, as far as that leaves three lines.
            let trim = band.rows.count >= 7 ? band.rows.count / 4 : 0
            let rows = (band.rows.lowerBound + trim)..<(band.rows.upperBound - trim)
            let groups = BarEdges(of: strip.mean(of: rows, shifts: aligned)).groups
                .filter { $0.count >= Self.minimumEdges }
            if canGrow, band.rows.count > strip.rows / 2, let grown = grown(to: groups, of: strip) {
                return grown.candidates(in: picture, canGrow: false, looksForStacked: looksForStacked)
            }
            for group in groups where Int(group.end) > inner.lowerBound && Int(group.start) < inner.upperBound {
                let candidate = candidate(of: group, in: band, shifts: aligned, strip: strip, picture: picture)
                guard let candidate, candidate.quad.height >= max(4, Self.minimumHeight * candidate.quad.width) else {
                    continue
                }
                found.append(candidate)
            }
        }
        if looksForStacked, let stacked = stacked(bands: bands, found: found, in: picture) { found.append(stacked) }
        return found
    }

    /// Whether in any of five places two lines are alike: text and noise are told at a fifth of the price of the whole
    /// strip.
    private func looksAlike(in picture: LumaView) -> Bool {
        // Bars are a sixteenth of their length high at least, or nobody could aim at them.
        let distance = max(3, min(0.15 * height, length / 16))
        return [0, -0.2, 0.2, -0.35, 0.35].contains { part in
            let strip = BarStrip(
                picture, center: center + Point(x: -axis.y, y: axis.x) * (part * height), axis: axis, length: length,
                height: distance, rows: 2, maximumSamples: 192)
            return (-2...2).contains {
                strip.likeness(0, 1, shift: $0, in: 0..<strip.samples) >= Self.minimumLikeness - 0.1
            }
        }
    }

    /// Longer by half at the ends that the longest group of edges reaches; `nil` when it ends before.
    private func grown(to groups: [BarEdges.Group], of strip: BarStrip) -> BarRegion? {
        guard let group = groups.max(by: { $0.count < $1.count }) else { return nil }
        let rim = Float(strip.samples) * 0.04
        let before = group.start < rim ? 0.5 * length : 0
        let behind = group.end > Float(strip.samples) - rim ? 0.5 * length : 0
        guard before + behind > 0 else { return nil }
        var result = self
        result.center = center + axis * ((behind - before) / 2)
        result.length = length + before + behind
        return result
    }

    private func candidate(
        of group: BarEdges.Group, in band: BarStrip.Band, shifts: [Int], strip: BarStrip, picture: LumaView
    ) -> CodeCandidate? {
        // Beyond the picture its edge goes on, and any line is like the next there.
        let rows = strip.rows(band.rows, showing: group, shifts: shifts, in: picture)
        guard rows.count >= 2 else { return nil }
        let (top, bottom, middle) = (rows.lowerBound, rows.upperBound - 1, (rows.lowerBound + rows.upperBound - 1) / 2)
        let still = Double(shifts[middle])
        func point(_ row: Int, _ sample: Float, _ shift: Double) -> Point {
            strip.point(row: Double(row), sample: Double(sample) + still + shift)
        }
        let bars = (group.start + Float(still))...(group.end + Float(still))
        let fan = strip.fan(of: rows, middle: middle, shifts: shifts, bars: bars)
        let quad = Quad(
            topLeft: point(top, group.start, fan.top.left), topRight: point(top, group.end, fan.top.right),
            bottomRight: point(bottom, group.end, fan.bottom.right),
            bottomLeft: point(bottom, group.start, fan.bottom.left)
        ).grown(along: 0, across: strip.rowStep / 2)
        let edgeShare = min(1, Double(group.count) / 30)
        // Where the picture ends at the bars, nothing tells what is around them.
        let around = 3 * group.module
        let isSeen =
            picture.contains(point(middle, group.start - around, 0))
            && picture.contains(point(middle, group.end + around, 0))
        let strength = (energy * quad.signedArea.magnitude / area).squareRoot()
        return CodeCandidate(
            kind: .linear, quad: quad, moduleSize: Double(group.module) * strip.sampleStep,
            isInverted: isSeen ? group.isInverted : nil, score: Double(band.likeness) * edgeShare * strength,
            promise: BarPromise(edges: group.count, lines: rows.count, traits: group.traits).share)
    }

    private var area: Double { max(1, length * height) }
}

extension BarStrip {
    /// The lines of which four of five places on the bars are in the picture.
    fileprivate func rows(
        _ rows: Range<Int>, showing group: BarEdges.Group, shifts: [Int], in picture: LumaView
    ) -> Range<Int> {
        let shown = rows.filter { row in
            let inside = (0...4).filter { quarter in
                let sample = Double(group.start) + 0.25 * Double(quarter) * Double(group.end - group.start)
                return picture.contains(point(row: Double(row), sample: sample + Double(shifts[row])))
            }
            return inside.count >= 4
        }
        guard let first = shown.first, let last = shown.last else { return rows.lowerBound..<rows.lowerBound }
        return first..<(last + 1)
    }
}

extension LumaView {
    fileprivate func contains(_ point: Point) -> Bool {
        point.x >= 0 && point.y >= 0 && point.x < Double(width) && point.y < Double(height)
    }
}

extension BarRegion {
    /// Several bands of about one extent, or lines that nowhere are alike: rows of a stacked code.
    ///
    /// With a module where the guards of PDF417 were met; else only where its lines have the edges of rows.
    private func stacked(bands: [BarStrip.Band], found: [CodeCandidate], in picture: LumaView) -> CodeCandidate? {
        let covered = found.map(\.quad.height).max() ?? 0
        guard covered < 0.6 * height, bands.count >= 2 || found.isEmpty, length > 0.1 * height else { return nil }
        let guarded = StackedGuards(picture, center: center, axis: axis, length: length, height: height).map {
            CodeCandidate(guards: $0, strength: energy.squareRoot())
        }
        return guarded ?? StackedRows(region: self).candidate(in: picture, bands: bands.count)
    }
}

extension CodeCandidate {
    init(guards: StackedGuards, strength: Double, scale: Double = 1) {
        let hasBoth = min(guards.counts.start, guards.counts.stop) >= 2
        self.init(
            kind: .stacked, quad: guards.quad.scaled(by: scale), moduleSize: guards.module * scale, isInverted: nil,
            score: 2 * strength * scale, promise: hasBoth ? 0.9 : 0.6)
    }
}

extension Quad {
    /// The shared area; nothing is computed for quads that are far from each other.
    func sharedArea(with other: Quad) -> Double {
        let reach = (topLeft.distance(to: bottomRight) + topRight.distance(to: bottomLeft)) / 2
        let otherReach =
            (other.topLeft.distance(to: other.bottomRight) + other.topRight.distance(to: other.bottomLeft)) / 2
        // Corners lie within their diagonal of the centre, whatever the shape.
        guard center.distance(to: other.center) < reach + otherReach else { return 0 }
        return intersectionArea(with: other)
    }

    /// A rectangle whose first side runs along a unit vector.
    init(center: Point, axis: Point, length: Double, height: Double) {
        let along = axis * (length / 2)
        let across = Point(x: -axis.y, y: axis.x) * (height / 2)
        self.init(
            topLeft: center - along - across, topRight: center + along - across, bottomRight: center + along + across,
            bottomLeft: center - along + across)
    }
}
