// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Foundation
import ImageKernels
import ScanTestSupport
import Testing

/// `datascan analyze`: still pictures, a line of JSON each.
@Suite struct AnalyzeTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func analyze(
        _ arguments: String..., input: [UInt8]? = nil
    ) throws -> (status: Int32, lines: [[String: Any]], errors: String) {
        let result = try run(Programs.datascan, ["analyze", "--json"] + arguments, input: input)
        let lines = result.output.split(separator: "\n").map { Subscriber.parse(String($0)) }
        #expect(lines.allSatisfy { $0["file"] is String && $0["items"] is [[String: Any]] }, "\(result.output)")
        return (result.status, lines, result.errors)
    }

    private func items(_ line: [String: Any]?) -> [[String: Any]] { line?["items"] as? [[String: Any]] ?? [] }

    private func text(_ item: [String: Any]) -> String {
        (item["payload"] as? [String: Any])?["string"] as? String ?? item["transcript"] as? String ?? ""
    }

    /// Corners of an item in the order of its own view.
    private func corners(_ item: [String: Any]) -> [[Double]] {
        let bounds = item["bounds"] as? [String: [Double]] ?? [:]
        return ["topLeft", "topRight", "bottomRight", "bottomLeft"].map { bounds[$0] ?? [] }
    }

    private func jpeg(_ picture: LumaBuffer, exif orientation: UInt8? = nil) throws -> Data {
        var file = try picture.withView { try JPEGEncoder.encode(luma: $0, quality: 95) }
        if let orientation {
            // An APP1 segment with a directory of one entry, little-endian.
            let exif: [UInt8] =
                Array("Exif".utf8) + [0, 0, 0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0]
                + [orientation, 0, 0, 0, 0, 0, 0, 0]
            file.insert(contentsOf: [0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif, at: 2)
        }
        return Data(file)
    }

    /// The first JPEG of an MJPEG file.
    private func firstFrame(of path: String) throws -> Data {
        let clip = try Data(contentsOf: URL(fileURLWithPath: path))
        let start = Data([0xFF, 0xD8, 0xFF])
        let second = try #require(clip.range(of: start, in: 3..<clip.count))
        return clip[..<second.lowerBound]
    }

    @Test func aShelfGivesItsCodesInReadingOrder() throws {
        let path = folder.path + "/shelf.pgm"
        try Pictures.write(try Pictures.shelf(), to: path)
        let result = try analyze(path)
        #expect(result.status == 0, "\(result.errors)")
        let line = try #require(result.lines.first)
        #expect(result.lines.count == 1 && line["error"] == nil)
        #expect(line["file"] as? String == path)
        #expect(line["width"] as? Int == 1280 && line["height"] as? Int == 720)
        #expect(line["milliseconds"] as? Double ?? 0 > 0)
        #expect(
            items(line).map(text) == [
                "4006381333931", "PALLET-0042", "https://wh.example/i/7", "LOT7731", "15400141288763",
            ])
        for item in items(line) {
            #expect(item["id"] == nil && item["firstSeen"] == nil && item["lastSeen"] == nil)
            #expect(item["confidence"] as? Double ?? 0 >= 0.9)
        }
        #expect(items(line).first?["gtin"] as? String == "04006381333931")
    }

    @Test func whatCanNotBeReadIsToldAndTheRunGoesOn() throws {
        let label = try Pictures.symbol("QRCODE", "one", scale: 3)
        try Pictures.write(label, to: folder.path + "/good.pgm")
        try Data("no picture".utf8).write(to: URL(fileURLWithPath: folder.path + "/bad.png"))
        try jpeg(label).dropLast(40).write(to: URL(fileURLWithPath: folder.path + "/cut.jpg"))
        try Data("P5\n60000 60000\n255\n".utf8).write(to: URL(fileURLWithPath: folder.path + "/huge.pgm"))
        try Data().write(to: URL(fileURLWithPath: folder.path + "/empty.png"))
        let names = ["bad.png", "cut.jpg", "huge.pgm", "empty.png", "none.png", "good.pgm"]
        let result = try run(
            Programs.datascan, ["analyze", "--json"] + names.map { folder.path + "/" + $0 })
        #expect(result.status == 66, "\(result.errors)")
        let lines = result.output.split(separator: "\n").map { Subscriber.parse(String($0)) }
        #expect(lines.compactMap { $0["file"] as? String }.map { ($0 as NSString).lastPathComponent } == names)
        let words = lines.map { $0["error"] as? String ?? "" }
        #expect(words[0].contains("no PNG, JPEG"))
        #expect(words[1].contains("damaged"))
        #expect(words[2].contains("60000x60000") && words[2].contains("the limit is"))
        #expect(words[3].contains("empty"))
        #expect(words[4].contains("No such file"))
        #expect(words[5].isEmpty && items(lines[5]).map(text) == ["one"])
        #expect(lines[..<5].allSatisfy { items($0).isEmpty && $0["width"] == nil && $0["milliseconds"] == nil })
    }

    @Test func aDirectoryGivesItsPicturesInTheOrderOfTheirNames() throws {
        for name in ["b", "a", "c"] {
            try Pictures.write(try Pictures.symbol("QRCODE", name, scale: 3), to: folder.path + "/\(name).pgm")
        }
        try Data("not looked at".utf8).write(to: URL(fileURLWithPath: folder.path + "/notes.txt"))
        try FileManager.default.createDirectory(
            atPath: folder.path + "/deeper.png", withIntermediateDirectories: false)
        let result = try analyze(folder.path)
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.lines.flatMap(items).map(text) == ["a", "b", "c"])
        let empty = try analyze(folder.path + "/deeper.png")
        #expect(empty.status == 66 && empty.lines.count == 1)
        #expect((empty.lines.first?["error"] as? String)?.contains("named like a picture") == true)
    }

    @Test func onePictureComesOnStandardInput() throws {
        let picture = try jpeg(try Pictures.symbol("QRCODE", "piped", scale: 3))
        let result = try analyze("-", input: Array(picture))
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.lines.first?["file"] as? String == "-")
        #expect(items(result.lines.first).map(text) == ["piped"])
        let nothing = try analyze("-", input: [])
        #expect(nothing.status == 66)
        #expect(nothing.lines.first?["error"] as? String == "the file is empty")
    }

    /// The stored pixels are turned back by what the file says: the same label, upright, at the same place.
    @Test(arguments: [
        (UInt8(1), 0, false), (2, 0, true), (3, 180, false), (4, 180, true), (6, 270, false), (8, 90, false),
    ])
    func aPictureIsSeenAsItsFileSays(exif: UInt8, storedTurn: Int, isMirrored: Bool) throws {
        let seen = Pictures.compose(
            width: 640, height: 400, [(try Pictures.symbol("EANX", "4006381333931"), 80, 60)])
        // What the camera stored: the inverse of the turn that the tag asks for.
        let stored = Pictures.turned(seen, degrees: storedTurn, isMirrored: isMirrored)
        let path = folder.path + "/photo.jpg"
        try jpeg(stored, exif: exif).write(to: URL(fileURLWithPath: path))
        let result = try analyze(path)
        let line = try #require(result.lines.first)
        #expect(line["width"] as? Int == 640 && line["height"] as? Int == 400)
        let item = try #require(items(line).first)
        #expect(text(item) == "4006381333931")
        let place = corners(item)
        #expect(place[0][0] < 0.3 && place[0][1] < 0.3, "top-left of the label: \(place)")
        #expect(place[1][0] > place[0][0] && place[3][1] > place[0][1])
    }

    @Test func elementStringsAreTakenApart() throws {
        let path = folder.path + "/pallet.pgm"
        let symbol = try Pictures.symbol("GS1_128", "[00]006141411234567890", scale: 2)
        try Pictures.write(
            Pictures.compose(
                width: symbol.width + 80, height: symbol.height + 80, [(symbol, 40, 40)]), to: path)
        let item = try #require(items(try analyze(path).lines.first).first)
        #expect(item["gs1"] as? [String: String] == ["00": "006141411234567890"])
        #expect(item["sscc"] as? String == "006141411234567890")
        #expect(item["isGS1"] as? Bool == true)
    }

    @Test func rulesOfSymbologiesHold() throws {
        let path = folder.path + "/shelf.pgm"
        try Pictures.write(try Pictures.shelf(), to: path)
        let result = try analyze(
            path, "--types", "barcode:Code39,Code128", "--symbology", "Code39:minLength=8", "--symbology",
            "Code128:lengths=11")
        #expect(items(result.lines.first).map(text) == ["PALLET-0042"])
        let checked = try analyze(path, "--types", "barcode:Code39", "--symbology", "Code39:checkDigit=on")
        #expect(checked.lines.count == 1 && items(checked.lines.first).isEmpty)
    }

    @Test func onlyTheRegionIsLookedAt() throws {
        let path = folder.path + "/shelf.pgm"
        try Pictures.write(try Pictures.shelf(), to: path)
        let result = try analyze(path, "--region", "0,0,0.35,1")
        #expect(items(result.lines.first).map(text) == ["4006381333931", "https://wh.example/i/7"])
    }

    @Test func textAndBarcodesComeTogether() throws {
        let path = folder.path + "/frame.jpg"
        try firstFrame(of: Repository.root + "/Samples/shelf.mjpeg").write(to: URL(fileURLWithPath: path))
        let result = try analyze(path, "--types", "barcode", "--types", "text")
        #expect(result.status == 0, "\(result.errors)")
        let found = items(result.lines.first)
        let codes = found.filter { $0["kind"] as? String == "barcode" }.map(text)
        #expect(codes.count { $0 == "8801039015988" } == 2, "two equal labels are two items: \(codes)")
        #expect(codes.contains("4006381333931") && codes.contains("https://wh.example/i/A88994"))
        let lines = found.filter { $0["kind"] as? String == "text" }.map(text)
        #expect(lines.contains("LOT A88994") && lines.contains("GREEN TEA"), "\(lines)")
        let textOnly = try analyze(path, "--types", "text")
        #expect(items(textOnly.lines.first).allSatisfy { $0["kind"] as? String == "text" })
    }

    @Test func whatIsNotReadIsRefusedBeforeAnyPicture() throws {
        let symbology = try run(Programs.datascan, ["analyze", "x.png", "--types", "barcode:GS1DataBarLimited"])
        #expect(symbology.status == 78 && symbology.output.isEmpty)
        #expect(symbology.errors.contains("does not read GS1DataBarLimited"))
        let language = try run(Programs.datascan, ["analyze", "x.png", "--types", "text", "--languages", "tlh"])
        #expect(language.status == 78 && language.errors.contains("tesseract-ocr-tlh"))
    }

    @Test func aPersonSeesATable() throws {
        let path = folder.path + "/shelf.pgm"
        try Pictures.write(try Pictures.shelf(), to: path)
        let result = try run(Programs.datascan, ["analyze", "--format", "text", path, folder.path + "/none.png"])
        #expect(result.status == 66)
        let lines = result.output.split(separator: "\n")
        #expect(lines.count == 7)
        #expect(lines.first?.hasPrefix(path + "  1280x720  ") == true)
        #expect(lines.contains("  EAN13               4006381333931  GTIN 04006381333931"))
        #expect(lines.last?.contains("No such file") == true)
    }
}
