// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ScanModel

/// Bounds on upright crops.
public enum WarpLimits {
    /// Pixels of the longest side: a linear symbol of 80 characters at 4 pixels a module has some 3,700.
    public static let maximumSide = 4096
    /// Pixels of the whole: zxing-cpp takes 10 ms for one megapixel and more.
    public static let maximumPixels = 1_500_000
    /// Samples along each axis for one pixel of a crop that is smaller than its original.
    static let maximumSamples = 4
}

extension LumaView {
    /// The part of the picture under a quad, turned upright, its perspective undone; `nil` for a size or a quad that can
    /// not be had.
    ///
    /// Sampled once, bilinear, from this picture; where a pixel of the result covers more than one and a half, several
    /// samples are averaged. The quad is in pixels, edges of pixels being whole numbers.
    ///
    /// - Parameter outside: the brightness of what lies outside the picture; by default that of its edge.
    public func warped(
        _ quad: Quad, width targetWidth: Int, height targetHeight: Int, outside: UInt8? = nil
    ) -> LumaBuffer? {
        guard targetWidth > 0, targetHeight > 0, targetWidth <= WarpLimits.maximumSide,
            targetHeight <= WarpLimits.maximumSide, targetWidth * targetHeight <= WarpLimits.maximumPixels
        else { return nil }
        let (acrossX, acrossY) = (samples(quad.width, targetWidth), samples(quad.height, targetHeight))
        if min(quad.width / Double(targetWidth), quad.height / Double(targetHeight)) >= Self.halvingRatio,
            let smaller = halved(around: quad)
        {
            return smaller.luma.withView {
                $0.warped(smaller.quad, width: targetWidth, height: targetHeight, outside: outside)
            }
        }
        guard
            let map = Homography(
                width: Double(targetWidth * acrossX), height: Double(targetHeight * acrossY), onto: quad)
        else { return nil }
        let sampler = WarpSampler(
            picture: self, map: map, width: targetWidth * acrossX, height: targetHeight * acrossY, outside: outside)
        return LumaBuffer(width: targetWidth, height: targetHeight) { target in
            guard let target = target.baseAddress else { return }
            if acrossX == 1 && acrossY == 1 {
                for row in 0..<targetHeight { sampler.write(row: row, into: target + row * targetWidth) }
            } else {
                let mean = SampleMean(width: targetWidth, acrossX: acrossX, acrossY: acrossY)
                mean.write(sampler, into: target, rows: targetHeight)
            }
        }
    }

    /// Pixels under one of the result, in both directions, from which on the part is halved before it is sampled: that
    /// costs a tenth of four samples each. Under it, halves would be enlarged again.
    private static var halvingRatio: Double { 1.75 }

    private func samples(_ length: Double, _ pixels: Int) -> Int {
        max(1, min(WarpLimits.maximumSamples, Int((length / Double(pixels)).rounded())))
    }

    /// Half of the part that a quad needs, and where the quad lies in it; `nil` where most of it lies outside.
    private func halved(around quad: Quad) -> (luma: LumaBuffer, quad: Quad)? {
        guard quad.isFinite else { return nil }
        let (xs, ys) = (quad.corners.map(\.x), quad.corners.map(\.y))
        guard let minX = xs.min(), let maxX = xs.max(), let minY = ys.min(), let maxY = ys.max() else { return nil }
        // Even places, so that the same pixels belong together in every crop; two more for what lies between.
        func range(_ low: Double, _ high: Double, _ count: Int) -> Range<Int>? {
            let (low, high) = (max(low - 4, 0), min(high + 4, Double(count)))
            guard high - low >= 8 else { return nil }
            let first = Int(low) / 2 * 2
            return first..<max(first + 2, min(count, (Int(high.rounded(.up)) + 1) / 2 * 2))
        }
        guard let across = range(minX, maxX, width), let down = range(minY, maxY, height) else { return nil }
        let start = down.lowerBound * stride + across.lowerBound
        let part = UnsafeRawBufferPointer(rebasing: bytes[start...])
        guard let view = LumaView(bytes: part, width: across.count, height: down.count, stride: stride),
            let luma = view.halved()
        else { return nil }
        let offset = Point(x: Double(across.lowerBound), y: Double(down.lowerBound))
        return (luma, quad.mapped { Point(x: ($0.x - offset.x) / 2, y: ($0.y - offset.y) / 2) })
    }
}
