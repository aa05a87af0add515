// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ScanModel

extension LumaView {
    /// A tight copy of a part of the picture; `nil` when the part reaches outside.
    public func cropped(to part: PixelRect) -> LumaBuffer? {
        guard part.x + part.width <= width, part.y + part.height <= height else { return nil }
        var copy = LumaBuffer(width: part.width, height: part.height)
        copy.pixels.withUnsafeMutableBytes { target in
            for row in 0..<part.height {
                let from = (part.y + row) * stride + part.x
                UnsafeMutableRawBufferPointer(rebasing: target[(row * part.width)..<((row + 1) * part.width)])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[from..<(from + part.width)]))
            }
        }
        return copy
    }

    /// The brightness between pixels, by the four around it; outside, the edge goes on. Coordinates are pixel centres.
    @inline(__always)
    public func interpolated(x: Float, y: Float) -> Float {
        let cx = min(max(x, 0), Float(width - 1))
        let cy = min(max(y, 0), Float(height - 1))
        let x0 = Int(cx)
        let y0 = Int(cy)
        let x1 = min(x0 + 1, width - 1)
        let y1 = min(y0 + 1, height - 1)
        let fx = cx - Float(x0)
        let fy = cy - Float(y0)
        let top = Float(self[x0, y0]) * (1 - fx) + Float(self[x1, y0]) * fx
        let bottom = Float(self[x0, y1]) * (1 - fx) + Float(self[x1, y1]) * fx
        return top * (1 - fy) + bottom * fy
    }

    /// Brightness at `count` places evenly spaced from one point to another, both included; `count` is at least 2.
    public func profile(from start: Point, to end: Point, count: Int) -> [Float] {
        let dx = Float(end.x - start.x) / Float(count - 1)
        let dy = Float(end.y - start.y) / Float(count - 1)
        let x = Float(start.x)
        let y = Float(start.y)
        return [Float](unsafeUninitializedCapacity: count) { buffer, initialized in
            let places = UnsafeMutableBufferPointer(rebasing: buffer[0..<count])
            sample(x: x, y: y, dx: dx, dy: dy, into: places)
            initialized = count
        }
    }

    /// Turns and scales a quad into an upright picture; its corners become the corners of the picture.
    ///
    /// Affine in each direction (bilinear between the corners), which is exact for parallelograms. The quad is in pixels,
    /// edges of pixels being whole numbers. Where a target pixel covers more than two of the source, several samples
    /// are averaged, so that thin strokes do not vanish.
    public func rectified(_ quad: Quad, width targetWidth: Int, height targetHeight: Int) -> LumaBuffer {
        var result = LumaBuffer(width: targetWidth, height: targetHeight)
        let samplesX = max(1, min(4, Int((quad.width / Double(targetWidth)).rounded())))
        let samplesY = max(1, min(4, Int((quad.height / Double(targetHeight)).rounded())))
        let stepX = 1 / Float(targetWidth * samplesX)
        let stepY = 1 / Float(targetHeight * samplesY)
        let (ax, ay) = (Float(quad.topLeft.x), Float(quad.topLeft.y))
        let (bx, by) = (Float(quad.topRight.x), Float(quad.topRight.y))
        let (cx, cy) = (Float(quad.bottomRight.x), Float(quad.bottomRight.y))
        let (ex, ey) = (Float(quad.bottomLeft.x), Float(quad.bottomLeft.y))
        let scale = 1 / Float(samplesX * samplesY)
        result.pixels.withUnsafeMutableBufferPointer { target in
            for row in 0..<targetHeight {
                for column in 0..<targetWidth {
                    var sum: Float = 0
                    for subRow in 0..<samplesY {
                        let v = (Float(row * samplesY + subRow) + 0.5) * stepY
                        let (leftX, leftY) = (ax + (ex - ax) * v, ay + (ey - ay) * v)
                        let (rightX, rightY) = (bx + (cx - bx) * v, by + (cy - by) * v)
                        for subColumn in 0..<samplesX {
                            let u = (Float(column * samplesX + subColumn) + 0.5) * stepX
                            sum += interpolated(
                                x: leftX + (rightX - leftX) * u - 0.5, y: leftY + (rightY - leftY) * u - 0.5)
                        }
                    }
                    target[row * targetWidth + column] = UInt8(min(255, max(0, sum * scale + 0.5)))
                }
            }
        }
        return result
    }
}

extension LumaBuffer {
    /// The picture at twice the size, bilinear: each new pixel is 9/16, 3/16, 3/16, 1/16 of its four neighbours.
    public func doubled() -> LumaBuffer {
        var result = LumaBuffer(width: width * 2, height: height * 2)
        var above = [UInt16](repeating: 0, count: width)
        var below = [UInt16](repeating: 0, count: width)
        let (width, height) = (width, height)
        pixels.withUnsafeBufferPointer { source in
            result.pixels.withUnsafeMutableBufferPointer { target in
                for row in 0..<height {
                    let near = row * width
                    let up = max(row - 1, 0) * width
                    let down = min(row + 1, height - 1) * width
                    for column in 0..<width {
                        above[column] = 3 * UInt16(source[near + column]) + UInt16(source[up + column])
                        below[column] = 3 * UInt16(source[near + column]) + UInt16(source[down + column])
                    }
                    spread(above, into: target, at: 2 * row * 2 * width, width: width)
                    spread(below, into: target, at: (2 * row + 1) * 2 * width, width: width)
                }
            }
        }
        return result
    }

