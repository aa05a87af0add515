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

    /// The picture that it was found in, and pixels of the whole one for each of its.
    var level: Int
    var scale: Double
    var blob: CellRegion

    static func regions(of tensor: CellTensor, level: Int, scale: Double) -> [TextureRegion] {
        let map = CellMap(textureOf: tensor, thresholds: thresholds).opened()
        return map.regions(
            sets: thresholds.count, tensor: tensor, minimum: 6, limit: maximumRegions, hulls: true
        ).map { TextureRegion(level: level, scale: scale, blob: $0) }
    }

    /// Energy in pixels of the whole picture.
    private var energy: Double { Double(blob.weakerEnergy) * scale * scale }

    /// An upright rectangle around it, in pixels of the whole picture.
    private var box: Rect {
        let xs = blob.hull.map { Double($0.x) }
        let ys = blob.hull.map { Double($0.y) }
        guard let minX = xs.min(), let maxX = xs.max(), let minY = ys.min(), let maxY = ys.max() else {
            return Rect(x: 0, y: 0, width: 0, height: 0)
        }
        let unit = scale * Double(CellTensor.cell)
        return Rect(x: minX * unit, y: minY * unit, width: (maxX - minX) * unit, height: (maxY - minY) * unit)
    }

    /// The strongest, each place once, and none whose middle lies in one of `covers`, unless it is larger.
    static func distinct(_ regions: [TextureRegion], besides covers: [Quad], limit: Int) -> [TextureRegion] {
        var kept: [TextureRegion] = []
        var boxes: [Rect] = []
        for region in regions.sorted(by: { $0.energy > $1.energy }) {
            let box = region.box
            let isDouble = boxes.contains { other in
                guard let shared = box.intersection(other)?.area else { return false }
                return shared > 0.85 * max(box.area, other.area)
            }
            if isDouble { continue }
            if covers.contains(where: { $0.contains(box.center) && $0.signedArea.magnitude > 0.7 * box.area }) {
                continue
            }
            kept.append(region)
            boxes.append(box)
            if kept.count == limit { break }
        }
        return kept
    }

    /// As rectangles along its grid, cut where the texture ends.
    ///
    /// - Parameter finders: in pixels of the whole picture.
    func candidates(in view: LumaView, finders: [RingPattern] = []) -> [CodeCandidate] {
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
        if let guards = Self.guards(in: view, center: center, axis: axis, length: length, height: height) {
            return [CodeCandidate(guards: guards, strength: strength, scale: scale)]
        }
        let quads = Self.parts(center: center, axis: axis, length: length, height: height, in: view)
        return quads.compactMap { quad in
            guard max(quad.width, quad.height) < 5 * min(quad.width, quad.height) else { return nil }
            let share = (quad.signedArea.magnitude / (length * height)).squareRoot()
            var candidate = CodeCandidate(
                kind: .matrix, quad: quad.scaled(by: scale), moduleSize: nil, isInverted: nil,
                score: strength * scale * min(1, share) * Self.squareness(quad), promise: 0.02)
            if candidate.holds(finders) {
                candidate.promise = 0.6
            } else {
                candidate.promise = Self.promise(of: quad, in: view)
            }
            return candidate
        }
    }

    /// The share of textures that hold a code, by the L of Data Matrix around them or a little further in.
    private static func promise(of quad: Quad, in view: LumaView) -> Double {
        var corner: Float = 0
        for inset in [0, 0.08, 0.16] where corner <= 0.8 {
            let inner = quad.grown(along: -inset * quad.width, across: -inset * quad.height)
            corner = max(corner, SolidBorders(view, quad: inner)?.corner ?? 0)
        }
        return corner > 0.8 ? 0.7 : corner > 0.65 ? 0.3 : 0.02
    }

    /// Those of a PDF417, whose middle is texture and whose ends are bars.
    private static func guards(
        in view: LumaView, center: Point, axis: Point, length: Double, height: Double
    ) -> StackedGuards? {
        guard max(length, height) > 24 else { return nil }
        let across = Point(x: -axis.y, y: axis.x)
        return StackedGuards(view, center: center, axis: axis, length: 1.4 * length, height: height)
            ?? StackedGuards(view, center: center, axis: across, length: 1.4 * height, height: length)
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
}

extension CodeCandidate {
    /// Whether a finder pattern lies in it that may be a part of it: seven modules of 11 to 57.
    ///
    /// In a paragraph an eight or an O is taken for one now and then.
    fileprivate func holds(_ finders: [RingPattern]) -> Bool {
        let wide = quad.grown(along: 0.1 * quad.width, across: 0.1 * quad.height)
        let (short, long) = (min(quad.width, quad.height), max(quad.width, quad.height))
        return finders.contains { wide.contains($0.center) && $0.side < 0.8 * short && $0.side > 0.12 * long }
    }
}
