// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

extension LumaBuffer {
    /// Dark and light of each neighbourhood stretched to the whole range.
    ///
    /// Minimum and maximum of blocks of so many pixels, the darkest and lightest of 3 x 3 blocks, interpolated between their
    /// centres. A neighbourhood that spans less than `floor` levels is stretched no further than that, so that noise on plain
    /// paper stays noise.
    public func locallyStretched(block: Int, floor: Int = 32) -> LumaBuffer {
        let grid = ExtremeGrid(of: self, block: max(4, block)).spread()
        // Along a row of blocks the middle and the range are interpolated once; between two such rows, each row of pixels
        // is a mixture of both. That leaves a division per pixel, four at a time.
        var (upper, lower) = (grid.line(0, width: width), grid.line(0, width: width))
        var (upperRow, lowerRow) = (0, 0)
        let least = Float(max(1, floor))
        return LumaBuffer(width: width, height: height) { target in
            for y in 0..<height {
                let place = grid.place(y, count: grid.rows)
                if place.before != upperRow {
                    upper = place.before == lowerRow ? lower : grid.line(place.before, width: width)
                    upperRow = place.before
                }
                if place.after != lowerRow {
                    lower = grid.line(place.after, width: width)
                    lowerRow = place.after
                }
                stretch(
                    row: y, into: UnsafeMutableBufferPointer(rebasing: target[(y * width)..<((y + 1) * width)]),
                    between: upper, and: lower, share: place.share, least: least)
            }
        }
    }

    private func stretch(
        row: Int, into target: UnsafeMutableBufferPointer<UInt8>, between upper: ExtremeGrid.Line,
        and lower: ExtremeGrid.Line, share: Float, least: Float
    ) {
        pixels.withUnsafeBufferPointer { pixels in
            upper.withPointers { middleAbove, rangeAbove in
                lower.withPointers { middleBelow, rangeBelow in
                    guard let target = target.baseAddress, let pixels = pixels.baseAddress else { return }
                    mixAndStretch(
                        pixels + row * width, into: target, count: width, middleAbove, middleBelow, rangeAbove,
                        rangeBelow, share: share, least: least)
                }
            }
        }
    }
}

/// A loop over plain pointers, which the compiler makes one over many pixels at a time.
private func mixAndStretch(
    _ source: UnsafePointer<UInt8>, into target: UnsafeMutablePointer<UInt8>, count: Int,
    _ middleAbove: UnsafePointer<Float>, _ middleBelow: UnsafePointer<Float>, _ rangeAbove: UnsafePointer<Float>,
    _ rangeBelow: UnsafePointer<Float>, share: Float, least: Float
) {
    for x in 0..<count {
        let middle = middleAbove[x] + (middleBelow[x] - middleAbove[x]) * share
        let range = rangeAbove[x] + (rangeBelow[x] - rangeAbove[x]) * share
        // The middle stays the middle where the range is too small.
        let value = (Float(source[x]) - middle) * 255 / (range < least ? least : range) + 127
        let positive = value < 0 ? 0 : value
        target[x] = nearest(positive > 255 ? 255 : positive)
    }
}

/// The nearest whole number of 0...255: the last bits of a sum with 2 to the power of 23. A conversion would check for
/// overflow, pixel by pixel.
@inline(__always)
private func nearest(_ value: Float) -> UInt8 { UInt8(truncatingIfNeeded: (value + 8_388_608).bitPattern) }

/// The darkest and the brightest of blocks.
private struct ExtremeGrid {
    /// Along one row of blocks, for each pixel: the middle between dark and bright, and the distance between them.
    struct Line {
        var middle: [Float]
        var range: [Float]

        func withPointers(_ body: (UnsafePointer<Float>, UnsafePointer<Float>) -> Void) {
            middle.withUnsafeBufferPointer { middle in
                range.withUnsafeBufferPointer { range in
                    guard let middle = middle.baseAddress, let range = range.baseAddress else { return }
                    body(middle, range)
                }
            }
        }
    }

    let block: Int
    let columns: Int
    let rows: Int
    private var low: [UInt8]
    private var high: [UInt8]

