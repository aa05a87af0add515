// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ScanModel

/// Proves one seed: follows rays from its middle through the rings and fits the outermost square.
struct RingTrace {
    static let rayCount = 32
    /// The part of the rays that must meet the rings in proportion; a third may be lost to glare, dirt or a neighbour.
    static let minimumSupport = 0.6
    private static let maximumMisses = Int((1 - minimumSupport) * Double(rayCount))

    /// The part of the places on the next two rings that must be light and dark in turn.
    ///
    /// Letters and digits make two rings now and then, which gave three bullseyes a picture; hardly ever do they make four.
    static let minimumOuterRings = 0.75

    let picture: LumaView
    let kind: RingPattern.Kind
    let isInverted: Bool

    /// Unit vectors, a 32nd of a turn from each other.
    private static let directions: [Point] = {
        var direction = Point(x: 1, y: 0)
        let step = Point(x: 0.980_785_280_403_230_4, y: 0.195_090_322_016_128_27)
        return (0..<rayCount).map { _ in
            defer { direction = direction.turned(by: step) }
            return direction
        }
    }()

    /// Takes the middle of a dark run of one row and the length of all runs; `level` parts dark from light.
    func pattern(x: Float, y: Float, span: Float, level: Float) -> RingPattern? {
        // The column, then the row again, then the column move the middle inwards.
        var (x, y) = (x, y)
        guard let down = centered(x: x, y: y, dx: 0, dy: 1, reach: 1.7 * span, level: level) else { return nil }
        y += down.shift
        guard let across = centered(x: x, y: y, dx: 1, dy: 0, reach: 1.7 * span, level: level) else { return nil }
        x += across.shift
        if let again = centered(x: x, y: y, dx: 0, dy: 1, reach: 1.7 * span, level: level) { y += again.shift }
        return traced(x: x, y: y, reach: 1.2 * max(across.span, down.span), level: level)
    }

    /// Brightness as if the pattern were dark on light; x and y count from edges of pixels.
    @inline(__always)
    private func value(_ x: Float, _ y: Float) -> Float {
        let (px, py) = (x - 0.5, y - 0.5)
        let value: Float
        if px >= 0, py >= 0, px < Float(picture.width - 1), py < Float(picture.height - 1),
            let base = picture.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        {
            value = LumaView.between(base, stride: picture.stride, x: px, y: py)
        } else {
            value = picture.interpolated(x: px, y: py)
        }
        return isInverted ? 255 - value : value
    }

    /// Along one line: how far the middle run's middle is from here, and how long all runs are together.
    private func centered(
        x: Float, y: Float, dx: Float, dy: Float, reach: Float, level: Float
    ) -> (shift: Float, span: Float)? {
        guard let ahead = edges(x: x, y: y, dx: dx, dy: dy, reach: reach, level: level),
            let behind = edges(x: x, y: y, dx: -dx, dy: -dy, reach: reach, level: level)
        else { return nil }
        let span = ahead.2 + behind.2
        let middle = ahead.0 + behind.0
        let share = middle / span
        switch kind {
        case .finder: guard share > 0.24, share < 0.66 else { return nil }
        case .bullseye: guard share > 0.08, share < 0.4 else { return nil }
        }
        // Rings of one pattern are as wide on both sides, up to perspective.
        let (a, b) = (ahead.2 - ahead.0, behind.2 - behind.0)
        guard max(a, b) < 1.8 * min(a, b) + 1 else { return nil }
        return ((ahead.0 - behind.0) / 2, span)
    }

