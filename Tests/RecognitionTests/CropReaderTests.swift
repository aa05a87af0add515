// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ImageKernels
import ScanModel
import Testing

@testable import Recognition

/// One candidate whose place is known: what its engines say, to the byte, and where it is.
@Suite struct CropReaderTests {
    /// A code on white with its place.
    struct Scene {
        var picture: LumaBuffer
        var quad: Quad

        init(_ code: LumaBuffer, margin: Int = 40) {
            picture = code.padded(margin)
            quad = Quad(
                Rect(x: Double(margin), y: Double(margin), width: Double(code.width), height: Double(code.height)))
        }

        /// Turned clockwise about its centre.
        init(_ code: LumaBuffer, degrees: Double, side: Int) {
            picture = code.turned(degrees: degrees, width: side, height: side)
            let center = Point(x: Double(side) / 2, y: Double(side) / 2)
            let (w, h) = (Double(code.width) / 2, Double(code.height) / 2)
            let right = Point(x: cosine(degrees), y: sine(degrees))
            let down = Point(x: -right.y, y: right.x)
            func corner(_ x: Double, _ y: Double) -> Point { center + right * (x * w) + down * (y * h) }
            quad = Quad(
                topLeft: corner(-1, -1), topRight: corner(1, -1), bottomRight: corner(1, 1), bottomLeft: corner(-1, 1))
        }

        func read(
            _ kind: CodeCandidate.Kind, effort: ReadingEffort = .look,
            symbologies: Set<Symbology> = CropReader.supportedSymbologies, place: Quad? = nil, isInverted: Bool? = nil
        ) -> [DecodedSymbol] {
            picture.withView { view in
                CropReader().read(
                    CodeCandidate(
                        kind: kind, quad: place ?? quad, moduleSize: nil, isInverted: isInverted, score: 1),
                    in: view, symbologies: symbologies, effort: effort)
            }
        }
    }

    private func text(_ symbol: DecodedSymbol?) -> String? {
        symbol.map { String(decoding: $0.payload, as: UTF8.self) }
    }

    // MARK: - Payloads

    @Test func aGS1LabelKeepsItsSeparators() throws {
        let code = try TestPictures.zint(
            "GS1_128", "[01]08032825498580[21]12345[11]090101[17]100101", scale: 1)
        let symbol = try #require(Scene(code).read(.linear).first)
        #expect(symbol.payload == Array("01080328254985802112345\u{1D}1109010117100101".utf8), "B44")
        #expect(symbol.isGS1)
        #expect(symbol.identifier == "]C1")
        #expect(symbol.symbology == .code128)
        #expect(symbol.isConfirmed)
    }

    @Test func aCardInUTF8IsExact() throws {
        let card = "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Müller;Jürgen\r\nORG:물류 창고\r\nEND:VCARD\r\n"
        let symbol = try #require(Scene(try TestPictures.qr(Array(card.utf8))).read(.qr).first)
        #expect(text(symbol) == card)
        #expect(symbol.identifier == "]Q1")
        #expect(symbol.confidence >= 0.98)
    }

    @Test func everyByteValueSurvives() throws {
        let all = (0...255).map { UInt8($0) }
        let scene = Scene(try TestPictures.qr(all))
        for effort in [ReadingEffort.glance, .look, .thorough] {
            #expect(scene.read(.qr, effort: effort).map(\.payload) == [all], "B9")
        }
    }

    @Test func latin1OfCode128IsNotWrong() throws {
        let scene = Scene(try TestPictures.zint("CODE128", "Größe", scale: 1))
        let symbol = try #require(scene.read(.linear).first)
        #expect(symbol.payload == [0x47, 0x72, 0xF6, 0xDF, 0x65])
        #expect(symbol.isConfirmed)
        #expect(scene.read(.linear).count == 1)
        #expect(Payload(bytes: symbol.payload, eci: symbol.eci, symbology: symbol.symbology).string == "Größe")
    }

