// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ImageKernels
import ScanModel

/// Between the units of a small picture: 0...1 of the frame, and pixels whose centres are whole numbers.
struct PixelScale {
    let width: Double
    let height: Double

    func pixel(_ point: Point) -> SIMD2<Double> { SIMD2(point.x * width - 0.5, point.y * height - 0.5) }

    func quad(_ quad: Quad) -> Quad { quad.mapped { Point(x: $0.x * width - 0.5, y: $0.y * height - 0.5) } }

    /// A map of pixels around the middle of the picture, divided by half its width, as one of 0...1.
    func plane(_ fit: PlaneFit) -> PlaneMotion {
        let (middleX, middleY) = (width / 2, height / 2)
        let unit = width / 2
        let into = PlaneMotion(
            toX: SIMD4(width / unit, 0, -middleX / unit, 0), toY: SIMD4(0, height / unit, -middleY / unit, 0),
            toWeight: SIMD4(0, 0, 1, 0))
        let back = PlaneMotion(
            toX: SIMD4(unit / width, 0, middleX / width, 0), toY: SIMD4(0, unit / height, middleY / height, 0),
            toWeight: SIMD4(0, 0, 1, 0))
        let map = PlaneMotion(
            toX: SIMD4(fit.toX, 0), toY: SIMD4(fit.toY, 0), toWeight: SIMD4(fit.toWeight, 0))
        return into.then(map).then(back)
    }

    func centred(_ pixel: SIMD2<Float>) -> SIMD2<Double> {
        SIMD2((Double(pixel.x) + 0.5 - width / 2) / (width / 2), (Double(pixel.y) + 0.5 - height / 2) / (width / 2))
    }

    func map(_ plane: PlaneMotion, _ pixel: SIMD2<Float>) -> SIMD2<Float> {
        let point = plane(Point(x: (Double(pixel.x) + 0.5) / width, y: (Double(pixel.y) + 0.5) / height))
        return SIMD2(Float(point.x * width - 0.5), Float(point.y * height - 0.5))
    }

    /// Where each pixel came from; `plane` leads the other way.
    func source(_ plane: PlaneMotion) -> CellGrid.Source? {
        guard let back = plane.inverse else { return nil }
        // 0...1 to pixels on both sides: (x + 0.5) / width before, times width less 0.5 behind.
        let before = PlaneMotion(
            toX: SIMD4(1 / width, 0, 0.5 / width, 0), toY: SIMD4(0, 1 / height, 0.5 / height, 0),
            toWeight: SIMD4(0, 0, 1, 0))
        let after = PlaneMotion(
            toX: SIMD4(width, 0, -0.5, 0), toY: SIMD4(0, height, -0.5, 0), toWeight: SIMD4(0, 0, 1, 0))
        let whole = before.then(back).then(after)
        func row(_ row: SIMD4<Double>) -> SIMD3<Float> { SIMD3(Float(row.x), Float(row.y), Float(row.z)) }
        guard whole.isFinite else { return nil }
        return CellGrid.Source(toX: row(whole.toX), toY: row(whole.toY), toWeight: row(whole.toWeight))
    }
}
