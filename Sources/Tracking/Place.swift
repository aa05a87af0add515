// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanModel

/// Where an item is: what was seen last, what is told, and which way it moves.
struct Place {
    /// The corners as last seen: what the next sighting is compared with.
    private(set) var seen: Quad
    /// The corners without jitter, carried along with the picture.
    private(set) var smoothed: Quad
    /// What is told: `smoothed`, as of the last reading where items are not followed between readings.
    private(set) var told: Quad
    /// Its speed in frame widths and heights a second.
    private(set) var velocity = Point(x: 0, y: 0)
    private var turnedSightings = 0
    private let leastThickness: Double

    /// A shift of less than this share of the item's size is smoothed as jitter...
    private static let still = 0.1
    /// ... and one of more than this share is followed at once.
    private static let moving = 0.3
    /// How far a jittering sighting pulls the bounds.
    private static let jitterGain = 0.25
    /// How far a sighting of a part pulls them: in blur few scan lines of a barcode agree.
    private static let partGain = 0.02
    /// An item is in motion when it goes on as it went, by more than this share of its size from look to look...
    private static let drift = 0.04
    /// ... and is then followed closely: smoothing is lag.
    private static let motionGain = 0.9
    /// A sighting is of a part when it is smaller than this share of the known area.
    private static let partArea = 0.6
    /// An item is turned by 180 degrees when so many sightings in a row say so.
    private static let turningSightings = 3

    init(_ bounds: Quad, leastThickness: Double) {
        self.leastThickness = leastThickness
        seen = bounds
        smoothed = bounds
        told = bounds
    }

    /// Follows a new sighting; `seconds` since the last one.
    mutating func follow(_ sighting: Quad, seconds: Double, aspectRatio: Double) {
        let oriented = unturned(sighting)
        let old = Shape(smoothed, aspectRatio: aspectRatio, leastThickness: leastThickness)
        let new = Shape(oriented, aspectRatio: aspectRatio, leastThickness: leastThickness)
        let step = Point(x: oriented.center.x - seen.center.x, y: oriented.center.y - seen.center.y)
        var isMoving = false
        if seconds > 0, seconds < 1 {
            let expected = Point(x: velocity.x * seconds * aspectRatio, y: velocity.y * seconds)
            isMoving =
                expected.distance(to: Point(x: 0, y: 0)) > Place.drift * old.size
                && expected.x * step.x * aspectRatio + expected.y * step.y > 0
            velocity = Point(
                x: velocity.x * 0.5 + step.x / seconds * 0.5, y: velocity.y * 0.5 + step.y / seconds * 0.5)
        } else {
            velocity = Point(x: 0, y: 0)
        }
        seen = oriented
        let share = old.largestCornerDistance(to: new) / old.size
        var gain = Place.jitterGain
        if share > Place.still {
            let ramp = Swift.min(1, (share - Place.still) / (Place.moving - Place.still))
            gain += (1 - gain) * ramp
        }
        if new.area < old.area * Place.partArea, old.quad.contains(new.quad.center) {
            gain = Place.partGain
            if isMoving { smoothed = smoothed.mapped { Point(x: $0.x + step.x, y: $0.y + step.y) } }
        } else if isMoving {
            gain = Place.motionGain
        }
        smoothed = smoothed.blended(with: oriented, share: gain)
        told = smoothed
    }

    /// Goes where the picture's motion leads: `target` is where `smoothed` is now.
    mutating func carry(to target: Quad, isTold: Bool) {
        seen = Quad(
            topLeft: Place.moved(seen.topLeft, smoothed.topLeft, target.topLeft),
            topRight: Place.moved(seen.topRight, smoothed.topRight, target.topRight),
            bottomRight: Place.moved(seen.bottomRight, smoothed.bottomRight, target.bottomRight),
            bottomLeft: Place.moved(seen.bottomLeft, smoothed.bottomLeft, target.bottomLeft))
        smoothed = target
        if isTold { told = target }
    }

    private static func moved(_ point: Point, _ from: Point, _ to: Point) -> Point {
        Point(x: point.x + to.x - from.x, y: point.y + to.y - from.y)
    }

    /// Jumps: the item is elsewhere now.
    mutating func jump(to other: Place) { self = other }

    /// Keeps the known orientation against a single sighting that says upside down: engines guess it for 1D codes.
    private mutating func unturned(_ sighting: Quad) -> Quad {
        let turned = Quad(
            topLeft: sighting.bottomRight, topRight: sighting.bottomLeft, bottomRight: sighting.topLeft,
            bottomLeft: sighting.topRight)
        func error(_ quad: Quad) -> Double {
            zip(quad.corners, seen.corners).reduce(0) { $0 + $1.0.distance(to: $1.1) }
        }
        guard error(turned) < error(sighting) * 0.5 else {
            turnedSightings = 0
            return sighting
        }
        turnedSightings += 1
        guard turnedSightings >= Place.turningSightings else { return turned }
        turnedSightings = 0
        return sighting
    }

