// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ImageKernels
import ScanModel

/// A point of a place.
struct PlacePoint {
    /// Where it was found in the newest picture.
    var place: SIMD2<Float>
    /// Where the planes alone would have carried it since it was taken up.
    var carried: SIMD2<Float>
}

/// What is known of a place that is followed.
struct PlaceState {
    /// Points of the place in the newest picture, in pixels.
    var points: [PlacePoint] = []
    /// What leads from where the planes alone carried the place to where its points are.
    var correction = PlaceCorrection.none
    /// The frames since there was none.
    var age = 0
    var patch: PlacePatch?
    /// The frame that the patch is of, how sharp it was, and the newest reading that was looked at.
    var patchSharpness: Float = 0
    var readIn: UInt64?
    /// When it was asked for last.
    var round: UInt64 = 0
    var wasAlike = true
    /// The newest likeness, and where the place was then; none after a new look was taken.
    var known: Double?
    var comparedAt: Quad?

    mutating func forgetCorrection() {
        correction = .none
        age = 0
    }
}

/// Follows places by their own points, and says how alike they look.
struct PlaceFollower {
    /// Places with points and a patch of their own; more are carried along with the plane.
    static let maximumPlaces = 128
    private static let pointsBeforeRefill = 9
    /// How far a place may be from the plane's prediction, in pixels of 1080p: 3, and 1 % of the frame's height.
    private static let clamp = 3 + 0.01 * 1080
    /// A newer reading's look replaces the one that is kept if its frame was at least as sharp as this part of the other's.
    private static let sharpnessMargin: Float = 0.85
    /// Under this likeness something else may be there, and gives the place no new points.
    private static let leastLikeness: Float = 0.6

    private let scale: PixelScale
    private var states: [PlaceKey: PlaceState] = [:]
    private var round: UInt64 = 0
    private var found: [PlacePoint] = []
    private var taken: [SIMD2<Float>] = []

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
    mutating func forgetPoints() {
        for key in states.keys {
            states[key]?.points.removeAll(keepingCapacity: true)
            states[key]?.forgetCorrection()
        }
    }

    private mutating func takeLook(_ place: FollowedPlace, _ ring: PictureRing) {
        guard let state = states[place.key], state.readIn != place.readIn else { return }
        guard let entry = ring.entry(of: place.readIn) else { return }
        states[place.key]?.readIn = place.readIn
        if state.patch != nil, entry.sharpness < Self.sharpnessMargin * state.patchSharpness { return }
        guard let patch = entry.picture.withView({ PlacePatch(of: $0, at: scale.quad(place.readAt)) }) else { return }
        states[place.key]?.patch = patch
        states[place.key]?.known = nil
        states[place.key]?.patchSharpness = entry.sharpness
    }

