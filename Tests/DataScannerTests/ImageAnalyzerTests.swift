// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Capture
import DataScanner
import ImageKernels
import LinuxSystem
import ScanModel
import ScanTestSupport
import Testing

@Suite struct ImageAnalyzerTests {
    /// A PGM with two equal labels, one above the other.
    private func shelf() -> [UInt8] {
        var picture = LumaBuffer(width: 640, height: 480, filledWith: 255)
        let label = SyntheticLabel.ean13("4006381333931")
        picture.paste(label, x: 60, y: 40)
        picture.paste(label, x: 200, y: 260)
        return Array("P5\n640 480\n255\n".utf8) + picture.pixels
    }

    private func analyzer(
        _ types: [RecognizedDataType] = [.barcode()],
        recognition: ScannerConfiguration.RecognitionPlacement = .inProcess
    ) throws -> ImageAnalyzer {
        try ImageAnalyzer(
            configuration: ImageAnalyzerConfiguration(recognizedDataTypes: types, recognition: recognition))
    }

    /// The labels lie at 60...155 x 40...110 and 200...295 x 260...330 or so: a polygon around the second one that passes over
    /// the first.
    @Test func whatLiesOutsideOfAPolygonIsNotRead() async throws {
        func count(_ polygons: [[Point]]) async throws -> Int {
            var configuration = ImageAnalyzerConfiguration(recognizedDataTypes: [.barcode()], recognition: .inProcess)
            configuration.regionOfInterest = try #require(RegionOfInterest(polygons: polygons))
            return try await ImageAnalyzer(configuration: configuration)
                .analyze(StillPicture(bytes: shelf(), name: "shelf")).items.count
        }
        // The lower right triangle has the second label whole and of the first one less than a half.
        #expect(try await count([[Point(x: 1, y: 0), Point(x: 1, y: 1), Point(x: 0, y: 1)]]) == 1)
        #expect(try await count([[Point(x: 0, y: 0), Point(x: 1, y: 0), Point(x: 1, y: 1), Point(x: 0, y: 1)]]) == 2)
        let upper = [Point(x: 0, y: 0), Point(x: 1, y: 0), Point(x: 1, y: 0.5), Point(x: 0, y: 0.52)]
        let lower = [Point(x: 0, y: 0.52), Point(x: 1, y: 0.5), Point(x: 1, y: 1), Point(x: 0, y: 1)]
        #expect(try await count([upper]) == 1)
        #expect(try await count([lower]) == 1)
        #expect(try await count([upper, lower]) == 2)
    }

    @Test func aPictureIsReadInThisProcess() async throws {
        let analysis = try await analyzer().analyze(StillPicture(bytes: shelf(), name: "shelf"))
        #expect(analysis.width == 640 && analysis.height == 480 && analysis.problems.isEmpty)
        #expect(analysis.cpuTime > .zero && analysis.transcript.isEmpty)
        let gtins = analysis.items.compactMap { item -> String? in
            guard case .barcode(let barcode) = item else { return nil }
            return barcode.gtin
        }
        #expect(gtins == ["04006381333931", "04006381333931"])
        #expect(Set(analysis.items.map(\.id)).count == 2)
        #expect(analysis.items[0].bounds.center.y < analysis.items[1].bounds.center.y)
    }

    @Test func aPictureThatIsNoneThrows() async throws {
        let analyzer = try analyzer()
        await #expect(throws: StillPictureError.self) {
            _ = try await analyzer.analyze(StillPicture(bytes: Array("nothing".utf8), name: "x"))
        }
        // And the analyzer is as good as before.
        #expect(try await analyzer.analyze(StillPicture(bytes: shelf(), name: "shelf")).items.count == 2)
    }

    @Test func manyAtOnceTakeTurns() async throws {
        let analyzer = try analyzer()
        let picture = StillPicture(bytes: shelf(), name: "shelf")
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<6 { group.addTask { try await analyzer.analyze(picture).items.count } }
            return try await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(counts == [2, 2, 2, 2, 2, 2])
    }

    @Test func resultsComeInTheOrderOfThePictures() throws {
        let analyzer = try analyzer()
        let pictures = (0..<9).map { number in
            number % 3 == 1
                ? StillPicture(bytes: [], name: "\(number)") : StillPicture(bytes: shelf(), name: "\(number)")
        }
        var seen: [String] = []
        analyzer.analyze(pictures) { picture, result in
            seen.append(picture.name + ((try? result.get()) == nil ? "-" : "+"))
        }
        #expect(seen == ["0+", "1-", "2+", "3+", "4-", "5+", "6+", "7-", "8+"])
    }

    @Test func workersThatDoNotComeUpAreToldAndNotWaitedForEachTime() throws {
        let analyzer = try analyzer(recognition: .workers(executable: "/bin/false"))
        let start = MonotonicTime.now
        var problems: [String] = []
        analyzer.analyze((0..<40).map { StillPicture(bytes: shelf(), name: "\($0)") }) { _, result in
            if case .success(let analysis) = result { problems += analysis.problems }
        }
        #expect(problems.count == 40)
        #expect(problems.allSatisfy { $0.hasPrefix("barcodes: ") }, "\(problems.first ?? "")")
        #expect(MonotonicTime.now - start < .seconds(60))
    }

    @Test func whatCanNotBeReadIsRefusedAtTheStart() {
        #expect(throws: ScannerError.symbologyNotRead(.gs1DataBarLimited)) {
            try analyzer([.barcode(symbologies: [.gs1DataBarLimited])])
        }
        #expect(throws: ScannerError.nothingToRecognize) { try analyzer([]) }
        #expect(throws: ScannerError.self) { try analyzer([.text(languages: ["tlh"])]) }
    }
}
