// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// A place in a picture: x to the right and y down, from the top-left corner.
///
/// The unit is the caller's: 0...1 of the frame in items and events, pixels inside recognition.
public struct Point: Sendable, Hashable {
    public var x: Double
    public var y: Double

    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// The straight distance to another point, in the points' unit.
    public func distance(to other: Point) -> Double {
        ((x - other.x) * (x - other.x) + (y - other.y) * (y - other.y)).squareRoot()
    }
}

/// Four corners of an item, named from the item's own point of view.
///
/// A label that hangs upside down has its `topLeft` at the lower right of the picture. The unit is the points'.
public struct Quad: Sendable, Hashable {
    public var topLeft: Point
    public var topRight: Point
    public var bottomRight: Point
    public var bottomLeft: Point

    public init(topLeft: Point, topRight: Point, bottomRight: Point, bottomLeft: Point) {
        self.topLeft = topLeft
        self.topRight = topRight
        self.bottomRight = bottomRight
        self.bottomLeft = bottomLeft
    }

    /// The upright quad that fills a rectangle.
    public init(_ rect: Rect) {
        topLeft = Point(x: rect.minX, y: rect.minY)
        topRight = Point(x: rect.maxX, y: rect.minY)
        bottomRight = Point(x: rect.maxX, y: rect.maxY)
        bottomLeft = Point(x: rect.minX, y: rect.maxY)
    }

    /// The corners in the order top-left, top-right, bottom-right, bottom-left.
    public var corners: [Point] { [topLeft, topRight, bottomRight, bottomLeft] }

    /// The mean of the corners.
    public var center: Point {
        Point(
            x: (topLeft.x + topRight.x + bottomRight.x + bottomLeft.x) / 4,
            y: (topLeft.y + topRight.y + bottomRight.y + bottomLeft.y) / 4)
    }

    /// The smallest upright rectangle around the corners.
    public var boundingRect: Rect {
        let xs = [topLeft.x, topRight.x, bottomRight.x, bottomLeft.x]
        let ys = [topLeft.y, topRight.y, bottomRight.y, bottomLeft.y]
        let minX = xs.reduce(topLeft.x) { Swift.min($0, $1) }
        let minY = ys.reduce(topLeft.y) { Swift.min($0, $1) }
        let maxX = xs.reduce(topLeft.x) { Swift.max($0, $1) }
        let maxY = ys.reduce(topLeft.y) { Swift.max($0, $1) }
        return Rect(x: minX, y: minY, width: maxX - minX, height: maxY - minY)
    }

    /// The area by the shoelace formula; positive when the corners run clockwise as seen on the screen.
    public var signedArea: Double {
        // No array of corners here and below: finders of codes ask thousands of quads for each picture.
        func part(_ a: Point, _ b: Point) -> Double { a.x * b.y - b.x * a.y }
        let (first, second) = (part(topLeft, topRight), part(topRight, bottomRight))
        return (first + second + part(bottomRight, bottomLeft) + part(bottomLeft, topLeft)) / 2
    }

    /// The mean of the two sides along the item's reading direction.
    public var width: Double { (topLeft.distance(to: topRight) + bottomLeft.distance(to: bottomRight)) / 2 }

    /// The mean of the two sides across the item's reading direction.
    public var height: Double { (topLeft.distance(to: bottomLeft) + topRight.distance(to: bottomRight)) / 2 }

    /// Whether every corner is a finite number.
    public var isFinite: Bool {
        func isFinite(_ point: Point) -> Bool { point.x.isFinite && point.y.isFinite }
        return isFinite(topLeft) && isFinite(topRight) && isFinite(bottomRight) && isFinite(bottomLeft)
    }

    /// Applies a transform to each corner.
    public func mapped(_ transform: (Point) -> Point) -> Quad {
        Quad(
            topLeft: transform(topLeft), topRight: transform(topRight), bottomRight: transform(bottomRight),
            bottomLeft: transform(bottomLeft))
    }

    /// Changes the unit: each x is multiplied by `x`, each y by `y`.
    public func scaled(x: Double, y: Double) -> Quad {
        mapped { Point(x: $0.x * x, y: $0.y * y) }
    }