    /// The picture at half the size, rounded down: each new pixel is the mean of four. `nil` when nothing would be left.
    public func halved() -> LumaBuffer? { withView { $0.halved() } }

    /// The picture at another size: the mean of what each new pixel covers where it shrinks, bilinear where it grows.
    public func resized(width newWidth: Int, height newHeight: Int) -> LumaBuffer {
        if newWidth <= width, newHeight <= height { return shrunk(width: newWidth, height: newHeight) }
        let whole = Quad(Rect(x: 0, y: 0, width: Double(width), height: Double(height)))
        return withView { $0.rectified(whole, width: newWidth, height: newHeight) }
    }

    /// Rows first, many pixels at a time, then columns.
    private func shrunk(width newWidth: Int, height newHeight: Int) -> LumaBuffer {
        var result = LumaBuffer(width: newWidth, height: newHeight)
        let rowCover = Coverage.of(length: height, parts: newHeight)
        let columnCover = Coverage.of(length: width, parts: newWidth)
        let width = width
        // A sum of weights of 256 times 255 fits 16 bits.
        var line = [UInt16](repeating: 0, count: width)
        pixels.withUnsafeBufferPointer { source in
            result.pixels.withUnsafeMutableBufferPointer { target in
                line.withUnsafeMutableBufferPointer { line in
                    for (row, cover) in rowCover.enumerated() {
                        for column in 0..<width { line[column] = 0 }
                        for (offset, weight) in cover.weights.enumerated() {
                            let base = (cover.first + offset) * width
                            for column in 0..<width { line[column] &+= weight &* UInt16(source[base + column]) }
                        }
                        for (column, cover) in columnCover.enumerated() {
                            var sum: UInt32 = 1 << 15
                            for (offset, weight) in cover.weights.enumerated() {
                                sum &+= UInt32(weight) &* UInt32(line[cover.first + offset])
                            }
                            target[row * newWidth + column] = UInt8(truncatingIfNeeded: sum >> 16)
                        }
                    }
                }
            }
        }
        return result
    }

    /// Dark becomes light and light dark.
    public func inverted() -> LumaBuffer {
        var result = self
        result.pixels.withUnsafeMutableBufferPointer { pixels in
            for index in pixels.indices { pixels[index] = ~pixels[index] }
        }
        return result
    }
}

/// Which pixels one larger pixel covers, and how much of its weight of 256 each has.
private struct Coverage {
    var first: Int
    var weights: [UInt16]

    static func of(length: Int, parts: Int) -> [Coverage] {
        let size = Double(length) / Double(parts)
        return (0..<parts).map { part in
            let (from, to) = (Double(part) * size, Double(part + 1) * size)
            let first = min(Int(from), length - 1)
            let last = max(first, min(length - 1, Int(to.rounded(.up)) - 1))
            // Differences of rounded sums, so that the weights add up to 256.
            func share(upTo end: Int) -> Int { Int((256 * (min(Double(end), to) - from) / size).rounded()) }
            var weights: [UInt16] = []
            var before = 0
            for pixel in first...last {
                let after = pixel == last ? 256 : share(upTo: pixel + 1)
                weights.append(UInt16(after - before))
                before = after
            }
            return Coverage(first: first, weights: weights)
        }
    }
}

private func spread(_ line: [UInt16], into target: UnsafeMutableBufferPointer<UInt8>, at offset: Int, width: Int) {
    line.withUnsafeBufferPointer { line in
        for column in 0..<width {
            let here = 3 * line[column]
            let left = line[max(column - 1, 0)]
            let right = line[min(column + 1, width - 1)]
            target[offset + 2 * column] = UInt8(truncatingIfNeeded: (here + left + 8) >> 4)
            target[offset + 2 * column + 1] = UInt8(truncatingIfNeeded: (here + right + 8) >> 4)
        }
    }
}

/// How alike two profiles of equal length are, -1...1, whatever their brightness and contrast; 0 when one is flat.
public func correlation(_ a: [Float], _ b: [Float]) -> Float {
    precondition(a.count == b.count, "profiles of one length are compared")
    var (sumA, sumB, sumAA, sumBB, sumAB): (Float, Float, Float, Float, Float) = (0, 0, 0, 0, 0)
    for index in a.indices {
        let (x, y) = (a[index], b[index])
        sumA += x
        sumB += y
        sumAA += x * x
        sumBB += y * y
        sumAB += x * y
    }
    let count = Float(a.count)
    let varianceA = sumAA - sumA * sumA / count
    let varianceB = sumBB - sumB * sumB / count
    // Under a standard deviation of 2 levels there is nothing to compare but noise.
    guard varianceA > 4 * count, varianceB > 4 * count else { return 0 }
    return (sumAB - sumA * sumB / count) / (varianceA * varianceB).squareRoot()
}
