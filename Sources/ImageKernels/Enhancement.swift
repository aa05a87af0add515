// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

extension LumaBuffer {
    /// Edges made steeper: the picture plus `amount` times what a Gaussian of `sigma` pixels takes away.
    ///
    /// - Parameter alongRowsOnly: leaves the columns as they are, for bars that stand upright.
    public func sharpened(sigma: Double, amount: Double, alongRowsOnly: Bool = false) -> LumaBuffer {
        let kernel = GaussianKernel(sigma: sigma)
        let gain = Int32((amount * 256).rounded())
        let (width, height) = (width, height)
        let blurred = alongRowsOnly ? nil : blurredAlongRows(kernel)
        return LumaBuffer(width: width, height: height) { target in
            withPointer { source in
                guard let target = target.baseAddress else { return }
                if let blurred {
                    blurred.withPointer { rows in
                        kernel.blurColumns(rows, width: width, height: height, into: target)
                    }
                } else {
                    kernel.blurRows(source, width: width, height: height, into: target)
                }
                steepen(target, from: source, count: width * height, gain: gain)
            }
        }
    }

    private func blurredAlongRows(_ kernel: GaussianKernel) -> LumaBuffer {
        LumaBuffer(width: width, height: height) { target in
            withPointer { source in
                guard let target = target.baseAddress else { return }
                kernel.blurRows(source, width: width, height: height, into: target)
            }
        }
    }

    /// The picture in so many bands, one above the other, each the mean of its rows; as many rows as before.
    public func averagedInBands(_ bands: Int) -> LumaBuffer {
        let bands = max(1, min(bands, height))
        let (width, height) = (width, height)
        return LumaBuffer(width: width, height: height) { target in
            withPointer { source in
                withUnsafeTemporaryAllocation(of: UInt32.self, capacity: width) { sums in
                    guard let target = target.baseAddress, let sums = sums.baseAddress else { return }
                    for band in 0..<bands {
                        let (from, to) = (band * height / bands, (band + 1) * height / bands)
                        sums.initialize(repeating: UInt32(to - from) / 2, count: width)
                        for row in from..<to { add(source + row * width, to: sums, count: width) }
                        writeMean(of: sums, count: width, parts: to - from, into: target + from * width)
                        for row in (from + 1)..<max(to, from + 1) {
                            (target + row * width).update(from: target + from * width, count: width)
                        }
                    }
                }
            }
        }
    }

