// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ImageKernels
import ScanModel
import Testing

@Suite struct WarpingTests {
    /// Brightness that rises by 2 a pixel to the right and by 1 a pixel down.
    private func slope(_ width: Int, _ height: Int) -> LumaBuffer {
        var picture = LumaBuffer(width: width, height: height)
        for y in 0..<height {
            for x in 0..<width { picture.pixels[y * width + x] = UInt8(2 * x + y) }
        }
        return picture
    }

    @Test func aPerspectiveIsUndoneExactly() throws {
        let quad = Quad(
            topLeft: Point(x: 10, y: 12), topRight: Point(x: 70, y: 20), bottomRight: Point(x: 60, y: 66),
            bottomLeft: Point(x: 16, y: 58))
        let map = try #require(Homography(width: 40, height: 30, onto: quad))
        for (corner, place) in zip(
            quad.corners, [Point(x: 0, y: 0), Point(x: 40, y: 0), Point(x: 40, y: 30), Point(x: 0, y: 30)])
        {
            #expect(map(place).distance(to: corner) < 1e-9)
        }
        // Straight lines stay straight: the crossing of the diagonals is that of the quad's.
        let center = map(Point(x: 20, y: 15))
        for (a, b) in [(quad.topLeft, quad.bottomRight), (quad.topRight, quad.bottomLeft)] {
            let cross = (b.x - a.x) * (center.y - a.y) - (b.y - a.y) * (center.x - a.x)
            #expect(abs(cross) < 1e-6)
        }
        let crop = try #require(slope(80, 80).withView { $0.warped(quad, width: 40, height: 30) })
        for (x, y) in [(0, 0), (39, 0), (20, 15), (5, 29), (39, 29)] {
            let place = map(Point(x: Double(x) + 0.5, y: Double(y) + 0.5))
            let expected = 2 * (place.x - 0.5) + (place.y - 0.5)
            #expect(abs(Double(crop.pixels[y * 40 + x]) - expected) <= 1.5, "\(x), \(y)")
        }
    }

    @Test func theWholePictureIsItself() throws {
        let picture = slope(60, 40)
        let whole = Quad(Rect(x: 0, y: 0, width: 60, height: 40))
        #expect(picture.withView { $0.warped(whole, width: 60, height: 40) }?.pixels == picture.pixels)
    }

    @Test func outsideIsTheEdgeOrWhatIsAskedFor() throws {
        let picture = LumaBuffer(width: 20, height: 20, filledWith: 90)
        let around = Quad(Rect(x: -10, y: -10, width: 40, height: 40))
        let edge = try #require(picture.withView { $0.warped(around, width: 40, height: 40) })
        #expect(edge.pixels.allSatisfy { $0 == 90 })
        let white = try #require(picture.withView { $0.warped(around, width: 40, height: 40, outside: 255) })
        #expect(white.pixels.count { $0 == 90 } == 400)
        #expect(white.pixels.count { $0 == 255 } == 1200)
    }

    @Test func whatCanNotBeCutIsRefused() {
        let picture = slope(40, 40)
        let line = Quad(
            topLeft: Point(x: 0, y: 0), topRight: Point(x: 10, y: 10), bottomRight: Point(x: 20, y: 20),
            bottomLeft: Point(x: 30, y: 30))
        let whole = Quad(Rect(x: 0, y: 0, width: 40, height: 40))
        picture.withView { view in
            #expect(view.warped(line, width: 10, height: 10) == nil)
            #expect(view.warped(whole, width: 0, height: 10) == nil)
            #expect(view.warped(whole, width: WarpLimits.maximumSide + 1, height: 1) == nil)
            #expect(view.warped(whole, width: 4000, height: 4000) == nil)
            let far = Quad(Rect(x: 1e8, y: 1e8, width: 1e7, height: 1e7))
            #expect(view.warped(far, width: 16, height: 16)?.pixels.allSatisfy { $0 == 117 } == true)
        }
    }
}

@Suite struct EnhancementTests {
    @Test func localStretchingEvensTheLight() {
        // Bars of 8 pixels under a light that falls from 220 to 60; dark is half of light.
        var picture = LumaBuffer(width: 256, height: 32)
        for y in 0..<32 {
            for x in 0..<256 {
                let light = 220 - x * 160 / 256
                picture.pixels[y * 256 + x] = UInt8(x / 8 % 2 == 0 ? light : light / 2)
            }
        }
        let even = picture.locallyStretched(block: 16)
        for x in stride(from: 4, to: 256, by: 8) {
            let value = even.pixels[16 * 256 + x]
            #expect(x / 8 % 2 == 0 ? value > 170 : value < 85, "\(x): \(value)")
        }
    }

    @Test func plainPaperStaysPlain() {
        var paper = LumaBuffer(width: 64, height: 64, filledWith: 200)
        for index in paper.pixels.indices where index % 3 == 0 { paper.pixels[index] = 203 }
        let stretched = paper.locallyStretched(block: 8)
        let (low, high) = (stretched.pixels.min() ?? 0, stretched.pixels.max() ?? 255)
        #expect(high - low < 32)
    }

    @Test func sharpeningSteepensEdgesAndLeavesFlatAlone() {
        var picture = LumaBuffer(width: 40, height: 8, filledWith: 60)
        for y in 0..<8 {
            for x in 0..<40 { picture.pixels[y * 40 + x] = UInt8(min(180, max(60, 60 + (x - 14) * 12))) }
        }
        let sharp = picture.sharpened(sigma: 2, amount: 1.5, alongRowsOnly: true)
        #expect(sharp.pixels[0] == 60)
        #expect(sharp.pixels[39] == 180)
        #expect(sharp.pixels[14] < 60)
        #expect(sharp.pixels[24] > 180)
        let flat = LumaBuffer(width: 30, height: 30, filledWith: 77).sharpened(sigma: 3, amount: 2)
        #expect(flat.pixels.allSatisfy { $0 == 77 })
    }

    @Test func bandsAreMeansOfTheirRows() {
        var picture = LumaBuffer(width: 2, height: 6)
        picture.pixels = [0, 10, 10, 10, 20, 40, 100, 0, 100, 0, 103, 3]
        let bands = picture.averagedInBands(2)
        #expect(bands.pixels == [10, 20, 10, 20, 10, 20, 101, 1, 101, 1, 101, 1])
        #expect(picture.averagedInBands(9).pixels == picture.pixels)
    }

    @Test func sidesFadeIntoWhite() {
        let picture = LumaBuffer(width: 2, height: 1, filledWith: 55)
        let padded = picture.paddedAtSides(fading: 3, white: 2)
        #expect(padded.pixels == [255, 255, 205, 155, 105, 55, 55, 105, 155, 205, 255, 255])
    }
}