    @Test func aNamedCharacterSetIsKept() throws {
        let chinese = try #require(
            Scene(try TestPictures.zint("QRCODE", "你好", scale: 2, extra: ["--eci=26"])).read(.qr).first)
        #expect(text(chinese) == "你好", "B3")
        #expect(chinese.eci == 26)
        let japanese = try #require(
            Scene(try TestPictures.zint("QRCODE", "会社名 郵便番号", scale: 2, extra: ["--eci=20"])).read(.qr).first)
        #expect(japanese.payload.prefix(4) == [0x89, 0xEF, 0x8E, 0xD0], "B8")
        #expect(japanese.eci == 20)
        #expect(japanese.text == "会社名 郵便番号")
    }

    @Test(arguments: [("9771234567898+05", "9771234567898", "05"), ("9780141026626+59990", "9780141026626", "59990")])
    func anAddOnBelongsToItsSymbol(_ data: String, _ main: String, _ supplement: String) throws {
        let code = try TestPictures.zint("EANX", data, scale: 1)
        let scene = Scene(code)
        // The finder may have seen the main symbol alone, or both.
        let whole = scene.read(.linear)
        #expect(whole.map { text($0) } == [main], "B41")
        #expect(whole.first?.supplement == Array(supplement.utf8), "B41")
        let mainOnly = scene.quad.part(from: 0, to: 190.0 / Double(code.width))
        #expect(scene.read(.linear, place: mainOnly).first?.supplement == Array(supplement.utf8), "B41")
        let without = scene.read(.linear, symbologies: [.ean13])
        #expect(without.map(\.supplement) == [nil])
    }

    @Test func partsOfAMessageSayWhichTheyAre() throws {
        let part = try TestPictures.zint("QRCODE", "first half", scale: 2, extra: ["--structapp=2,3"])
        let symbol = try #require(Scene(part).read(.qr).first)
        #expect(text(symbol) == "first half", "B19")
        #expect(symbol.part?.index == 1, "B19")
        #expect(symbol.part?.count == 3, "B19")
    }

    static let matrices: [(zint: String, data: String, kind: CodeCandidate.Kind, symbology: Symbology)] = [
        ("QRCODE", "shelf 12", .qr, .qr), ("DATAMATRIX", "DF150E0101", .matrix, .dataMatrix),
        ("AZTEC", "aztec text", .bullseye, .aztec), ("AZTEC", "aztec text", .matrix, .aztec),
        ("PDF417", "stacked text", .stacked, .pdf417), ("MICROQR", "12345", .matrix, .microQR),
        ("MAXICODE", "maxi text", .bullseye, .maxiCode),
    ]

    @Test(arguments: matrices)
    func symbolsInTwoDimensionsAreRead(
        _ zint: String, _ data: String, _ kind: CodeCandidate.Kind, _ symbology: Symbology
    ) throws {
        let scene = Scene(try TestPictures.zint(zint, data, scale: 2))
        let symbol = try #require(scene.read(kind).first, "\(zint)")
        #expect(text(symbol) == data)
        #expect(symbol.symbology == symbology)
        #expect(symbol.isConfirmed)
    }

    static let linears: [(zint: String, data: String, payload: String, symbology: Symbology)] = [
        ("EANX", "4006381333931", "4006381333931", .ean13), ("EANX", "9638507", "96385074", .ean8),
        ("UPCA", "697929110035", "697929110035", .upcA), ("UPCE", "01234565", "01234565", .upcE),
        ("CODE128", "4001599", "4001599", .code128), ("CODE39", "345", "345", .code39),
        ("CODE39", "ABC-1234", "ABC-1234", .code39),
        ("CODE93", "T11413AQW1KT111194ARMP6", "T11413AQW1KT111194ARMP6", .code93),
        ("CODABAR", "A1234567B", "A1234567B", .codabar), ("C25INTER", "0002216887", "0002216887", .i2of5),
        ("ITF14", "1234567890123", "12345678901231", .itf14),
        ("DBAR_OMN", "0950110153001", "0109501101530010", .gs1DataBar),
        ("DBAR_EXP", "[01]90614141000015[3202]000150", "01906141410000153202000150", .gs1DataBarExpanded),
        ("DBAR_EXP", "[10]AB12[21]9876", "10AB12\u{1D}219876", .gs1DataBarExpanded),
        ("DBAR_EXPSTK", "[01]90614141000015[3202]000150", "01906141410000153202000150", .gs1DataBarExpanded),
    ]

    @Test(arguments: linears)
    func linearSymbolsAreReadAndConfirmed(
        _ zint: String, _ data: String, _ payload: String, _ symbology: Symbology
    ) throws {
        let scene = Scene(try TestPictures.zint(zint, data, scale: 1))
        let symbols = scene.read(.linear)
        #expect(symbols.map { text($0) } == [payload], "\(zint)")
        #expect(symbols.first?.symbology == symbology)
        #expect(symbols.first?.confidence ?? 0 >= ReadingTrust.confirmed)
    }

    // MARK: - Places

    @Test func threeEqualLabelsSideBySideAreThree() throws {
        let code = try TestPictures.zint("EANX", "4006381333931", scale: 1).padded(20)
        var picture = LumaBuffer(width: 3 * code.width + 40, height: code.height + 40, filledWith: 255)
        for index in 0..<3 { picture.paste(code, x: 20 + index * code.width, y: 20) }
        var scene = Scene(picture, margin: 0)
        scene.quad = scene.quad.grown(along: -40, across: -40)
        let found = scene.read(.linear).sorted { $0.quad.center.x < $1.quad.center.x }
        #expect(found.map { text($0) } == Array(repeating: "4006381333931", count: 3))
        for (index, symbol) in found.enumerated() {
            let center = 40 + Double(index * code.width) + Double(code.width - 40) / 2
            #expect((symbol.quad.center.x - center).magnitude < 6)
            #expect((symbol.quad.width - Double(code.width - 40)).magnitude < 0.05 * Double(code.width))
        }
    }

    @Test(arguments: [0.0, 90, 180, 270])
    func cornersAreTheSymbolsOwn(_ degrees: Double) throws {
        for (zint, data, kind, scale) in [
            ("QRCODE", "shelf 12", CodeCandidate.Kind.qr, 2.0), ("DATAMATRIX", "DF150E0101", .matrix, 3),
            ("AZTEC", "aztec text", .bullseye, 3), ("MICROQR", "12345", .matrix, 3),
            ("PDF417", "stacked text", .stacked, 2),
            ("EANX", "4006381333931", .linear, 1), ("CODE128", "CARTON-0042", .linear, 1),
        ] {
            let code = try TestPictures.zint(zint, data, scale: scale)
            let scene = Scene(code, degrees: degrees, side: 560)
            // The finder does not know which way up it is: for bars, and for rows of them, upside down or not.
            let place =
                degrees == 180 || kind != .linear && kind != .stacked ? scene.quad.turned(quarters: 2) : scene.quad
            let symbol = try #require(scene.read(kind, place: place).first, "\(zint) at \(degrees)")
            let size = max(scene.quad.width, scene.quad.height)
            for (found, true_) in zip(symbol.quad.corners, scene.quad.corners) {
                // The guards of an EAN are longer than its other bars by 5 modules of 95: both ends are its lower side.
                let guards = zint == "EANX" ? 0.01 * size : 0
                #expect(found.distance(to: true_) < 0.05 * size + 1 + guards, "\(zint) at \(degrees): \(symbol.quad)")
            }
        }
    }

    @Test func aTiltedAztecIsReadUpright() throws {
        let scene = Scene(try TestPictures.zint("AZTEC", "aztec text", scale: 3), degrees: 30, side: 400)
        #expect(scene.read(.bullseye).map { text($0) } == ["aztec text"])
    }

    @Test func invertedCodesAreReadAndSaySo() throws {
        var matrix = Scene(try TestPictures.zint("DATAMATRIX", "DF150E0101", scale: 3))
        matrix.picture = matrix.picture.inverted()
        var retail = Scene(try TestPictures.zint("EANX", "4006381333931", scale: 1))
        retail.picture = retail.picture.inverted()
        var qr = Scene(try TestPictures.qr(Array("dark label".utf8)))
        qr.picture = qr.picture.inverted()
        for (scene, kind, payload) in [
            (matrix, CodeCandidate.Kind.matrix, "DF150E0101"), (retail, .linear, "4006381333931"),
            (qr, .qr, "dark label"),
        ] {
            for known in [nil, true] as [Bool?] {
                let symbol = try #require(scene.read(kind, isInverted: known).first, "B14 \(payload)")
                #expect(text(symbol) == payload, "B14")
                #expect(symbol.isInverted, "B14")
            }
        }
    }

    // MARK: - What is not to be believed

    @Test(arguments: [("C25INTER", "3012627384"), ("CODE128", "4001599"), ("CODE39", "345"), ("EANX", "4006381333931")])
    func whatThePictureCutsIsNothingOrWhole(_ zint: String, _ data: String) throws {
        let code = try TestPictures.zint(zint, data, scale: 1).padded(30)
        for cut in stride(from: 40, to: code.width, by: 3) {
            guard let part = PixelRect(x: 0, y: 0, width: cut, height: code.height),
                let picture = code.withView({ $0.cropped(to: part) })
            else { continue }
            var scene = Scene(picture, margin: 0)
            scene.quad = Quad(Rect(x: 30, y: 30, width: Double(cut - 30), height: Double(code.height - 60)))
            for symbol in scene.read(.linear) {
                #expect(text(symbol) == data || symbol.confidence < ReadingTrust.confirmed, "B28 cut at \(cut)")
            }
        }
    }

    @Test func aLeaningTwoOfFiveIsWholeOrNothing() throws {
        let code = try TestPictures.zint("C25INTER", "0002216887", scale: 1)
        for degrees in stride(from: -12.0, through: 12, by: 1.5) {
            let scene = Scene(code, degrees: degrees, side: 420)
            let upright = Quad(Rect(x: 120, y: 150, width: 180, height: 120))
            for symbol in scene.read(.linear, place: upright) {
                #expect(text(symbol) == "0002216887", "B30 at \(degrees)")
            }
        }
    }

    @Test func texturesGiveNothingSure() throws {
        for seed in 0..<6 {
            let noise = LumaBuffer(width: 240, height: 160, filledWith: 128).noisy(40, seed: UInt64(seed))
            let scene = Scene(noise, margin: 0)
            for kind in [CodeCandidate.Kind.linear, .qr, .matrix, .bullseye, .stacked] {
                #expect(scene.read(kind, effort: .thorough).filter(\.isConfirmed).isEmpty, "B40 \(kind)")
            }
        }
    }

    @Test func badCandidatesGiveNothing() throws {
        let scene = Scene(try TestPictures.zint("EANX", "4006381333931", scale: 1))
        let far = Quad(Rect(x: 1e12, y: -1e12, width: 1e9, height: 1e9))
        let nan = Quad(Rect(x: .nan, y: 0, width: 10, height: 10))
        let flat = Quad(Rect(x: 10, y: 10, width: 100, height: 0))
        let crossed = Quad(
            topLeft: Point(x: 0, y: 0), topRight: Point(x: 100, y: 100), bottomRight: Point(x: 100, y: 0),
            bottomLeft: Point(x: 0, y: 100))
        for kind in [CodeCandidate.Kind.linear, .qr, .matrix, .bullseye, .stacked] {
            for quad in [far, nan, flat, crossed] { #expect(scene.read(kind, effort: .thorough, place: quad).isEmpty) }
        }
    }
}

private func cosine(_ degrees: Double) -> Double { sine(degrees + 90) }

/// By its series, which needs no C library: exact to 1e-9 within a turn.
private func sine(_ degrees: Double) -> Double {
    var x = degrees.truncatingRemainder(dividingBy: 360) * .pi / 180
    if x > .pi { x -= 2 * .pi }
    var (term, sum) = (x, x)
    for step in 1..<14 {
        term *= -x * x / Double(2 * step * (2 * step + 1))
        sum += term
    }
    return sum
}

extension Quad {
    /// The part between two shares of the width.
    fileprivate func part(from start: Double, to end: Double) -> Quad {
        func point(_ left: Point, _ right: Point, _ share: Double) -> Point { left + (right - left) * share }
        return Quad(
            topLeft: point(topLeft, topRight, start), topRight: point(topLeft, topRight, end),
            bottomRight: point(bottomLeft, bottomRight, end), bottomLeft: point(bottomLeft, bottomRight, start))
    }
}
