// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

extension LumaBuffer {
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

    /// The rows with even and those with odd numbers.
    public func interleaved() -> (even: LumaBuffer, odd: LumaBuffer) {
        func half(_ first: Int) -> LumaBuffer {
            var result = LumaBuffer(width: width, height: max(1, (height - first + 1) / 2))
            for (target, source) in stride(from: min(first, height - 1), to: height, by: 2).enumerated() {
                result.pixels.replaceSubrange(
                    (target * width)..<((target + 1) * width), with: pixels[(source * width)..<((source + 1) * width)])
            }
            return result
        }
        return (half(0), half(1))
    }

    /// The means of so many bands of rows, one row each.
    public func bandMeans(_ bands: Int) -> LumaBuffer {
        let bands = max(1, min(bands, height))
        var result = LumaBuffer(width: width, height: bands)
        var sums = [UInt32](repeating: 0, count: width)
        let width = width
        for band in 0..<bands {
            let (from, to) = (band * height / bands, (band + 1) * height / bands)
            for column in 0..<width { sums[column] = UInt32(to - from) / 2 }
            pixels.withUnsafeBufferPointer { source in
                for row in from..<to {
                    for column in 0..<width { sums[column] &+= UInt32(source[row * width + column]) }
                }
            }
            let count = UInt32(to - from)
            for column in 0..<width { result.pixels[band * width + column] = UInt8(sums[column] / count) }
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
}
