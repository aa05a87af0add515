// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ImageKernels
import ScanModel
import ScanTestSupport
import Testing

/// A flat scene with boxes of many sizes, as labels have them, that is seen from anywhere.
struct DrawnScene {
    static let width = 480
    static let height = 270

    /// Twice as fine as a picture, with a border all around.
    private let texture: LumaBuffer
    private static let border = 200

    init(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var texture = LumaBuffer(
            width: 2 * (Self.width + 2 * Self.border), height: 2 * (Self.height + 2 * Self.border), filledWith: 120)
        for _ in 0..<4000 {
            let (width, height) = (Int.random(in: 4...40, using: &random), Int.random(in: 4...40, using: &random))
            let box = LumaBuffer(width: width, height: height, filledWith: UInt8.random(in: 30...230, using: &random))
            texture.paste(
                box, x: Int.random(in: 0..<texture.width, using: &random),
                y: Int.random(in: 0..<texture.height, using: &random))
        }
        self.texture = texture
    }

    /// The picture in which a place of the picture was at `source` of the scene's first picture, both in pixels.
    func picture(noise seed: UInt64? = nil, _ source: (Point) -> Point = { $0 }) -> LumaBuffer {
        var picture = sharpPicture(source)
        guard let seed else { return picture }
        var random = SeededGenerator(seed: seed)
        for index in picture.pixels.indices {
            picture.pixels[index] = UInt8(max(0, min(255, Int(picture.pixels[index]) + Int(random.next() % 7) - 3)))
        }
        return picture
    }

    private func sharpPicture(_ source: (Point) -> Point) -> LumaBuffer {
        let edge = Quad(Rect(x: -0.5, y: -0.5, width: Double(Self.width), height: Double(Self.height))).mapped {
            corner in
            let place = source(corner)
            return Point(x: 2 * (place.x + Double(Self.border)) + 0.5, y: 2 * (place.y + Double(Self.border)) + 0.5)
        }
        let (a, b, c, d) = (edge.topLeft, edge.topRight, edge.bottomRight, edge.bottomLeft)
        if (a.x + c.x - b.x - d.x).magnitude + (a.y + c.y - b.y - d.y).magnitude < 1e-6 {
            // The library's way of cutting parallelograms out is tested elsewhere, and quick in debug builds.
            return texture.withView { $0.rectified(edge, width: Self.width, height: Self.height) }
        }
        var picture = LumaBuffer(width: Self.width, height: Self.height)
        texture.withView { texture in
            for y in 0..<Self.height {
                for x in 0..<Self.width {
                    var sum: Float = 0
                    for (dx, dy) in [(-0.25, -0.25), (0.25, -0.25), (-0.25, 0.25), (0.25, 0.25)] {
                        let place = source(Point(x: Double(x) + dx, y: Double(y) + dy))
                        sum += texture.interpolated(
                            x: Float(2 * (place.x + Double(Self.border))), y: Float(2 * (place.y + Double(Self.border)))
                        )
                    }
                    picture.pixels[y * Self.width + x] = UInt8(max(0, min(255, sum / 4)))
                }
            }
        }
        return picture
    }
}

/// The map of pixels that leads back from a picture to the first one, and where it should be found that corners went.
struct DrawnMotion: Sendable, CustomTestStringConvertible {
    let name: String
    let plane: PlaneMotion
    var testDescription: String { name }

    static func shift(_ x: Double, _ y: Double) -> DrawnMotion {
        DrawnMotion(
            name: "\(x), \(y) pixels", plane: .shift(x: x / Double(DrawnScene.width), y: y / Double(DrawnScene.height)))
    }

    /// A turn, a growth and a tilt around the middle of the picture.
    static func turn(by angle: Double, growth: Double = 1, tilt: Double = 0) -> DrawnMotion {
        let aspect = Double(DrawnScene.width) / Double(DrawnScene.height)
        let (cosine, sine) = (growth * (1 - angle * angle / 2), growth * angle)
        let centre = PlaneMotion.shift(x: -0.5, y: -0.5)
        let turn = PlaneMotion(
            toX: SIMD4(cosine, -sine / aspect, 0, 0), toY: SIMD4(sine * aspect, cosine, 0, 0),
            toWeight: SIMD4(tilt, tilt / 2, 1, 0))
        return DrawnMotion(
            name: "\(angle) radian, times \(growth), tilt \(tilt)",
            plane: centre.then(turn).then(.shift(x: 0.5, y: 0.5)))
    }

    /// From a picture's pixels to the first picture's.
    func source(_ pixel: Point) -> Point {
        guard let back = plane.inverse else { return pixel }
        return Self.pixel(
            back(
                Point(x: (pixel.x + 0.5) / Double(DrawnScene.width), y: (pixel.y + 0.5) / Double(DrawnScene.height))))
    }

    static func pixel(_ point: Point) -> Point {
        Point(x: point.x * Double(DrawnScene.width) - 0.5, y: point.y * Double(DrawnScene.height) - 0.5)
    }

    /// How far the worst corner of the picture's inner 80 % is from where it should be, in pixels.
    func error(of found: PlaneMotion) -> Double {
        Quad(Rect(x: 0.1, y: 0.1, width: 0.8, height: 0.8)).corners.map { corner in
            Self.pixel(found(corner)).distance(to: Self.pixel(plane(corner)))
        }.max() ?? 0
    }
}