    init(of picture: LumaBuffer, block: Int) {
        let (width, height) = (picture.width, picture.height)
        self.block = block
        (columns, rows) = ((width + block - 1) / block, (height + block - 1) / block)
        low = [UInt8](repeating: 255, count: columns * rows)
        high = [UInt8](repeating: 0, count: columns * rows)
        var lows = [UInt8](repeating: 255, count: width)
        var highs = [UInt8](repeating: 0, count: width)
        picture.pixels.withUnsafeBufferPointer { source in
            lows.withUnsafeMutableBufferPointer { lows in
                highs.withUnsafeMutableBufferPointer { highs in
                    guard let source = source.baseAddress, let lows = lows.baseAddress, let highs = highs.baseAddress
                    else { return }
                    for row in 0..<rows {
                        lows.update(from: source + row * block * width, count: width)
                        highs.update(from: source + row * block * width, count: width)
                        for y in (row * block)..<min(height, (row + 1) * block) {
                            takeExtremes(of: source + y * width, count: width, lows, highs)
                        }
                        for column in 0..<columns {
                            var (least, most): (UInt8, UInt8) = (255, 0)
                            for x in (column * block)..<min(width, (column + 1) * block) {
                                least = min(least, lows[x])
                                most = max(most, highs[x])
                            }
                            low[row * columns + column] = least
                            high[row * columns + column] = most
                        }
                    }
                }
            }
        }
    }

    /// Each block with its eight neighbours.
    func spread() -> ExtremeGrid {
        var result = self
        for row in 0..<rows {
            for column in 0..<columns {
                var (least, most): (UInt8, UInt8) = (255, 0)
                for y in max(0, row - 1)...min(rows - 1, row + 1) {
                    for x in max(0, column - 1)...min(columns - 1, column + 1) {
                        least = min(least, low[y * columns + x])
                        most = max(most, high[y * columns + x])
                    }
                }
                result.low[row * columns + column] = least
                result.high[row * columns + column] = most
            }
        }
        return result
    }

    /// The blocks whose centres a pixel lies between, and its distance from the first as a share of theirs.
    func place(_ pixel: Int, count: Int) -> (before: Int, after: Int, share: Float) {
        let distance = 2 * pixel + 1 - block
        guard distance >= 0 else { return (0, 0, 0) }
        let before = min(count - 1, distance / (2 * block))
        let after = min(count - 1, before + 1)
        return (before, after, before == after ? 0 : Float(distance - before * 2 * block) / Float(2 * block))
    }

    func line(_ row: Int, width: Int) -> Line {
        Line(middle: line(row, width: width) { ($0 + $1) / 2 }, range: line(row, width: width) { $1 - $0 })
    }

    /// What `combine` makes of dark and bright, between the centres of a row's blocks.
    @inline(__always)
    private func line(_ row: Int, width: Int, _ combine: (Float, Float) -> Float) -> [Float] {
        func value(at column: Int) -> Float {
            let index = row * columns + min(column, columns - 1)
            return combine(Float(low[index]), Float(high[index]))
        }
        return [Float](unsafeUninitializedCapacity: width) { target, count in
            // Up to the first centre the first block's own.
            var x = min(width, block / 2)
            for pixel in 0..<x { target[pixel] = value(at: 0) }
            var column = 0
            while x < width {
                let end = min(width, ((2 * column + 3) * block) / 2)
                let (before, after) = (value(at: column), value(at: column + 1))
                let step = (after - before) / Float(block)
                let centre = (Float(column) + 0.5) * Float(block) - 0.5
                for pixel in x..<end { target[pixel] = before + (Float(pixel) - centre) * step }
                (x, column) = (end, column + 1)
            }
            count = width
        }
    }
}

private func takeExtremes(
    of row: UnsafePointer<UInt8>, count: Int, _ lows: UnsafeMutablePointer<UInt8>, _ highs: UnsafeMutablePointer<UInt8>
) {
    for x in 0..<count {
        lows[x] = min(lows[x], row[x])
        highs[x] = max(highs[x], row[x])
    }
}
