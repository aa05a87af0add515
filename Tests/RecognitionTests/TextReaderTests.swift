// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Foundation
import ImageKernels
import Recognition
import ScanModel
import ScanTestSupport
import Testing

@Suite(.serialized) struct TextReaderTests {
    static let lines = ["HEX BOLT M8x40 ZN", "LOT A88994", "EXP 2027-11-04", "Green tea 500 ml", "QTY 128"]

    @Test func printedLinesOfAllSizesAreRead() throws {
        let reader = try TextReader(languages: ["eng"])
        for size in [17, 24, 36, 60, 110] {
            var (wrong, total) = ([String](), 0)
            for line in Self.lines {
                let page = try TestPictures.text(line, size: size).padded(30)
                let read = try page.lines(reader)
                total += 1
                if read.map(\.reading.transcript) != [line] {
                    wrong.append("\(line): \(read.map(\.reading.transcript))")
                }
                for one in read { #expect(one.reading.confidence >= 0.5) }
            }
            #expect(wrong.isEmpty, "size \(size): \(wrong) of \(total)")
        }
    }

    @Test func theQuadIsTightAndWordsLieInside() throws {
        let text = try TestPictures.text("PALLET WRAP", size: 40)
        let ink = text.trimmed()
        var page = LumaBuffer(width: 700, height: 300, filledWith: 240)
        page.paste(text, x: 100, y: 120)
        let read = try page.lines(TextReader(languages: ["eng"]))
        let line = try #require(read.first)
        #expect(line.reading.transcript == "PALLET WRAP")
        #expect(line.reading.words.map(\.text) == ["PALLET", "WRAP"])
        #expect(abs(line.quad.width - Double(ink.width)) < 16, "\(line.quad.boundingRect) for \(ink.width)")
        #expect(abs(line.quad.height - Double(ink.height)) < 10, "\(line.quad.boundingRect) for \(ink.height)")
        let frame = line.quad.boundingRect
        for word in line.reading.words {
            let box = word.bounds.scaled(x: 700, y: 300).boundingRect
            #expect(box.minX >= frame.minX - 1 && box.maxX <= frame.maxX + 1)
        }
    }

    @Test func bothPolaritiesAreReadAtAccurate() throws {
        let dark = try TestPictures.text("DARK LABEL 42", size: 32, ink: "white", paper: "black")
        let light = try TestPictures.text("LIGHT LABEL 17", size: 32)
        var page = LumaBuffer(width: 600, height: 260, filledWith: 250)
        page.paste(dark, x: 80, y: 40)
        page.paste(light, x: 80, y: 160)
        let read = try page.lines(TextReader(languages: ["eng"]), level: .accurate)
        #expect(Set(read.map(\.reading.transcript)) == ["DARK LABEL 42", "LIGHT LABEL 17"], "B52")
    }

    @Test func smallPrintIsReadAtAccurateAndLeftAtFast() throws {
        let page = try TestPictures.text("SERIAL 4471 90", size: 13).padded(20)
        let reader = try TextReader(languages: ["eng"])
        #expect(try page.lines(reader, level: .accurate).map(\.reading.transcript) == ["SERIAL 4471 90"])
        #expect(try page.lines(reader, level: .fast).isEmpty)
    }

    @Test func aMaskedBarcodeIsNoText() throws {
        let code = try TestPictures.zint("CODE128", "A1234567", scale: 1.5)
        let text = try TestPictures.text("SHELF 12-04", size: 30)
        var page = LumaBuffer(width: 600, height: 400, filledWith: 255)
        page.paste(code, x: 60, y: 60)
        page.paste(text, x: 60, y: 80 + code.height)
        let mask = Quad(Rect(x: 60, y: 60, width: Double(code.width), height: Double(code.height)))
        let read = try page.lines(TextReader(languages: ["eng"]), masks: [mask])
        #expect(read.map(\.reading.transcript) == ["SHELF 12-04"])
    }

    @Test func aSlantedLineIsReadWithASlantedQuad() throws {
        let text = try TestPictures.text("BEARING 6204-2RS", size: 36)
        let page = text.turned(degrees: 6, width: 600, height: 300)
        let read = try page.lines(TextReader(languages: ["eng"]))
        let line = try #require(read.first)
        #expect(line.reading.transcript == "BEARING 6204-2RS")
        #expect(line.quad.topRight.y - line.quad.topLeft.y > 15, "\(line.quad)")
    }

    @Test func knownLinesAndSurplusComeBackUnread() throws {
        var page = LumaBuffer(width: 700, height: 420, filledWith: 255)
        for (index, line) in ["FIRST LINE", "SECOND LINE", "THIRD LINE"].enumerated() {
            page.paste(try TestPictures.text(line, size: 36), x: 100, y: 60 + index * 110)
        }
        let reader = try TextReader(languages: ["eng"])
        let all = try page.lines(reader)
        #expect(all.count == 3)
        let second = try #require(all.first { $0.reading.transcript == "SECOND LINE" })
        let rest = try page.lines(reader, knownLines: [second.quad])
        #expect(Set(rest.map(\.reading.transcript)) == ["FIRST LINE", "THIRD LINE"])
        #expect(try page.textObservations(reader, knownLines: [second.quad]).count == 3)
        let one = try page.textObservations(reader, maximumLines: 1)
        #expect(one.count { $0.content == .unreadLine } == 2)
    }

    @Test func tinyAndEmptyRegionsGiveNothing() throws {
        let reader = try TextReader(languages: ["eng"])
        for (width, height) in [(1, 1), (1, 300), (300, 1), (5, 5), (3, 64), (64, 9), (200, 200)] {
            for level in QualityLevel.allCases {
                let grey = LumaBuffer(width: width, height: height, filledWith: 128)
                #expect(try grey.lines(reader, level: level).isEmpty, "\(width)x\(height)")
                let noise = grey.noisy(50, seed: UInt64(width))
                for line in try noise.lines(reader, level: level) { #expect(line.reading.confidence < 0.7) }
            }
        }
        var generator = SeededGenerator(seed: 9)
        let page = LumaBuffer(width: 300, height: 200, filledWith: 200).noisy(60)
        for _ in 0..<60 {
            let x = Int(generator.next() % 300)
            let y = Int(generator.next() % 200)
            guard
                let region = PixelRect(
                    x: x, y: y, width: 1 + Int(generator.next() % 300), height: 1 + Int(generator.next() % 200))
            else { continue }
            let masks = [
                Quad(Rect(x: -50, y: 10, width: 90, height: 500)), Quad(Rect(x: 400, y: 400, width: 9, height: 9)),
                Quad(Rect(x: .nan, y: 0, width: 10, height: 10)),
            ]
            for line in try page.lines(reader, region: region, masks: masks) {
                #expect(line.reading.confidence < 0.9, "\(line.reading.transcript)")
            }
        }
    }

    @Test func aMissingLanguageSaysWhatToInstall() throws {
        for languages in [["xyz"], ["eng", "xyz"]] {
            let reason = try #require(TextReader.unavailableReason(languages: languages))
            #expect(reason.contains("\"xyz\"") && reason.contains("tesseract-ocr-xyz"))
            #expect(throws: RecognitionFailure.unavailable(reason)) { _ = try TextReader(languages: languages) }
        }
        #expect(TextReader.unavailableReason(languages: ["chi_sim_x"])?.contains("tesseract-ocr-chi-sim-x") == true)
        #expect(TextReader.unavailableReason(languages: ["../eng"]) != nil)
        #expect(TextReader.unavailableReason(languages: ["eng+kor"]) != nil)
        #expect(TextReader.unavailableReason(languages: []) != nil)
        #expect(TextReader.unavailableReason(languages: ["eng"]) == nil)
        #expect(TextReader.supportedLanguages().contains("eng"))
        #expect(!TextReader.supportedLanguages().contains { $0 == "osd" || $0 == "equ" })
        for name in ["osd", "equ"] {
            #expect(TextReader.unavailableReason(languages: ["eng", name])?.contains("reads no text") == true)
        }
    }

    @Test func oneDoorServesBothKindsOfJob() throws {
        var page = LumaBuffer(width: 700, height: 400, filledWith: 255)
        let code = try TestPictures.zint("EANX", "4006381333931")
        page.paste(code, x: 60, y: 40)
        page.paste(try TestPictures.text("SAFETY GLOVES", size: 36), x: 60, y: 300)
        let engine = ReaderEngine()
        let region = try #require(PixelRect(x: 0, y: 0, width: 700, height: 400))
        let frame = FrameLocation(offset: 0, width: 700, height: 400)
        let barcodes = RecognitionJob(
            frame: frame, region: region,
            task: .barcodes(BarcodeParameters(symbologies: [.ean13], qualityLevel: .balanced)), cpuLimit: .seconds(9))
        let text = RecognitionJob(
            frame: frame, region: region,
            task: .text(TextParameters(languages: ["eng"], qualityLevel: .balanced, maximumLines: 20)),
            cpuLimit: .seconds(9))
        let codes = try page.withView { try engine.perform(barcodes, luma: $0) }
        #expect(codes.observations.count == 1)
        #expect(codes.cpuTime > .zero)
        let lines = try page.withView { try engine.perform(text, luma: $0) }
        let transcripts = lines.observations.compactMap { observation in
            if case .text(let reading) = observation.content { reading.transcript } else { nil }
        }
        #expect(transcripts.contains("SAFETY GLOVES"))
        #expect(lines.cpuTime > .zero)
    }
}
