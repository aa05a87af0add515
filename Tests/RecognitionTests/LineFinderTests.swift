// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ImageKernels
import ScanModel
import Testing

@testable import Recognition

@Suite struct LineFinderTests {
    private let finder = LineFinder(smallestCapital: 12, findsLightOnDark: false)

    @Test func framesRulesAndBarcodesAreNoLines() throws {
        var page = LumaBuffer(width: 800, height: 500, filledWith: 235)
        for x in 40..<760 { for y in [30, 31, 460, 461] { page.pixels[y * 800 + x] = 20 } }
        for y in 30..<462 { for x in [40, 41, 758, 759] { page.pixels[y * 800 + x] = 20 } }
        #expect(finder.candidates(in: page, masks: []).isEmpty, "a frame")
        let code = try TestPictures.zint("CODE128", "A1234567", scale: 1)
        let qr = try TestPictures.qr([UInt8]("https://shelf.example/12".utf8), scale: 4)
        page.paste(code, x: 80, y: 80)
        page.paste(qr, x: 500, y: 80)
        let found = finder.candidates(in: page, masks: [])
        #expect(found.count <= 2, "codes that were not decoded: \(found)")
        let masks = [(code, 80), (qr, 500)].map { picture, x in
            Quad(Rect(x: Double(x), y: 80, width: Double(picture.width), height: Double(picture.height)))
        }
        #expect(finder.candidates(in: page, masks: masks).isEmpty, "codes that were")
    }

    @Test func textInsideAFrameIsFoundWithoutTheFrame() throws {
        let text = try TestPictures.text("CABLE TIE 300", size: 30).trimmed()
        var page = LumaBuffer(width: 500, height: 200, filledWith: 235)
        for x in 20..<480 { for y in [20, 21, 178, 179] { page.pixels[y * 500 + x] = 40 } }
        for y in 20..<180 { for x in [20, 21, 478, 479] { page.pixels[y * 500 + x] = 40 } }
        page.paste(text, x: 40, y: 80)
        let found = finder.candidates(in: page, masks: [])
        let truth = Quad(Rect(x: 40, y: 80, width: Double(text.width), height: Double(text.height)))
        #expect(found.count == 1)
        #expect(try #require(found.first).quad.overlap(with: truth) > 0.7)
    }

    @Test func columnsFarApartAreTwoLines() throws {
        let left = try TestPictures.text("LOT A88994", size: 24)
        let right = try TestPictures.text("QTY 497", size: 24)
        var page = LumaBuffer(width: 600, height: 120, filledWith: 255)
        page.paste(left, x: 20, y: 40)
        page.paste(right, x: 420, y: 40)
        #expect(finder.candidates(in: page, masks: []).count == 2)
    }

    @Test func oneLineOfLargePrintIsOneCandidate() throws {
        for size in [20, 40, 80, 140] {
            let page = try TestPictures.text("B-04-05 HALL", size: size).padded(40)
            #expect(finder.candidates(in: page, masks: []).count == 1, "size \(size)")
        }
    }

    @Test func masksAnywhereAreSafe() {
        var page = LumaBuffer(width: 60, height: 40, filledWith: 100)
        for rect in [
            Rect(x: -1e300, y: -1e300, width: 2e300, height: 2e300), Rect(x: 59.5, y: 39.5, width: 5, height: 5),
            Rect(x: 10, y: 10, width: 0, height: 0), Rect(x: .infinity, y: 0, width: 1, height: 1),
        ] { page.paintOver(Quad(rect)) }
        #expect(page.pixels.allSatisfy { $0 == 100 || $0 == 255 })
    }
}
