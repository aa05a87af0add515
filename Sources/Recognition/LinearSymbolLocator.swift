// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ImageKernels
internal import ScanModel

/// One printed label: its bar area and the scan lines that decoded it.
struct LocatedLabel {
    /// In pixels of the picture; top is the side of smaller y (rows) or larger x (columns), left where lines start.
    var quad: Quad
    var axis: ScanHit.Axis
    var hits: [ScanHit]
}

/// Finds the bar areas of linear symbols from the ends of the scan lines that decoded them.
///
/// ZBar puts all labels with the same payload into one symbol, and of each line it tells the end only. From a hit, the
/// bar area is found in the pixels: the other end on the line, the direction of the bars, and how far up and down the
/// same pattern goes. Hits within the area are its own; a hit outside of all areas starts the next label. A gap between
/// stacked labels ends the pattern and a scratch of a few lines does not, which no rule on the points alone can tell.
struct LinearSymbolLocator {
    /// Labels of one payload in one picture; further hits are left out.
    static let maximumLabels = 64
    /// Likeness to the line that decoded below which a line is no longer of the label.
    private static let minimumLikeness: Float = 0.5
    /// Likeness from which on the bars go straight on.
    private static let sureLikeness: Float = 0.97

    let picture: LumaView
    let density: ScanDensity
    /// How many bars a symbol has that ZBar decodes by halves: EAN and UPC; `nil` for the others.
    let barCount: Int?

    func labels(from hits: [ScanHit]) -> [LocatedLabel] {
        var labels: [LocatedLabel] = []
        // Seeds from the middle of the run of lines first: edges of labels are where lines fray.
        for seed in hits.indices.sorted(by: { seedRank($0, hits.count) < seedRank($1, hits.count) }) {
            let hit = hits[seed]
            if let owner = labels.firstIndex(where: { Self.owns($0, hit) }) {
                labels[owner].hits.append(hit)
                continue
            }
            guard labels.count < Self.maximumLabels else { continue }
            labels.append(LocatedLabel(quad: area(around: hit, among: hits), axis: hit.axis, hits: [hit]))
        }
        return joined(Self.merged(labels))
    }

    private func seedRank(_ index: Int, _ count: Int) -> Int { abs(index - count / 2) }

    private static func owns(_ label: LocatedLabel, _ hit: ScanHit) -> Bool {
        let margin = max(3, label.quad.width * 0.04)
        return label.quad.grown(by: margin).contains(hit.point)
    }

    /// Labels that lie on each other are one: the one that more lines ended at stays.
    private static func merged(_ labels: [LocatedLabel]) -> [LocatedLabel] {
        var kept: [LocatedLabel] = []
        for label in labels.sorted(by: { $0.hits.count > $1.hits.count }) {
            let area = label.quad.signedArea.magnitude
            let twin = kept.firstIndex { other in
                let smaller = min(area, other.quad.signedArea.magnitude)
                return label.quad.intersectionArea(with: other.quad) > 0.4 * smaller
            }
            if let twin {
                kept[twin].hits += label.hits
                // Half of an EAN, or the part of a label that a fold left.
                if area > 1.5 * kept[twin].quad.signedArea.magnitude { kept[twin].quad = label.quad }
            } else {
                kept.append(label)
            }
        }
        return kept
    }

    // MARK: - One area

    private func area(around hit: ScanHit, among hits: [ScanHit]) -> Quad {
        guard let (low, high) = ends(of: hit, among: hits) else {
            let point = hit.point
            return Quad(Rect(x: point.x - 4, y: point.y - 4, width: 8, height: 8))
        }
        let along = hit.axis == .row ? Point(x: 1, y: 0) : Point(x: 0, y: 1)
        // Lines go up the picture for rows and to the right for columns, so that the corners run clockwise.
        let across = hit.axis == .row ? Point(x: 0, y: 1) : Point(x: -1, y: 0)
        let start = along * low + across.absolute * Double(hit.line)
        let end = along * high + across.absolute * Double(hit.line)
        let slope = barSlope(from: start, to: end, across: across, along: along)
        let bar = (across + along * slope).normalized
        let axis = Point(x: bar.y, y: -bar.x)
        let half = axis * ((end - start).dot(axis) / 2)
        let middle = (start + end) * 0.5
        let center = Side(left: middle - half, right: middle + half)
        let top = edge(from: center, step: bar * -1)
        let bottom = edge(from: center, step: bar)
        // Pixel indices are centres: half a pixel takes them to the picture's coordinates.
        let shift = Point(x: 0.5, y: 0.5)
        return Quad(
            topLeft: top.left + shift, topRight: top.right + shift, bottomRight: bottom.right + shift,
            bottomLeft: bottom.left + shift)
    }

