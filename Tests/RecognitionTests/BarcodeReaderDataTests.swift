// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Foundation
import ImageKernels
import Recognition
import ScanModel
import Testing

/// Photographs from public collections, where they lie beside the project (`../shared/data`).
@Suite struct BarcodeReaderDataTests {
    struct Picture {
        var file: URL
        var name: String
        var payload: String
    }

    @Test(.enabled(if: TestPictures.sharedData("first") != nil, "../shared/data/first is absent"))
    func everyFirstPictureIsReadAtBalanced() throws {
        let pictures = try Self.pictures(in: "first")
        #expect(pictures.count == 24)
        for level in QualityLevel.allCases {
            let reader = BarcodeReader()
            var missing: [String] = []
            var table = ""
            for picture in pictures {
                let read = try TestPictures.load(picture.file).barcodes(level: level, reader: reader)
                let right = read.first { Self.isSame(picture.payload, $0.text) }
                let same = read.filter { Self.isSame(picture.payload, $0.text) }
                if same.count > 1 { table += " (doubled: \(same.map(\.quad.boundingRect)))" }
                if right == nil { missing.append(picture.name) }
                table += " \(picture.name)=\(right?.reading.quality ?? 0)"
                for wrong in read where !Self.isSame(picture.payload, wrong.text) {
                    table += " (also \(wrong.reading.symbology) \(wrong.text) \(wrong.reading.quality))"
                }
            }
            print("first, \(level): \(24 - missing.count) of 24, missing \(missing); quality\(table)")
            if level == .balanced { #expect(missing.isEmpty) }
        }
    }

    /// The distribution of quality over right and wrong readings, which the tracker's rules of trust rest on.
    @Test(
        .enabled(if: TestPictures.sharedData("zxing-blackbox") != nil, "../shared/data/zxing-blackbox is absent"),
        .enabled(if: ProcessInfo.processInfo.environment["DATASCAND_SURVEY"] != nil, "set DATASCAND_SURVEY=1 for it"))
    func surveyOfQuality() throws {
        let level = ProcessInfo.processInfo.environment["DATASCAND_SURVEY"].flatMap { QualityLevel(rawValue: $0) }
        let reader = BarcodeReader()
        var right: [String: [Int]] = [:]
        var wrong: [String: [String]] = [:]
        var spent = Duration.zero
        var pictures = 0
        var (doubles, missing) = ([String](), [String]())
        for folder in try FileManager.default.contentsOfDirectory(
            at: #require(TestPictures.sharedData("zxing-blackbox")), includingPropertiesForKeys: nil)
        where ["ean", "upc", "itf", "code", "codabar", "rss", "false"].contains(
            where: folder.lastPathComponent.hasPrefix)
        {
            for picture in try Self.pictures(in: "zxing-blackbox/\(folder.lastPathComponent)") {
                let luma = try TestPictures.load(picture.file)
                let clock = ContinuousClock.now
                let read = try luma.barcodes(level: level ?? .balanced, reader: reader)
                spent += clock.duration(to: .now)
                pictures += 1
                let same = read.filter { Self.isSame(picture.payload, $0.text) }
                if same.isEmpty { missing.append(picture.name) }
                // Each picture shows one label.
                if same.count > 1 {
                    doubles.append("\(picture.name): \(same.map { "\($0.reading.quality) \($0.quad.boundingRect)" })")
                }
                for one in read {
                    let name = one.reading.symbology.rawValue
                    if Self.isSame(picture.payload, one.text) {
                        right[name, default: []].append(one.reading.quality)
                    } else {
                        let edge = one.reading.touchesEdge ? ",edge" : ""
                        wrong[name, default: []].append(
                            "\(one.reading.quality)\(edge) [\(one.text) for \(picture.payload) in \(picture.name)]")
                    }
                }
            }
        }
        print("\(pictures) pictures, \(spent / max(pictures, 1)) each; one label read as several: \(doubles)")
        print("missing \(missing.sorted())")
        for name in Set(right.keys).union(wrong.keys).sorted() {
            print(name, "right", right[name, default: []].sorted(), "wrong", wrong[name, default: []])
        }
    }

    /// The collections leave out Codabar's start and stop letters and the 01 of DataBar, and put identifiers of GS1 in
    /// brackets.
    private static func isSame(_ expected: String, _ read: String) -> Bool {
        let (a, b) = (expected.filter { !"\u{1D}()".contains($0) }, read.filter { !"\u{1D}()".contains($0) })
        let digits = a.allSatisfy(\.isNumber) && b.allSatisfy(\.isNumber) && a.count >= 12 && b.count >= 12
        func padded(_ text: String) -> String { String(repeating: "0", count: max(0, 14 - text.count)) + text }
        let isCodabar = b.count > 2 && b.first?.isLetter == true && b.dropFirst().dropLast() == a
        return a == b || isCodabar || "01" + a == b || (digits && padded(a) == padded(b))
    }

    private static func pictures(in folder: String) throws -> [Picture] {
        guard let place = TestPictures.sharedData(folder) else { return [] }
        var list = place.appendingPathComponent("manifest.tsv")
        var prefix = ""
        if !FileManager.default.fileExists(atPath: list.path) {
            list = place.deletingLastPathComponent().appendingPathComponent("manifest.tsv")
            prefix = place.lastPathComponent + "/"
        }
        let root = list.deletingLastPathComponent()
        return try String(contentsOf: list, encoding: .utf8).split(separator: "\n").dropFirst().compactMap { line in
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard fields.count > 2, fields[0].hasPrefix(prefix) else { return nil }
            let payload = try? JSONDecoder().decode(String.self, from: Data(fields[2].utf8))
            return Picture(file: root.appendingPathComponent(fields[0]), name: fields[0], payload: payload ?? "")
        }
    }
}
