// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

extension LumaView {
    /// Brightness at even steps from a place, each by the four pixels around it; outside, the edge goes on.
    ///
    /// Coordinates are pixel centres. A line that stays within the picture takes half of the time.
    func sample(x: Float, y: Float, dx: Float, dy: Float, into line: UnsafeMutableBufferPointer<Float>) {
        let last = Float(line.count - 1)
        let (endX, endY) = (x + dx * last, y + dy * last)
        let (maximumX, maximumY) = (Float(width) - 1.01, Float(height) - 1.01)
        guard min(x, endX) >= 0, min(y, endY) >= 0, max(x, endX) < maximumX, max(y, endY) < maximumY,
            let base = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        else {
            for index in line.indices { line[index] = interpolated(x: x + dx * Float(index), y: y + dy * Float(index)) }
            return
        }
        // In 65536ths, as a conversion for each place would check for overflow.
        var (placeX, placeY) = (Int(x * 65_536), Int(y * 65_536))
        let (stepX, stepY) = (Int(dx * 65_536), Int(dy * 65_536))
        let scale: Float = 1 / 65_536
        for index in line.indices {
            let place = base + ((placeY >> 16) &* stride &+ (placeX >> 16))
            let (fx, fy) = (Float(placeX & 65_535) * scale, Float(placeY & 65_535) * scale)
            let (a, b) = (Float(place[0]), Float(place[1]))
            let (c, d) = (Float(place[stride]), Float(place[stride &+ 1]))
            let upper = a + (b - a) * fx
            let lower = c + (d - c) * fx
            line[index] = upper + (lower - upper) * fy
            placeX &+= stepX
            placeY &+= stepY
        }
    }

    /// The brightness between four pixels that all are within the picture.
    @inline(__always)
    static func between(_ base: UnsafePointer<UInt8>, stride: Int, x: Float, y: Float) -> Float {
        let (column, row) = (Int32(x), Int32(y))
        let (fx, fy) = (x - Float(column), y - Float(row))
        let place = base + Int(row) * stride + Int(column)
        let (a, b) = (Float(place[0]), Float(place[1]))
        let (c, d) = (Float(place[stride]), Float(place[stride + 1]))
        let upper = a + (b - a) * fx
        let lower = c + (d - c) * fx
        return upper + (lower - upper) * fy
    }
}