    /// The distances of the first three edges, dark to light first; `nil` when one is missing or the start is light.
    @inline(__always)
    private func edges(
        x: Float, y: Float, dx: Float, dy: Float, reach: Float, level: Float
    ) -> (Float, Float, Float)? {
        // A third of a module; crossings are placed between samples.
        let step = max(0.5, reach / (1.2 * 21))
        let end = (x: x + dx * (reach + step), y: y + dy * (reach + step))
        if min(x, end.x) > 1, min(y, end.y) > 1, max(x, end.x) < Float(picture.width - 2),
            max(y, end.y) < Float(picture.height - 2)
        {
            return edgesInside(x: x, y: y, dx: dx * step, dy: dy * step, step: step, reach: reach, level: level)
        }
        var distance: Float = 0
        var before = value(x, y)
        guard before < level else { return nil }
        var result: (Float, Float, Float) = (0, 0, 0)
        var count = 0
        while distance < reach {
            distance += step
            let (px, py) = (x + dx * distance, y + dy * distance)
            guard px > 0, py > 0, px < Float(picture.width), py < Float(picture.height) else {
                // The last ring may end with the picture.
                guard count == 2 else { return nil }
                result.2 = distance - step
                return result
            }
            let here = value(px, py)
            if (here < level) == (count & 1 == 1) {
                let place = distance - step + step * (level - before) / (here - before)
                switch count {
                case 0: result.0 = place
                case 1: result.1 = place
                default:
                    result.2 = place
                    return result
                }
                count += 1
            }
            before = here
        }
        return nil
    }

    /// The same where all of the line lies within the picture, in 65536ths.
    @inline(__always)
    private func edgesInside(
        x: Float, y: Float, dx: Float, dy: Float, step: Float, reach: Float, level: Float
    ) -> (Float, Float, Float)? {
        guard let bytes = picture.bytes.baseAddress else { return nil }
        let stride = picture.stride
        var place = (x: Int((x - 0.5) * 65_536), y: Int((y - 0.5) * 65_536))
        let move = (x: Int(dx * 65_536), y: Int(dy * 65_536))
        let limit = Int32(level * 65_536)
        // Light on dark is its negative.
        let (sign, whole): (Int32, Int32) = isInverted ? (-1, 255 << 16) : (1, 0)
        @inline(__always)
        func value() -> Int32 {
            let at = bytes + ((place.y >> 16) &* stride &+ (place.x >> 16))
            let (fx, fy) = (
                Int32(truncatingIfNeeded: place.x >> 8) & 255, Int32(truncatingIfNeeded: place.y >> 8) & 255
            )
            let upper = Int32(at.loadUnaligned(as: UInt16.self))
            let lower = Int32(at.loadUnaligned(fromByteOffset: stride, as: UInt16.self))
            let top = (upper & 255) &* (256 &- fx) &+ (upper >> 8) &* fx
            let bottom = (lower & 255) &* (256 &- fx) &+ (lower >> 8) &* fx
            return whole &+ sign &* ((top << 8) &+ (bottom &- top) &* fy)
        }
        var before = value()
        guard before < limit else { return nil }
        var result: (Float, Float, Float) = (0, 0, 0)
        var count = 0
        var distance: Float = 0
        while distance < reach {
            distance += step
            place.x &+= move.x
            place.y &+= move.y
            let here = value()
            if (here < limit) == (count & 1 == 1) {
                let crossing = distance - step + step * Float(limit &- before) / Float(here &- before)
                switch count {
                case 0: result.0 = crossing
                case 1: result.1 = crossing
                default:
                    result.2 = crossing
                    return result
                }
                count += 1
            }
            before = here
        }
        return nil
    }