    /// How far the bars lean: pixels along the line for each pixel across it.
    private func barSlope(from start: Point, to end: Point, across: Point, along: Point) -> Double {
        let count = profileLength(start, end)
        let reference = picture.profile(from: start, to: end, count: count)
        var slope = 0.0
        var weight = 0.0
        for side in [1.0, -1.0] {
            var estimate = weight > 0 ? slope : 0
            var previous = 0.0
            for distance in [1.0, 2, 3, 4, 6, 8, 12, 16] {
                // Bars lean by 50 degrees at the most, or the line would not have decoded.
                let uncertainty = previous == 0 && weight == 0 ? 1.25 : 0.5 + 0.25 * (distance - previous)
                var best = (likeness: Float(-1), shift: 0.0)
                var shift = -uncertainty
                while shift <= uncertainty {
                    let offset = across * (side * distance) + along * (side * estimate * distance + shift)
                    let likeness = correlation(
                        reference, picture.profile(from: start + offset, to: end + offset, count: count))
                    if likeness > best.likeness { best = (likeness, shift) }
                    shift += 0.25
                }
                guard best.likeness > Self.minimumLikeness else { break }
                estimate += side * best.shift / distance
                previous = distance
                if distance > weight { (slope, weight) = (estimate, distance) }
            }
        }
        return slope
    }

    /// A line across the bars, from the first to the last.
    private struct Side {
        var left: Point
        var right: Point
    }

    /// The last line on which the pattern is seen, going along the bars.
    ///
    /// Both ends are followed on their own: seen from the side or from above, bars fan out by some pixels over a label.
    private func edge(from center: Side, step: Point) -> Side {
        let count = profileLength(center.left, center.right)
        let reference = picture.profile(from: center.left, to: center.right, count: count)
        let length = center.left.distance(to: center.right)
        let along = (center.right - center.left).normalized
        let stride = max(1, min(4, (length / 128).rounded()))
        // A scratch or a fold across the bars; the gap between stacked labels is wider.
        let tolerance = max(2, 0.015 * length)
        var (reached, last) = (center, 0.0)
        var current = center
        var (leftDrift, rightDrift) = (0.0, 0.0)
        var distance = stride
        while distance - last <= tolerance + stride, distance < 4 * length + 64 {
            let ahead = Side(
                left: current.left + (step + along * leftDrift) * stride,
                right: current.right + (step + along * rightDrift) * stride)
            let middle = (ahead.left + ahead.right) * 0.5
            guard middle.x >= 0, middle.y >= 0, middle.x < Double(picture.width), middle.y < Double(picture.height)
            else { break }
            var best = (
                likeness: correlation(reference, picture.profile(from: ahead.left, to: ahead.right, count: count)),
                left: 0.0, right: 0.0
            )
            // Bars that go straight on need no other direction tried, which is most of the work.
            let isStraight = best.likeness > Self.sureLikeness
            for (left, right) in isStraight ? [] : [(0.5, 0.5), (-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5)] {
                let likeness = correlation(
                    reference,
                    picture.profile(from: ahead.left + along * left, to: ahead.right + along * right, count: count))
                // A move has to pay, or noise would let the ends wander.
                if likeness > best.likeness + 0.003 { best = (likeness, left, right) }
            }
            current = ahead
            if best.likeness >= Self.minimumLikeness {
                current.left = current.left + along * best.left
                current.right = current.right + along * best.right
                leftDrift += 0.3 * best.left / stride
                rightDrift += 0.3 * best.right / stride
                (reached, last) = (current, distance)
            }
            distance += stride
        }
        return reached
    }

    private func profileLength(_ start: Point, _ end: Point) -> Int {
        max(16, min(192, Int(start.distance(to: end).rounded())))
    }
}

extension ScanHit {
    var point: Point {
        axis == .row
            ? Point(x: Double(position), y: Double(line)) : Point(x: Double(line), y: Double(position))
    }
}
