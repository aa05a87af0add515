// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ScanModel

/// What the sides of a rectangle show: Data Matrix is solid along two adjacent ones and dark and light in turn along the
/// others (ISO/IEC 16022, 4.3), text is solid on none, bars are on two opposite ones.
///
/// Two thousand pixels are read, which takes a tenth of what cutting it out does. Following dark runs from corner to
/// corner in a grid of cells was rejected: it told less, as one dirty module ends a run.
public struct SolidBorders: Sendable {
    /// For the top, right, bottom and left side: the dark share of the darkest line near it, 0...1.
    private var dark = SIMD4<Float>.zero
    /// The light share of the lightest line.
    private var light = SIMD4<Float>.zero
    /// The most changes along a line near the side that is about half dark.
    private var changes = SIMD4<Int32>.zero

    /// Two for each module of the largest symbols without inner borders.
    private static let places = 56
    /// The smallest symbol has 10 modules a side, of which the first and the last may be missed.
    private static let fewestChanges: Int32 = 7
    /// Offsets from a side inwards, as shares of the rectangle's extent: candidates are cut up to a module too wide or
    /// too narrow, and a module is a tenth of the smallest symbol.
    private static let offsets: [Float] = [-0.08, -0.05, -0.02, 0.01, 0.04, 0.07, 0.1, 0.13]

    /// `nil` for a quad that can not be, or where nothing is dark and light.
    public init?(_ picture: LumaView, quad: Quad) {
        guard quad.isFinite, picture.width > 1, picture.height > 1 else { return nil }
        // Candidates are parallelograms or nearly so: places lie evenly on straight lines, at a tenth of the price of a
        // homography for each.
        let grid = QuadGrid(picture, quad: quad)
        let (low, high) = grid.range()
        guard high - low >= LocalThreshold.minimumContrast else { return nil }
        let level = UInt8((low + high) / 2)
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.places) { line in
            for side in 0..<4 {
                for offset in Self.offsets {
                    let (near, far) = (Float(0.06), Float(0.94))
                    switch side {
                    case 0: grid.read(from: (near, offset), to: (far, offset), into: line)
                    case 1: grid.read(from: (1 - offset, near), to: (1 - offset, far), into: line)
                    case 2: grid.read(from: (near, 1 - offset), to: (far, 1 - offset), into: line)
                    default: grid.read(from: (offset, near), to: (offset, far), into: line)
                    }
                    note(line, level: level, side: side)
                }
            }
        }
    }

    private mutating func note(_ line: UnsafeMutableBufferPointer<UInt8>, level: UInt8, side: Int) {
        var (count, turns) = (Int32(0), Int32(0))
        var last: Int32 = line[0] < level ? 1 : 0
        for value in line {
            let isDark: Int32 = value < level ? 1 : 0
            count &+= isDark
            turns &+= isDark ^ last
            last = isDark
        }
        let share = Float(count) / Float(line.count)
        dark[side] = max(dark[side], share)
        light[side] = max(light[side], 1 - share)
        if share > 0.3, share < 0.7 { changes[side] = max(changes[side], turns) }
    }

    /// How solid two adjacent sides are, 0...1, where the two others take turns; the better of both polarities.
    public var corner: Float {
        // Around a dark code on a light ground every line just outside is light, so light sides alone say nothing.
        max(corner(dark), dark.min() > 0.85 ? corner(light) : 0)
    }

    private func corner(_ sides: SIMD4<Float>) -> Float {
        var best: Float = 0
        for side in 0..<4 where min(changes[(side + 2) % 4], changes[(side + 3) % 4]) >= Self.fewestChanges {
            best = max(best, min(sides[side], sides[(side + 1) % 4]))
        }
        return best
    }
}

/// Places of a quad by shares of its sides, and the pixels there.
private struct QuadGrid {
    let picture: LumaView
    private let origin: SIMD2<Float>
    private let right: SIMD2<Float>
    private let down: SIMD2<Float>
    /// What the last corner is beside the parallelogram of the others.
    private let skew: SIMD2<Float>

    init(_ picture: LumaView, quad: Quad) {
        func vector(_ point: Point) -> SIMD2<Float> {
            // Far outside is outside, and must fit a whole number.
            SIMD2(Float(min(max(point.x, -1e6), 1e6)), Float(min(max(point.y, -1e6), 1e6)))
        }
        self.picture = picture
        origin = vector(quad.topLeft)
        right = vector(quad.topRight) - origin
        down = vector(quad.bottomLeft) - origin
        skew = vector(quad.bottomRight) - origin - right - down
    }

    private func place(_ u: Float, _ v: Float) -> SIMD2<Float> { origin + right * u + down * v + skew * (u * v) }

    /// What a tenth of the places is darker than, and what a tenth is lighter than.
    func range() -> (low: Int, high: Int) {
        // Counted by steps of four levels: sorting took longer than reading.
        var counts = SIMD64<UInt16>.zero
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.side) { line in
            for row in 0..<Self.side {
                let v = (Float(row) + 0.5) / Float(Self.side)
                read(from: (0.03, v), to: (0.97, v), into: line)
                for value in line { counts[Int(value >> 2)] &+= 1 }
            }
        }
        let tenth = UInt16(Self.side * Self.side / 10)
        func step(_ steps: some Sequence<Int>) -> Int {
            var sum: UInt16 = 0
            return steps.first { step in
                sum &+= counts[step]
                return sum > tenth
            } ?? 0
        }
        return (4 * step(0..<64) + 2, 4 * step((0..<64).reversed()) + 2)
    }

    private static var side: Int { 14 }

    /// Fills a line with the pixels at even steps between two places; outside the picture there is paper.
    @inline(__always)
    func read(from start: (Float, Float), to end: (Float, Float), into line: UnsafeMutableBufferPointer<UInt8>) {
        var at = place(start.0, start.1)
        let last = place(end.0, end.1)
        let step = (last - at) / Float(max(1, line.count - 1))
        let limit = SIMD2(Float(picture.width), Float(picture.height))
        let isInside = at.min() >= 0 && last.min() >= 0 && all(at .< limit - 1) && all(last .< limit - 1)
        for index in line.indices {
            if isInside || (at.min() >= 0 && all(at .< limit)) {
                line[index] = picture.bytes[Int(at.y) &* picture.stride &+ Int(at.x)]
            } else {
                line[index] = 255
            }
            at += step
        }
    }
}