    /// The places of a camera that stands, or of which nothing is known.
    ///
    /// - Parameter changes: a place in which nothing changed since the frame before looks as it did then; every fourth frame it is
    ///   looked at all the same, as changes may be too slow to be seen.
    mutating func stay(_ places: [FollowedPlace], _ pixels: LumaView, changes: ChangeMap = ChangeMap()) -> [PlaceMotion]
    {
        places.map { place in
            if let state = states[place.key], let known = state.known, state.comparedAt == place.bounds,
                (round + place.key.number) % 4 != 0, !changes.isEmpty, !changes.hasAny(in: place.bounds.boundingRect)
            {
                return PlaceMotion(key: place.key, bounds: place.bounds, likeness: known, isFollowed: false)
            }
            return result(place, place.bounds, isFollowed: false, pixels)
        }
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
            let moved = track(&state, place.bounds, plane: plane, from: base, to: picture, tracker)
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
            states[place.key]?.known = likeness
            states[place.key]?.comparedAt = bounds
            states[place.key]?.wasAlike = (likeness ?? 1) >= Double(Self.leastLikeness)
        }
        return PlaceMotion(key: place.key, bounds: bounds, likeness: likeness, isFollowed: isFollowed)
    }

    // MARK: - Points

    /// Points that left the place are dropped, and where too few are left, each of twelve parts of it gets one.
    private mutating func refill(_ state: inout PlaceState, at quad: Quad, in base: PicturePyramid) {
        // Points right around the place belong to the same label more often than not: 3 pixels are 12 of 1080p.
        let around = quad.boundingRect
        let reach = 3.0
        state.points.removeAll { point in
            Double(point.place.x) < around.minX - reach || Double(point.place.x) > around.maxX + reach
                || Double(point.place.y) < around.minY - reach || Double(point.place.y) > around.maxY + reach
        }
        if state.points.isEmpty { state.forgetCorrection() }
        guard state.points.count < Self.pointsBeforeRefill, state.wasAlike else { return }
        let (width, height) = (scale.width, scale.height)
        let left = max(0, min(width, around.minX - reach))
        let right = max(0, min(width, around.maxX + reach))
        let top = max(0, min(height, around.minY - reach))
        let bottom = max(0, min(height, around.maxY + reach))
        guard right - left > 4, bottom - top > 4 else { return }
        guard let back = state.correction.inverse else { return }
        taken.removeAll(keepingCapacity: true)
        for point in state.points { taken.append(point.place) }
        let isWide = right - left >= bottom - top
        let (columns, rows) = isWide ? (4, 3) : (3, 4)
        for part in 0..<12 {
            let x = left + (right - left) * Double(part % columns) / Double(columns)
            let y = top + (bottom - top) * Double(part / columns) / Double(rows)
            let corner = taken.withUnsafeBufferPointer { points in
                base.bestCorner(
                    left: Int(x), top: Int(y), right: Int(x + (right - left) / Double(columns)),
                    bottom: Int(y + (bottom - top) / Double(rows)), step: 2, awayFrom: points, distance: 6
                ) { place in
                    quad.contains(Point(x: Double(place.x), y: Double(place.y)), within: reach)
                }
            }
            guard let corner else { continue }
            taken.append(corner.place)
            state.points.append(PlacePoint(place: corner.place, carried: back(corner.place)))
        }
    }

    /// Where the place is now, by its points; `nil` where they do not say.
    private mutating func track(
        _ state: inout PlaceState, _ bounds: Quad, plane: PlaneMotion, from base: PicturePyramid,
        to picture: PicturePyramid, _ tracker: PointTracker
    ) -> Quad? {
        let limit = Float(Self.clamp * scale.height / 1080)
        found.removeAll(keepingCapacity: true)
        for point in state.points {
            let predicted = scale.map(plane, point.place)
            guard let answer = tracker.find(point.place, of: base, in: picture, from: predicted, levels: 1),
                answer.unlikeness < PlaneFinder.unlikenessLimit
            else { continue }
            let away = answer.place - predicted
            guard (away * away).sum() < limit * limit else { continue }
            found.append(PlacePoint(place: answer.place, carried: scale.map(plane, point.carried)))
        }
        let before = state.correction
        state.points.removeAll(keepingCapacity: true)
        guard let after = PlaceCorrection(found, age: state.age + 1), let back = before.inverse else {
            // What the planes carry from here on is where the place is now.
            state.forgetCorrection()
            return nil
        }
        for point in found where after.explains(point) { state.points.append(point) }
        state.correction = after
        state.age += 1
        // Back to where the planes alone had it, along this plane, and from there to its points: the corrections of all frames
        // add up to the newest one, and errors of single frames do not add up at all.
        let predicted = scale.quad(bounds.mapped { plane($0) })
        let moved = scale.quad(bounds).mapped { corner in
            let carried = scale.map(plane, back(SIMD2(Float(corner.x), Float(corner.y))))
            let place = after(carried)
            return Point(x: Double(place.x), y: Double(place.y))
        }
        let isNear = zip(moved.corners, predicted.corners).allSatisfy { $0.distance(to: $1) < Double(limit) }
        guard isNear else {
            state.points.removeAll(keepingCapacity: true)
            state.forgetCorrection()
            return nil
        }
        return moved.mapped { Point(x: ($0.x + 0.5) / scale.width, y: ($0.y + 0.5) / scale.height) }
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

extension ChangeMap {
    fileprivate func hasAny(in rect: Rect) -> Bool {
        guard let part = rect.intersection(Rect(x: 0, y: 0, width: 1, height: 1)) else { return false }
        let (left, right) = (Int(part.minX * Double(columns)), min(columns - 1, Int(part.maxX * Double(columns))))
        let (top, bottom) = (Int(part.minY * Double(rows)), min(rows - 1, Int(part.maxY * Double(rows))))
        for row in top...max(top, bottom) {
            for column in left...max(left, right) where cells[min(cells.count - 1, row * columns + column)] > 0 {
                return true
            }
        }
        return false
    }
}
