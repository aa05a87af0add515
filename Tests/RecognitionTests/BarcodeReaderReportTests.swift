// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Foundation
import ImageKernels
import Recognition
import ScanModel
import ScanTestSupport
import Testing

/// Inputs from public bug reports of barcode libraries, made anew; the names are rows of the project's list of them.
@Suite struct BarcodeReaderReportTests {
    static let utf8Texts = [
        ("B1", "Il était une fois, un noël radieiux et un gros test. Manchmal sind wir über freundlich."),
        ("B2", "你好"), ("B2", "hello is 你好"), ("B5", "qr код"), ("B6", "Straße Straße"), ("B42", "물류 창고 12"),
        ("B59", "'); DROP TABLE user; --"), ("B60", "line1\nline2\t\"q\"\\x ]]> \u{2028} \u{1B}[31m"),
    ]

    @Test(arguments: utf8Texts)
    func textInUTF8IsByteExact(_ row: String, _ text: String) throws {
        let code = try TestPictures.qr([UInt8](text.utf8))
        let read = try code.padded(30).barcodes()
        #expect(read.map(\.reading.payload) == [[UInt8](text.utf8)], "\(row)")
    }

    @Test(arguments: [("B3", 26, "你好"), ("B8", 20, "会社名 郵便番号")])
    func textWithAnnouncedCharacterSetIsReadByIt(_ row: String, _ eci: Int, _ text: String) throws {
        let code = try TestPictures.zint("QRCODE", text, scale: 2, extra: ["--eci=\(eci)"]).padded(30)
        for level in [QualityLevel.balanced, .accurate] {
            let read = try code.barcodes(level: level).map(\.reading)
            #expect(read.map(\.eci) == [eci], "\(row)")
            let first = try #require(read.first)
            let payload = Payload(
                bytes: first.payload, eci: first.eci, symbology: first.symbology, convertedText: first.text)
            #expect(payload.string == text, "\(row)")
            #expect(first.symbologyIdentifier == "]Q1", "the bytes hold no escapes")
        }
    }

    @Test func everyByteValueSurvives() throws {
        let all = (0...255).map { UInt8($0) }
        #expect(try TestPictures.qr(all).padded(30).barcodes().map(\.reading.payload) == [all], "B9")
        let zeros: [UInt8] = [0x41, 0, 0x42, 0, 0, 0x43]
        #expect(try TestPictures.qr(zeros).padded(30).barcodes().map(\.reading.payload) == [zeros], "B10")
    }

    @Test func byteOrderMarkAndSegmentsAreWhole() throws {
        let bytes: [UInt8] = [0xEF, 0xBB, 0xBF] + [UInt8]("Straße 12345678901234567890 ABCDEFGHIJKLMNOPQRSTUVWX".utf8)
        #expect(try TestPictures.qr(bytes, extra: []).padded(30).barcodes().map(\.reading.payload) == [bytes], "B11")
    }

    @Test func invertedCodesAreReadAtAccurate() throws {
        let qr = try TestPictures.qr([UInt8]("dark label".utf8)).padded(30).inverted()
        let ean = try TestPictures.zint("EANX", "4006381333931").padded(30).inverted()
        #expect(try qr.barcodes(level: .accurate).map(\.text) == ["dark label"], "B14")
        #expect(try ean.barcodes(level: .accurate).map(\.text) == ["4006381333931"], "B14")
    }

    @Test func finePrintedCode93IsRead() throws {
        let code = try TestPictures.zint("CODE93", "T11413AQW1KT111194ARMP6", scale: 0.5).padded(20)
        #expect(try code.barcodes(level: .accurate).map(\.text) == ["T11413AQW1KT111194ARMP6"], "B18")
    }

    @Test(arguments: [QualityLevel.balanced, .accurate])
    func aLonePartOfAStructuredAppendIsOneReadingThatSaysSo(_ level: QualityLevel) throws {
        let code = try TestPictures.zint("QRCODE", "first half", scale: 2, extra: ["--structapp=1,2"]).padded(30)
        let read = try code.barcodes([.qr], level: level)
        #expect(read.map(\.text) == ["first half"], "B19")
        #expect(read.map(\.reading.part?.index) == [0] && read.map(\.reading.part?.count) == [2], "B19")
    }

    /// ZBar joins parts that are in one picture to one payload.
    @Test(arguments: [QualityLevel.balanced, .accurate])
    func partsOfAStructuredAppendSideBySideStayTwo(_ level: QualityLevel) throws {
        let parts = try ["first half", "and the second"].enumerated().map {
            try TestPictures.zint("QRCODE", $1, scale: 2, extra: ["--structapp=\($0 + 1),2"])
        }
        var picture = LumaBuffer(width: 400, height: 200, filledWith: 255)
        for (index, part) in parts.enumerated() { picture.paste(part, x: 60 + index * 180, y: 60) }
        let read = try picture.barcodes([.qr], level: level).sorted { $0.quad.center.x < $1.quad.center.x }
        #expect(read.map(\.text) == ["first half", "and the second"], "B19")
        #expect(read.map(\.reading.part?.index) == [0, 1], "B19")
    }

