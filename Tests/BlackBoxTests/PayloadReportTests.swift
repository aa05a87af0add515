// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Foundation
import ImageKernels
import ScanTestSupport
import Testing

/// Payloads through the whole program, from a picture to `datascan analyze --json`; `b1` and so on are rows of the project's
/// list of public bug reports.
@Suite struct PayloadReportTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    /// The items of a picture, which are the same at both levels; `balanced` ones.
    private func items(_ picture: LumaBuffer) throws -> [[String: Any]] {
        let path = folder.path + "/code.pgm"
        try Pictures.write(
            Pictures.compose(width: picture.width + 80, height: picture.height + 80, [(picture, 40, 40)]), to: path)
        let found = try ["balanced", "accurate"].map { level in
            let result = try run(Programs.datascan, ["analyze", "--json", "-q", level, path])
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.output.split(separator: "\n").count == 1, "one line a picture")
            return Subscriber.parse(result.output)["items"] as? [[String: Any]] ?? []
        }
        #expect(found[1].map(bytes) == found[0].map(bytes), "accurate reads what balanced does")
        return found[0]
    }

    private func item(_ picture: LumaBuffer) throws -> [String: Any] {
        let found = try items(picture)
        #expect(found.count == 1, "\(found)")
        return try #require(found.first)
    }

    private func payload(_ item: [String: Any]) -> [String: Any] { item["payload"] as? [String: Any] ?? [:] }
    private func text(_ item: [String: Any]) -> String? { payload(item)["string"] as? String }
    private func encoding(_ item: [String: Any]) -> String? { payload(item)["encoding"] as? String }
    private func bytes(_ item: [String: Any]) -> [UInt8]? {
        (payload(item)["base64"] as? String).flatMap { Data(base64Encoded: $0) }.map(Array.init)
    }

    private func zint(_ kind: String, _ data: String, scale: Double = 2, _ extra: String...) throws -> LumaBuffer {
        try Pictures.symbol(kind, data, scale: scale, border: 16, extra: extra)
    }

    /// A QR code of bytes whose text is what is expected, without an ECI.
    private func expectText(_ expected: String, _ encoding: String = "UTF-8") throws {
        let read = try item(try Pictures.qrCode(Array(expected.utf8)))
        #expect(bytes(read) == Array(expected.utf8))
        #expect(text(read).map { Array($0.utf8) } == Array(expected.utf8))
        #expect(self.encoding(read) == encoding && payload(read)["encodingGuessed"] == nil)
        #expect(read["symbologyIdentifier"] as? String == "]Q1")
    }

    // MARK: - Text

    @Test func b1AccentsInUTF8() throws {
        try expectText("Il était une fois, un noël radieiux et un gros test. Manchmal sind wir über freundlich.")
    }

    @Test func b2ChineseInUTF8() throws {
        try expectText("你好")
        try expectText("hello is 你好")
    }

    @Test func b3ChineseWithItsECI() throws {
        let read = try item(try zint("QRCODE", "你好", "--eci=26"))
        #expect(text(read) == "你好" && encoding(read) == "UTF-8" && bytes(read) == Array("你好".utf8))
        #expect(read["symbologyIdentifier"] as? String == "]Q1")
    }

    @Test func b5CyrillicInUTF8() throws { try expectText("qr код") }

    @Test func b6SharpSInUTF8() throws { try expectText("Straße Straße") }

    @Test func b8ShiftJISWithItsECI() throws {
        let read = try item(try zint("QRCODE", "会社名 郵便番号", "--eci=20"))
        #expect(text(read) == "会社名 郵便番号" && encoding(read) == "Shift_JIS")
        #expect(bytes(read)?.prefix(4) == [0x89, 0xEF, 0x8E, 0xD0])
    }

    /// The mark stays in the text as well; Foundation's decoder, which judges here, leaves it out.
    @Test func b11AByteOrderMarkAndMixedSegments() throws {
        let whole = "Straße 12345678901234567890 ABCDEFGHIJKLMNOPQRSTUVWX"
        let marked = Array("\u{FEFF}\(whole)".utf8)
        let read = try item(try Pictures.qrCode(marked, extra: []))
        #expect(bytes(read) == marked && text(read)?.hasSuffix(whole) == true && encoding(read) == "UTF-8")
        let line = try run(Programs.datascan, ["analyze", "--json", folder.path + "/code.pgm"]).output
        #expect(line.unicodeScalars.contains("\u{FEFF}"))
    }

    @Test func b59WhatLooksLikeCodeIsText() throws {
        for inert in ["'); DROP TABLE user; --", "javascript:prompt(1)", "<img src/onerror=prompt(8)>"] {
            try expectText(inert, "ASCII")
        }
    }

    @Test func b60WhatWouldBreakALineIsOneLine() throws {
        try expectText("]]>", "ASCII")
        try expectText("line1\nline2\t\"q\"\\x", "ASCII")
        try expectText("a\u{2028}b\u{1B}[31m")
    }

    @Test func aCardInUTF8() throws {
        try expectText("BEGIN:VCARD\r\nVERSION:3.0\r\nN:Müller;Jürgen\r\nORG:물류 창고\r\nEND:VCARD\r\n")
    }

    @Test func latin1OfCode128IsTextByAGuessThatIsNamed() throws {
        let read = try item(try zint("CODE128", "Größe"))
        #expect(bytes(read) == [0x47, 0x72, 0xF6, 0xDF, 0x65])
        #expect(text(read) == "Größe" && encoding(read) == "ISO-8859-1")
        #expect(payload(read)["encodingGuessed"] as? Bool == true)
        #expect(read["symbologyIdentifier"] as? String == "]C0")
    }

    // MARK: - Bytes

    @Test func b9EveryByteValue() throws {
        let all = (0...255).map { UInt8($0) }
        let read = try item(try Pictures.qrCode(all))
        #expect(bytes(read) == all)
        #expect(text(read) == nil && encoding(read) == nil, "no text in no encoding")
    }

    @Test func b10ZerosDoNotEndAPayload() throws {
        let read = try item(try Pictures.qrCode([0x41, 0, 0x42, 0, 0, 0x43]))
        #expect(bytes(read) == [0x41, 0, 0x42, 0, 0, 0x43] && text(read) == "A\0B\0\0C")
    }

    // MARK: - Messages over several symbols

    @Test func b19PartsOfAMessage() throws {
        let message = "A message that is too long for one small symbol."
        let parts = try Pictures.qrCodes(Array(message.utf8), version: 2, folder: folder)
        #expect(parts.count == 2)
        let width = parts.reduce(0) { $0 + $1.width + 40 }
        let row = Pictures.compose(
            width: width, height: parts[0].height,
            parts.enumerated().map { ($1, $0 * (parts[0].width + 40), 0) })
        let found = try items(row)
        #expect(found.count == 2)
        #expect(found.compactMap(text).joined() == message, "each its own, in their order from left to right")
        let told = found.compactMap { $0["part"] as? [String: Any] }
        #expect(told.compactMap { $0["index"] as? Int } == [0, 1])
        #expect(told.allSatisfy { $0["count"] as? Int == 2 })
        #expect(Set(told.compactMap { $0["identifier"] as? String }).count == 1, "of one message")
        let alone = try item(parts[1])
        #expect((alone["part"] as? [String: Any])?["index"] as? Int == 1)
        #expect(text(alone) == text(found[1]))
        let table = try run(Programs.datascan, ["analyze", "--format", "text", folder.path + "/code.pgm"]).output
        #expect(table.hasSuffix("  2 of 2\n"), "\(table)")
    }

    @Test func aPartOfADataMatrix() throws {
        let read = try item(try zint("DATAMATRIX", "second", scale: 3, "--structapp=2,3"))
        #expect(text(read) == "second")
        let part = read["part"] as? [String: Any]
        #expect(part?["index"] as? Int == 1 && part?["count"] as? Int == 3)
        #expect(read["symbologyIdentifier"] as? String == "]d1")
    }

    // MARK: - Goods

    @Test(arguments: [("9771234567898+05", "9771234567898", "05"), ("9780141026626+59990", "9780141026626", "59990")])
    func b41AnAddOnIsAFieldOfItsCode(_ printed: String, _ main: String, _ supplement: String) throws {
        let read = try item(try zint("EANX", printed))
        #expect(text(read) == main && read["supplement"] as? String == supplement)
        #expect(read["gtin"] as? String == "0" + main && read["symbologyIdentifier"] as? String == "]E0")
        let path = folder.path + "/code.pgm"
        let table = try run(Programs.datascan, ["analyze", "--format", "text", path]).output
        #expect(table.contains("  EAN13               \(main) +\(supplement)  GTIN 0\(main)\n"), "\(table)")
    }

    @Test func b41AnAddOnThatIsAskedForAloneIsAnItem() throws {
        let path = folder.path + "/magazine.pgm"
        let code = try zint("EANX", "9771234567898+05")
        try Pictures.write(
            Pictures.compose(width: code.width + 80, height: code.height + 80, [(code, 40, 40)]), to: path)
        for (types, expected) in [("EAN2", ["05"]), ("EAN13,EAN2", ["9771234567898"]), ("EAN13", ["9771234567898"])] {
            let line = try run(Programs.datascan, ["analyze", "--json", path, "--types", "barcode:\(types)"]).output
            let found = Subscriber.parse(line)["items"] as? [[String: Any]] ?? []
            #expect(found.compactMap(text) == expected, "\(types)")
            #expect(found.first?["supplement"] as? String == (types == "EAN13,EAN2" ? "05" : nil), "\(types)")
        }
    }

    @Test func b43UPCAIsUPCAAndOneGTIN() throws {
        for digits in ["697929110035", "077330012416"] {
            let read = try item(try zint("UPCA", digits))
            #expect(text(read) == digits && read["symbology"] as? String == "UPCA")
            #expect(read["gtin"] as? String == "00" + digits)
        }
    }

    @Test(arguments: [
        ("UPCE", "01234565", "01234565", "00012345000065"),
        ("EANX", "4006381333931", "4006381333931", "04006381333931"),
        ("EANX", "9638507", "96385074", "00000096385074"),
        ("ITF14", "1234567890123", "12345678901231", "12345678901231"),
    ])
    func numbersOfGoodsHaveOneForm(_ kind: String, _ printed: String, _ payload: String, _ gtin: String) throws {
        let read = try item(try zint(kind, printed))
        #expect(text(read) == payload && read["gtin"] as? String == gtin)
        #expect(read["supplement"] == nil && read["part"] == nil && read["inverted"] == nil)
    }

    @Test func b44AGS1LabelKeepsItsSeparators() throws {
        let read = try item(try zint("GS1_128", "[01]08032825498580[21]12345[11]090101[17]100101"))
        #expect(bytes(read) == Array("01080328254985802112345\u{1D}1109010117100101".utf8))
        #expect(read["isGS1"] as? Bool == true && read["symbologyIdentifier"] as? String == "]C1")
        #expect(
            read["gs1"] as? [String: String]
                == ["01": "08032825498580", "21": "12345", "11": "090101", "17": "100101"])
        #expect(read["gtin"] as? String == "08032825498580")
        let batch = try item(try zint("GS1_128", "[01]04006381333931[17]261130[10]A88994"))
        #expect(batch["gs1"] as? [String: String] == ["01": "04006381333931", "17": "261130", "10": "A88994"])
        #expect(batch["expiryDate"] as? String == "2026-11-30")
    }

    @Test func threeEqualLabelsSideBySideAreThreeItems() throws {
        let code = try zint("EANX", "4006381333931")
        let row = Pictures.compose(
            width: 3 * code.width + 80, height: code.height, (0..<3).map { (code, $0 * (code.width + 40), 0) })
        let found = try items(row)
        #expect(found.map(text) == ["4006381333931", "4006381333931", "4006381333931"])
        #expect(found.allSatisfy { $0["confidence"] as? Double ?? 0 >= 0.9 })
    }

    @Test func anInvertedDataMatrixSaysSo() throws {
        let code = try zint("DATAMATRIX", "DF150E0101", scale: 3)
        var dark = Pictures.compose(width: code.width + 40, height: code.height + 40, [(code, 20, 20)])
        for index in dark.pixels.indices { dark.pixels[index] = 255 - dark.pixels[index] }
        let read = try item(dark)
        #expect(text(read) == "DF150E0101" && read["inverted"] as? Bool == true)
        #expect(read["symbology"] as? String == "DataMatrix" && read["symbologyIdentifier"] as? String == "]d1")
    }
}
