// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ImageKernels
internal import ScanModel

/// A candidate cut out of the picture, upright, with what takes its places back to the picture.
struct CodeCrop {
    var pixels: LumaBuffer
    /// From pixels of the crop to pixels of the picture.
    let toPicture: Homography

    /// `nil` where the crop would be empty, or larger than is read.
    ///
    /// - Parameter outside: the brightness of what lies outside the picture; by default that of its edge.
    init?(of quad: Quad, in picture: LumaView, width: Int, height: Int, outside: UInt8? = nil) {
        guard let map = Homography(width: Double(width), height: Double(height), onto: quad),
            let pixels = picture.warped(quad, width: width, height: height, outside: outside)
        else { return nil }
        self.pixels = pixels
        toPicture = map
    }

    /// The same place with other pixels.
    func with(_ change: (LumaBuffer) -> LumaBuffer) -> CodeCrop {
        var crop = self
        crop.pixels = change(pixels)
        return crop
    }
}

extension Quad {
    /// The quad with its sides moved outwards by shares of its own width and height, its perspective kept.
    ///
    /// The perspective of a quad that is far from a parallelogram would run away outside of it: there the sides move
    /// evenly.
    func extended(along: Double, across: Double) -> Quad {
        let (width, height) = (max(width, 1), max(height, 1))
        let even = grown(along: along * width, across: across * height)
        guard let map = Homography(width: 1, height: 1, onto: self) else { return even }
        let outer = Rect(x: -along, y: -across, width: 1 + 2 * along, height: 1 + 2 * across)
        let result = Quad(outer).mapped { map($0) }
        let area = signedArea.magnitude * (1 + 2 * along) * (1 + 2 * across)
        guard result.isFinite, (0.6...1.7).contains(result.signedArea.magnitude / max(area, 1)) else { return even }
        return result
    }

    /// The quad on the other side: left and right exchanged, for symbols that are seen from behind.
    var mirrored: Quad {
        Quad(topLeft: topRight, topRight: topLeft, bottomRight: bottomLeft, bottomLeft: bottomRight)
    }
}