    private func traced(x: Float, y: Float, reach: Float, level: Float) -> RingPattern? {
        var outer = SIMD32<Float>.zero
        var hits = 0
        for turn in 0..<Self.rayCount {
            // Every fourth ray first: most seeds are none, and eight rays tell.
            let index = turn % 8 * 4 + turn / 8
            let misses = turn - hits
            if turn <= 8 ? misses > 4 : misses > Self.maximumMisses { return nil }
            let direction = Self.directions[index]
            guard
                let edge = edges(
                    x: x, y: y, dx: Float(direction.x), dy: Float(direction.y), reach: reach, level: level),
                isInProportion(edge)
            else { continue }
            outer[index] = edge.2
            hits += 1
        }
        let support = Double(hits) / Double(Self.rayCount)
        guard support >= Self.minimumSupport else { return nil }
        let middle = Point(x: Double(x), y: Double(y))
        let points = Self.directions.enumerated().map { index, direction in
            Point(x: middle.x + direction.x * Double(outer[index]), y: middle.y + direction.y * Double(outer[index]))
        }
        guard let square = square(outer, points) else { return nil }
        guard square.contains(middle) else { return nil }
        guard kind == .bullseye else {
            return RingPattern(kind: kind, center: middle, corners: square, support: support, isInverted: isInverted)
        }
        guard let corners = widened(square, level: level) else { return nil }
        return RingPattern(
            kind: kind, center: Homography(width: 1, height: 1, onto: corners)?(Point(x: 0.5, y: 0.5)) ?? middle,
            corners: corners, support: support, isInverted: isInverted)
    }

    /// The same square, measured by rings further out; `nil` where those are missing.
    ///
    /// What is five modules wide says little about the slant of a code of forty; seven say more, and eleven those of the
    /// larger kind of Aztec.
    private func widened(_ square: Quad, level: Float) -> Quad? {
        guard let map = Homography(width: 5, height: 5, onto: square),
            share(of: map, at: 3, isDark: false, level: level) >= Self.minimumOuterRings,
            share(of: map, at: 4, isDark: true, level: level) >= Self.minimumOuterRings
        else { return nil }
        guard let seven = fitted(map, between: 3, and: 4, level: level) else { return square }
        let isLarge =
            share(of: seven, at: 5, isDark: false, level: level, sides: 0.05...0.95) >= 0.85
            && share(of: seven, at: 6, isDark: true, level: level, sides: 0.05...0.95) >= 0.85
        let best = (isLarge ? fitted(seven, between: 5, and: 6, level: level) : nil) ?? seven
        let corners = Quad(Rect(x: 0, y: 0, width: 5, height: 5)).mapped { best($0) }
        return corners.isFinite && corners.signedArea > 0 ? corners : square
    }

    /// The place so many modules from the middle, towards a side and along it (0...1).
    private static func place(side: Int, modules: Double, part: Double) -> Point {
        let along = (2 * part - 1) * modules
        switch side {
        case 0: return Point(x: 2.5 + along, y: 2.5 - modules)
        case 1: return Point(x: 2.5 + modules, y: 2.5 + along)
        case 2: return Point(x: 2.5 - along, y: 2.5 + modules)
        default: return Point(x: 2.5 - modules, y: 2.5 - along)
        }
    }

    private func value(_ place: Point) -> Float { value(Float(place.x), Float(place.y)) }

    /// The part of a ring that is as dark or light as it should be, 0...1.
    ///
    /// Near the middles of the sides MaxiCode's circles are as far from the middle as Aztec's squares.
    private func share(
        of map: Homography, at modules: Double, isDark: Bool, level: Float, sides: ClosedRange<Double> = 0.3...0.7
    ) -> Double {
        var met = 0
        for side in 0..<4 {
            for step in 0..<5 {
                let part = sides.lowerBound + (sides.upperBound - sides.lowerBound) * Double(step) / 4
                if (value(map(Self.place(side: side, modules: modules, part: part))) < level) == isDark { met += 1 }
            }
        }
        return Double(met) / 20
    }