    /// The picture with white on both sides, and between them and it its own outermost grey in each row.
    ///
    /// - Parameters:
    ///   - fading: pixels over which the grey goes over into white, so that there is no edge where the picture ends.
    ///   - white: pixels of white beyond.
    public func paddedAtSides(fading: Int, white: Int) -> LumaBuffer {
        let margin = fading + white
        let (width, height) = (width, height)
        return LumaBuffer(width: width + 2 * margin, height: height) { target in
            withPointer { source in
                guard var target = target.baseAddress else { return }
                for row in 0..<height {
                    let source = source + row * width
                    let (left, right) = (Int(source[0]), Int(source[width - 1]))
                    target.update(repeating: 255, count: white)
                    (target + margin).update(from: source, count: width)
                    (target + margin + width + fading).update(repeating: 255, count: white)
                    for step in 0..<fading {
                        let share = step + 1
                        target[margin - 1 - step] = UInt8(left + (255 - left) * share / (fading + 1))
                        target[margin + width + step] = UInt8(right + (255 - right) * share / (fading + 1))
                    }
                    target += width + 2 * margin
                }
            }
        }
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

    func blurRows(_ source: UnsafePointer<UInt8>, width: Int, height: Int, into target: UnsafeMutablePointer<UInt8>) {
        // Eight more behind each, which the last vectors reach.
        withUnsafeTemporaryAllocation(of: UInt16.self, capacity: 2 * (width + 8 + radius)) { work in
            guard let sums = work.baseAddress else { return }
            let line = sums + width + 8
            (line + radius + width).initialize(repeating: 0, count: radius + 8)
            for row in 0..<height {
                let source = source + row * width
                line.initialize(repeating: UInt16(source[0]), count: radius)
                widen(source, into: line + radius, count: width)
                (line + radius + width).initialize(repeating: UInt16(source[width - 1]), count: radius)
                weights.withUnsafeBufferPointer { weights in
                    blur(line + radius, into: sums, count: width, weights: weights)
                }
                narrow(sums, into: target + row * width, count: width)
            }
        }
    }

    func blurColumns(
        _ source: UnsafePointer<UInt8>, width: Int, height: Int, into target: UnsafeMutablePointer<UInt8>
    ) {
        withUnsafeTemporaryAllocation(of: UInt16.self, capacity: width) { sums in
            guard let sums = sums.baseAddress else { return }
            for row in 0..<height {
                begin(sums, with: source + row * width, weight: weights[0], count: width)
                for step in 1...radius {
                    let (up, down) = (source + max(0, row - step) * width, source + min(height - 1, row + step) * width)
                    add(up, down, weight: weights[step], to: sums, count: width)
                }
                narrow(sums, into: target + row * width, count: width)
            }
        }
    }

    /// e to the power of -x²/2, without the C library: sixteen squarings of a value near 1.
    private static func bell(_ x: Double) -> Double {
        var value = 1 - x * x / 2 / 65536
        for _ in 0..<16 { value *= value }
        return value
    }
}

// The inner loops, over plain pointers: those the compiler makes loops over many pixels at a time.

/// Takes away what a blur has left over, `gain` 256ths of it; `target` holds the blurred pixels.
private func steepen(
    _ target: UnsafeMutablePointer<UInt8>, from source: UnsafePointer<UInt8>, count: Int, gain: Int32
) {
    for index in 0..<count {
        let value = Int32(source[index])
        let sharp = value &+ (((value &- Int32(target[index])) &* gain) >> 8)
        target[index] = UInt8(truncatingIfNeeded: max(0, min(255, sharp)))
    }
}

private func widen(_ source: UnsafePointer<UInt8>, into target: UnsafeMutablePointer<UInt16>, count: Int) {
    for index in 0..<count { target[index] = UInt16(source[index]) }
}

/// The weighted sums along a row, eight at a time.
private func blur(
    _ line: UnsafePointer<UInt16>, into sums: UnsafeMutablePointer<UInt16>, count: Int,
    weights: UnsafeBufferPointer<UInt16>
) {
    let (source, target) = (UnsafeRawPointer(line), UnsafeMutableRawPointer(sums))
    for offset in stride(from: 0, to: 2 * count, by: 16) {
        @inline(__always)
        func load(_ place: Int) -> SIMD8<UInt16> {
            source.loadUnaligned(fromByteOffset: offset + 2 * place, as: SIMD8<UInt16>.self)
        }
        var sum = load(0) &* weights[0] &+ 128
        for step in 1..<weights.count { sum &+= (load(-step) &+ load(step)) &* weights[step] }
        target.storeBytes(of: sum, toByteOffset: offset, as: SIMD8<UInt16>.self)
    }
}

/// Half of 256, which rounds, and the first of the weighted; 256 times 255 and that fit 16 bits.
@inline(__always)
private func begin(
    _ sums: UnsafeMutablePointer<UInt16>, with source: UnsafePointer<some FixedWidthInteger>, weight: UInt16, count: Int
) {
    for index in 0..<count { sums[index] = 128 &+ weight &* UInt16(truncatingIfNeeded: source[index]) }
}

@inline(__always)
private func add<Value: FixedWidthInteger>(
    _ first: UnsafePointer<Value>, _ second: UnsafePointer<Value>, weight: UInt16,
    to sums: UnsafeMutablePointer<UInt16>,
    count: Int
) {
    for index in 0..<count {
        sums[index] &+=
            weight &* (UInt16(truncatingIfNeeded: first[index]) &+ UInt16(truncatingIfNeeded: second[index]))
    }
}

private func narrow(_ sums: UnsafePointer<UInt16>, into target: UnsafeMutablePointer<UInt8>, count: Int) {
    for index in 0..<count { target[index] = UInt8(truncatingIfNeeded: sums[index] >> 8) }
}

private func add(_ row: UnsafePointer<UInt8>, to sums: UnsafeMutablePointer<UInt32>, count: Int) {
    for index in 0..<count { sums[index] &+= UInt32(row[index]) }
}

private func writeMean(
    of sums: UnsafePointer<UInt32>, count: Int, parts: Int, into target: UnsafeMutablePointer<UInt8>
) {
    let parts = UInt32(parts)
    for index in 0..<count { target[index] = UInt8(truncatingIfNeeded: sums[index] / parts) }
}