    /// B28, B34, B43's neighbour: what is cut by the picture's edge is nothing, the full value, or marked.
    @Test func codesThatTheEdgeCutsAreNothingOrFullOrMarked() throws {
        for (zint, data, full) in [
            ("C25INTER", "3012627384", "3012627384"), ("CODE128", "4001599", "4001599"), ("CODE39", "345", "345"),
            ("EANX", "4006381333931", "4006381333931"),
        ] {
            let code = try TestPictures.zint(zint, data).padded(30)
            for cut in stride(from: 40, to: code.width, by: 3) {
                guard let part = PixelRect(x: 0, y: 0, width: cut, height: code.height) else { continue }
                for read in try code.barcodes(region: part) where read.text != full {
                    #expect(read.reading.touchesEdge, "\(zint) cut at \(cut) reads \(read.text)")
                }
            }
        }
    }

    /// B41 and B43: what the symbologies asked for make of the same symbol.
    @Test func namesFollowWhatIsAskedFor() throws {
        let upc = try TestPictures.zint("UPCA", "077330012416").padded(30)
        #expect(try upc.barcodes([.ean13]).map(\.text) == ["0077330012416"])
        #expect(try upc.barcodes([.upcA]).map(\.text) == ["077330012416"])
        #expect(try upc.barcodes([.upcA]).map(\.reading.symbology) == [.upcA])
        #expect(try upc.barcodes([.code128]).isEmpty)
        let upcE = try TestPictures.zint("UPCE", "01234565").padded(30)
        #expect(try upcE.barcodes([.ean13, .upcA]).isEmpty)
        let itf = try TestPictures.zint("ITF14", "1234567890123").padded(30)
        #expect(try itf.barcodes([.i2of5]).map(\.reading.symbology) == [.i2of5])
        #expect(try itf.barcodes([.i2of5, .itf14]).map(\.reading.symbology) == [.itf14])
        let tenDigits = try TestPictures.zint("C25INTER", "3012627384").padded(30)
        #expect(try tenDigits.barcodes([.itf14]).isEmpty)
        let magazine = try TestPictures.zint("EANX", "9771234567898+05").padded(30)
        #expect(try magazine.barcodes().map(\.text) == ["9771234567898"])
        #expect(try magazine.barcodes().map(\.reading.supplement) == [nil], "nobody asked for it")
        for level in QualityLevel.allCases {
            let whole = try magazine.barcodes(BarcodeReader.supportedSymbologies, level: level)
            #expect(whole.map(\.text) == ["9771234567898"], "B41 at \(level)")
            #expect(whole.map(\.reading.supplement) == [Array("05".utf8)], "B41 at \(level)")
            let alone = try magazine.barcodes([.ean2], level: level)
            #expect(alone.map(\.text) == ["05"], "the add-on alone at \(level)")
        }
    }

    /// B40: textures of floors and shelves.
    @Test func noiseAndStripesGiveNothingStrong() throws {
        let reader = BarcodeReader()
        var generator = SeededGenerator(seed: 40)
        for seed in 0..<12 {
            let noise = LumaBuffer(width: 320, height: 240, filledWith: 128).noisy(40, seed: UInt64(seed))
            var stripes = LumaBuffer(width: 320, height: 240, filledWith: 220)
            var x = 0
            while x < 320 {
                let bar = Int(generator.next() % 5) + 2
                for column in x..<min(320, x + bar) {
                    for row in 0..<240 { stripes.pixels[row * 320 + column] = 40 }
                }
                x += bar + Int(generator.next() % 6) + 2
            }
            for picture in [noise, stripes.noisy(6, seed: UInt64(seed))] {
                for read in try picture.barcodes(reader: reader) {
                    #expect(read.reading.quality < 4 || !read.reading.symbology.isRetail, "\(read.text)")
                    #expect(!read.reading.payload.isEmpty)
                }
            }
        }
    }

    /// Each scan has a handle of its own; what their memory does over 200,000 scans is `make soak`'s to say.
    @Test func aThousandHandlesReadTheSame() throws {
        let code = try TestPictures.qr([UInt8](String(repeating: "again and again ", count: 20).utf8), scale: 2).padded(
            12)
        let reader = BarcodeReader()
        for round in 0..<1000 {
            try #require(try code.barcodes([.qr], reader: reader).count == 1, "scan \(round)")
        }
    }

    /// ZBar's own scanner joins the halves of two pictures to an EAN-13 that is in neither.
    @Test func halvesOfTwoPicturesAreNotJoined() throws {
        let code = try TestPictures.zint("EANX", "4006381333931", scale: 1.5)
        let half = code.width * 53 / 100
        let parts = [0, code.width - half].compactMap { x in
            PixelRect(x: x, y: 0, width: half, height: code.height).flatMap { part in
                code.withView { $0.cropped(to: part) }?.padded(40)
            }
        }
        #expect(parts.count == 2)
        let reader = BarcodeReader()
        for part in parts + parts { #expect(try part.barcodes(reader: reader).isEmpty) }
    }

    @Test func tinyPicturesAndForeignJobsAreRefusedOrEmpty() throws {
        for (width, height) in [(1, 1), (1, 400), (400, 1), (2, 2), (17, 3)] {
            let picture = LumaBuffer(width: width, height: height, filledWith: 90)
            for level in QualityLevel.allCases { #expect(try picture.barcodes(level: level).isEmpty) }
        }
        let picture = LumaBuffer(width: 40, height: 40, filledWith: 90)
        let outside = try #require(PixelRect(x: 30, y: 30, width: 20, height: 20))
        #expect(try picture.barcodes(region: outside).isEmpty)
        #expect(throws: RecognitionFailure.self) { try picture.barcodes([.gs1DataBarLimited]) }
        #expect(try picture.barcodes([.dataMatrix]).isEmpty)
    }
}

extension Symbology {
    fileprivate var isRetail: Bool { [.ean13, .ean8, .upcA, .upcE].contains(self) }
}
