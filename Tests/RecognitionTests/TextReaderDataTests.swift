// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Foundation
import ImageKernels
import Recognition
import ScanModel
import Testing

/// A clip with truth, as `shelfvideo.py` writes it: set DATASCAND_CLIP to its folder.
@Suite struct TextReaderDataTests {
    private struct TruthFrame: Decodable {
        struct Item: Decodable {
            var text: [String]
            var visible: Double
            var quad: [[Double]]
        }

        var file: String
        var items: [Item]
    }

    private static var clip: URL? {
        ProcessInfo.processInfo.environment["DATASCAND_CLIP"].map { URL(fileURLWithPath: $0) }
    }

    @Test(.enabled(if: TextReaderDataTests.clip != nil, "set DATASCAND_CLIP to a clip of shelfvideo.py"))
    func linesOfAClip() throws {
        let clip = try #require(Self.clip)
        let environment = ProcessInfo.processInfo.environment
        let level = environment["DATASCAND_LEVEL"].flatMap { QualityLevel(rawValue: $0) } ?? .balanced
        let languages = (environment["DATASCAND_LANGUAGES"] ?? "eng").split(separator: ",").map(String.init)
        let engine = ReaderEngine()
        var (rightAll, linesAll) = (0, 0)
        for text in try String(contentsOf: clip.appendingPathComponent("truth.jsonl"), encoding: .utf8)
            .split(separator: "\n").prefix(3)
        {
            let truth = try JSONDecoder().decode(TruthFrame.self, from: Data(text.utf8))
            let picture = try TestPictures.load(clip.appendingPathComponent(truth.file))
            let frame = FrameLocation(offset: 0, width: picture.width, height: picture.height)
            let whole = try #require(PixelRect(x: 0, y: 0, width: picture.width, height: picture.height))
            let barcodes = RecognitionJob(
                frame: frame, region: whole,
                task: .barcodes(
                    BarcodeParameters(symbologies: BarcodeReader.supportedSymbologies, qualityLevel: level)),
                cpuLimit: .seconds(60))
            let codes = try picture.withView { try engine.perform(barcodes, luma: $0) }
            let masks = codes.observations.map {
                $0.bounds.scaled(x: Double(picture.width), y: Double(picture.height))
            }
            func job(_ maximumLines: Int) -> RecognitionJob {
                RecognitionJob(
                    frame: frame, region: whole,
                    task: .text(
                        TextParameters(
                            languages: languages, qualityLevel: level, masks: masks, maximumLines: maximumLines)),
                    cpuLimit: .seconds(60))
            }
            let found = try picture.withView { try engine.perform(job(0), luma: $0) }
            let result = try picture.withView { try engine.perform(job(200), luma: $0) }
            var expected = truth.items.filter { $0.visible >= 0.9 }.flatMap { $0.text.map(Self.fold) }
            let all = expected.count
            var junk: [String] = []
            var right: [Int] = []
            for observation in result.observations {
                guard case .text(let reading) = observation.content else { continue }
                let percent = Int((reading.confidence * 100).rounded())
                if let index = expected.firstIndex(of: Self.fold(reading.transcript)) {
                    expected.remove(at: index)
                    right.append(percent)
                } else {
                    let center = observation.bounds.center
                    junk.append(
                        "\(percent) \"\(reading.transcript)\" @\(Int(center.x * Double(picture.width))),\(Int(center.y * Double(picture.height)))"
                    )
                }
            }
            rightAll += right.count
            linesAll += all
            print(
                truth.file,
                "codes \(codes.observations.count) \(codes.cpuTime); candidates \(found.observations.count)",
                "in \(found.cpuTime); right \(right.count) of \(all) in \(result.cpuTime):", right.sorted())
            print("  missing:", expected)
            print("  other:", junk.sorted())
        }
        #expect(rightAll * 2 > linesAll, "more than half of the lines in a single frame")
    }

    private static func fold(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.precomposedStringWithCanonicalMapping.unicodeScalars.filter {
                    $0.properties.generalCategory != .format
                })
        ).split(separator: " ").joined(separator: " ")
    }
}
