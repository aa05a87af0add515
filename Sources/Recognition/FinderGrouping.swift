// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ImageKernels
internal import ScanModel

/// Puts finder patterns together to QR codes, three by three.
///
/// In a crowd geometry alone is not enough: finders of neighbours make right angles too. The timing pattern between two
/// finders of one code tells them apart, and where its lines are met by chance the shorter legs win.
struct FinderGrouping {
    /// How much a leg counts against a group, for each finder's side of its length.
    private static let penaltyOfLength = 0.15
    /// Sizes of finders of one code differ by perspective only.
    private static let largestRatio = 1.8
    /// The longest leg, in sides of a finder: 170 modules of version 40 are 24 of them, and perspective adds to that.
    private static let longestLeg = 28.0
    /// Timing from which on a group that shares no finder with a better one is taken for certain.
    private static let certainTiming = 0.55
    /// Finders that are looked at as neighbours of one, nearest first.
    private static let maximumNeighbours = 16

    let picture: LumaView
    let finders: [RingPattern]

    /// A finder beside another, and the sides that face each other.
    private struct Neighbour {
        var index: Int
        var exit: Int
        var entry: Int
        var leg: Double
        var alignment: Double
        /// Timing along the side that is clockwise from the line, and along the other.
        var timing: (right: Double, left: Double)
    }

    private struct Group {
        var finders: [Int]
        var quad: Quad
        var module: Double
        var score: Double
        var timing: Double
        var isInverted: Bool
    }

    /// Groups that use each finder once, best first, then others that share some with those.
    func candidates(limit: Int) -> [CodeCandidate] {
        guard finders.count >= 3 else { return [] }
        let neighbours = finders.indices.map { self.neighbours(of: $0) }
        var groups: [Group] = []
        for corner in finders.indices { groups += self.groups(at: corner, neighbours[corner]) }
        groups.sort { $0.score > $1.score }
        var used = [Int](repeating: 0, count: finders.count)
        var (firsts, others): ([CodeCandidate], [CodeCandidate]) = ([], [])
        for group in groups {
            let uses = group.finders.map { used[$0] }.max() ?? 0
            // A finder may be in three groups: the first guess and two more.
            guard uses < 3 else { continue }
            for finder in group.finders { used[finder] += 1 }
            let isCertain = uses == 0 && group.timing > Self.certainTiming
            let candidate = CodeCandidate(
                kind: .qr, quad: group.quad, moduleSize: group.module, isInverted: group.isInverted,
                score: group.score + (isCertain ? CodeCandidate.certainQR : 0),
                promise: isCertain ? 0.95 : uses == 0 ? 0.3 : 0.05)
            if uses == 0 { firsts.append(candidate) } else { others.append(candidate) }
        }
        return Array((firsts + others).prefix(limit))
    }

    private func neighbours(of index: Int) -> [Neighbour] {
        let finder = finders[index]
        var found: [Neighbour] = []
        for (other, pattern) in finders.enumerated() where other != index && pattern.isInverted == finder.isInverted {
            let (small, large) = (min(finder.side, pattern.side), max(finder.side, pattern.side))
            let leg = finder.center.distance(to: pattern.center)
            let side = (small + large) / 2
            guard large < Self.largestRatio * small, leg > 1.5 * side, leg < Self.longestLeg * side else { continue }
            let line = (pattern.center - finder.center).normalized
            let exit = finder.side(towards: line)
            let entry = pattern.side(towards: line * -1)
            // Cosine of 25 degrees: lines of centres are parallel to the sides, but for perspective.
            let alignment = min(exit.cosine, entry.cosine)
            guard alignment > 0.9 else { continue }
            found.append(
                Neighbour(
                    index: other, exit: exit.index, entry: entry.index, leg: leg, alignment: alignment, timing: (0, 0)))
        }
        found.sort { $0.leg < $1.leg }
        return found.prefix(Self.maximumNeighbours).map { neighbour in
            var neighbour = neighbour
            let (from, to) = (finder.corners.corners, finders[neighbour.index].corners.corners)
            let module = (finder.side + finders[neighbour.index].side) / 14
            // Of the exit side, its second corner is the clockwise one; it faces the first corner of the entry side.
            neighbour.timing.right = timing(
                from[(neighbour.exit + 1) % 4], from[neighbour.exit], to[neighbour.entry],
                to[(neighbour.entry + 1) % 4], module: module)
            neighbour.timing.left = timing(
                from[neighbour.exit], from[(neighbour.exit + 1) % 4], to[(neighbour.entry + 1) % 4],
                to[neighbour.entry], module: module)
            return neighbour
        }
    }

