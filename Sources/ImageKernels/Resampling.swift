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
        let samplesX = max(1, min(4, Int((quad.width / Double(targetWidth)).rounded())))
        let samplesY = max(1, min(4, Int((quad.height / Double(targetHeight)).rounded())))
        let mean = SampleMean(width: targetWidth, acrossX: samplesX, acrossY: samplesY)
        if let sampler = WarpSampler(
            of: self, affine: quad, width: targetWidth * samplesX, height: targetHeight * samplesY)
        {
            return LumaBuffer(width: targetWidth, height: targetHeight) { target in
                if let target = target.baseAddress { mean.write(sampler, into: target, rows: targetHeight) }
            }
        }
        var result = LumaBuffer(width: targetWidth, height: targetHeight)
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
        let (width, height) = (width, height)
        return LumaBuffer(width: width * 2, height: height * 2) { target in
            withPointer { source in
                // The edges once more on each side.
                withUnsafeTemporaryAllocation(of: UInt16.self, capacity: width + 2) { line in
                    guard let line = line.baseAddress, let target = target.baseAddress else { return }
                    line.initialize(repeating: 0, count: width + 2)
                    for row in 0..<(2 * height) {
                        let near = row / 2
                        let far = row % 2 == 0 ? max(near - 1, 0) : min(near + 1, height - 1)
                        mix(source + near * width, source + far * width, into: line + 1, count: width)
                        (line[0], line[width + 1]) = (line[1], line[width])
                        spread(line + 1, into: target + row * 2 * width, count: width)
                    }
                }
            }
        }
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
        let rows = Coverage(length: height, parts: newHeight)
        let columns = Coverage(length: width, parts: newWidth)
        let width = width
        return LumaBuffer(width: newWidth, height: newHeight) { target in
            withPointer { source in
                // A sum of weights of 256 times 255 fits 16 bits.
                withUnsafeTemporaryAllocation(of: UInt16.self, capacity: width) { line in
                    guard let line = line.baseAddress, let target = target.baseAddress else { return }
                    for row in 0..<newHeight {
                        line.initialize(repeating: 0, count: width)
                        for index in rows.starts[row]..<rows.starts[row + 1] {
                            let place = rows.firsts[row] + index - rows.starts[row]
                            add(source + place * width, weight: rows.weights[index], to: line, count: width)
                        }
                        columns.sum(line, into: target + row * newWidth)
                    }
                }
            }
        }
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

private func add(_ row: UnsafePointer<UInt8>, weight: UInt16, to sums: UnsafeMutablePointer<UInt16>, count: Int) {
    for column in 0..<count { sums[column] &+= weight &* UInt16(row[column]) }
}

/// Which pixels larger pixels cover, and how much of their weight of 256 each has.
private struct Coverage {
    /// The first pixel that each covers.
    var firsts: [Int] = []
    /// Where the weights of each begin; one more than there are larger pixels.
    var starts: [Int] = [0]
    var weights: [UInt16] = []

    init(length: Int, parts: Int) {
        let size = Double(length) / Double(parts)
        firsts.reserveCapacity(parts)
        starts.reserveCapacity(parts + 1)
        weights.reserveCapacity(length + 2 * parts)
        for part in 0..<parts {
            let (from, to) = (Double(part) * size, Double(part + 1) * size)
            let first = min(Int(from), length - 1)
            let last = max(first, min(length - 1, Int(to.rounded(.up)) - 1))
            // Differences of rounded sums, so that the weights add up to 256.
            var before = 0
            for pixel in first...last {
                let after = pixel == last ? 256 : Int(256 * (min(Double(pixel + 1), to) - from) / size + 0.5)
                weights.append(UInt16(after - before))
                before = after
            }
            firsts.append(first)
            starts.append(weights.count)
        }
    }

    func sum(_ line: UnsafePointer<UInt16>, into target: UnsafeMutablePointer<UInt8>) {
        firsts.withUnsafeBufferPointer { firsts in
            starts.withUnsafeBufferPointer { starts in
                weights.withUnsafeBufferPointer { weights in
                    for part in firsts.indices {
                        let (first, start) = (line + firsts[part], starts[part])
                        var sum: UInt32 = 1 << 15
                        for offset in 0..<(starts[part + 1] - start) {
                            sum &+= UInt32(weights[start + offset]) &* UInt32(first[offset])
                        }
                        target[part] = UInt8(truncatingIfNeeded: sum >> 16)
                    }
                }
            }
        }
    }
}

private func mix(
    _ near: UnsafePointer<UInt8>, _ far: UnsafePointer<UInt8>, into line: UnsafeMutablePointer<UInt16>, count: Int
) {
    for column in 0..<count { line[column] = 3 &* UInt16(near[column]) &+ UInt16(far[column]) }
}

private func spread(_ line: UnsafePointer<UInt16>, into target: UnsafeMutablePointer<UInt8>, count: Int) {
    for column in 0..<count {
        let here = 3 &* line[column]
        target[2 &* column] = UInt8(truncatingIfNeeded: (here &+ line[column &- 1] &+ 8) >> 4)
        target[2 &* column &+ 1] = UInt8(truncatingIfNeeded: (here &+ line[column &+ 1] &+ 8) >> 4)
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
