// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// Follows points from one picture to another by their surroundings (Lucas and Kanade, IJCAI 1981; from coarse to fine after
/// Bouguet, 2000; the template's slopes are used in all steps, after Baker and Matthews, IJCV 2004).
///
/// A window of 12x12 pixels: at a quarter of 1080p 11 to 15 did best. About 170 points there, most of them
/// on one size, cost 0.3 ms.
///
/// - Important: Owns its scratch; one thread at a time.
public final class PointTracker {
    /// Where a point went.
    public struct Found {
        public var place: SIMD2<Float>
        /// How much of the surroundings' contrast is not explained, 0 for none of it.
        public var unlikeness: Float
    }

    private static let side = 12
    /// The template with a border of one, in rows of 16.
    private let block: UnsafeMutablePointer<Float>
    /// Brightness and slopes of the template, 12x12 each.
    private let template: UnsafeMutablePointer<Float>
    private let slopeX: UnsafeMutablePointer<Float>
    private let slopeY: UnsafeMutablePointer<Float>

    public init() {
        func room(_ count: Int) -> UnsafeMutablePointer<Float> {
            let pointer = UnsafeMutablePointer<Float>.allocate(capacity: count)
            pointer.initialize(repeating: 0, count: count)
            return pointer
        }
        block = room(16 * 16)
        template = room(144)
        slopeX = room(144)
        slopeY = room(144)
    }

    deinit {
        for pointer in [block, template, slopeX, slopeY] { pointer.deallocate() }
    }

    /// Looks for the point of one picture in another one, from a guess on; `nil` where it is lost.
    ///
    /// - Parameters:
    ///   - point: in pixels of the whole size, where whole numbers are centres.
    ///   - levels: from which size on: 1 is the whole size alone, 3 also a half and a quarter.
    public func find(
        _ point: SIMD2<Float>, of base: PicturePyramid, in picture: PicturePyramid, from guess: SIMD2<Float>,
        levels: Int
    ) -> Found? {
        guard base.width == picture.width, base.height == picture.height else { return nil }
        var place = guess
        var found: Found?
        for level in (0..<min(levels, PicturePyramid.levelCount)).reversed() {
            let scale = Float(1 << level)
            let shift = 0.5 - 0.5 / scale
            let from = point / scale - shift
            let start = place / scale - shift
            guard prepare(base.levels[level], at: from),
                let answer = search(picture.levels[level], from: start, precision: level == 0 ? 0.015 : 0.06)
            else {
                // Near an edge only the finer levels have room for the window.
                if level == 0 { return nil }
                continue
            }
            place = (answer.place + shift) * scale
            found = Found(place: place, unlikeness: answer.unlikeness)
        }
        return found
    }

    private var (xx, xy, yy): (Float, Float, Float) = (0, 0, 0)
    private var (meanX, meanY): (Float, Float) = (0, 0)
    private var contrast: Float = 0

    private func hasRoom(_ level: PicturePyramid.Level, at point: SIMD2<Float>) -> Bool {
        let margin = PicturePyramid.margin
        return point.x >= margin && point.y >= margin && point.x < Float(level.width) - margin - 1
            && point.y < Float(level.height) - margin - 1
    }