    /// Whether the item, going on as it did, leaves the rectangle within `seconds`, or touches its edge already.
    func isLeaving(_ rect: Rect, within seconds: Double) -> Bool {
        let margin = 0.01
        let box = seen.boundingRect
        let x = velocity.x * seconds
        let y = velocity.y * seconds
        return box.minX + Swift.min(0, x) <= rect.minX + margin || box.maxX + Swift.max(0, x) >= rect.maxX - margin
            || box.minY + Swift.min(0, y) <= rect.minY + margin || box.maxY + Swift.max(0, y) >= rect.maxY - margin
    }
}

/// A quad in square units (frame heights), so that distances are alike in both directions.
struct Shape {
    let quad: Quad
    let width: Double
    let height: Double
    let area: Double

    /// A barcode is taken to be at least this share of its longer side high and wide: one that was read on one scan
    /// line has its corners on a line.
    static let barcodeThickness = 0.12
    /// A line of text is as thin as it says, but not nothing.
    static let lineThickness = 0.005

    /// The shape of a line of text.
    init(line bounds: Quad, aspectRatio: Double) {
        self.init(bounds, aspectRatio: aspectRatio, leastThickness: Shape.lineThickness)
    }

    init(_ bounds: Quad, aspectRatio: Double, leastThickness: Double = Shape.barcodeThickness) {
        let square = bounds.scaled(x: aspectRatio, y: 1)
        let long = Swift.max(square.width, square.height, 1e-6)
        if Swift.min(square.width, square.height) < long * leastThickness {
            quad = Shape.thickened(square, to: long * leastThickness)
        } else {
            quad = square
        }
        width = Swift.max(quad.width, 1e-6)
        height = Swift.max(quad.height, 1e-6)
        area = Swift.max(quad.signedArea.magnitude, 1e-12)
    }

    /// The side of a square of the same area, about.
    var size: Double { (width * height).squareRoot() }

    private static func thickened(_ quad: Quad, to thickness: Double) -> Quad {
        let center = quad.center
        let isFlat = quad.height <= quad.width
        // The direction along the longer side, from the mean of its two edges; any direction for a single point.
        let from = isFlat ? middle(quad.topLeft, quad.bottomLeft) : middle(quad.topLeft, quad.topRight)
        let to = isFlat ? middle(quad.topRight, quad.bottomRight) : middle(quad.bottomLeft, quad.bottomRight)
        let length = from.distance(to: to)
        let along = length > 0 ? Point(x: (to.x - from.x) / length, y: (to.y - from.y) / length) : Point(x: 1, y: 0)
        let half = Swift.max(length, thickness) / 2
        func corner(_ a: Double, _ b: Double) -> Point {
            Point(x: center.x + along.x * a - along.y * b, y: center.y + along.y * a + along.x * b)
        }
        let b = thickness / 2
        return isFlat
            ? Quad(
                topLeft: corner(-half, -b), topRight: corner(half, -b), bottomRight: corner(half, b),
                bottomLeft: corner(-half, b))
            : Quad(
                topLeft: corner(-half, b), topRight: corner(-half, -b), bottomRight: corner(half, -b),
                bottomLeft: corner(half, b))
    }

    private static func middle(_ a: Point, _ b: Point) -> Point { Point(x: (a.x + b.x) / 2, y: (a.y + b.y) / 2) }

    /// How far another shape's centre is, along this one's width and across it, in its widths and heights.
    func offset(to other: Shape) -> (along: Double, across: Double) {
        let center = quad.center
        let dx = other.quad.center.x - center.x
        let dy = other.quad.center.y - center.y
        let left = Shape.middle(quad.topLeft, quad.bottomLeft)
        let right = Shape.middle(quad.topRight, quad.bottomRight)
        let length = Swift.max(left.distance(to: right), 1e-9)
        let ux = (right.x - left.x) / length
        let uy = (right.y - left.y) / length
        return ((dx * ux + dy * uy).magnitude / width, (dy * ux - dx * uy).magnitude / height)
    }

    func largestCornerDistance(to other: Shape) -> Double {
        zip(quad.corners, other.quad.corners).reduce(0) { Swift.max($0, $1.0.distance(to: $1.1)) }
    }

    func centerDistance(to other: Shape) -> Double { quad.center.distance(to: other.quad.center) }

    /// Whether two shapes are so much in one another's way that they can not be two labels.
    func collides(with other: Shape) -> Bool {
        centerDistance(to: other) < width + height + other.width + other.height
            && quad.intersectionArea(with: other.quad) >= 0.3 * Swift.min(area, other.area)
    }

    /// The share of this shape's area that lies in the other one, 0...1.
    func share(inside other: Shape) -> Double { quad.intersectionArea(with: other.quad) / area }
}

extension Quad {
    /// Each corner moved towards the other quad's by a share of the way.
    func blended(with other: Quad, share: Double) -> Quad {
        func mix(_ a: Point, _ b: Point) -> Point { Point(x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share) }
        return Quad(
            topLeft: mix(topLeft, other.topLeft), topRight: mix(topRight, other.topRight),
            bottomRight: mix(bottomRight, other.bottomRight), bottomLeft: mix(bottomLeft, other.bottomLeft))
    }

    /// Each corner moved to the nearest point of the rectangle.
    func clamped(to rect: Rect) -> Quad {
        mapped {
            Point(
                x: Swift.min(Swift.max($0.x, rect.minX), rect.maxX),
                y: Swift.min(Swift.max($0.y, rect.minY), rect.maxY))
        }
    }
}
