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
        let (width, height) = (targetWidth * acrossX, targetHeight * acrossY)
        guard let map = Homography(width: Double(width), height: Double(height), onto: quad) else { return nil }
        let fine = sampled(map, width: width, height: height, outside: outside)
        return acrossX == 1 && acrossY == 1 ? fine : fine.resized(width: targetWidth, height: targetHeight)
    }

    private func samples(_ length: Double, _ pixels: Int) -> Int {
        max(1, min(WarpLimits.maximumSamples, Int((length / Double(pixels)).rounded())))
    }

    private func sampled(
        _ map: Homography, width targetWidth: Int, height targetHeight: Int, outside: UInt8?
    ) -> LumaBuffer {
        var result = LumaBuffer(width: targetWidth, height: targetHeight)
        let places = (0...((targetWidth + Self.span - 1) / Self.span)).map { min($0 * Self.span, targetWidth) }
        result.pixels.withUnsafeMutableBufferPointer { target in
            for row in 0..<targetHeight {
                var start = fixed(map, column: 0, row: row)
                for (from, to) in zip(places, places.dropFirst()) {
                    let end = fixed(map, column: to, row: row)
                    let count = to - from
                    let step = ((end.x - start.x) / count, (end.y - start.y) / count)
                    let line = UnsafeMutableBufferPointer(
                        rebasing: target[(row * targetWidth + from)..<(row * targetWidth + to)])
                    if isInside(start), isInside(end) {
                        sampleInside(line, from: start, step: step)
                    } else {
                        sampleClamped(line, from: start, step: step, outside: outside)
                    }
                    start = end
                }
            }
        }
        return result
    }

    /// Pixels between places that are mapped exactly; in between the map is taken as straight.
    private static var span: Int { 16 }
    /// Bits behind the point: the largest picture has 20 before it.
    private static var fraction: Int { 16 }

    private func fixed(_ map: Homography, column: Int, row: Int) -> (x: Int, y: Int) {
        // Centres of pixels lie half a pixel from their edges.
        let place = map(Point(x: Double(column) + 0.5, y: Double(row) + 0.5))
        func fixed(_ value: Double) -> Int {
            let limit = Double(1 << 24)
            return Int((min(max(value - 0.5, -limit), limit) * Double(1 << Self.fraction)).rounded())
        }
        return (fixed(place.x), fixed(place.y))
    }

    private func isInside(_ place: (x: Int, y: Int)) -> Bool {
        place.x >= 0 && place.y >= 0 && place.x >> Self.fraction < width - 1 && place.y >> Self.fraction < height - 1
    }

    @inline(__always)
    private func sampleInside(
        _ line: UnsafeMutableBufferPointer<UInt8>, from start: (x: Int, y: Int), step: (x: Int, y: Int)
    ) {
        var (x, y) = start
        for index in line.indices {
            let at = (y >> 16) &* stride &+ (x >> 16)
            let (fx, fy) = (Int32(truncatingIfNeeded: x >> 8) & 255, Int32(truncatingIfNeeded: y >> 8) & 255)
            let (a, b) = (Int32(bytes[at]), Int32(bytes[at &+ 1]))
            let (c, d) = (Int32(bytes[at &+ stride]), Int32(bytes[at &+ stride &+ 1]))
            let top = (a << 8) &+ (b &- a) &* fx
            let bottom = (c << 8) &+ (d &- c) &* fx
            line[index] = UInt8(truncatingIfNeeded: ((top << 8) &+ (bottom &- top) &* fy &+ (1 << 15)) >> 16)
            x &+= step.x
            y &+= step.y
        }
    }

    private func sampleClamped(
        _ line: UnsafeMutableBufferPointer<UInt8>, from start: (x: Int, y: Int), step: (x: Int, y: Int),
        outside: UInt8?
    ) {
        let scale = 1 / Float(1 << Self.fraction)
        for index in line.indices {
            let x = Float(start.x + step.x * index) * scale
            let y = Float(start.y + step.y * index) * scale
            let isOutside = x < -0.5 || y < -0.5 || x > Float(width) - 0.5 || y > Float(height) - 0.5
            if isOutside, let outside {
                line[index] = outside
            } else {
                line[index] = UInt8(interpolated(x: x, y: y) + 0.5)
            }
        }
    }
}
