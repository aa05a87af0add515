// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ScanModel

/// What a place looks like: 48x30 pixels, whatever its size and turn.
public struct PlacePatch: Sendable {
    public static let width = 48
    public static let height = 30

    private var pixels: [UInt8]

    /// Takes the place from a picture; corners are in pixels. `nil` where less than 60 % of it is in the picture, or where it
    /// is of one brightness, so that nothing could be like it.
    public init?(of picture: LumaView, at quad: Quad) {
        guard quad.isFinite, Self.partInside(picture, quad) >= 0.6 else { return nil }
        var varies = false
        pixels = [UInt8](unsafeUninitializedCapacity: Self.width * Self.height) { buffer, count in
            count = Self.width * Self.height
            let (least, most) = Self.sample(picture, quad, into: buffer)
            varies = most >= least + 8
        }
        guard varies else { return nil }
    }

    /// How alike a place of a picture looks, as a normalised correlation of -1...1; `nil` where less than 60 % of it is in the
    /// picture. 10 us.
    public func likeness(to picture: LumaView, at quad: Quad) -> Float? {
        guard quad.isFinite, Self.partInside(picture, quad) >= 0.6 else { return nil }
        let count = Self.width * Self.height
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { other in
            _ = Self.sample(picture, quad, into: other)
            return pixels.withUnsafeBufferPointer { mine in
                var (sumA, sumB, sumAA, sumBB, sumAB): (Int32, Int32, Int32, Int32, Int32) = (0, 0, 0, 0, 0)
                var seen: Int32 = 0
                for index in 0..<count {
                    // 0 marks what is outside.
                    let inside: Int32 = mine[index] == 0 || other[index] == 0 ? 0 : 1
                    let (a, b) = (Int32(mine[index]) &* inside, Int32(other[index]) &* inside)
                    seen &+= inside
                    sumA &+= a
                    sumB &+= b
                    sumAA &+= a &* a
                    sumBB &+= b &* b
                    sumAB &+= a &* b
                }
                guard Int(seen) * 2 > count else { return nil }
                let number = Double(seen)
                let varianceA = Double(sumAA) - Double(sumA) * Double(sumA) / number
                let varianceB = Double(sumBB) - Double(sumB) * Double(sumB) / number
                // Under a standard deviation of 2 levels there is nothing to compare but noise: that is unlike.
                guard varianceA > 4 * number, varianceB > 4 * number else { return 0 }
                return Float(
                    (Double(sumAB) - Double(sumA) * Double(sumB) / number) / (varianceA * varianceB).squareRoot())
            }
        }
    }

    private static func partInside(_ picture: LumaView, _ quad: Quad) -> Double {
        let area = quad.signedArea.magnitude
        guard area > 4 else { return 0 }
        let frame = Quad(Rect(x: -0.5, y: -0.5, width: Double(picture.width), height: Double(picture.height)))
        return quad.intersectionArea(with: frame) / area
    }

    /// Writes 1...255, and 0 for what is outside; answers the least and the most.
    private static func sample(
        _ picture: LumaView, _ quad: Quad, into target: UnsafeMutableBufferPointer<UInt8>
    ) -> (UInt8, UInt8) {
        guard let source = picture.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), let out = target.baseAddress
        else { return (0, 0) }
        func vector(_ point: Point) -> SIMD2<Float> { SIMD2(Float(point.x), Float(point.y)) }
        let (a, b) = (vector(quad.topLeft), vector(quad.topRight))
        let (c, d) = (vector(quad.bottomRight), vector(quad.bottomLeft))
        let (lastX, lastY) = (Float(picture.width - 1), Float(picture.height - 1))
        var (least, most): (UInt8, UInt8) = (255, 0)
        for row in 0..<height {
            let v = (Float(row) + 0.5) / Float(height)
            let left = a + (d - a) * v
            let step = (b + (c - b) * v - left) / Float(width)
            var place = left + step * 0.5
            for column in 0..<width {
                var value: UInt8 = 0
                if place.x >= 0, place.y >= 0, place.x < lastX, place.y < lastY {
                    let (x, y) = (Int32(place.x), Int32(place.y))
                    let fx = Int32((place.x - Float(x)) * 256)
                    let fy = Int32((place.y - Float(y)) * 256)
                    let from = source + (Int(y) &* picture.stride &+ Int(x))
                    let above = Int32(from[0]) &* (256 &- fx) &+ Int32(from[1]) &* fx
                    let below =
                        Int32(from[picture.stride]) &* (256 &- fx) &+ Int32(from[picture.stride &+ 1]) &* fx
                    value = max(1, UInt8(truncatingIfNeeded: (above &* (256 &- fy) &+ below &* fy) >> 16))
                    least = min(least, value)
                    most = max(most, value)
                }
                out[row &* width &+ column] = value
                place += step
            }
        }
        return (least, most)
    }
}