    /// Takes the template and its slopes; `false` where it does not fix a point.
    private func prepare(_ level: PicturePyramid.Level, at point: SIMD2<Float>) -> Bool {
        guard hasRoom(level, at: point) else { return false }
        let (left, top) = (point.x - 6.5, point.y - 6.5)
        let (column, row) = (Int(left), Int(top))
        let (fx, fy) = (left - Float(column), top - Float(row))
        let width = level.width
        // 14 rows of 14 pixels and two more, each from two rows that were mixed sideways.
        for part in 0..<4 {
            var from = UnsafeRawPointer(level.pixels + row * width + column + 4 * part)
            var above = mixed(from, fx)
            var to = UnsafeMutableRawPointer(block + 4 * part)
            for _ in 0..<14 {
                from += 4 * width
                let below = mixed(from, fx)
                to.storeBytes(of: above + (below - above) * fy, as: SIMD4<Float>.self)
                to += 64
                above = below
            }
        }
        var (sumXX, sumXY, sumYY) = (SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero)
        var (sumX, sumY, sum, squares) = (SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero)
        for y in 0..<Self.side {
            for part in 0..<3 {
                let place = UnsafeRawPointer(block + (y + 1) * 16 + 1 + 4 * part)
                let gx = (vector(place + 4) - vector(place - 4)) * 0.5
                let gy = (vector(place + 64) - vector(place - 64)) * 0.5
                let value = vector(place)
                let offset = 4 * (y * Self.side + 4 * part)
                (UnsafeMutableRawPointer(template) + offset).storeBytes(of: value, as: SIMD4<Float>.self)
                (UnsafeMutableRawPointer(slopeX) + offset).storeBytes(of: gx, as: SIMD4<Float>.self)
                (UnsafeMutableRawPointer(slopeY) + offset).storeBytes(of: gy, as: SIMD4<Float>.self)
                sumXX += gx * gx
                sumXY += gx * gy
                sumYY += gy * gy
                sumX += gx
                sumY += gy
                sum += value
                squares += value * value
            }
        }
        let count = Float(Self.side * Self.side)
        // Slopes less their means: a picture that is brighter by a constant has not moved.
        (meanX, meanY) = (sumX.sum() / count, sumY.sum() / count)
        xx = sumXX.sum() - meanX * meanX * count
        xy = sumXY.sum() - meanX * meanY * count
        yy = sumYY.sum() - meanY * meanY * count
        contrast = squares.sum() - sum.sum() * sum.sum() / count
        let least = (xx + yy - ((xx - yy) * (xx - yy) + 4 * xy * xy).squareRoot()) / 2
        return least > Self.leastSlope * count
    }

    /// The mean square of the slope in the direction where it is least; below, noise decides where the point goes.
    static let leastSlope: Float = 0.6

    private func search(
        _ level: PicturePyramid.Level, from start: SIMD2<Float>, precision: Float
    ) -> Found? {
        let determinant = xx * yy - xy * xy
        guard determinant > 0 else { return nil }
        let count = Float(Self.side * Self.side)
        var place = start
        var unlikeness: Float = 1
        for step in 0..<10 {
            guard hasRoom(level, at: place) else { return nil }
            let (left, top) = (place.x - 5.5, place.y - 5.5)
            let (column, row) = (Int(left), Int(top))
            let (fx, fy) = (left - Float(column), top - Float(row))
            var (sumX, sumY, sum, squares) = (
                SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero
            )
            for part in 0..<3 {
                var from = UnsafeRawPointer(level.pixels + row * level.width + column + 4 * part)
                var above = mixed(from, fx)
                var offset = 16 * part
                for _ in 0..<Self.side {
                    from += 4 * level.width
                    let below = mixed(from, fx)
                    let difference = above + (below - above) * fy - vector(UnsafeRawPointer(template) + offset)
                    sumX += difference * vector(UnsafeRawPointer(slopeX) + offset)
                    sumY += difference * vector(UnsafeRawPointer(slopeY) + offset)
                    sum += difference
                    squares += difference * difference
                    offset += 4 * Self.side
                    above = below
                }
            }
            let total = sum.sum()
            let (bx, by) = (sumX.sum() - meanX * total, sumY.sum() - meanY * total)
            unlikeness = (squares.sum() - total * total / count) / max(1, contrast)
            let move = SIMD2((xy * by - yy * bx) / determinant, (xy * bx - xx * by) / determinant)
            // No template reaches further than its own half.
            guard move.x.magnitude < 6, move.y.magnitude < 6 else { return nil }
            place += move
            if move.x.magnitude < precision, move.y.magnitude < precision { break }
            if step == 9, move.x.magnitude > 0.25 || move.y.magnitude > 0.25 { return nil }
        }
        return hasRoom(level, at: place) ? Found(place: place, unlikeness: unlikeness) : nil
    }

    @inline(__always)
    private func vector(_ from: UnsafeRawPointer) -> SIMD4<Float> { from.loadUnaligned(as: SIMD4<Float>.self) }

    /// Four pixels, each mixed with its right neighbour.
    @inline(__always)
    private func mixed(_ from: UnsafeRawPointer, _ part: Float) -> SIMD4<Float> {
        let left = from.loadUnaligned(as: SIMD4<Float>.self)
        return left + (from.loadUnaligned(fromByteOffset: 4, as: SIMD4<Float>.self) - left) * part
    }
}
