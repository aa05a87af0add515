// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ImageKernels
import ScanModel

/// Finds how the whole picture moved, by about 60 corners that are kept from frame to frame.
struct PlaneFinder {
    /// The grid whose cells each have a point; nearly square ones on a picture of 16:9.
    private static let columns = 10
    private static let rows = 6
    /// Cells that are searched for a new point in a frame, so that no frame costs much more than another.
    private static let refills = 12
    /// A point that comes back this far from where it started is lost (Kalal, Mikolajczyk and Matas, ICPR 2010).
    private static let backLimit: Float = 1
    /// Of a point's contrast, as a square, that may stay unexplained.
    static let unlikenessLimit: Float = 0.5
    /// Distances within which points agree, in pixels of the small picture.
    private static let loose = 2.0
    private static let strict = 0.6
    private static let leastAgreeing = 6
    /// A common shift explains the picture where the pictures' correlation is this.
    private static let guessLikeness: Float = 0.75

    let scale: PixelScale
    private(set) var points: [SIMD2<Float>] = []
    private var starts: [SIMD2<Float>] = []
    private var ends: [SIMD2<Float>] = []
    private var pairs: [PointPair] = []
    private var agrees: [Bool] = []
    private var nextCell = 0
    private var lastShift = SIMD2<Float>.zero
    private let profiles: (PictureProfiles, PictureProfiles)

    init(width: Int, height: Int) {
        scale = PixelScale(width: Double(width), height: Double(height))
        profiles = (PictureProfiles(width: width, height: height), PictureProfiles(width: width, height: height))
    }

    /// The motion from one picture to the next, of which both the pyramid and the pixels are given.
    mutating func find(
        from base: PicturePyramid, _ basePixels: LumaView, to picture: PicturePyramid, _ pixels: LumaView,
        tracker: PointTracker
    ) -> (plane: PlaneMotion, certainty: FrameMotion.Certainty) {
        refill(in: base)
        let guess = guess(from: base, basePixels, to: picture, pixels)
        track(from: base, to: picture, by: guess.shift, tracker)
        if let plane = fit() {
            let middle = SIMD2(Float(scale.width / 2), Float(scale.height / 2))
            lastShift = scale.map(plane, middle) - middle
            return (plane, .followed)
        }
        points.removeAll(keepingCapacity: true)
        guard guess.likeness >= Self.guessLikeness else {
            lastShift = .zero
            return (.identity, .unknown)
        }
        lastShift = guess.shift
        return (
            .shift(x: Double(guess.shift.x) / scale.width, y: Double(guess.shift.y) / scale.height), .guessed
        )
    }

    mutating func forget() {
        points.removeAll(keepingCapacity: true)
        lastShift = .zero
    }

    /// The profiles' shift, the last one or none, whichever makes the pictures most alike.
    private func guess(
        from base: PicturePyramid, _ basePixels: LumaView, to picture: PicturePyramid, _ pixels: LumaView
    ) -> (shift: SIMD2<Float>, likeness: Float) {
        profiles.0.fill(from: basePixels)
        profiles.1.fill(from: pixels)
        var best = (shift: SIMD2<Float>.zero, likeness: picture.likeness(to: base, movedBy: .zero))
        for shift in [profiles.1.shift(since: profiles.0), lastShift] {
            let likeness = picture.likeness(to: base, movedBy: shift)
            if likeness > best.likeness { best = (shift, likeness) }
        }
        return best
    }

    private mutating func track(
        from base: PicturePyramid, to picture: PicturePyramid, by shift: SIMD2<Float>, _ tracker: PointTracker
    ) {
        starts.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        pairs.removeAll(keepingCapacity: true)
        for point in points {
            guard
                let found = tracker.find(
                    point, of: base, in: picture, from: point + shift, levels: 3),
                found.unlikeness < Self.unlikenessLimit,
                let back = tracker.find(
                    found.place, of: picture, in: base, from: found.place - shift, levels: 2)
            else { continue }
            let away = back.place - point
            guard (away * away).sum() < Self.backLimit * Self.backLimit else { continue }
            starts.append(point)
            ends.append(found.place)
            pairs.append(PointPair(from: scale.centred(point), to: scale.centred(found.place)))
        }
    }

    /// The plane of the pairs; points that do not agree are dropped.
    private mutating func fit() -> PlaneMotion? {
        let unit = scale.width / 2
        agrees = [Bool](repeating: false, count: pairs.count)
        let fit = pairs.withUnsafeBufferPointer { pairs in
            agrees.withUnsafeMutableBufferPointer { agrees in
                PlaneFit(pairs, loose: Self.loose / unit, strict: Self.strict / unit, agrees: agrees)
            }
        }
        guard let fit, fit.agreeing >= Self.leastAgreeing, fit.agreeing * 4 >= pairs.count else { return nil }
        let plane = scale.plane(fit)
        guard plane.isFinite else { return nil }
        points.removeAll(keepingCapacity: true)
        for index in ends.indices where agrees[index] { points.append(ends[index]) }
        return plane
    }

    /// Gives cells without a point a new one.
    private mutating func refill(in base: PicturePyramid) {
        let cells = Self.columns * Self.rows
        var isTaken = [Bool](repeating: false, count: cells)
        func cell(_ point: SIMD2<Float>) -> Int {
            let column = Int(point.x) * Self.columns / base.width
            let row = Int(point.y) * Self.rows / base.height
            return max(0, min(cells - 1, row * Self.columns + column))
        }
        // Two points of a cell are one too many.
        points.removeAll { point in
            let index = cell(point)
            defer { isTaken[index] = true }
            return isTaken[index]
        }
        var left = points.count < cells / 3 ? cells : Self.refills
        for _ in 0..<cells where left > 0 {
            let index = nextCell
            nextCell = (nextCell + 1) % cells
            if isTaken[index] { continue }
            left -= 1
            let (column, row) = (index % Self.columns, index / Self.columns)
            let corner = points.withUnsafeBufferPointer { points in
                base.bestCorner(
                    left: column * base.width / Self.columns, top: row * base.height / Self.rows,
                    right: (column + 1) * base.width / Self.columns, bottom: (row + 1) * base.height / Self.rows,
                    step: 3, awayFrom: points, distance: 12)
            }
            if let corner { points.append(corner.place) }
        }
    }
}