    /// Whether a point lies inside or on the edge of the quad, which must be convex.
    public func contains(_ point: Point) -> Bool {
        func cross(_ a: Point, _ b: Point) -> Double {
            (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x)
        }
        let (first, second) = (cross(topLeft, topRight), cross(topRight, bottomRight))
        let (third, fourth) = (cross(bottomRight, bottomLeft), cross(bottomLeft, topLeft))
        let least = Swift.min(first, second, third, fourth)
        return !(least < 0 && Swift.max(first, second, third, fourth) > 0)
    }

    /// The area that two convex quads share, by clipping one with the other (Sutherland and Hodgman, CACM 17(1) 1974).
    public func intersectionArea(with other: Quad) -> Double {
        let (area, otherArea) = (signedArea, other.signedArea)
        // A quad without an area has no inside to clip with: every point would pass.
        guard area != 0, otherArea != 0 else { return 0 }
        var polygon = ClippedPolygon(self, isReversed: area < 0)
        let clip = ClippedPolygon(other, isReversed: otherArea < 0)
        for index in 0..<4 {
            polygon = polygon.clipped(clip.points[index], clip.points[(index + 1) % 4])
            if polygon.count < 3 { return 0 }
        }
        return polygon.area
    }

    /// Intersection over union of two convex quads, 0...1.
    public func overlap(with other: Quad) -> Double {
        let shared = intersectionArea(with: other)
        let union = signedArea.magnitude + other.signedArea.magnitude - shared
        return union > 0 ? shared / union : 0
    }
}

/// An upright rectangle; the unit is the caller's.
public struct Rect: Sendable, Hashable {
    public var x: Double
    public var y: Double
    public var width: Double
    public var height: Double

    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    public var minX: Double { x }
    public var minY: Double { y }
    public var maxX: Double { x + width }
    public var maxY: Double { y + height }
    public var center: Point { Point(x: x + width / 2, y: y + height / 2) }
    public var area: Double { width * height }

    /// Whether a point lies inside or on the edge.
    public func contains(_ point: Point) -> Bool {
        point.x >= minX && point.x <= maxX && point.y >= minY && point.y <= maxY
    }

    /// What both rectangles share, or `nil` where they do not overlap.
    public func intersection(_ other: Rect) -> Rect? {
        let left = Swift.max(minX, other.minX)
        let top = Swift.max(minY, other.minY)
        let right = Swift.min(maxX, other.maxX)
        let bottom = Swift.min(maxY, other.maxY)
        guard right > left, bottom > top else { return nil }
        return Rect(x: left, y: top, width: right - left, height: bottom - top)
    }
}

/// A rectangle of whole pixels, never empty and never negative.
public struct PixelRect: Sendable, Hashable {
    public let x: Int
    public let y: Int
    public let width: Int
    public let height: Int

    /// Makes a rectangle; `nil` when it is empty or starts before the picture.
    public init?(x: Int, y: Int, width: Int, height: Int) {
        guard x >= 0, y >= 0, width > 0, height > 0 else { return nil }
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The pixels that a rectangle in 0...1 covers at least partly; `nil` when that is none.
    public init?(_ rect: Rect, inWidth pictureWidth: Int, height pictureHeight: Int) {
        guard rect.x.isFinite, rect.y.isFinite, rect.width.isFinite, rect.height.isFinite,
            let clipped = rect.intersection(Rect(x: 0, y: 0, width: 1, height: 1))
        else { return nil }
        let left = Int((clipped.minX * Double(pictureWidth)).rounded(.down))
        let top = Int((clipped.minY * Double(pictureHeight)).rounded(.down))
        let right = Swift.min(pictureWidth, Int((clipped.maxX * Double(pictureWidth)).rounded(.up)))
        let bottom = Swift.min(pictureHeight, Int((clipped.maxY * Double(pictureHeight)).rounded(.up)))
        self.init(x: left, y: top, width: right - left, height: bottom - top)
    }

    /// The pixels that both have; `nil` for none.
    public func intersection(_ other: PixelRect) -> PixelRect? {
        let (left, top) = (Swift.max(x, other.x), Swift.max(y, other.y))
        let (right, bottom) = (
            Swift.min(x + width, other.x + other.width), Swift.min(y + height, other.y + other.height)
        )
        return PixelRect(x: left, y: top, width: right - left, height: bottom - top)
    }

    /// The same rectangle as real numbers, in pixels.
    public var rect: Rect { Rect(x: Double(x), y: Double(y), width: Double(width), height: Double(height)) }
}
