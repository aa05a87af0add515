// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ImageKernels
internal import ScanModel

/// Cells whose brightness changes along both directions: modules, or print.
struct TextureRegion {
    /// Least energies of the weaker direction; several, as a high one parts neighbours and a low one finds faint codes.
    static let thresholds: [Float] = [600, 2400, 7200]
    static let maximumRegions = 200
    /// Texture beside the middle's under which a side is the code's edge.
    private static let edgeShare: Float = 0.45

    var quad: Quad
    var score: Double

    static func regions(of tensor: CellTensor, in view: LumaView, scale: Double) -> [TextureRegion] {
        let map = CellMap(textureOf: tensor, thresholds: thresholds).opened()
        var found: [TextureRegion] = []
        var blobs: [CellRegion] = []
        for set in thresholds.indices {
            blobs += map.regions(of: set, tensor: tensor, minimum: 6, limit: maximumRegions, hulls: true)
        }
        // The same blob at several thresholds differs by its rim; the measuring in pixels levels that.
        for blob in blobs.sorted(by: { $0.weakerEnergy > $1.weakerEnergy }).prefix(RegionFinder.maximumRegions) {
            found += measured(blob, in: view).map { TextureRegion(quad: $0.quad.scaled(by: scale), score: $0.score * scale) }
        }
        return found
    }

    /// The blob as rectangles along its grid, cut where the texture ends.
    private static func measured(_ blob: CellRegion, in view: LumaView) -> [TextureRegion] {
        let cell = Double(CellTensor.cell)
        let hull = blob.hull.map { Point(x: Double($0.x) * cell, y: Double($0.y) * cell) }
        guard hull.count >= 3 else { return [] }
        let (axis, certainty) = view.gridDirection(in: hull)
        let us = hull.map { $0.dot(axis) }
        let vs = hull.map { $0.dot(Point(x: -axis.y, y: axis.x)) }
        guard let lowU = us.min(), let highU = us.max(), let lowV = vs.min(), let highV = vs.max() else { return [] }
        let (length, height) = (highU - lowU, highV - lowV)
        let fill = Double(blob.cellCount) * cell * cell / (length * height)
        guard fill > 0.45, max(length, height) < 8 * min(length, height) else { return [] }
        let (u, v) = ((lowU + highU) / 2, (lowV + highV) / 2)
        let center = Point(x: axis.x * u - axis.y * v, y: axis.y * u + axis.x * v)
        let density = Double(blob.weakerEnergy) / Double(blob.cellCount)
        let strength = (density * length * height).squareRoot() * fill * (0.3 + certainty)
        return parts(center: center, axis: axis, length: length, height: height, in: view).map { quad in
            let share = (quad.signedArea.magnitude / (length * height)).squareRoot()
            return TextureRegion(quad: quad, score: strength * min(1, share) * squareness(quad))
        }
    }

    /// Most 2D codes are square, text is not.
    private static func squareness(_ quad: Quad) -> Double {
        let ratio = min(quad.width, quad.height) / max(1, max(quad.width, quad.height))
        return ratio.squareRoot()
    }

    private static func parts(
        center: Point, axis: Point, length: Double, height: Double, in view: LumaView
    ) -> [Quad] {
        let box = TextureBox(view, center: center, axis: axis, length: 1.4 * length, height: 1.4 * height)
        let columns = TextureBox.stretches(box.columns, share: edgeShare)
        let rows = TextureBox.stretches(box.rows, share: edgeShare)
        var quads: [Quad] = []
        for column in columns.prefix(4) {
            for row in rows.prefix(4) {
                let u = ((column.lowerBound + column.upperBound) / 2 - 0.5) * box.length
                let v = ((row.lowerBound + row.upperBound) / 2 - 0.5) * box.height
                quads.append(
                    Quad(
                        center: Point(
                            x: center.x + axis.x * u - axis.y * v, y: center.y + axis.y * u + axis.x * v),
                        axis: axis, length: (column.upperBound - column.lowerBound) * box.length,
                        height: (row.upperBound - row.lowerBound) * box.height))
            }
        }
        return quads
    }

    /// The best, each place once.
    static func distinct(_ regions: [TextureRegion], limit: Int) -> [CodeCandidate] {
        var kept: [CodeCandidate] = []
        for region in regions.sorted(by: { $0.score > $1.score }) {
            let ratio = max(region.quad.width, region.quad.height) / max(1, min(region.quad.width, region.quad.height))
            guard ratio < 5 else { continue }
            if kept.contains(where: { $0.quad.overlap(with: region.quad) > 0.7 }) { continue }
            kept.append(
                CodeCandidate(kind: .matrix, quad: region.quad, moduleSize: nil, isInverted: nil, score: region.score))
            if kept.count == limit { break }
        }
        return kept
    }
}
