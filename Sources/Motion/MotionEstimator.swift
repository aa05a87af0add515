// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ImageKernels
public import ScanModel

/// Says how the picture and each followed place moved from frame to frame.
///
/// A standing camera is told by comparison with a reference picture, so that a slow pan is not missed; else corners are followed
/// and a plane is fitted to them, and each place is followed by points of its own around the plane's prediction. The same
/// pictures give the same answers.
///
/// - Important: Confined to one thread. A copy shares its buffers with the original: use one of them.
public struct MotionEstimator {
    private var pictures: Pictures?

    public init() {}

    /// The size that a frame's picture is made smaller to: a quarter of 1080p, and as many pixels of others.
    public static func pictureSize(width: Int, height: Int) -> (width: Int, height: Int) {
        let factor = max(1, (Double(width) / 480).rounded())
        return (max(1, Int(Double(width) / factor)), max(1, Int(Double(height) / factor)))
    }

    /// Takes the next frame's small picture, of `pictureSize`, and says what moved since the last one.
    ///
    /// A picture of another size than the one before begins anew. The first picture and one too small to compare are `unknown`.
    ///
    /// - Parameters:
    ///   - sequence: the frame's number, as in `FollowedPlace.readIn`.
    ///   - places: what to follow, where it was in the frame before.
    public mutating func follow(_ picture: LumaView, sequence: UInt64, places: [FollowedPlace]) -> FrameMotion {
        if pictures?.width != picture.width || pictures?.height != picture.height {
            pictures = Pictures(width: picture.width, height: picture.height)
        }
        guard let pictures else {
            return FrameMotion(
                certainty: .unknown,
                places: places.map {
                    PlaceMotion(key: $0.key, bounds: $0.bounds, likeness: nil, isFollowed: false)
                }, light: PictureLight(LightMeasure(of: picture)))
        }
        return pictures.follow(picture, sequence: sequence, places: places)
    }

    /// Forgets all pictures: what comes next has nothing to do with what was.
    public mutating func forget() { pictures = nil }
}

/// What is kept from picture to picture, for pictures of one size.
private final class Pictures {
    let width: Int
    let height: Int
    private let grid: CellGrid
    private let tracker = PointTracker()
    private var ring: PictureRing
    /// The picture that the places are in: the one before, or the reference of a camera that stands.
    private var base: LumaBuffer
    private var hasBase = false
    private var basePyramid: PicturePyramid
    private var isBasePyramidFilled = false
    private var pyramid: PicturePyramid
    private var plane: PlaneFinder
    private var places: PlaceFollower
    private var stillTest = StillTest()
    private var cells: [CellDifference]
    private var scratch: [Float] = []

    /// `nil` where the pictures are too small to compare.
    init?(width: Int, height: Int) {
        guard let grid = CellGrid(width: width, height: height) else { return nil }
        self.width = width
        self.height = height
        self.grid = grid
        ring = PictureRing(width: width, height: height)
        base = LumaBuffer(width: width, height: height)
        basePyramid = PicturePyramid(width: width, height: height)
        pyramid = PicturePyramid(width: width, height: height)
        plane = PlaneFinder(width: width, height: height)
        places = PlaceFollower(width: width, height: height)
        cells = [CellDifference](repeating: CellDifference(), count: grid.count)
    }

    func follow(_ picture: LumaView, sequence: UInt64, places followed: [FollowedPlace]) -> FrameMotion {
        let light = LightMeasure(of: picture)
        places.begin(followed, ring: ring)
        defer { ring.append(picture, sequence: sequence, sharpness: light.sharpness) }
        var motion = FrameMotion(certainty: .unknown, light: PictureLight(light))
        guard hasBase else {
            motion.places = places.stay(followed, picture)
            take(picture)
            return motion
        }
        base.withView { compare(picture, with: $0) }
        Changes.takeLightAway(from: &cells, &scratch)
        let noise = StillTest.noise(of: cells, &scratch)
        if stillTest.isStill(cells, columns: grid.columns, rows: grid.rows, noise: noise) {
            motion.certainty = .still
            motion.changes = changes(picture, plane: .identity)
            motion.places = places.stay(followed, picture, changes: motion.changes)
            return motion
        }
        if !isBasePyramidFilled { base.withView { basePyramid.fill(from: $0) } }
        pyramid.fill(from: picture)
        (motion.plane, motion.certainty) = base.withView {
            plane.find(from: basePyramid, $0, to: pyramid, picture, tracker: tracker)
        }
        if motion.certainty == .unknown {
            places.forgetPoints()
            motion.places = places.stay(followed, picture)
        } else {
            motion.places = places.follow(
                followed, plane: motion.plane, from: basePyramid, to: pyramid, picture, tracker: tracker)
            motion.changes = changes(picture, plane: motion.plane)
            motion.speed = speed(of: motion.plane)
        }
        take(picture)
        swap(&basePyramid, &pyramid)
        isBasePyramidFilled = true
        return motion
    }

    private func take(_ picture: LumaView) {
        base.take(picture)
        hasBase = true
        isBasePyramidFilled = false
    }

    private func compare(_ picture: LumaView, with older: LumaView, source: CellGrid.Source? = nil) {
        cells.withUnsafeMutableBufferPointer { grid.compare(picture, with: older, source: source, into: $0) }
    }

    private func changes(_ picture: LumaView, plane motion: PlaneMotion) -> ChangeMap {
        let source = motion == .identity ? nil : plane.scale.source(motion)
        ring.withNewest { compare(picture, with: $0, source: source) }
        Changes.takeLightAway(from: &cells, &scratch)
        return Changes.map(of: cells, grid: grid, &scratch)
    }

    private func speed(of plane: PlaneMotion) -> Double {
        let aspect = Double(width) / Double(height)
        let points = Quad(Rect(x: 0, y: 0, width: 1, height: 1)).corners + [Point(x: 0.5, y: 0.5)]
        return points.map { point in
            let to = plane(point)
            let (dx, dy) = ((to.x - point.x) * aspect, to.y - point.y)
            return (dx * dx + dy * dy).squareRoot()
        }.max() ?? 0
    }
}

extension PictureLight {
    fileprivate init(_ measure: LightMeasure) {
        self.init(
            brightness: Double(measure.mean) / 255, glare: Double(measure.clipped), sharpness: Double(measure.sharpness)
        )
    }
}
