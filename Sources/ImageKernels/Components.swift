// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// Neighbouring set pixels of one row.
public struct PixelRun: Sendable, Hashable {
    public var row: Int32
    public var start: Int32
    /// One past the last pixel.
    public var end: Int32

    public init(row: Int32, start: Int32, end: Int32) {
        self.row = row
        self.start = start
        self.end = end
    }

    public var length: Int { Int(end - start) }
}

/// The pixels of a picture that are set, as runs in the order of rows, left to right.
public struct PixelRuns: Sendable {
    public var runs: [PixelRun]

    public init(runs: [PixelRun]) { self.runs = runs }

    /// The pixels above a threshold; at most `limit` runs, counted from the top, so that noise has a bounded cost.
    public init(of picture: LumaBuffer, above threshold: UInt8, limit: Int) {
        var runs: [PixelRun] = []
        let (width, height) = (picture.width, picture.height)
        let limits = SIMD16<UInt8>(repeating: threshold)
        picture.pixels.withUnsafeBytes { bytes in
            rows: for row in 0..<height {
                let base = row * width
                var column = 0
                while column < width {
                    // Most of a picture is not set: sixteen pixels at a time.
                    while column + 16 <= width {
                        let block = bytes.loadUnaligned(fromByteOffset: base + column, as: SIMD16<UInt8>.self)
                        if pointwiseMax(block, limits) != limits { break }
                        column += 16
                    }
                    while column < width, bytes[base + column] <= threshold { column += 1 }
                    if column == width { break }
                    let start = column
                    while column < width, bytes[base + column] > threshold { column += 1 }
                    if runs.count == limit { break rows }
                    runs.append(PixelRun(row: Int32(row), start: Int32(start), end: Int32(column)))
                }
            }
        }
        self.runs = runs
    }

    /// With gaps of less than `size` pixels within rows filled: a closing along x.
    public func closed(size: Int) -> PixelRuns {
        var result: [PixelRun] = []
        for run in runs {
            if let last = result.last, last.row == run.row, Int(run.start - last.end) < size {
                result[result.count - 1].end = run.end
            } else {
                result.append(run)
            }
        }
        return PixelRuns(runs: result)
    }
}

/// What belongs together among runs: those that touch, also at a corner.
public struct PixelComponents: Sendable {
    /// For each run the number of its component.
    public let labels: [Int32]
    public let shapes: [Shape]

    /// One component.
    public struct Shape: Sendable, Hashable {
        public var minX: Int
        public var minY: Int
        /// One past the last pixel.
        public var maxX: Int
        public var maxY: Int
        public var area: Int
        public var runCount: Int
        /// Runs with nothing above them: a letter has up to five strokes that begin, a 2D code dozens.
        public var topCount: Int

        public var width: Int { maxX - minX }
        public var height: Int { maxY - minY }
        /// The part of the bounding box that is set.
        public var fill: Double { Double(area) / Double(max(1, width * height)) }
    }

    public init(_ pixels: PixelRuns) {
        let runs = pixels.runs
        var parents = (0..<Int32(runs.count)).map { $0 }
        func root(_ index: Int32) -> Int32 {
            var index = index
            while parents[Int(index)] != index {
                parents[Int(index)] = parents[Int(parents[Int(index)])]
                index = parents[Int(index)]
            }
            return index
        }
        var tops = [Bool](repeating: false, count: runs.count)
        var above = 0
        for (index, run) in runs.enumerated() {
            while above < index {
                let other = runs[above]
                let isPassed = other.row < run.row - 1 || (other.row == run.row - 1 && other.end < run.start)
                if !isPassed { break }
                above += 1
            }
            var candidate = above
            var isTop = true
            while candidate < index, runs[candidate].row == run.row - 1, runs[candidate].start <= run.end {
                let (a, b) = (root(Int32(index)), root(Int32(candidate)))
                if a != b { parents[Int(max(a, b))] = min(a, b) }
                isTop = false
                candidate += 1
            }
            tops[index] = isTop
        }
        var numbers = [Int32](repeating: -1, count: runs.count)
        var labels = [Int32](repeating: 0, count: runs.count)
        var shapes: [Shape] = []
        for (index, run) in runs.enumerated() {
            let top = Int(root(Int32(index)))
            if numbers[top] < 0 {
                numbers[top] = Int32(shapes.count)
                shapes.append(
                    Shape(
                        minX: Int(run.start), minY: Int(run.row), maxX: Int(run.end), maxY: Int(run.row) + 1, area: 0,
                        runCount: 0, topCount: 0))
            }
            let label = Int(numbers[top])
            labels[index] = Int32(label)
            shapes[label].minX = min(shapes[label].minX, Int(run.start))
            shapes[label].maxX = max(shapes[label].maxX, Int(run.end))
            shapes[label].maxY = Int(run.row) + 1
            shapes[label].area += run.length
            shapes[label].runCount += 1
            if tops[index] { shapes[label].topCount += 1 }
        }
        self.labels = labels
        self.shapes = shapes
    }
}