    /// How regularly dark and light take turns between two corners, 0...1, on the line half a module inside of them.
    private func timing(_ start: Point, _ startInner: Point, _ end: Point, _ endInner: Point, module: Double) -> Double
    {
        let from = start + (startInner - start) * (0.5 / 7)
        let to = end + (endInner - end) * (0.5 / 7)
        let modules = from.distance(to: to) / module
        guard modules > 3 else { return 0 }
        let half = Point(x: 0.5, y: 0.5)
        let inset = (to - from).normalized * (0.5 * module)
        let count = min(640, max(24, Int(modules * 4)))
        let line = picture.profile(from: from + inset - half, to: to - inset - half, count: count)
        guard let low = line.min(), let high = line.max(), high - low > 16 else { return 0 }
        let level = (low + high) / 2
        var runs: [Int] = []
        var start = 0
        for index in 1..<count where (line[index] < level) != (line[index - 1] < level) {
            runs.append(index - start)
            start = index
        }
        runs.append(count - start)
        // Between the separators' middles there is one module less than between the finders.
        let expected = modules - 1
        let width = Double(count) / expected
        let regular = runs.count { Double($0) > 0.4 * width && Double($0) < 1.8 * width }
        let ratio = Double(runs.count) / (expected + 1)
        return Double(regular) / Double(runs.count) * min(ratio, 1 / ratio)
    }

    private func groups(at corner: Int, _ neighbours: [Neighbour]) -> [Group] {
        var found: [Group] = []
        for right in neighbours {
            for down in neighbours where down.exit == (right.exit + 1) % 4 {
                if let group = group(corner, right: right, down: down) { found.append(group) }
            }
        }
        return found
    }

    /// `nil` when the three are no code's: legs too unlike, or corners that make no quad.
    private func group(_ corner: Int, right: Neighbour, down: Neighbour) -> Group? {
        let (long, short) = (max(right.leg, down.leg), min(right.leg, down.leg))
        guard long < 1.8 * short else { return nil }
        let (a, b, c) = (finders[corner], finders[right.index], finders[down.index])
        let legRight = (b.center - a.center).normalized
        let legDown = (c.center - a.center).normalized
        // Between 60 and 120 degrees.
        guard legRight.dot(legDown).magnitude < 0.5 else { return nil }
        // Corner n begins side n: the side that faces the right finder begins at the top-right corner.
        let own = a.corners.corners
        let topLeft = own[(right.exit + 3) % 4]
        let onRight = b.corners.corners
        let (topRight, lowerRight) = (onRight[(right.entry + 2) % 4], onRight[(right.entry + 3) % 4])
        let below = c.corners.corners
        let (bottomLeft, lowerMiddle) = (below[(down.entry + 3) % 4], below[(down.entry + 2) % 4])
        let parallel = topRight + bottomLeft - topLeft
        var fourth = parallel
        if let crossing = crossing(topRight, lowerRight, bottomLeft, lowerMiddle),
            crossing.distance(to: parallel) < 0.35 * long
        {
            fourth = crossing
        }
        let quad = Quad(topLeft: topLeft, topRight: topRight, bottomRight: fourth, bottomLeft: bottomLeft)
        guard quad.isFinite, quad.signedArea > 0 else { return nil }
        let sides = [a.side, b.side, c.side]
        let mean = sides.reduce(0, +) / 3
        let sizes = (sides.min() ?? 0) / (sides.max() ?? 1)
        let timing = (right.timing.right + down.timing.left) / 2
        let shape = (right.alignment + down.alignment) / 2 + sizes + short / long - legRight.dot(legDown).magnitude
        let support = (a.support + b.support + c.support) / 3
        return Group(
            finders: [corner, right.index, down.index], quad: quad, module: mean / 7,
            score: shape + 2 * timing + support - Self.penaltyOfLength * (right.leg + down.leg) / 2 / mean,
            timing: timing, isInverted: a.isInverted)
    }

    /// Where the line through the first two points meets that through the others.
    private func crossing(_ a: Point, _ b: Point, _ c: Point, _ d: Point) -> Point? {
        let (first, second) = ((b - a).normalized, (d - c).normalized)
        let cross = first.x * second.y - first.y * second.x
        guard cross.magnitude > 0.3 else { return nil }
        let offset = c - a
        return a + first * ((offset.x * second.y - offset.y * second.x) / cross)
    }
}

extension RingPattern {
    /// The side that looks most in a direction, and how straight.
    func side(towards direction: Point) -> (index: Int, cosine: Double) {
        let points = corners.corners
        var best = (index: 0, cosine: -1.0)
        for index in 0..<4 {
            let middle = (points[index] + points[(index + 1) % 4]) * 0.5
            let cosine = (middle - center).normalized.dot(direction)
            if cosine > best.cosine { best = (index, cosine) }
        }
        return best
    }

