// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// The part of the picture that is looked at; nothing outside is read or announced.
///
/// It is an upright rectangle, or any number of polygons, which may touch and overlap.
public struct RegionOfInterest: Sendable, Hashable {
    /// Polygons at the most.
    public static let mostPolygons = 32
    /// Corners of a polygon.
    public static let corners = 3...32

    private let parts: [Polygon]
    /// The smallest upright rectangle around all of it, in 0...1 of the frame, not empty.
    public let boundingRect: Rect
    /// Whether it is all of `boundingRect`.
    public let isRectangle: Bool

    /// Takes a rectangle in 0...1; `nil` when it is empty, not finite or reaches outside the frame.
    public init?(_ rect: Rect) {
        guard rect.x.isFinite, rect.y.isFinite, rect.width.isFinite, rect.height.isFinite, rect.width > 0,
            rect.height > 0, RegionOfInterest.isInFrame(rect)
        else { return nil }
        self.init(unchecked: rect)
    }

    /// Takes 1...`mostPolygons` polygons of `corners` corners each, in 0...1 of the frame, in either direction.
    ///
    /// `nil` where one has another number of corners, crosses or touches itself, encloses nothing, or reaches outside the frame.
    public init?(polygons: [[Point]]) {
        guard !polygons.isEmpty, polygons.count <= RegionOfInterest.mostPolygons else { return nil }
        var parts: [Polygon] = []
        for corners in polygons {
            guard RegionOfInterest.corners.contains(corners.count), let part = Polygon(corners),
                RegionOfInterest.isInFrame(part.box)
            else { return nil }
            parts.append(part)
        }
        let box = Polygon.box(of: parts.flatMap { Quad($0.box).corners })
        if parts.count == 1, RegionOfInterest.isUpright(parts[0]) {
            self.init(unchecked: box)
            return
        }
        self.init(parts: parts, boundingRect: box, isRectangle: false)
    }

    /// A rectangle is judged by its bounds alone: one of a few millionths has no polygon.
    private init(unchecked rect: Rect) { self.init(parts: [], boundingRect: rect, isRectangle: true) }

    private init(parts: [Polygon], boundingRect: Rect, isRectangle: Bool) {
        self.parts = parts
        self.boundingRect = boundingRect
        self.isRectangle = isRectangle
    }

    /// The whole picture.
    public static let full = RegionOfInterest(unchecked: Rect(x: 0, y: 0, width: 1, height: 1))

    public var isFull: Bool { self == .full }

    /// The corners of its polygons; those of the rectangle where it is one.
    public var polygons: [[Point]] { isRectangle ? [Quad(boundingRect).corners] : parts.map(\.corners) }

    /// This region and another one; `nil` where that are too many polygons.
    public func union(_ other: RegionOfInterest) -> RegionOfInterest? {
        if isFull || other.isFull { return .full }
        return RegionOfInterest(polygons: polygons + other.polygons)
    }

    // MARK: - What lies in it

    /// Whether a point lies inside or on the edge.
    public func contains(_ point: Point) -> Bool {
        isRectangle ? boundingRect.contains(point) : parts.contains { $0.contains(point) }
    }

    /// How much of a convex quad's area lies in the region, 0...1.
    ///
    /// Exact, but where polygons that overlap both have a part in the quad: there 1024 places of it are counted. A quad
    /// without an area is in or out by its middle.
    public func share(of quad: Quad) -> Double {
        guard quad.isFinite else { return 0 }
        let area = quad.signedArea.magnitude
        guard area > 1e-12 else { return contains(quad.center) ? 1 : 0 }
        if isRectangle { return Swift.min(1, quad.intersectionArea(with: Quad(boundingRect)) / area) }
        var sum = 0.0
        var boxes: [Rect] = []
        var overlap = false
        for part in parts where part.box.intersection(quad.boundingRect) != nil {
            let piece = part.clipped(to: quad)
            let pieceArea = Polygon.area(of: piece)
            guard pieceArea > 1e-12 else { continue }
            let box = Polygon.box(of: piece)
            overlap = overlap || boxes.contains { ($0.intersection(box)?.area ?? 0) > 1e-12 }
            boxes.append(box)
            sum += pieceArea
        }
        return overlap ? countedShare(of: quad) : Swift.min(1, sum / area)
    }

    private func countedShare(of quad: Quad) -> Double {
        let steps = 32
        var (inside, all) = (0.0, 0.0)
        for row in 0..<steps {
            let v = (Double(row) + 0.5) / Double(steps)
            let (left, right) = (quad.topLeft.towards(quad.bottomLeft, v), quad.topRight.towards(quad.bottomRight, v))
            // Rows of a trapezoid are not equally wide.
            let weight = left.distance(to: right)
            for column in 0..<steps {
                all += weight
                if contains(left.towards(right, (Double(column) + 0.5) / Double(steps))) { inside += weight }
            }
        }
        return all > 0 ? inside / all : 0
    }

    private static func isInFrame(_ rect: Rect) -> Bool {
        rect.minX >= 0 && rect.minY >= 0 && rect.maxX <= 1 + 1e-9 && rect.maxY <= 1 + 1e-9
    }

    /// Whether a polygon is all of its box.
    private static func isUpright(_ part: Polygon) -> Bool {
        let corners = Set(part.corners)
        return part.corners.count == 4
            && Quad(part.box).corners.allSatisfy { corner in
                corners.contains { $0.distance(to: corner) < 1e-12 }
            }
    }
}

extension Point {
    fileprivate func towards(_ other: Point, _ part: Double) -> Point {
        Point(x: x + (other.x - x) * part, y: y + (other.y - y) * part)
    }
}
