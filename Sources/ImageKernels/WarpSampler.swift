// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ScanModel

/// Samples a picture at the places that a map gives for the pixels of another, each between its four neighbours.
struct WarpSampler {
    let picture: LumaView
    let map: Homography
    let width: Int
    let height: Int
    /// The brightness of what lies outside; `nil` for that of the edge.
    let outside: UInt8?
    private let isAffine: Bool

    /// Pixels between places that are mapped exactly; in between the map is taken as straight.
    private static let span = 16
    /// Bits behind the point: the largest picture has 20 before it.
    private static let fraction = 16

    private typealias Place = (x: Int, y: Int)

    init(picture: LumaView, map: Homography, width: Int, height: Int, outside: UInt8?) {
        (self.picture, self.map, self.width, self.height, self.outside) = (picture, map, width, height, outside)
        isAffine = map.isAffine(width: width, height: height)
    }

    /// Of a parallelogram; `nil` for another quad. What lies outside is as its edge.
    init?(of picture: LumaView, affine quad: Quad, width: Int, height: Int) {
        guard let map = Homography(width: Double(width), height: Double(height), onto: quad),
            map.isAffine(width: width, height: height)
        else { return nil }
        self.init(picture: picture, map: map, width: width, height: height, outside: nil)
    }

    /// Writes the pixels of a row.
    func write(row: Int, into line: UnsafeMutablePointer<UInt8>) {
        let first = fixed(column: 0, row: row)
        guard isAffine else { return write(row: row, from: first, step: nil, into: line) }
        let last = fixed(column: width, row: row)
        let step = ((last.x - first.x) / width, (last.y - first.y) / width)
        if isInside(first), isInside(last) {
            sampleInside(line, count: width, from: first, step: step)
        } else if let outside, isBeyond(first, last) {
            line.update(repeating: outside, count: width)
        } else {
            write(row: row, from: first, step: step, into: line)
        }
    }

    /// Span by span: many lie within the picture where the whole row does not. `step` is that of an affine map.
    private func write(row: Int, from first: Place, step: Place?, into line: UnsafeMutablePointer<UInt8>) {
        var start = first
        var from = 0
        while from < width {
            let count = min(Self.span, width - from)
            let end: Place
            if let step {
                end = (start.x + step.x * count, start.y + step.y * count)
            } else {
                end = fixed(column: from + count, row: row)
            }
            let own =
                step
                ?? (count == Self.span
                    ? ((end.x - start.x) / Self.span, (end.y - start.y) / Self.span)
                    : ((end.x - start.x) / count, (end.y - start.y) / count))
            if isInside(start), isInside(end) {
                sampleInside(line + from, count: count, from: start, step: own)
            } else if let outside, isBeyond(start, end) {
                (line + from).update(repeating: outside, count: count)
            } else {
                sampleClamped(line + from, count: count, from: start, step: own)
            }
            (start, from) = (end, from + count)
        }
    }

    private func fixed(column: Int, row: Int) -> Place {
        // Centres of pixels lie half a pixel from their edges.
        let place = map(Point(x: Double(column) + 0.5, y: Double(row) + 0.5))
        func fixed(_ value: Double) -> Int {
            let limit = Double(1 << 24)
            // Rounding down is an instruction, to the nearest a call.
            return Int((min(max(value - 0.5, -limit), limit) + 2 * limit) * Double(1 << Self.fraction))
                - 2 << (24 + Self.fraction)
        }
        return (fixed(place.x), fixed(place.y))
    }

    private func isInside(_ place: Place) -> Bool {
        place.x >= 0 && place.y >= 0 && place.x >> Self.fraction < picture.width - 1
            && place.y >> Self.fraction < picture.height - 1
    }

    /// Whether all between two places lies outside of one edge, and nothing of a pixel.
    private func isBeyond(_ a: Place, _ b: Place) -> Bool {
        let half = 1 << (Self.fraction - 1)
        return max(a.x, b.x) < -half || max(a.y, b.y) < -half
            || min(a.x, b.x) > (picture.width << Self.fraction) - half
            || min(a.y, b.y) > (picture.height << Self.fraction) - half
    }

    private func sampleInside(_ line: UnsafeMutablePointer<UInt8>, count: Int, from start: Place, step: Place) {
        guard let bytes = picture.bytes.baseAddress else { return }
        var place = start
        let target = UnsafeMutableRawPointer(line)
        for index in stride(from: 0, to: count, by: 8) {
            let part = min(8, count &- index)
            let levels = NeighbourPairs(bytes, stride: picture.stride, at: &place, step: step, count: part).levels
            if part == 8 {
                target.storeBytes(of: levels, toByteOffset: index, as: SIMD8<UInt8>.self)
            } else {
                for lane in 0..<part { line[index + lane] = levels[lane] }
            }
        }
    }

    private func sampleClamped(_ line: UnsafeMutablePointer<UInt8>, count: Int, from start: Place, step: Place) {
        let scale = 1 / Float(1 << Self.fraction)
        for index in 0..<count {
            let x = Float(start.x + step.x * index) * scale
            let y = Float(start.y + step.y * index) * scale
            let isOutside =
                x < -0.5 || y < -0.5 || x > Float(picture.width) - 0.5 || y > Float(picture.height) - 0.5
            if isOutside, let outside {
                line[index] = outside
            } else {
                line[index] = UInt8(picture.interpolated(x: x, y: y) + 0.5)
            }
        }
    }
}

/// Averages several samples for each pixel.
struct SampleMean {
    var width: Int
    /// Samples for a pixel, 1...4 in each direction.
    var acrossX: Int
    var acrossY: Int

    func write(_ sampler: WarpSampler, into target: UnsafeMutablePointer<UInt8>, rows: Int) {
        let count = width * acrossX
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { line in
            withUnsafeTemporaryAllocation(of: UInt16.self, capacity: count) { sums in
                guard let line = line.baseAddress, let sums = sums.baseAddress else { return }
                line.initialize(repeating: 0, count: count)
                for row in 0..<rows {
                    sums.initialize(repeating: 0, count: count)
                    for part in 0..<acrossY {
                        sampler.write(row: row * acrossY + part, into: line)
                        for index in 0..<count { sums[index] &+= UInt16(line[index]) }
                    }
                    write(sums, into: target + row * width)
                }
            }
        }
    }

    private func write(_ sums: UnsafePointer<UInt16>, into target: UnsafeMutablePointer<UInt8>) {
        // At most 16 samples: their sum fits, and a 65536th times it is the mean.
        let scale = UInt32(65_536 / (acrossX * acrossY) + 1)
        if acrossX == 1 {
            for index in 0..<width {
                target[index] = UInt8(truncatingIfNeeded: (UInt32(sums[index]) &* scale &+ 32_768) >> 16)
            }
        } else {
            for index in 0..<width {
                var sum: UInt32 = 0
                for part in 0..<acrossX { sum &+= UInt32(sums[index &* acrossX &+ part]) }
                target[index] = UInt8(truncatingIfNeeded: (sum &* scale &+ 32_768) >> 16)
            }
        }
    }
}
