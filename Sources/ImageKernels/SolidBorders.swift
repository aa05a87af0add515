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
    private static let offsets: [Double] = [-0.08, -0.05, -0.02, 0.01, 0.04, 0.07, 0.1, 0.13]

    /// `nil` for a quad that can not be, or where nothing is dark and light.
    public init?(_ picture: LumaView, quad: Quad) {
        guard let map = Homography(width: 1, height: 1, onto: quad), picture.width > 1, picture.height > 1 else {
            return nil
        }
        func value(_ u: Double, _ v: Double) -> Int {
            let place = map(Point(x: u, y: v))
            // Outside the picture there is paper.
            guard place.x >= 0, place.y >= 0, place.x < Double(picture.width), place.y < Double(picture.height) else {
                return 255
            }
            return Int(picture[Int(place.x), Int(place.y)])
        }
        var levels: [Int] = []
        for row in 0..<16 {
            for column in 0..<16 { levels.append(value((Double(column) + 0.5) / 16, (Double(row) + 0.5) / 16)) }
        }
        levels.sort()
        // A tenth of the places is darker, a tenth lighter.
        let (low, high) = (levels[25], levels[230])
        guard high - low >= LocalThreshold.minimumContrast else { return nil }
        let level = (low + high) / 2
        for side in 0..<4 {
            for offset in Self.offsets {
                var (count, turns) = (0, Int32(0))
                var wasDark: Bool?
                for place in 0..<Self.places {
                    let along = 0.06 + 0.88 * (Double(place) + 0.5) / Double(Self.places)
                    let isDark =
                        switch side {
                        case 0: value(along, offset) < level
                        case 1: value(1 - offset, along) < level
                        case 2: value(along, 1 - offset) < level
                        default: value(offset, along) < level
                        }
                    if isDark { count += 1 }
                    if let wasDark, wasDark != isDark { turns += 1 }
                    wasDark = isDark
                }
                let share = Float(count) / Float(Self.places)
                dark[side] = max(dark[side], share)
                light[side] = max(light[side], 1 - share)
                if share > 0.3, share < 0.7 { changes[side] = max(changes[side], turns) }
            }
        }
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
