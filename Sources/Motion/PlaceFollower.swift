// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ImageKernels
import ScanModel

/// What is known of a place that is followed.
struct PlaceState {
    /// Points of the place in the newest picture, in pixels.
    var points: [SIMD2<Float>] = []
    var patch: PlacePatch?
    /// The frame that the patch is of, how sharp it was, and the newest reading that was looked at.
    var patchSharpness: Float = 0
    var readIn: UInt64?
    /// When it was asked for last.
    var round: UInt64 = 0
    var wasAlike = true
}

/// Follows places by their own points, and says how alike they look.
struct PlaceFollower {
    /// Places with points and a patch of their own; more are carried along with the plane.
    static let maximumPlaces = 128
    private static let leastPoints = 3
    private static let pointsBeforeRefill = 6
    /// How far a place may be from the plane's prediction, in pixels of 1080p: 3, and 1 % of the frame's height.
    private static let clamp = 3 + 0.01 * 1080
    /// A newer reading's look replaces the one that is kept if its frame was at least as sharp as this part of the other's.
    private static let sharpnessMargin: Float = 0.85
    /// Under this likeness something else may be there, and gives the place no new points.
    private static let leastLikeness: Float = 0.6

    private let scale: PixelScale
    private var states: [PlaceKey: PlaceState] = [:]
    private var round: UInt64 = 0
    private var starts: [SIMD2<Float>] = []
    private var ends: [SIMD2<Float>] = []
    private var aways: [SIMD2<Float>] = []
    private var lengths: [Float] = []

    init(width: Int, height: Int) { scale = PixelScale(width: Double(width), height: Double(height)) }

    /// Begins a frame: looks of new readings are taken, and places that are not asked for any more are forgotten.
    mutating func begin(_ places: [FollowedPlace], ring: PictureRing) {
        round += 1
        for place in places {
            if states[place.key] == nil {
                guard states.count < Self.maximumPlaces else { continue }
                states[place.key] = PlaceState()
            }
            states[place.key]?.round = round
            takeLook(place, ring)
        }
        if states.count > 0 { states = states.filter { $0.value.round == round } }
    }

    /// All points are of a picture that is gone.
    mutating func forgetPoints() { for key in states.keys { states[key]?.points.removeAll(keepingCapacity: true) } }

    private mutating func takeLook(_ place: FollowedPlace, _ ring: PictureRing) {
        guard let state = states[place.key], state.readIn != place.readIn else { return }
        states[place.key]?.readIn = place.readIn
        guard let entry = ring.entry(of: place.readIn) else { return }
        if state.patch != nil, entry.sharpness < Self.sharpnessMargin * state.patchSharpness { return }
        guard let patch = entry.picture.withView({ PlacePatch(of: $0, at: scale.quad(place.readAt)) }) else { return }
        states[place.key]?.patch = patch
        states[place.key]?.patchSharpness = entry.sharpness
    }

    /// The places of a standing camera.
    mutating func stay(_ places: [FollowedPlace], _ pixels: LumaView) -> [PlaceMotion] {
        places.map { result($0, $0.bounds, isFollowed: false, pixels) }
    }

    /// The places after a motion.
    mutating func follow(
        _ places: [FollowedPlace], plane: PlaneMotion, from base: PicturePyramid, to picture: PicturePyramid,
        _ pixels: LumaView, tracker: PointTracker
    ) -> [PlaceMotion] {
        places.map { place in
            let predicted = place.bounds.mapped { plane($0) }
            guard place.bounds.isFinite, var state = states[place.key] else {
                return result(place, predicted, isFollowed: false, pixels)
            }
            states[place.key] = nil
            refill(&state, at: scale.quad(place.bounds), in: base)
            track(&state, plane: plane, from: base, to: picture, tracker)
            let moved = residual().map { correction in predicted.mapped(correction) }
            states[place.key] = state
            return result(place, moved ?? predicted, isFollowed: moved != nil, pixels)
        }
    }

    private mutating func result(
        _ place: FollowedPlace, _ bounds: Quad, isFollowed: Bool, _ pixels: LumaView
    ) -> PlaceMotion {
        var likeness: Double?
        if let patch = states[place.key]?.patch {
            likeness = patch.likeness(to: pixels, at: scale.quad(bounds)).map(Double.init)
            states[place.key]?.wasAlike = (likeness ?? 1) >= Double(Self.leastLikeness)
        }
        return PlaceMotion(key: place.key, bounds: bounds, likeness: likeness, isFollowed: isFollowed)
    }

