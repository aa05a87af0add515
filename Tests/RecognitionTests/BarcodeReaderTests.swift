// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ImageKernels
import Recognition
import ScanModel
import Testing

@Suite struct BarcodeReaderTests {
    struct Sample: Sendable, CustomStringConvertible {
        var zint: String
        var data: String
        var symbology: Symbology
        var payload: String
        var identifier: String
        var extra: [String] = []

        var description: String { "\(symbology.rawValue) \(payload)" }
    }

    static let samples = [
        Sample(zint: "EANX", data: "4006381333931", symbology: .ean13, payload: "4006381333931", identifier: "]E0"),
        Sample(zint: "EANX", data: "9638507", symbology: .ean8, payload: "96385074", identifier: "]E4"),
        Sample(zint: "UPCA", data: "697929110035", symbology: .upcA, payload: "697929110035", identifier: "]E0"),
        Sample(zint: "UPCE", data: "01234565", symbology: .upcE, payload: "01234565", identifier: "]E0"),
        Sample(zint: "CODE128", data: "Shelf A-17", symbology: .code128, payload: "Shelf A-17", identifier: "]C0"),
        Sample(
            zint: "GS1_128", data: "[01]08032825498580[21]12345[11]090101", symbology: .code128,
            payload: "01080328254985802112345\u{1D}11090101", identifier: "]C1"),
        Sample(zint: "CODE39", data: "PART-345", symbology: .code39, payload: "PART-345", identifier: "]A0"),
        Sample(
            zint: "CODE93", data: "T11413AQW1KT11", symbology: .code93, payload: "T11413AQW1KT11", identifier: "]G0"),
        Sample(zint: "CODABAR", data: "A37859B", symbology: .codabar, payload: "A37859B", identifier: "]F0"),
        Sample(zint: "C25INTER", data: "3012627384", symbology: .i2of5, payload: "3012627384", identifier: "]I0"),
        Sample(
            zint: "C25INTER", data: "12345678901231", symbology: .itf14, payload: "12345678901231", identifier: "]I1"),
        Sample(
            zint: "DBAR_OMN", data: "0950110153001", symbology: .gs1DataBar, payload: "0109501101530010",
            identifier: "]e0"),
        Sample(
            zint: "DBAR_EXP", data: "[01]90614141000015[3202]000150", symbology: .gs1DataBarExpanded,
            payload: "01906141410000153202000150", identifier: "]e0"),
        Sample(zint: "QRCODE", data: "hello shelf", symbology: .qr, payload: "hello shelf", identifier: "]Q1"),
    ]

    @Test(arguments: samples)
    func everySymbologyComesBackAsPrinted(_ sample: Sample) throws {
        let code = try TestPictures.zint(sample.zint, sample.data, scale: 1.5, extra: sample.extra)
        for level in QualityLevel.allCases {
            let read = try code.padded(40).barcodes(level: level)
            #expect(read.map(\.text) == [sample.payload], "\(level)")
            let first = try #require(read.first)
            #expect(first.reading.symbology == sample.symbology)
            #expect(first.reading.symbologyIdentifier == sample.identifier)
            #expect(!first.reading.touchesEdge)
            let truth = Quad(Rect(x: 40, y: 40, width: Double(code.width), height: Double(code.height)))
            let overlap = first.quad.overlap(with: truth)
            #expect(overlap > 0.8, "\(level): \(first.quad.boundingRect) against \(code.width) x \(code.height)")
        }
    }

    @Test(arguments: samples)
    func cornersAreTheItemsOwnAtEachQuarterTurn(_ sample: Sample) throws {
        var picture = try TestPictures.zint(sample.zint, sample.data, scale: 1.5).padded(40)
        for quarters in 0..<4 {
            let read = try picture.barcodes()
            #expect(read.map(\.text) == [sample.payload], "\(quarters)")
            let quad = try #require(read.first).quad
            let corner = quad.topLeft
            let isLeft = corner.x < Double(picture.width) / 2
            let isTop = corner.y < Double(picture.height) / 2
            let expected = [(true, true), (false, true), (false, false), (true, false)][quarters]
            #expect((isLeft, isTop) == expected, "\(quarters): \(quad)")
            #expect(quad.signedArea > 0, "corners run clockwise")
            picture = picture.turned()
        }
    }

    @Test(arguments: [("EANX", "4006381333931"), ("CODE128", "A1234567"), ("ITF14", "1234567890123")])
    func equalLabelsAreThreeReadings(_ zint: String, _ data: String) throws {
        let code = try TestPictures.zint(zint, data, scale: 1)
        for level in [QualityLevel.balanced, .accurate] {
            var row = LumaBuffer(width: 3 * code.width + 200, height: code.height + 80, filledWith: 255)
            for index in 0..<3 { row.paste(code, x: 40 + index * (code.width + 40), y: 40) }
            #expect(try row.barcodes(level: level).count == 3, "side by side, \(level)")
            var stack = LumaBuffer(width: code.width + 80, height: 3 * code.height + 200, filledWith: 255)
            for index in 0..<3 { stack.paste(code, x: 40, y: 40 + index * (code.height + 30)) }
            #expect(try stack.barcodes(level: level).count == 3, "stacked, \(level)")
            #expect(try stack.turned().barcodes(level: level).count == 3, "stacked and turned, \(level)")
            var steps = LumaBuffer(width: 3 * code.width + 200, height: 2 * code.height + 80, filledWith: 255)
            for index in 0..<3 { steps.paste(code, x: 40 + index * (code.width + 40), y: 40 + index * code.height / 2) }
            #expect(try steps.barcodes(level: level).count == 3, "in steps, \(level)")
            let noisy = row.noisy(4)
            #expect(try noisy.barcodes(level: level).count == 3, "side by side with noise, \(level)")
        }
    }

    @Test func oneLargeLabelIsOneReading() throws {
        let code = try TestPictures.zint("EANX", "4006381333931", scale: 5)
        for picture in [code.padded(60), code.padded(60).noisy(12), code.padded(60).turned()] {
            for level in QualityLevel.allCases {
                #expect(try picture.barcodes(level: level).map(\.text) == ["4006381333931"], "\(level)")
            }
        }
    }

    @Test func aTiltedLabelHasATiltedQuad() throws {
        let code = try TestPictures.zint("EANX", "4006381333931", scale: 1.5)
        for degrees in [-20.0, -8, -3, 3, 8, 20] {
            let picture = code.turned(degrees: degrees, width: 500, height: 400)
            let read = try picture.barcodes()
            #expect(read.map(\.text) == ["4006381333931"], "\(degrees)")
            let angle = degrees * .pi / 180
            let upright = Quad(
                Rect(
                    x: -Double(code.width) / 2, y: -Double(code.height) / 2, width: Double(code.width),
                    height: Double(code.height)))
            let truth = upright.mapped { $0.turned(by: angle, about: Point(x: 250, y: 200)) }
            let overlap = try #require(read.first).quad.overlap(with: truth)
            #expect(overlap > 0.75, "\(degrees) degrees: \(overlap)")
        }
    }
}

extension Point {
    fileprivate func turned(by angle: Double, about center: Point) -> Point {
        Point(
            x: center.x + x * cosine(angle) - y * sine(angle), y: center.y + x * sine(angle) + y * cosine(angle))
    }
}

private func cosine(_ angle: Double) -> Double { sine(.pi / 2 - angle) }

/// Enough terms for a test's angles.
private func sine(_ angle: Double) -> Double {
    var (term, sum) = (angle, angle)
    for index in 1...10 {
        term *= -angle * angle / Double(2 * index * (2 * index + 1))
        sum += term
    }
    return sum
}