    func scaled(by factor: Double) -> RingPattern {
        var result = self
        result.center = center * factor
        result.corners = corners.scaled(by: factor)
        return result
    }

    /// The first, and those of the second that are not among them.
    static func merged(_ first: [RingPattern], _ second: [RingPattern]) -> [RingPattern] {
        first
            + second.filter { pattern in
                !first.contains { other in
                    other.kind == pattern.kind && other.isInverted == pattern.isInverted
                        && other.center.distance(to: pattern.center) < 0.4 * max(other.side, pattern.side)
                }
            }
    }

    /// Modules between the middle and the outer edge of the code when nothing tells: 27 for the largest compact Aztec.
    private static let usualReach = 13.5
    /// Of an Aztec with 151 modules a side, and one for measuring.
    private static let largestReach = 76.5
    /// Half of a MaxiCode in fifths of its second dark ring's width (ISO/IEC 16023, 4.11: 28.14 by 26.91 mm, 3.72 mm).
    private static let maxiCode = (across: 18.9, down: 18.1)

    /// What may be around a bullseye, as large as the texture around it.
    ///
    /// An Aztec code lies along the rings, whose perspective is the code's. Rings around a light middle are an inverted
    /// Aztec or a MaxiCode, which the engines read upright only and whose rings are circles that tell no direction.
    func candidates(in textures: [CodeCandidate]) -> [CodeCandidate] {
        let module = side / 5
        // Rings that a quarter of the rays miss are an @ more often than a code.
        let promise = support > 0.85 ? 0.6 : 0.15
        let axis = (corners.topRight - corners.topLeft + corners.bottomRight - corners.bottomLeft).normalized
        let own = textures.filter { $0.quad.contains(center) && $0.quad.width > side && $0.quad.height > side }
        // The code's own texture has the bullseye in its middle; parts of it and the page around it have not.
        let around = own.filter { $0.quad.center.distance(to: center) < 0.15 * min($0.quad.width, $0.quad.height) }
            .max { $0.quad.signedArea.magnitude < $1.quad.signedArea.magnitude }
        var reach = Self.usualReach
        if let around {
            let offsets = around.quad.corners.map { $0 - center }
            let us = offsets.map { $0.dot(axis).magnitude }
            let vs = offsets.map { $0.dot(Point(x: -axis.y, y: axis.x)).magnitude }
            let furthest = max(us.reduce(0, +), vs.reduce(0, +)) / 4
            reach = min(max(7.5, furthest / module), Self.largestReach)
        }
        let even = Quad(center: center, axis: axis, length: 2 * reach * module, height: 2 * reach * module)
        let outer = Quad(Rect(x: 2.5 - reach, y: 2.5 - reach, width: 2 * reach, height: 2 * reach))
        let slanted = Homography(width: 5, height: 5, onto: corners).map { map in outer.mapped { map($0) } }
        // Corners of the ring are good to a third of a pixel, which is as much more at the code's edge as that is larger. A
        // slant that small is none, and would bend a code of a hundred modules by one.
        let tolerance = 0.35 * 2 * reach / 7
        let upright = Quad(
            center: center, axis: Point(x: 1, y: 0), length: 2 * reach * module, height: 2 * reach * module)
        let turned = [even, even.turned(quarters: 1), even.turned(quarters: 2), even.turned(quarters: 3)]
        var quad = even
        if turned.contains(where: { $0.isNear(upright, within: tolerance) }) { quad = upright }
        if let slanted, slanted.isFinite, (0.5...2).contains(slanted.signedArea / even.signedArea),
            !slanted.isNear(even, within: tolerance)
        {
            quad = slanted
        }
        let aztec = CodeCandidate(
            kind: .bullseye, quad: quad, moduleSize: module, isInverted: isInverted, score: support,
            promise: promise)
        guard isInverted else { return [aztec] }
        let maxiCode = Rect(
            x: center.x - Self.maxiCode.across * module, y: center.y - Self.maxiCode.down * module,
            width: 2 * Self.maxiCode.across * module, height: 2 * Self.maxiCode.down * module)
        return [
            CodeCandidate(
                kind: .bullseye, quad: Quad(maxiCode), moduleSize: module, isInverted: false, score: support,
                promise: promise),
            aztec,
        ]
    }
}

extension Quad {
    /// Whether each corner lies so near to the other's.
    fileprivate func isNear(_ other: Quad, within distance: Double) -> Bool {
        zip(corners, other.corners).allSatisfy { $0.distance(to: $1) < distance }
    }
}
