// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ImageKernels
internal import ScanModel

/// One way to look at a region: at what scale, which polarity, how dense.
struct BarcodePass: Hashable {
    /// Pixels of the scanned picture for one of the region.
    var scale: Double
    var isInverted: Bool
    var density: ScanDensity
    /// The largest part that is scanned at once, in pixels of the region; the region is cut into overlapping tiles.
    var maximumPart: Int

    /// The longest side that the fast level looks at.
    static let fastLongSide = 1280
    /// Pixels up to which every line of both axes is scanned; above, every second column.
    ///
    /// A shelf of 1080p took 86 ms with every line, 68 with every second column, 54 with every fourth. The second read the
    /// same; the third lost its QR codes.
    static let fullDensityPixels = 1_300_000
    /// Pixels that are doubled at once: 2 x 2 of it is 4 megapixels for ZBar.
    static let doubledPixels = 1_050_000
    /// What neighbouring tiles share, in pixels of the region, so that a code of that size is whole in one of them.
    static let tileOverlap = 320

    /// The passes of a level for a region of this size.
    static func plan(level: QualityLevel, width: Int, height: Int) -> [BarcodePass] {
        let pixels = width * height
        let density =
            pixels <= fullDensityPixels ? ScanDensity(rows: 1, columns: 1) : ScanDensity(rows: 1, columns: 2)
        let whole = BarcodePass(scale: 1, isInverted: false, density: density, maximumPart: .max)
        switch level {
        case .fast:
            let longSide = max(width, height)
            let scale = longSide > fastLongSide ? Double(fastLongSide) / Double(longSide) : 1
            return [
                BarcodePass(
                    scale: scale, isInverted: false, density: ScanDensity(rows: 3, columns: 3), maximumPart: .max)
            ]
        case .balanced:
            return [whole]
        case .accurate:
            // Every second line of the doubled picture is every line of the region.
            let doubled = BarcodePass(
                scale: 2, isInverted: false,
                density: pixels <= doubledPixels / 2
                    ? ScanDensity(rows: 1, columns: 1) : ScanDensity(rows: 2, columns: 2),
                maximumPart: doubledPixels)
            var inverted = whole
            inverted.isInverted = true
            return [whole, doubled, inverted]
        }
    }

    /// The tiles that the region is scanned in; one when it is small enough.
    func parts(ofWidth width: Int, height: Int) -> [PixelRect] {
        guard width * height > maximumPart else {
            return [PixelRect(x: 0, y: 0, width: width, height: height)].compactMap { $0 }
        }
        let side = Int(Double(maximumPart).squareRoot())
        let xs = Self.starts(length: width, part: side)
        let ys = Self.starts(length: height, part: side)
        return ys.flatMap { y in
            xs.compactMap { x in
                PixelRect(x: x, y: y, width: min(side, width - x), height: min(side, height - y))
            }
        }
    }

    /// The picture that ZBar gets.
    func prepare(_ picture: LumaBuffer, part: PixelRect) -> LumaBuffer {
        var prepared = picture
        if part.width != picture.width || part.height != picture.height {
            prepared = picture.withView { $0.cropped(to: part) } ?? picture
        }
        if scale == 2 {
            prepared = prepared.doubled()
        } else if scale != 1 {
            prepared = prepared.resized(
                width: max(1, Int((Double(prepared.width) * scale).rounded())),
                height: max(1, Int((Double(prepared.height) * scale).rounded())))
        }
        return isInverted ? prepared.inverted() : prepared
    }

    /// A place in the scanned picture as a place in the region.
    func toRegion(_ point: Point, part: PixelRect) -> Point {
        Point(x: point.x / scale + Double(part.x), y: point.y / scale + Double(part.y))
    }

    /// How many lines of the region these hits stand for, had each been scanned.
    func quality(of hits: [ScanHit]) -> Int {
        let rows = hits.count { $0.axis == .row }
        let columns = hits.count - rows
        let lines = Double(rows * density.rows + columns * density.columns) / scale
        return max(1, Int(lines.rounded()))
    }

    private static func starts(length: Int, part: Int) -> [Int] {
        guard length > part else { return [0] }
        let steps = Int((Double(length - part) / Double(max(part - tileOverlap, 1))).rounded(.up))
        return (0...steps).map { (length - part) * $0 / steps }
    }
}
