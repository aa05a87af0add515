// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ImageKernels
import ScanModel
import Testing

@testable import Recognition

/// Bugs that were reported of other readers of linear codes, at four directions: found as candidates and read.
@Suite struct LinearReportTests {
    /// What is certain of a picture, by the candidates alone.
    private func certain(
        _ picture: LumaBuffer, level: QualityLevel = .accurate,
        asked: Set<Symbology> = CropReader.supportedSymbologies
    ) -> [(symbology: Symbology, text: String)] {
        let quarantine = CropQuarantine()
        let scan = CodeScan(
            finder: RegionFinder(kinds: [.linear, .qr, .matrix, .bullseye, .stacked]),
            reader: CropReader(quarantine: quarantine), quarantine: quarantine, symbologies: asked,
            plan: CodeScanPlan(level: level))
        let symbols = picture.withView { scan.symbols(in: $0, of: picture, known: [], isPart: false).symbols }
        return symbols.filter { $0.isConfirmed && !$0.touchesEdge }
            .map { ($0.symbology, String(decoding: $0.payload, as: UTF8.self)) }
    }

    private func directions(_ picture: LumaBuffer) -> [LumaBuffer] {
        var result = [picture]
        for _ in 0..<3 { result.append(result[result.count - 1].turned()) }
        return result
    }

    /// The one payload that each direction gives.
    private func expectWhole(_ zint: String, _ data: String, _ text: String, _ row: String) throws {
        let code = try TestPictures.zint(zint, data, scale: 1).padded(30)
        for (quarter, picture) in directions(code).enumerated() {
            #expect(certain(picture).map(\.text) == [text], "\(row) at \(90 * quarter) degrees")
        }
    }

    /// A line across a tilted code leaves it half way; a part of it is never the code.
    private func expectNoPart(_ zint: String, _ data: String, _ row: String) throws {
        let code = try TestPictures.zint(zint, data, scale: 1)
        for degrees in stride(from: -24.0, through: 24, by: 8) {
            let read = Set(certain(code.turned(degrees: degrees, width: 420, height: 320)).map(\.text))
            #expect(read.isSubset(of: [data]), "\(row) at \(degrees) degrees")
        }
    }

    /// Cut by the picture's edge it is nothing or itself.
    private func expectNothingOrWhole(_ zint: String, _ data: String, _ row: String) throws {
        let code = try TestPictures.zint(zint, data, scale: 1).padded(30)
        for cut in stride(from: 60, to: code.width, by: 37) {
            let part = try #require(PixelRect(x: 0, y: 0, width: cut, height: code.height))
            let picture = try #require(code.withView { $0.cropped(to: part) })
            for direction in [picture, picture.turned().turned()] {
                let read = Set(certain(direction).map(\.text))
                #expect(read.isSubset(of: [data]), "\(row) cut at \(cut)")
            }
        }
    }

    // MARK: - Rows

    @Test func b18ALongCode93OfOnePixel() throws {
        try expectWhole("CODE93", "T11413AQW1KT111194ARMP6", "T11413AQW1KT111194ARMP6", "B18")
    }

    @Test func b28ATwoOfFiveCutByTheEdge() throws { try expectNothingOrWhole("C25INTER", "3012627384", "B28") }

    @Test func b30ATiltedTwoOfFive() throws { try expectNoPart("C25INTER", "0002216887", "B30") }

    /// Three stray lines like a start before it.
    @Test func b32ATwoOfFiveBehindStrayLines() throws {
        var picture = try TestPictures.zint("C25INTER", "3012627384", scale: 1).padded(60)
        let line = LumaBuffer(width: 2, height: picture.height - 120, filledWith: 0)
        for stray in 0..<3 { picture.paste(line, x: 20 + 4 * stray, y: 60) }
        for (quarter, turned) in directions(picture).enumerated() {
            #expect(certain(turned).map(\.text) == ["3012627384"], "B32 at \(90 * quarter) degrees")
        }
    }

    @Test func b34APaymentSlipOf44Digits() throws {
        let digits = "34191790010104351004791020150008291070026000"
        try expectWhole("C25INTER", digits, digits, "B34")
        try expectNothingOrWhole("C25INTER", digits, "B34")
    }

    @Test func b35ATiltedCode128IsNoUPCE() throws {
        try expectWhole("CODE128", "4001599", "4001599", "B35")
        try expectNoPart("CODE128", "4001599", "B35")
    }

    @Test func b37AShortCode39IsWhole() throws {
        for data in ["345", "50"] { try expectWhole("CODE39", data, data, "B37") }
        try expectNoPart("CODE39", "345", "B37")
        try expectNothingOrWhole("CODE39", "345", "B37")
    }

    @Test func b38ACode39IsNoUPCE() throws { try expectWhole("CODE39", "01234565", "01234565", "B38") }

    @Test func b45DataBarExpanded() throws {
        try expectWhole("DBAR_EXP", "[01]00000000000000", "0100000000000000", "B45")
        try expectWhole("DBAR_EXP", "[01]13191156432891", "0113191156432891", "B45")
        try expectWhole("DBAR_EXP", "[01]90614141000015[3202]000150", "01906141410000153202000150", "B45")
    }

