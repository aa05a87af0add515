// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanModel
import ScanTestSupport
import Testing
import Tracking

/// What is an item in a picture that there is only one of.
@Suite struct StillPictureRuleTests {
    private func place(_ x: Double, _ y: Double, width: Double = 0.2, height: Double = 0.1) -> Quad {
        Quad(Rect(x: x, y: y, width: width, height: height))
    }

    private func code(
        _ symbology: Symbology, _ payload: String, at quad: Quad, lines: Int = 100, confirmed: Bool = false,
        edge: Bool = false
    ) -> Observation {
        Observation(
            bounds: quad,
            content: .barcode(
                BarcodeReading(
                    symbology: symbology, payload: Array(payload.utf8), quality: lines, isConfirmed: confirmed,
                    touchesEdge: edge)))
    }

    private func line(_ text: String, at quad: Quad, confidence: Double = 0.9) -> Observation {
        Observation(
            bounds: quad,
            content: .text(TextReading(transcript: text, confidence: confidence, languages: ["eng"], words: [])))
    }

    private func items(
        _ observations: [Observation], region: RegionOfInterest = .full, level: QualityLevel = .balanced
    ) -> [String] {
        var random = SeededGenerator(seed: 1)
        return StillPictureRule(qualityLevel: level, region: region).items(
            in: observations, aspectRatio: 16.0 / 9, at: WallTime(milliseconds: 1_796_030_796_087), using: &random
        ).map { item in
            switch item {
            case .barcode(let barcode): barcode.payload.string ?? ""
            case .text(let text): text.transcript
            }
        }
    }

    private let here = Quad(Rect(x: 0.1, y: 0.1, width: 0.2, height: 0.1))

    @Test func aSymbolWithErrorCorrectionIsEnough() {
        #expect(items([code(.qr, "A", at: here, lines: 1)]) == ["A"])
        #expect(items([code(.qr, "A", at: here, lines: 1, edge: true)]) == ["A"])
    }

    @Test func weakSymbologiesNeedTheSecondEngineOrManyLines() {
        #expect(items([code(.ean13, "4006381333931", at: here, lines: 59)]).isEmpty)
        #expect(items([code(.ean13, "4006381333931", at: here, lines: 60)]) == ["4006381333931"])
        #expect(items([code(.ean13, "4006381333931", at: here, lines: 60, edge: true)]).isEmpty)
        #expect(items([code(.ean13, "4006381333931", at: here, lines: 2, confirmed: true)]) == ["4006381333931"])
        #expect(items([code(.code128, "A1", at: here, lines: 11)]).isEmpty)
        #expect(items([code(.i2of5, "123456", at: here, lines: 3)]).isEmpty)
        #expect(items([code(.i2of5, "123456", at: here, lines: 100)]) == ["123456"])
        #expect(items([code(.i2of5, "1234", at: here, lines: 100)]).isEmpty)
        #expect(items([code(.i2of5, "123456", at: here, lines: 100, edge: true)]).isEmpty)
        #expect(items([code(.qr, "", at: here)]).isEmpty)
    }

    @Test func twoStrongReadingsThatContradictEachOtherGiveNone() {
        let one = code(.ean13, "4006381333931", at: here, confirmed: true)
        let other = code(.ean13, "4006381333900", at: here, confirmed: true)
        #expect(items([one, other]).isEmpty)
        #expect(items([one, code(.ean13, "4006381333900", at: place(0.5, 0.5), confirmed: true)]).count == 2)
    }

