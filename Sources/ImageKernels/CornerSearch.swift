// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

extension PicturePyramid {
    /// The point of a part of the picture that can be followed best, and how well; `nil` where nothing can.
    ///
    /// The score is the smaller eigenvalue of the slopes' products over 8x8 pixels (Shi and Tomasi, CVPR 1994), a mean square
    /// of grey levels a pixel, at every `step`th pixel.
    ///
    /// - Parameters:
    ///   - left, top, right, bottom: pixels, clipped to where points can be followed.
    ///   - taken: no nearer to these than `distance`.
    ///   - accepts: asked for a better place than the best so far, whether it is allowed.
    public func bestCorner(
        left: Int, top: Int, right: Int, bottom: Int, step: Int, awayFrom taken: UnsafeBufferPointer<SIMD2<Float>>,
        distance: Float, accepts: (SIMD2<Float>) -> Bool = { _ in true }
    ) -> (place: SIMD2<Float>, score: Float)? {
        let margin = Int(Self.margin) + 1
        let (left, top) = (max(margin, left), max(margin, top))
        let (right, bottom) = (min(width - margin - 2, right), min(height - margin - 2, bottom))
        guard step > 0, left < right, top < bottom else { return nil }
        var best: (place: SIMD2<Float>, score: Float)?
        // Two times the least slope that the tracker follows, so that a new point is not lost at once.
        var least = 2 * PointTracker.leastSlope
        for y in stride(from: top, to: bottom, by: step) {
            for x in stride(from: left, to: right, by: step) {
                let score = cornerScore(x: x, y: y)
                guard score > least else { continue }
                let place = SIMD2(Float(x), Float(y))
                var isFree = true
                for other in taken {
                    let away = other - place
                    if (away * away).sum() < distance * distance {
                        isFree = false
                        break
                    }
                }
                guard isFree, accepts(place) else { continue }
                least = score
                best = (place, score)
            }
        }
        return best
    }

    @inline(__always)
    private func cornerScore(x: Int, y: Int) -> Float {
        let row = 4 * width
        var place = UnsafeRawPointer(levels[0].pixels + (y - 4) * width + x - 4)
        var (xx, xy, yy) = (SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero)
        for _ in 0..<8 {
            let gx =
                place.loadUnaligned(fromByteOffset: 4, as: SIMD8<Float>.self)
                - place.loadUnaligned(fromByteOffset: -4, as: SIMD8<Float>.self)
            let gy =
                place.loadUnaligned(fromByteOffset: row, as: SIMD8<Float>.self)
                - place.loadUnaligned(fromByteOffset: -row, as: SIMD8<Float>.self)
            xx += gx * gx
            xy += gx * gy
            yy += gy * gy
            place += row
        }
        // Of differences over two pixels.
        let (a, b, c) = (xx.sum() / 256, xy.sum() / 256, yy.sum() / 256)
        return (a + c - ((a - c) * (a - c) + 4 * b * b).squareRoot()) / 2
    }
}