    @Test func b47ATruncatedDataBar() throws {
        // 13 modules of the 33 that it has else.
        let code = try TestPictures.zint("DBAR_OMN", "0950110153001", scale: 1, extra: ["--height=13"]).padded(30)
        for (quarter, picture) in directions(code).enumerated() {
            #expect(certain(picture).map(\.text) == ["0109501101530010"], "B47 at \(90 * quarter) degrees")
        }
    }

    /// Labels side by side on a dark shelf, whose sides are edges too: each is found for itself.
    @Test func neighboursOnAShelfAreFoundOneByOne() throws {
        let data = ["4006381333931", "8801039015988", "5901234123457"]
        var picture = LumaBuffer(width: 1280, height: 300, filledWith: 110)
        for (index, digits) in data.enumerated() {
            let label = try TestPictures.zint("EANX", digits, scale: 1, extra: ["--height=20"]).padded(24, with: 200)
            picture.paste(
                label.turned(degrees: 2 - 2 * Double(index), width: label.width, height: label.height),
                x: 100 + index * (label.width + 40), y: 100)
        }
        let read = certain(picture, level: .balanced).map(\.text)
        #expect(Set(read) == Set(data))
    }

    // MARK: - The finder

    @Test func aCodeThatFillsThePictureIsDarkOnLight() throws {
        let code = try TestPictures.zint("DBAR_EXP", "[10]567[11]010101", scale: 1)
        let finder = RegionFinder(kinds: [.linear])
        let found = code.withView { finder.candidates(in: $0, level: .fast, limit: 8) }
        #expect(!found.isEmpty)
        #expect(found.allSatisfy { $0.isInverted != true })
    }

    @Test func rowsOfAStackedDataBarAreOneCandidate() throws {
        let data = "[01]90614141000015[3202]000150[15]991231"
        let code = try TestPictures.zint("DBAR_EXPSTK", data, scale: 1).padded(24)
        for (quarter, picture) in directions(code).enumerated() {
            let texts = Set(certain(picture, level: .balanced).map(\.text))
            #expect(texts == ["0190614141000015320200015015991231"], "at \(90 * quarter) degrees")
        }
    }

    @Test func aCodePromisesMoreThanText() throws {
        let finder = RegionFinder(kinds: [.linear, .stacked])
        let code = try TestPictures.zint("EANX", "4006381333931", scale: 1).padded(30)
        let codes = code.withView { finder.candidates(in: $0, level: .accurate, limit: 8) }
        let text = try TestPictures.text("illimitable millilitre filling", size: 40).padded(30)
        let lines = text.withView { finder.candidates(in: $0, level: .accurate, limit: 8) }
        let best = try #require(codes.first)
        #expect(best.promise > 0.6)
        #expect(lines.allSatisfy { $0.promise < best.promise / 2 })
    }
}

/// Code 128 as it is written.
@Suite struct Code128EncodingTests {
    @Test(arguments: ["4001599", "PJJ123C", "A1234567B", "00012345", "Aa1234", "x"])
    func theBarsAreTheSymbols(_ text: String) throws {
        let code = try TestPictures.zint("CODE128", text, scale: 0.5)
        let pattern = try #require(BarPattern(symbology: .code128, payload: Array(text.utf8)))
        #expect(code.width == Int(pattern.length), "\(text)")
        #expect(FoundBarcode.moduleCount(of: .code128, payload: Array(text.utf8)) == Double(code.width))
    }

    @Test func aGS1LabelOfDigitsAndLettersHasItsModules() throws {
        let code = try TestPictures.zint("GS1_128", "[01]08032825498580[21]AB345[11]090101", scale: 0.5)
        let payload = Array("010803282549858021AB345\u{1D}11090101".utf8)
        #expect(FoundBarcode.moduleCount(of: .code128, payload: payload, isGS1: true) == Double(code.width))
    }
}

/// Bars of two widths against those in the picture.
@Suite struct TwoWidthProofTests {
    @Test(arguments: [
        ("C25INTER", "3012627384", Symbology.i2of5, "3012627364"), ("CODE39", "WMEEJ3B", .code39, "WMEEJ8B"),
        ("CODABAR", "A1234567B", .codabar, "A1234867B"), ("CODE128", "PJJ123C", .code128, "PJJ124C"),
    ])
    func onlyTheRightCharactersFit(_ zint: String, _ data: String, _ symbology: Symbology, _ wrong: String) throws {
        let code = try TestPictures.zint(zint, data, scale: 1)
        let picture = code.padded(24).noisy(10)
        func symbol(_ payload: String) -> DecodedSymbol {
            DecodedSymbol(
                symbology: symbology, payload: Array(payload.utf8),
                quad: Quad(Rect(x: 23, y: 24, width: Double(code.width) + 1.5, height: 60)), witnesses: [], quality: 1,
                isGS1: false, isInverted: false, confidence: 0.5)
        }
        picture.withView { view in
            let proof = PatternProof(picture: view)
            #expect(proof.isProved(symbol(data)) == true, "\(data)")
            #expect(proof.isProved(symbol(wrong)) != true, "\(wrong) for \(data)")
        }
    }
}
