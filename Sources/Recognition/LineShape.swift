// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ImageKernels
internal import ScanModel

/// A group of strokes that stand side by side, in pixels of the scaled picture.
struct LineShape {
    /// The strokes before closing.
    var strokes: [PixelRun]
    var minX: Int
    var minY: Int
    var maxX: Int
    var maxY: Int
    /// Pixels of strokes.
    var area: Int

    var width: Double { Double(maxX - minX) }
    var height: Double { Double(maxY - minY) }

    /// Gaps between words of one line, in heights of the line.
    static let wordGap = 1.2
    /// How much the heights of parts of one line may differ.
    static let heightRatio = 1.6

    /// Groups strokes with gaps under `closing` along x.
    static func shapes(of strokes: PixelRuns, closing: Int) -> [LineShape] {
        let closed = strokes.closed(size: closing)
        let components = PixelComponents(closed)
        var shapes = components.shapes.map {
            LineShape(strokes: [], minX: $0.minX, minY: $0.minY, maxX: $0.maxX, maxY: $0.maxY, area: 0)
        }
        // Both lists are in the same order, and each stroke lies in one closed run.
        var position = 0
        for stroke in strokes.runs {
            while position < closed.runs.count,
                closed.runs[position].row < stroke.row || closed.runs[position].end < stroke.end
            {
                position += 1
            }
            guard position < closed.runs.count else { break }
            let label = Int(components.labels[position])
            shapes[label].strokes.append(stroke)
            shapes[label].area += stroke.length
        }
        return shapes
    }

    /// Whether it may be a word or a part of one.
    var isLetters: Bool {
        guard height >= 3, width >= 2, height <= 200 else { return false }
        let fill = Double(area) / (width * height)
        // Letters fill a fifth to a half of their box; a solid patch or a few scattered strokes are none.
        return fill > 0.06 && fill < 0.9 && height < 6 * width
    }

    /// Whether it may be a line of at least two letters.
    var isLine: Bool {
        guard width >= 1.1 * height else { return false }
        let fill = Double(area) / (width * height)
        guard fill > 0.08, fill < 0.85 else { return false }
        // Strokes that a row crosses in a length of one height: letters have 0.8 to 6, a pattern of thin bars has more,
        // a smear less. Leaning lines have fewer in their upright box.
        let crossings = Double(strokes.count) / height / (width / height)
        return crossings > 0.3 && crossings < 6
    }

    /// Joins words on one base line.
    static func linked(_ shapes: [LineShape]) -> [LineShape] {
        var lines: [LineShape] = []
        for shape in shapes.sorted(by: { $0.minX < $1.minX }) {
            let index = lines.firstIndex { $0.continues(with: shape) }
            if let index { lines[index].append(shape) } else { lines.append(shape) }
        }
        return lines
    }

    private func continues(with next: LineShape) -> Bool {
        let taller = max(height, next.height)
        let lower = min(height, next.height)
        let shared = Double(min(maxY, next.maxY) - max(minY, next.minY))
        let gap = Double(next.minX - maxX)
        return gap <= Self.wordGap * taller && gap > -taller && shared >= 0.6 * lower
            && taller <= Self.heightRatio * lower
    }

    private mutating func append(_ other: LineShape) {
        strokes += other.strokes
        minX = min(minX, other.minX)
        minY = min(minY, other.minY)
        maxX = max(maxX, other.maxX)
        maxY = max(maxY, other.maxY)
        area += other.area
    }

    /// The mean brightness of the strokes.
    func brightness(in picture: LumaBuffer) -> Double {
        var sum = 0
        for stroke in strokes {
            let row = Int(stroke.row) * picture.width
            for x in Int(stroke.start)..<Int(stroke.end) { sum += Int(picture.pixels[row + x]) }
        }
        return Double(sum) / Double(max(1, area))
    }

    /// The box along the line's own direction, in pixels of the full picture.
    func quad(scale: Double) -> Quad {
        let slope = skew()
        // Heights over the leaning line: a histogram of pixels, with the outermost half percent left out.
        var low = Double(maxY)
        var high = Double(minY)
        let centerX = Double(minX + maxX) / 2
        var rows: [Int: Int] = [:]
        for stroke in strokes {
            let middle = Double(stroke.start + stroke.end) / 2
            let row = Double(stroke.row) - slope * (middle - centerX)
            rows[Int(row.rounded(.down)), default: 0] += stroke.length
        }
        let trim = area / 200
        var seen = 0
        for (row, count) in rows.sorted(by: { $0.key < $1.key }) {
            seen += count
            if seen > trim, Double(row) < low { low = Double(row) }
            if seen - count < area - trim { high = Double(row + 1) }
        }
        if high <= low { (low, high) = (Double(minY), Double(maxY)) }
        let half = width / 2
        func point(_ dx: Double, _ y: Double) -> Point {
            Point(x: (centerX + dx) * scale, y: (y + slope * dx) * scale)
        }
        return Quad(
            topLeft: point(-half, low), topRight: point(half, low), bottomRight: point(half, high),
            bottomLeft: point(-half, high))
    }

    /// Rows down for each column to the right, by a straight line through all pixels.
    private func skew() -> Double {
        // A few letters say more of their own shapes than of the line's direction.
        guard width > 3 * height || (width > 2 * height && height > 24) else { return 0 }
        var (sum, sumX, sumY, sumXX, sumXY) = (0.0, 0.0, 0.0, 0.0, 0.0)
        for stroke in strokes {
            let weight = Double(stroke.length)
            let x = Double(stroke.start + stroke.end) / 2 - Double(minX)
            let y = Double(stroke.row) - Double(minY)
            sum += weight
            sumX += weight * x
            sumY += weight * y
            sumXX += weight * x * x
            sumXY += weight * x * y
        }
        let spread = sumXX - sumX * sumX / sum
        guard spread > 0 else { return 0 }
        let slope = (sumXY - sumX * sumY / sum) / spread
        // Under one degree Tesseract does as well without, and letters with tails give that much by chance.
        return slope.magnitude < 0.017 ? 0 : max(-0.35, min(0.35, slope))
    }
}