    /// The square whose sides are where a light ring becomes a dark one; its map has the same five modules in its middle.
    private func fitted(_ map: Homography, between inner: Double, and outer: Double, level: Float) -> Homography? {
        let steps = 10
        let lines = (0..<4).map { side -> FittedLine? in
            FittedLine(
                (0..<9).compactMap { part -> Point? in
                    let part = 0.1 + 0.1 * Double(part)
                    var before = value(map(Self.place(side: side, modules: inner, part: part)))
                    for step in 1...steps {
                        let modules = inner + (outer - inner) * Double(step) / Double(steps)
                        let here = value(map(Self.place(side: side, modules: modules, part: part)))
                        if before >= level, here < level {
                            let back = (outer - inner) / Double(steps) * Double((level - here) / (before - here))
                            return map(Self.place(side: side, modules: modules - back, part: part))
                        }
                        before = here
                    }
                    return nil
                })
        }
        guard let a = lines[0], let b = lines[1], let c = lines[2], let d = lines[3],
            let p = d.crossing(a), let q = a.crossing(b), let r = b.crossing(c), let s = c.crossing(d)
        else { return nil }
        let quad = Quad(topLeft: p, topRight: q, bottomRight: r, bottomLeft: s)
        guard quad.isFinite, quad.signedArea > 0 else { return nil }
        // The edge lies half way between the middles of the two rings.
        let side = inner + outer
        guard let wide = Homography(width: side, height: side, onto: quad) else { return nil }
        let margin = (side - 5) / 2
        return Homography(
            width: 5, height: 5,
            onto: Quad(Rect(x: margin, y: margin, width: 5, height: 5)).mapped { wide($0) })
    }

    /// 1.5, 2.5 and 3.5 modules from the middle of a finder; 0.5, 1.5, 2.5 from that of a bullseye.
    private func isInProportion(_ edge: (Float, Float, Float)) -> Bool {
        let (inner, outer) = (edge.1 - edge.0, edge.2 - edge.1)
        switch kind {
        case .finder:
            let share = edge.0 / edge.2
            return share > 0.27 && share < 0.62 && inner < 3 * outer + 0.5 && outer < 3 * inner + 0.5
        case .bullseye:
            let share = edge.0 / edge.2
            return share > 0.08 && share < 0.36 && inner < 2 * outer + 0.5 && outer < 2 * inner + 0.5
        }
    }

    /// Four lines through the ends of the rays, cut with each other.
    private func square(_ outer: SIMD32<Float>, _ points: [Point]) -> Quad? {
        // Corners are where rays are long: the phase of the part of the lengths that repeats every quarter turn.
        let met = outer.indices.filter { outer[$0] > 0 }
        let mean = met.reduce(0) { $0 + Double(outer[$1]) } / Double(max(1, met.count))
        var phase = Point(x: 0, y: 0)
        for index in met {
            let direction = Self.directions[index]
            let doubled = direction.turned(by: direction)
            let fourfold = doubled.turned(by: doubled)
            let excess = Double(outer[index]) - mean
            phase = Point(x: phase.x + fourfold.x * excess, y: phase.y + fourfold.y * excess)
        }
        // A quarter of the phase's angle, and half of a quarter turn further: the middle of a side.
        let first = phase.halfTurned.halfTurned.turned(by: Point(x: 0.5.squareRoot(), y: 0.5.squareRoot()))
        var middle = first
        let lines = (0..<4).map { _ -> FittedLine? in
            // The outer 7 degrees towards each corner are left out: there a ray may meet either side.
            let own = met.filter { Self.directions[$0].x * middle.x + Self.directions[$0].y * middle.y > 0.785 }
            middle = Point(x: -middle.y, y: middle.x)
            return FittedLine(own.map { points[$0] })
        }
        guard let a = lines[0], let b = lines[1], let c = lines[2], let d = lines[3],
            let p = d.crossing(a), let q = a.crossing(b), let r = b.crossing(c), let s = c.crossing(d)
        else { return nil }
        let quad = Quad(topLeft: p, topRight: q, bottomRight: r, bottomLeft: s)
        let sides = (0..<4).map { quad.corners[$0].distance(to: quad.corners[($0 + 1) % 4]) }
        guard quad.isFinite, quad.signedArea > 0, let shortest = sides.min(), let longest = sides.max(),
            longest < 3 * shortest
        else { return nil }
        return quad
    }
}