    @Test func aStrongReadingWinsAgainstAWeakOne() {
        let confirmed = code(.ean13, "4006381333931", at: here, lines: 5, confirmed: true)
        #expect(items([confirmed, code(.ean13, "4006381333900", at: here, lines: 20)]) == ["4006381333931"])
        // The second engine's word is worth more than lines.
        #expect(items([confirmed, code(.ean13, "4006381333900", at: here, lines: 100)]) == ["4006381333931"])
        #expect(
            items([code(.code39, "ABC123", at: here), code(.code39, "XYZ", at: here, lines: 3)]) == ["ABC123"])
    }

    @Test func theLongestOfOverlappingReadsIsRight() {
        #expect(items([code(.i2of5, "12345678", at: here), code(.i2of5, "345678", at: here)]) == ["12345678"])
    }

    @Test func whatIsReadOutOfATwoDimensionalCodeIsNone() {
        let square = place(0.4, 0.2, width: 0.2, height: 0.35)
        #expect(
            items([code(.qr, "Q", at: square), code(.i2of5, "123456", at: place(0.42, 0.3, width: 0.15))]) == ["Q"])
    }

    @Test func oneLabelSeenTwiceIsOneItemAndTwinsAreTwo() {
        let seen = code(.upcA, "036000291452", at: here, confirmed: true)
        let again = code(.ean13, "0036000291452", at: place(0.11, 0.1), lines: 200)
        #expect(items([seen, again]) == ["036000291452"])
        #expect(items([seen, code(.upcA, "036000291452", at: place(0.5, 0.1), confirmed: true)]).count == 2)
    }

    @Test func anAddOnIsOneItemWithItsCode() throws {
        let main = code(.ean13, "9780804816632", at: here, confirmed: true)
        let addOn = code(.ean5, "51295", at: place(0.32, 0.12, width: 0.1, height: 0.08))
        var random = SeededGenerator(seed: 1)
        let both = StillPictureRule(qualityLevel: .balanced).items(
            in: [addOn, main], aspectRatio: 16.0 / 9, at: WallTime(milliseconds: 0), using: &random)
        guard case .barcode(let barcode)? = both.first else {
            Issue.record("no barcode")
            return
        }
        #expect(both.count == 1)
        #expect(barcode.payload.string == "9780804816632" && barcode.supplement == "51295")
        // By itself it is what it is.
        #expect(items([addOn]) == ["51295"])
    }

    @Test func itemsComeInReadingOrderAndFromTheRegionOnly() {
        let all = [
            code(.qr, "right", at: place(0.6, 0.1)), line("below", at: place(0.1, 0.5, height: 0.04)),
            code(.qr, "left", at: place(0.1, 0.1)),
        ]
        #expect(items(all) == ["left", "right", "below"])
        let half = RegionOfInterest(Rect(x: 0, y: 0, width: 0.5, height: 1))
        #expect(half.map { items(all, region: $0) } == ["left", "below"])
    }

    @Test func textIsAsCertainAsTheTrackerWantsIt() {
        func texts(_ text: String, _ confidence: Double) -> [String] {
            items([line(text, at: place(0.1, 0.5, height: 0.04), confidence: confidence)])
        }
        #expect(texts("LOT A88994", 0.71) == ["LOT A88994"])
        #expect(texts("LOT A88994", 0.69).isEmpty)
        #expect(texts("AB", 0.8).isEmpty && texts("AB", 0.9) == ["AB"])
        #expect(texts("-- | --", 0.99).isEmpty)
        #expect(items([Observation(bounds: here, content: .unreadLine)]).isEmpty)
    }

    @Test func barsAreNotText() {
        let text = line("IIIIII", at: place(0.12, 0.12, width: 0.1, height: 0.04))
        #expect(items([text]) == ["IIIIII"])
        #expect(items([code(.ean13, "4006381333931", at: here, confirmed: true), text]) == ["4006381333931"])
        // Bars that could not be read for certain are bars all the same.
        #expect(items([code(.ean13, "4006381333931", at: here, lines: 3), text]).isEmpty)
    }

    @Test func placesThatAreNoNumbersAreLeftOut() {
        let odd = Quad(
            topLeft: Point(x: .nan, y: 0), topRight: Point(x: 1, y: 0), bottomRight: Point(x: 1, y: 1),
            bottomLeft: Point(x: 0, y: 1))
        #expect(items([code(.qr, "A", at: odd)]).isEmpty)
    }
}