    // MARK: - Points

    /// Points that left the place are dropped, and where too few are left, each of eight parts of it gets one.
    private func refill(_ state: inout PlaceState, at quad: Quad, in base: PicturePyramid) {
        // Points right around the place belong to the same label more often than not: 3 pixels are 12 of 1080p.
        let around = quad.boundingRect
        let reach = 3.0
        state.points.removeAll { point in
            Double(point.x) < around.minX - reach || Double(point.x) > around.maxX + reach
                || Double(point.y) < around.minY - reach || Double(point.y) > around.maxY + reach
        }
        guard state.points.count < Self.pointsBeforeRefill, state.wasAlike else { return }
        let (width, height) = (scale.width, scale.height)
        let left = max(0, min(width, around.minX - reach))
        let right = max(0, min(width, around.maxX + reach))
        let top = max(0, min(height, around.minY - reach))
        let bottom = max(0, min(height, around.maxY + reach))
        guard right - left > 4, bottom - top > 4 else { return }
        let isWide = right - left >= bottom - top
        let (columns, rows) = isWide ? (4, 2) : (2, 4)
        for part in 0..<8 {
            let x = left + (right - left) * Double(part % columns) / Double(columns)
            let y = top + (bottom - top) * Double(part / columns) / Double(rows)
            let corner = state.points.withUnsafeBufferPointer { points in
                base.bestCorner(
                    left: Int(x), top: Int(y), right: Int(x + (right - left) / Double(columns)),
                    bottom: Int(y + (bottom - top) / Double(rows)), step: 2, awayFrom: points, distance: 6
                ) { place in
                    quad.contains(Point(x: Double(place.x), y: Double(place.y)), within: reach)
                }
            }
            if let corner { state.points.append(corner.place) }
        }
    }

    /// Fills `starts`, `ends` and `aways`, how far from the plane's prediction each point was found.
    private mutating func track(
        _ state: inout PlaceState, plane: PlaneMotion, from base: PicturePyramid, to picture: PicturePyramid,
        _ tracker: PointTracker
    ) {
        starts.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        aways.removeAll(keepingCapacity: true)
        for point in state.points {
            let predicted = scale.map(plane, point)
            guard let found = tracker.find(point, of: base, in: picture, from: predicted, levels: 1),
                found.unlikeness < PlaneFinder.unlikenessLimit
            else { continue }
            let away = found.place - predicted
            let limit = Float(Self.clamp * scale.height / 1080)
            guard (away * away).sum() < limit * limit else { continue }
            starts.append(predicted)
            ends.append(found.place)
            aways.append(away)
        }
        state.points.removeAll(keepingCapacity: true)
        state.points.append(contentsOf: ends)
    }

    /// What leads from the prediction to the place, in 0...1; `nil` where the points do not say.
    private mutating func residual() -> ((Point) -> Point)? {
        guard aways.count >= Self.leastPoints else { return nil }
        let middle = SIMD2(median { $0.x }, median { $0.y })
        lengths.removeAll(keepingCapacity: true)
        for away in aways {
            let rest = away - middle
            lengths.append((rest * rest).sum().squareRoot())
        }
        lengths.sort()
        // Points that do not agree with each other say nothing.
        guard lengths[lengths.count / 2] < 0.5 else { return nil }
        let (x, y) = (Double(middle.x) / scale.width, Double(middle.y) / scale.height)
        return { Point(x: $0.x + x, y: $0.y + y) }
    }

    private mutating func median(_ part: (SIMD2<Float>) -> Float) -> Float {
        lengths.removeAll(keepingCapacity: true)
        for away in aways { lengths.append(part(away)) }
        lengths.sort()
        let half = lengths.count / 2
        return lengths.count % 2 == 1 ? lengths[half] : (lengths[half - 1] + lengths[half]) / 2
    }
}

extension Quad {
    /// Whether a point lies in the quad or at most so far outside.
    fileprivate func contains(_ point: Point, within reach: Double) -> Bool {
        if contains(point) { return true }
        // Towards the middle by as much as it may be outside.
        let (dx, dy) = (center.x - point.x, center.y - point.y)
        let length = (dx * dx + dy * dy).squareRoot()
        guard length > reach else { return true }
        return contains(Point(x: point.x + dx / length * reach, y: point.y + dy / length * reach))
    }
}
