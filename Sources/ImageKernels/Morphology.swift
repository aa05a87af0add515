// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

extension LumaBuffer {
    /// What is darker than its surroundings and thinner than `size`: the closing minus the picture.
    ///
    /// `size` is the side of the square element, odd, 3 at least. Outside of the picture its edge goes on.
    public func blackHat(size: Int) -> LumaBuffer {
        var result = extremes(size: size, brightest: true).extremes(size: size, brightest: false)
        result.subtract(self)
        return result
    }

    /// What is brighter than its surroundings and thinner than `size`: the picture minus the opening.
    public func topHat(size: Int) -> LumaBuffer {
        let opening = extremes(size: size, brightest: false).extremes(size: size, brightest: true)
        var result = self
        result.subtract(opening)
        return result
    }

    /// How often each brightness occurs.
    public func histogram() -> [Int] {
        // Four counters in turn: neighbours are often equal, and one counter would wait for itself.
        var counts = [UInt32](repeating: 0, count: 1024)
        counts.withUnsafeMutableBufferPointer { counts in
            pixels.withUnsafeBufferPointer { pixels in
                for index in pixels.indices { counts[((index & 3) << 8) + Int(pixels[index])] += 1 }
            }
        }
        return (0..<256).map { value in
            let sum: UInt32 = counts[value] + counts[value + 256] + counts[value + 512] + counts[value + 768]
            return Int(sum)
        }
    }

    /// The smallest brightness that more than so many (0...99) of 100 pixels do not exceed.
    public func percentile(_ percent: Int) -> UInt8 {
        let wanted = pixels.count * percent / 100
        var count = 0
        for (value, occurrences) in histogram().enumerated() {
            count += occurrences
            if count > wanted { return UInt8(value) }
        }
        return 255
    }

    /// The brightest (or darkest) of the square around each pixel.
    private func extremes(size: Int, brightest: Bool) -> LumaBuffer {
        precondition(size >= 3 && size % 2 == 1, "the element has a middle")
        let margin = size / 2
        let (paddedWidth, paddedHeight) = (width + size - 1, height + size - 1)
        let count = paddedWidth * paddedHeight
        var result = LumaBuffer(width: width, height: height)
        let (width, height) = (width, height)
        // Two buffers that change places: in place, the compiler would not dare to take many pixels at a time.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 2 * count) { work in
            guard var front = work.baseAddress else { return }
            var back = front + count
            pixels.withUnsafeBufferPointer { source in
                guard let source = source.baseAddress else { return }
                for row in 0..<paddedHeight {
                    let from = source + min(max(row - margin, 0), height - 1) * width
                    let to = front + row * paddedWidth
                    to.initialize(repeating: from[0], count: margin)
                    (to + margin).initialize(from: from, count: width)
                    (to + margin + width).initialize(repeating: from[width - 1], count: margin)
                }
            }
            back.initialize(repeating: 0, count: count)
            for stride in [1, paddedWidth] {
                // Windows of 1, 2, 4, 8 ... pixels that begin at a pixel, each from two of the one before; the last step
                // overlaps, as a window of 9 is two of 8. Along x, windows run over into the next row in the margin only.
                var span = 1
                while span < size {
                    let distance = min(span, size - span) * stride
                    combine(front, front + distance, into: back, count: count - distance, brightest: brightest)
                    swap(&front, &back)
                    span = min(2 * span, size)
                }
            }
            result.pixels.withUnsafeMutableBufferPointer { target in
                guard let target = target.baseAddress else { return }
                for row in 0..<height { (target + row * width).update(from: front + row * paddedWidth, count: width) }
            }
        }
        return result
    }

    private mutating func subtract(_ other: LumaBuffer) {
        pixels.withUnsafeMutableBufferPointer { target in
            other.pixels.withUnsafeBufferPointer { source in
                for index in target.indices { target[index] = target[index] &- source[index] }
            }
        }
    }
}

private func combine(
    _ a: UnsafeMutablePointer<UInt8>, _ b: UnsafeMutablePointer<UInt8>, into target: UnsafeMutablePointer<UInt8>,
    count: Int, brightest: Bool
) {
    if brightest {
        for index in 0..<count { target[index] = max(a[index], b[index]) }
    } else {
        for index in 0..<count { target[index] = min(a[index], b[index]) }
    }
}

/// The threshold that parts a histogram best in two (Otsu, IEEE Transactions SMC 9(1), 1979); 0 when it has one value.
public func otsuThreshold(of histogram: [Int]) -> Int {
    let total = histogram.reduce(0, +)
    guard total > 0 else { return 0 }
    let weighted = Double(histogram.enumerated().reduce(0) { $0 + $1.offset * $1.element })
    var (below, belowWeighted) = (0, 0.0)
    var best = (threshold: 0, variance: 0.0)
    for (value, count) in histogram.enumerated() {
        below += count
        belowWeighted += Double(value * count)
        let above = total - below
        if below == 0 { continue }
        if above == 0 { break }
        let difference = belowWeighted / Double(below) - (weighted - belowWeighted) / Double(above)
        let variance = Double(below) * Double(above) * difference * difference
        if variance > best.variance { best = (value, variance) }
    }
    return best.threshold
}
