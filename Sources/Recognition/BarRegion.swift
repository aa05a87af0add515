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

    /// The regions of all directions at one scale.
    static func regions(of tensor: CellTensor, scale: Double) -> [BarRegion] {
        let map = CellMap(directionsOf: tensor, coherence: coherence, energy: energy).closed()
        let cell = scale * Double(CellTensor.cell)
        var found: [BarRegion] = []
        for direction in 0..<CellMap.directionCount {
            for region in map.regions(of: direction, tensor: tensor, minimum: 8, limit: maximumRegions) {
                guard region.length >= 4, region.fill > 0.35 else { continue }
                found.append(BarRegion(region, cell: cell))
            }
        }
        return found
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

    /// The strongest, each place and direction once.
    static func distinct(_ regions: [BarRegion], limit: Int) -> [BarRegion] {
        var kept: [(region: BarRegion, quad: Quad)] = []
        for region in regions.sorted(by: { $0.energy > $1.energy }) {
            let quad = region.quad
            let area = quad.signedArea.magnitude
            let isDouble = kept.contains { other in
                // Within 15 degrees, up to half a turn.
                guard region.axis.dot(other.region.axis).magnitude > 0.966 else { return false }
                let shared = quad.intersectionArea(with: other.quad)
                return shared > 0.7 * area && shared > 0.35 * other.quad.signedArea.magnitude
            }
            if isDouble { continue }
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

    /// The codes that its pixels show: cut at the first and the last bar and where the bars end, apart where lines change.
    func candidates(in picture: LumaView) -> [CodeCandidate] {
        let stripLength = 1.3 * length + 4 * cell
        let stripHeight = 1.25 * height + 2 * cell
        let rows = min(33, max(9, Int(stripHeight / max(3, height / 20))))
        let strip = BarStrip(
            picture, center: center, axis: axis, length: stripLength, height: stripHeight, rows: rows)
        let margin = Int((stripLength - length) / 2 / strip.sampleStep)
        let inner = max(0, margin)..<max(min(strip.samples, strip.samples - margin), 1)
        let (shifts, bands) = strip.bands(minimum: Self.minimumLikeness, in: inner)
        var found: [CodeCandidate] = []
        for band in bands where band.rows.count >= 2 {
            found += candidates(of: band, shifts: shifts, strip: strip, inner: inner)
        }
        if let stacked = stacked(bands: bands, found: found, strip: strip) { found.append(stacked) }
        return found
    }

    private func candidates(
        of band: BarStrip.Band, shifts: [Int], strip: BarStrip, inner: Range<Int>
    ) -> [CodeCandidate] {
        // The middle of the bars, as far as that leaves three lines.
        let trim = band.rows.count >= 7 ? band.rows.count / 4 : 0
        let rows = (band.rows.lowerBound + trim)..<(band.rows.upperBound - trim)
        let middle = (band.rows.lowerBound + band.rows.upperBound - 1) / 2
        let aligned = shifts.map { $0 - shifts[middle] }
        let edges = BarEdges(of: strip.mean(of: rows, shifts: aligned))
        var found: [CodeCandidate] = []
        for group in edges.groups where group.count >= Self.minimumEdges {
            guard Int(group.end) > inner.lowerBound, Int(group.start) < inner.upperBound else { continue }
            let (top, bottom) = (band.rows.lowerBound, band.rows.upperBound - 1)
            func point(_ row: Int, _ sample: Float) -> Point {
                strip.point(row: Double(row), sample: Double(sample) + Double(aligned[row]))
            }
            let quad = Quad(
                topLeft: point(top, group.start), topRight: point(top, group.end),
                bottomRight: point(bottom, group.end), bottomLeft: point(bottom, group.start)
            ).grown(along: 0, across: strip.rowStep / 2)
            let edgeShare = min(1, Double(group.count) / 30)
            found.append(
                CodeCandidate(
                    kind: .linear, quad: quad, moduleSize: Double(group.module) * strip.sampleStep,
                    isInverted: group.isInverted,
                    score: Double(band.likeness) * edgeShare * (energy * quad.signedArea.magnitude / area).squareRoot()))
        }
        return found
    }

    private var area: Double { max(1, length * height) }

    /// Several bands of about one extent, or lines that nowhere are alike: rows of a stacked code.
    private func stacked(
        bands: [BarStrip.Band], found: [CodeCandidate], strip: BarStrip
    ) -> CodeCandidate? {
        let covered = found.map(\.quad.height).max() ?? 0
        guard covered < 0.6 * height, bands.count >= 2 || found.isEmpty, length > 0.5 * height else { return nil }
        return CodeCandidate(
            kind: .stacked, quad: quad, moduleSize: nil, isInverted: nil,
            score: 0.5 * energy.squareRoot())
    }
}

extension Quad {
    /// A rectangle whose first side runs along a unit vector.
    init(center: Point, axis: Point, length: Double, height: Double) {
        let along = axis * (length / 2)
        let across = Point(x: -axis.y, y: axis.x) * (height / 2)
        self.init(
            topLeft: center - along - across, topRight: center + along - across, bottomRight: center + along + across,
            bottomLeft: center - along + across)
    }
}
