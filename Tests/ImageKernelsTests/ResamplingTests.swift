// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ImageKernels
import ScanModel
import Testing

@Suite struct ResamplingTests {
    /// Each pixel tells its place.
    private func ramp(width: Int, height: Int) -> LumaBuffer {
        var picture = LumaBuffer(width: width, height: height)
        for y in 0..<height { for x in 0..<width { picture.pixels[y * width + x] = UInt8((3 * x + 2 * y) % 256) } }
        return picture
    }

    @Test func aCropHasTheRightPixelsAndRefusesToReachOutside() throws {
        let picture = ramp(width: 40, height: 30)
        let part = try #require(PixelRect(x: 7, y: 5, width: 11, height: 9))
        let crop = try #require(picture.withView { $0.cropped(to: part) })
        #expect(crop.width == 11 && crop.height == 9)
        for y in 0..<9 { for x in 0..<11 { #expect(crop.pixels[y * 11 + x] == UInt8(3 * (x + 7) + 2 * (y + 5))) } }
        let outside = try #require(PixelRect(x: 35, y: 0, width: 6, height: 5))
        #expect(picture.withView { $0.cropped(to: outside) } == nil)
    }

    @Test func aCropOfPaddedRowsIsTight() throws {
        var bytes = [UInt8](repeating: 9, count: 4 * 8)
        for y in 0..<4 { for x in 0..<5 { bytes[y * 8 + x] = UInt8(10 * y + x) } }
        try bytes.withUnsafeBytes { raw in
            let view = try #require(LumaView(bytes: raw, width: 5, height: 4, stride: 8))
            let whole = try #require(PixelRect(x: 0, y: 0, width: 5, height: 4))
            let crop = try #require(view.cropped(to: whole))
            #expect(crop.pixels == (0..<4).flatMap { y in (0..<5).map { UInt8(10 * y + $0) } })
        }
    }

    @Test(arguments: [(16, 8), (17, 9), (33, 3), (2, 2), (64, 64)])
    func halvingIsTheMeanOfFour(_ width: Int, _ height: Int) throws {
        var picture = LumaBuffer(width: width, height: height)
        for index in picture.pixels.indices { picture.pixels[index] = UInt8(truncatingIfNeeded: index &* 73 &+ 11) }
        let half = try #require(picture.halved())
        for y in 0..<half.height {
            for x in 0..<half.width {
                let sum = [(0, 0), (1, 0), (0, 1), (1, 1)].reduce(2) { sum, offset in
                    sum + Int(picture.pixels[(2 * y + offset.1) * width + 2 * x + offset.0])
                }
                #expect(Int(half.pixels[y * half.width + x]) == sum / 4)
            }
        }
        #expect(LumaBuffer(width: 1, height: 9).halved() == nil)
    }

    @Test func doublingInterpolates() {
        let picture = LumaBuffer(pixels: [0, 160, 160, 0], width: 2, height: 2)
        let doubled = picture?.doubled()
        #expect(doubled?.pixels == [0, 40, 120, 160, 40, 60, 100, 120, 120, 100, 60, 40, 160, 120, 40, 0])
        let flat = LumaBuffer(width: 3, height: 1, filledWith: 77).doubled()
        #expect(flat.width == 6 && flat.height == 2 && flat.pixels.allSatisfy { $0 == 77 })
    }

    @Test func rectifyingAnUprightQuadIsACrop() {
        let picture = ramp(width: 40, height: 30)
        let quad = Quad(Rect(x: 4, y: 6, width: 20, height: 10))
        let result = picture.withView { $0.rectified(quad, width: 20, height: 10) }
        for y in 0..<10 { for x in 0..<20 { #expect(result.pixels[y * 20 + x] == UInt8(3 * (x + 4) + 2 * (y + 6))) } }
    }

    @Test func rectifyingAHalfTurnReversesThePicture() {
        let picture = ramp(width: 20, height: 10)
        let quad = Quad(
            topLeft: Point(x: 20, y: 10), topRight: Point(x: 0, y: 10), bottomRight: Point(x: 0, y: 0),
            bottomLeft: Point(x: 20, y: 0))
        let result = picture.withView { $0.rectified(quad, width: 20, height: 10) }
        #expect(result.pixels == picture.pixels.reversed())
    }

    @Test func shrinkingAverages() {
        var stripes = LumaBuffer(width: 64, height: 8)
        for index in stripes.pixels.indices where index % 2 == 0 { stripes.pixels[index] = 200 }
        let small = stripes.resized(width: 16, height: 8)
        #expect(small.pixels.allSatisfy { abs(Int($0) - 100) <= 26 })
        #expect(stripes.inverted().pixels[0] == 55)
    }

    @Test func shrinkingKeepsLightAndPlace() {
        for (width, height) in [(30, 20), (29, 17), (1, 1), (45, 30)] {
            let flat = LumaBuffer(width: 45, height: 30, filledWith: 201).resized(width: width, height: height)
            #expect(flat.width == width && flat.height == height && flat.pixels.allSatisfy { $0 == 201 })
            let small = ramp(width: 45, height: 30).resized(width: width, height: height)
            for y in 0..<height {
                for x in 0..<width {
                    let place = (
                        (Double(x) + 0.5) * 45 / Double(width) - 0.5, (Double(y) + 0.5) * 30 / Double(height) - 0.5
                    )
                    #expect(abs(Double(small.pixels[y * width + x]) - 3 * place.0 - 2 * place.1) < 2)
                }
            }
        }
    }

    @Test func correlationIgnoresLightAndContrast() {
        let a: [Float] = (0..<50).map { Float(($0 * 37) % 50) }
        #expect(correlation(a, a.map { 3 * $0 + 20 }) > 0.999)
        #expect(correlation(a, a.map { 100 - $0 }) < -0.999)
        #expect(correlation(a, [Float](repeating: 4, count: 50)) == 0)
    }

    @Test func profilesFollowALine() {
        let picture = ramp(width: 30, height: 20)
        let profile = picture.withView { $0.profile(from: Point(x: 2, y: 3), to: Point(x: 22, y: 13), count: 11) }
        for (index, value) in profile.enumerated() { #expect(abs(value - Float(12 + 8 * index)) < 0.01) }
    }
}
