// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

extension LumaBuffer {
    /// Dark and light of each neighbourhood stretched to the whole range.
    ///
    /// Minimum and maximum of blocks of so many pixels, the darkest and lightest of 3 x 3 blocks, interpolated between their
    /// centres. A neighbourhood that spans less than `floor` levels is stretched no further than that, so that noise on plain
    /// paper stays noise.
    public func locallyStretched(block: Int, floor: Int = 32) -> LumaBuffer {
        let block = max(4, block)
        let (columns, rows) = ((width + block - 1) / block, (height + block - 1) / block)
        var (low, high) = blockExtremes(block: block, columns: columns, rows: rows)
        low = spread(low, columns: columns, rows: rows, by: min)
        high = spread(high, columns: columns, rows: rows, by: max)
        var result = self
        var lowLine = [Int32](repeating: 0, count: width)
        var highLine = [Int32](repeating: 0, count: width)
        let (width, height) = (width, height)
        let floor = Int32(max(1, floor))
        result.pixels.withUnsafeMutableBufferPointer { pixels in
            for y in 0..<height {
                interpolate(low, into: &lowLine, row: y, block: block, columns: columns, rows: rows)
                interpolate(high, into: &highLine, row: y, block: block, columns: columns, rows: rows)
                for x in 0..<width {
                    // The middle stays the middle where the range is too small.
                    let range = max(floor << 4, highLine[x] - lowLine[x])
                    let base = (lowLine[x] + highLine[x] - range) / 2
                    let value = (Int32(pixels[y * width + x]) << 4) - base
                    pixels[y * width + x] = UInt8(clamping: value * 255 / range)
                }
            }
        }
        return result
    }

    /// Edges made steeper: the picture plus `amount` times what a Gaussian of `sigma` pixels takes away.
    ///
    /// - Parameter alongRowsOnly: leaves the columns as they are, for bars that stand upright.
    public func sharpened(sigma: Double, amount: Double, alongRowsOnly: Bool = false) -> LumaBuffer {
        let kernel = GaussianKernel(sigma: sigma)
        var blurred = blurredAlongRows(kernel)
        if !alongRowsOnly { blurred = blurred.blurredAlongColumns(kernel) }
        var result = self
        let gain = Int32((amount * 256).rounded())
        result.pixels.withUnsafeMutableBufferPointer { pixels in
            blurred.pixels.withUnsafeBufferPointer { blurred in
                for index in pixels.indices {
                    let value = Int32(pixels[index])
                    let sharp = value + (((value - Int32(blurred[index])) * gain) >> 8)
                    pixels[index] = UInt8(clamping: sharp)
                }
            }
        }
        return result
    }

    /// The picture in so many bands, one above the other, each the mean of its rows; as many rows as before.
    public func averagedInBands(_ bands: Int) -> LumaBuffer {
        var result = self
        let bands = max(1, min(bands, height))
        var sums = [UInt32](repeating: 0, count: width)
        for band in 0..<bands {
            let (from, to) = (band * height / bands, (band + 1) * height / bands)
            for column in 0..<width { sums[column] = UInt32(to - from) / 2 }
            pixels.withUnsafeBufferPointer { source in
                for row in from..<to {
                    for column in 0..<width { sums[column] &+= UInt32(source[row * width + column]) }
                }
            }
            let count = UInt32(to - from)
            for column in 0..<width { result.pixels[from * width + column] = UInt8(sums[column] / count) }
            for row in (from + 1)..<max(to, from + 1) {
                for column in 0..<width {
                    result.pixels[row * width + column] = result.pixels[from * width + column]
                }
            }
        }
        return result
    }

    /// The picture with white on both sides, and between them and it its own outermost grey in each row.
    ///
    /// - Parameters:
    ///   - fading: pixels over which the grey goes over into white, so that there is no edge where the picture ends.
    ///   - white: pixels of white beyond.
    public func paddedAtSides(fading: Int, white: Int) -> LumaBuffer {
        let margin = fading + white
        var result = LumaBuffer(width: width + 2 * margin, height: height, filledWith: 255)
        for row in 0..<height {
            let (source, target) = (row * width, row * result.width)
            let (left, right) = (Int(pixels[source]), Int(pixels[source + width - 1]))
            for step in 0..<fading {
                let share = step + 1
                result.pixels[target + margin - 1 - step] = UInt8(left + (255 - left) * share / (fading + 1))
                result.pixels[target + margin + width + step] = UInt8(right + (255 - right) * share / (fading + 1))
            }
            result.pixels.replaceSubrange(
                (target + margin)..<(target + margin + width), with: pixels[source..<(source + width)])
        }
        return result
    }
}

/// Weights of a Gaussian that add up to 256, from the middle outwards.
private struct GaussianKernel {
    let weights: [UInt16]
    var radius: Int { weights.count - 1 }

