// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// How the picture moved since the frame before, what became of the places that are followed, and what changed besides.
public struct FrameMotion: Sendable, Hashable {
    /// How much the motion is to be trusted.
    public enum Certainty: Sendable, Hashable {
        /// Nothing moved: the camera stands.
        case still
        /// Many points agree on `plane`.
        case followed
        /// Only a common shift is known.
        case guessed
        /// Nothing is known: the picture is too dark, too blurred or another one altogether. `plane` is the identity.
        case unknown
    }

    /// From the frame before to this one.
    public var plane: PlaneMotion
    public var certainty: Certainty
    /// The longest way of a corner or the middle of the picture since the frame before, in frame heights.
    public var speed: Double
    /// What became of the places that were asked for, in their order.
    public var places: [PlaceMotion]
    /// Where the picture changed other than by moving.
    public var changes: ChangeMap
    public var light: PictureLight

    public init(
        plane: PlaneMotion = .identity, certainty: Certainty, speed: Double = 0, places: [PlaceMotion] = [],
        changes: ChangeMap = ChangeMap(), light: PictureLight = PictureLight()
    ) {
        self.plane = plane
        self.certainty = certainty
        self.speed = speed
        self.places = places
        self.changes = changes
        self.light = light
    }
}

/// What a place is known by while it is followed; unique within a run.
public struct PlaceKey: Sendable, Hashable, Comparable {
    public var number: UInt64
    public init(_ number: UInt64) { self.number = number }
    public static func < (a: PlaceKey, b: PlaceKey) -> Bool { a.number < b.number }
}

/// A place that is to be followed from the frame before to this one.
public struct FollowedPlace: Sendable, Hashable {
    public var key: PlaceKey
    /// Where it was in the frame before, in 0...1; it may reach out of the frame.
    public var bounds: Quad
    /// The newest frame in which the item was read there, and where; what it looks like is taken from that frame.
    public var readIn: UInt64
    public var readAt: Quad

    public init(key: PlaceKey, bounds: Quad, readIn: UInt64, readAt: Quad) {
        self.key = key
        self.bounds = bounds
        self.readIn = readIn
        self.readAt = readAt
    }
}

/// What became of a place.
public struct PlaceMotion: Sendable, Hashable {
    public var key: PlaceKey
    /// Where it is in this frame, in 0...1; it may reach out of the frame.
    public var bounds: Quad
    /// How alike the place looks to what it looked like when the item was read, as a normalised correlation of -1...1; `nil`
    /// where that can not be said: out of the frame, or the frame of the reading is no longer known.
    ///
    /// The same place gives 0.94 and more, one beside it 0.05 and less; over 0.6 the item is there, under 0.4 it is covered or
    /// gone. It says nothing of which label is there: another one may give 0.8.
    public var likeness: Double?
    /// Whether the place's own points were followed, so that `bounds` is surer than the common motion.
    public var isFollowed: Bool

    public init(key: PlaceKey, bounds: Quad, likeness: Double?, isFollowed: Bool) {
        self.key = key
        self.bounds = bounds
        self.likeness = likeness
        self.isFollowed = isFollowed
    }
}

/// Which cells of a grid over the frame changed since the frame before, other than by the common motion.
public struct ChangeMap: Sendable, Hashable {
    public private(set) var columns: Int
    public private(set) var rows: Int
    /// Row by row: 0 for no more than noise, 255 for black to white.
    public private(set) var cells: [UInt8]

    /// A map that knows of nothing.
    public init() {
        columns = 0
        rows = 0
        cells = []
    }

    /// Takes `columns * rows` cells, row by row.
    public init(columns: Int, rows: Int, cells: [UInt8]) {
        precondition(columns >= 0 && rows >= 0 && cells.count == columns * rows, "one number a cell")
        self.columns = columns
        self.rows = rows
        self.cells = cells
    }

    public var isEmpty: Bool { cells.isEmpty }

    /// The part of the frame that a cell covers, in 0...1.
    public func rect(column: Int, row: Int) -> Rect {
        Rect(
            x: Double(column) / Double(columns), y: Double(row) / Double(rows), width: 1 / Double(columns),
            height: 1 / Double(rows))
    }

    /// How much the cell changed that a point in 0...1 of the frame lies in; 0 outside.
    public func change(at point: Point) -> UInt8 {
        guard point.x >= 0, point.x < 1, point.y >= 0, point.y < 1, !isEmpty else { return 0 }
        let column = Swift.min(columns - 1, Int(point.x * Double(columns)))
        let row = Swift.min(rows - 1, Int(point.y * Double(rows)))
        return cells[row * columns + column]
    }
}

/// What the light of a picture is like; of the whole small picture.
public struct PictureLight: Sendable, Hashable {
    /// The mean luma, 0...1.
    public var brightness: Double
    /// The share of pixels that are white beyond the sensor's range, 0...1.
    public var glare: Double
    /// How sharp its sharpest parts are, 0...1: the 95th percentile of the edges' steps over their width.
    public var sharpness: Double

    public init(brightness: Double = 0.5, glare: Double = 0, sharpness: Double = 1) {
        self.brightness = brightness
        self.glare = glare
        self.sharpness = sharpness
    }
}