    init(sigma: Double) {
        let sigma = min(max(sigma, 0.3), 16)
        let radius = max(1, Int((2.5 * sigma).rounded(.up)))
        let shape = (0...radius).map { GaussianKernel.bell(Double($0) / sigma) }
        let sum = shape[0] + 2 * shape.dropFirst().reduce(0, +)
        var rounded = shape.map { UInt16((256 * $0 / sum).rounded()) }
        let outer = rounded.dropFirst().reduce(0) { $0 + 2 * $1 }
        rounded[0] = 256 - min(256, outer)
        weights = rounded
    }

    /// e to the power of -x²/2, without the C library: sixteen squarings of a value near 1.
    private static func bell(_ x: Double) -> Double {
        var value = 1 - x * x / 2 / 65536
        for _ in 0..<16 { value *= value }
        return value
    }
}

extension LumaBuffer {
    private func blurredAlongRows(_ kernel: GaussianKernel) -> LumaBuffer {
        var result = self
        let (width, height, radius) = (width, height, kernel.radius)
        var padded = [UInt16](repeating: 0, count: width + 2 * radius)
        var sums = [UInt16](repeating: 0, count: width)
        for row in 0..<height {
            for column in 0..<width { padded[radius + column] = UInt16(pixels[row * width + column]) }
            for step in 0..<radius {
                padded[step] = padded[radius]
                padded[radius + width + step] = padded[radius + width - 1]
            }
            // 256 times 255 and the rounding fit 16 bits.
            for column in 0..<width { sums[column] = 128 &+ kernel.weights[0] &* padded[radius + column] }
            for step in 1...radius {
                let weight = kernel.weights[step]
                for column in 0..<width {
                    sums[column] &+= weight &* (padded[radius + column - step] &+ padded[radius + column + step])
                }
            }
            for column in 0..<width { result.pixels[row * width + column] = UInt8(sums[column] >> 8) }
        }
        return result
    }

    private func blurredAlongColumns(_ kernel: GaussianKernel) -> LumaBuffer {
        var result = self
        let (width, height) = (width, height)
        var sums = [UInt16](repeating: 0, count: width)
        pixels.withUnsafeBufferPointer { source in
            for row in 0..<height {
                let middle = row * width
                for column in 0..<width { sums[column] = 128 &+ kernel.weights[0] &* UInt16(source[middle + column]) }
                for step in 1...kernel.radius {
                    let (up, down) = (max(0, row - step) * width, min(height - 1, row + step) * width)
                    let weight = kernel.weights[step]
                    for column in 0..<width {
                        sums[column] &+= weight &* (UInt16(source[up + column]) &+ UInt16(source[down + column]))
                    }
                }
                for column in 0..<width { result.pixels[middle + column] = UInt8(sums[column] >> 8) }
            }
        }
        return result
    }

    private func blockExtremes(block: Int, columns: Int, rows: Int) -> (low: [UInt8], high: [UInt8]) {
        var low = [UInt8](repeating: 255, count: columns * rows)
        var high = [UInt8](repeating: 0, count: columns * rows)
        pixels.withUnsafeBufferPointer { source in
            for y in 0..<height {
                let base = (y / block) * columns
                for column in 0..<columns {
                    var (least, most) = (low[base + column], high[base + column])
                    for x in (column * block)..<min(width, (column + 1) * block) {
                        least = min(least, source[y * width + x])
                        most = max(most, source[y * width + x])
                    }
                    low[base + column] = least
                    high[base + column] = most
                }
            }
        }
        return (low, high)
    }
}

/// The extreme of each block and its eight neighbours.
private func spread(_ values: [UInt8], columns: Int, rows: Int, by pick: (UInt8, UInt8) -> UInt8) -> [UInt8] {
    var result = values
    for row in 0..<rows {
        for column in 0..<columns {
            var value = values[row * columns + column]
            for y in max(0, row - 1)...min(rows - 1, row + 1) {
                for x in max(0, column - 1)...min(columns - 1, column + 1) {
                    value = pick(value, values[y * columns + x])
                }
            }
            result[row * columns + column] = value
        }
    }
    return result
}

/// One row of pixels between the centres of blocks, in sixteenths of a level.
private func interpolate(
    _ values: [UInt8], into line: inout [Int32], row y: Int, block: Int, columns: Int, rows: Int
) {
    let v = 2 * y + 1 - block
    let upper = max(0, min(rows - 1, v < 0 ? 0 : v / (2 * block)))
    let lower = min(rows - 1, upper + 1)
    let downShare = Int32(v < 0 ? 0 : 16 * (v - upper * 2 * block) / (2 * block))
    for x in line.indices {
        let u = 2 * x + 1 - block
        let left = max(0, min(columns - 1, u < 0 ? 0 : u / (2 * block)))
        let right = min(columns - 1, left + 1)
        let rightShare = Int32(u < 0 ? 0 : 16 * (u - left * 2 * block) / (2 * block))
        func column(_ index: Int) -> Int32 {
            Int32(values[upper * columns + index]) * (16 - downShare)
                + Int32(values[lower * columns + index]) * downShare
        }
        line[x] = (column(left) * (16 - rightShare) + column(right) * rightShare) >> 4
    }
}
