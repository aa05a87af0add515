// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanModel
import ScanTestSupport
import Testing

@testable import Recognition

/// Messages of every form for the tests of the protocol.
enum WireSamples {
    static let quad = Quad(
        topLeft: Point(x: 0.1, y: 0.2), topRight: Point(x: 0.3, y: 0.21), bottomRight: Point(x: 0.31, y: 0.4),
        bottomLeft: Point(x: -0.01, y: 1.02))

    static let frame = FrameLocation(offset: 1 << 25, width: 1920, height: 1080)

    static func region(width: Int = 100, height: Int = 50) throws -> PixelRect {
        try #require(PixelRect(x: 10, y: 20, width: width, height: height))
    }

    static func barcodeJob(_ symbologies: Set<Symbology> = [.ean13, .qr]) throws -> RecognitionJob {
        RecognitionJob(
            frame: frame, region: try region(),
            task: .barcodes(BarcodeParameters(symbologies: symbologies, qualityLevel: .accurate)),
            cpuLimit: .milliseconds(250))
    }

    static func textJob(masks: Int = 2, languages: [String] = ["eng", "kor"]) throws -> RecognitionJob {
        RecognitionJob(
            frame: frame, region: try region(),
            task: .text(
                TextParameters(
                    languages: languages, qualityLevel: .balanced,
                    masks: [Quad](repeating: quad, count: masks), knownLines: [quad], maximumLines: 12, turn: 70_000)),
            cpuLimit: .seconds(2))
    }

    static let barcodes = RecognitionResult(
        observations: [
            Observation(
                bounds: quad,
                content: .barcode(
                    BarcodeReading(
                        symbology: .ean13, payload: Array("4006381333931".utf8), symbologyIdentifier: "]E0",
                        quality: 77, touchesEdge: true))),
            Observation(
                bounds: quad,
                content: .barcode(BarcodeReading(symbology: .qr, payload: [0, 29, 255, 128, 10], isGS1: true))),
        ], cpuTime: .microseconds(12_345), omitted: 3)

    static let text = RecognitionResult(
        observations: [
            Observation(bounds: quad, content: .unreadLine),
            Observation(
                bounds: quad,
                content: .text(
                    TextReading(
                        transcript: "LOT 한국어", confidence: 0.94, languages: ["eng", "kor"],
                        words: [
                            TextReading.Word(text: "LOT", bounds: quad, confidence: 1),
                            TextReading.Word(text: "한국어", bounds: quad, confidence: 0),
                        ]))),
        ], cpuTime: .zero)

    /// One line of text with a transcript of so many bytes.
    static func line(bytes: Int) -> Observation {
        Observation(
            bounds: quad,
            content: .text(
                TextReading(
                    transcript: String(repeating: "x", count: bytes), confidence: 1, languages: ["eng"], words: [])))
    }
}

@Suite struct WireCodecTests {
    @Test func jobsComeBackAsTheyWere() throws {
        let everything = Set(Symbology.allCases)
        var visible = try WireSamples.barcodeJob()
        visible.visible = [
            [Point(x: 0, y: 0.5), Point(x: 1919, y: 2), Point(x: 100, y: 1080)],
            (0..<32).map { Point(x: Double($0), y: Double($0 * $0)) },
        ]
        var nothing = try WireSamples.textJob()
        nothing.visible = []
        for job in [
            visible, nothing,
            try WireSamples.barcodeJob(), try WireSamples.barcodeJob(everything), try WireSamples.textJob(),
            try WireSamples.textJob(masks: 0), try WireSamples.textJob(masks: RecognitionLimits.maximumQuads),
        ] {
            let wire = WireJob(number: 0xFEDC_BA98, job: job)
            let bytes = try wire.encoded()
            #expect(try WireJob(decoding: bytes, count: bytes.count) == wire)
        }
    }

    @Test func answersComeBackAsTheyWere() throws {
        for answer: WireAnswer in [
            .ready(unavailable: nil), .ready(unavailable: "eng.traineddata is missing"),
            .unavailable(number: 7, "no kor"), .result(number: 1, WireSamples.barcodes),
            .result(number: 2, WireSamples.text),
            .result(number: .max, RecognitionResult(observations: [], cpuTime: .zero)),
        ] {
            let bytes = answer.encoded()
            #expect(try WireAnswer(decoding: bytes, count: bytes.count) == answer)
        }
    }

    @Test func integersAreLittleEndian() {
        var writer = WireWriter(limit: 100)
        writer.put(0x0102_0304 as UInt32)
        #expect(writer.bytes == [4, 3, 2, 1])
    }

    @Test func jobsThatBreakTheRulesAreNotSent() throws {
        var tooManyMasks = try WireSamples.textJob(masks: RecognitionLimits.maximumQuads + 1)
        #expect(throws: WireError.self) { try WireJob(number: 1, job: tooManyMasks).encoded() }
        #expect(throws: WireError.self) { try WireJob(number: 1, job: try WireSamples.barcodeJob([])).encoded() }
        #expect(throws: WireError.self) {
            try WireJob(number: 1, job: try WireSamples.textJob(languages: [])).encoded()
        }
        tooManyMasks = try WireSamples.textJob()
        tooManyMasks.region = try WireSamples.region(width: 1911)
        #expect(throws: WireError.self) { try WireJob(number: 1, job: tooManyMasks).encoded() }
        let corner = Point(x: 1, y: 1)
        for visible in [
            [[Point]](repeating: [corner, corner, corner], count: 33), [[corner, corner]],
            [[Point](repeating: corner, count: 33)], [[corner, corner, Point(x: .nan, y: 0)]],
            [[corner, corner, Point(x: 1e9, y: 0)]],
        ] {
            var job = try WireSamples.barcodeJob()
            job.visible = visible
            #expect(throws: WireError.self) { try WireJob(number: 1, job: job).encoded() }
        }
        tooManyMasks = try WireSamples.textJob()
        tooManyMasks.cpuLimit = .zero
        #expect(throws: WireError.self) { try WireJob(number: 1, job: tooManyMasks).encoded() }
    }

    @Test func observationsThatDoNotFitAreLeftOutAndCounted() throws {
        let lines = [Observation](repeating: WireSamples.line(bytes: 1000), count: 256)
        let bytes = WireAnswer.result(
            number: 1, RecognitionResult(observations: lines, cpuTime: .zero, omitted: 2)
        ).encoded()
        #expect(bytes.count <= WireMessage.maximumBytes)
        #expect(bytes.count > WireMessage.maximumBytes - 1200)
        guard case .result(_, let result) = try WireAnswer(decoding: bytes, count: bytes.count) else {
            Issue.record("another kind of answer")
            return
        }
        #expect(result.observations.count > 100)
        #expect(result.observations.count + result.omitted == 258)
    }

    @Test func moreObservationsThanAllowedAreLeftOut() throws {
        let dots = [Observation](
            repeating: Observation(bounds: WireSamples.quad, content: .unreadLine),
            count: RecognitionLimits.maximumObservations + 5)
        let bytes = WireAnswer.result(number: 1, RecognitionResult(observations: dots, cpuTime: .zero)).encoded()
        guard case .result(_, let result) = try WireAnswer(decoding: bytes, count: bytes.count) else {
            Issue.record("another kind of answer")
            return
        }
        #expect(result.observations.count == RecognitionLimits.maximumObservations)
        #expect(result.omitted == 5)
    }

    @Test func aLongReasonIsCutAtACharacter() throws {
        let bytes = WireAnswer.unavailable(number: 1, String(repeating: "가", count: 400)).encoded()
        guard case .unavailable(_, let reason) = try WireAnswer(decoding: bytes, count: bytes.count) else {
            Issue.record("another kind of answer")
            return
        }
        #expect(reason == String(repeating: "가", count: WireMessage.maximumReasonBytes / 3))
    }

    @Test(arguments: [WireSamples.barcodes, WireSamples.text])
    func noShorterMessageIsTaken(_ result: RecognitionResult) throws {
        let bytes = WireAnswer.result(number: 3, result).encoded()
        for count in 0..<bytes.count {
            #expect(throws: WireError.self) { try WireAnswer(decoding: bytes, count: count) }
        }
        #expect(throws: WireError.self) { try WireAnswer(decoding: bytes + [0], count: bytes.count + 1) }
    }

    @Test func unfitObservationsAreNamed() throws {
        let job = try WireSamples.barcodeJob([.ean13])
        let fine = try #require(WireSamples.barcodes.observations.first)
        #expect(job.objection(to: fine) == nil)
        #expect(job.objection(to: WireSamples.barcodes.observations[1]) == "QR was not asked for")
        #expect(job.objection(to: WireSamples.text.observations[0]) != nil)
        for value in [Double.nan, .infinity, -.infinity, 2.01, -1.01] {
            var wild = fine
            wild.bounds.bottomLeft.y = value
            #expect(job.objection(to: wild) == "bounds out of range")
        }
        let textJob = try WireSamples.textJob(languages: ["eng"])
        #expect(textJob.objection(to: WireSamples.text.observations[0]) == nil)
        #expect(textJob.objection(to: WireSamples.text.observations[1]) == "a language that was not asked for")
        #expect(textJob.objection(to: WireSamples.line(bytes: 1025)) == "a transcript that is too long")
        #expect(textJob.objection(to: fine) != nil)
        let fitted = WireSamples.barcodes.fitted(to: job)
        #expect(fitted.observations == [fine])
        #expect(fitted.omitted == 4)
    }
}

@Suite struct WireFuzzTests {
    /// Random changes of valid messages: nothing traps, and what is taken keeps to the limits.
    @Test func mutatedMessagesNeverTrap() throws {
        var generator = SeededGenerator(seed: 20_260_101)
        var seeds = [
            WireAnswer.ready(unavailable: "why").encoded(), WireAnswer.unavailable(number: 9, "no").encoded(),
            WireAnswer.result(number: 1, WireSamples.barcodes).encoded(),
            WireAnswer.result(number: 2, WireSamples.text).encoded(),
        ]
        seeds.append(try WireJob(number: 1, job: try WireSamples.barcodeJob()).encoded())
        seeds.append(try WireJob(number: 1, job: try WireSamples.textJob()).encoded())
        var taken = 0
        var refused = 0
        for round in 0..<100_000 {
            var bytes = seeds[round % seeds.count]
            mutate(&bytes, &generator)
            do throws(WireError) {
                if round % seeds.count < 4 {
                    check(try WireAnswer(decoding: bytes, count: bytes.count))
                } else {
                    let wire = try WireJob(decoding: bytes, count: bytes.count)
                    #expect(wire.job.region.x + wire.job.region.width <= wire.job.frame.width)
                    #expect(wire.job.frame.offset >= 0)
                }
                taken += 1
            } catch {
                refused += 1
            }
        }
        // Both happen: the mutations are neither harmless nor all at the first byte.
        #expect(taken > 1000)
        #expect(refused > 1000)
    }

    @Test func noiseIsRefused() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<10_000 {
            let count = Int.random(in: 0...200, using: &generator)
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            if let answer = try? WireAnswer(decoding: bytes, count: bytes.count) { check(answer) }
            #expect(throws: WireError.self) { try WireJob(decoding: bytes, count: bytes.count) }
        }
    }

    private func mutate(_ bytes: inout [UInt8], _ generator: inout SeededGenerator) {
        for _ in 0...Int.random(in: 0...2, using: &generator) {
            let place = Int.random(in: 0..<bytes.count, using: &generator)
            switch Int.random(in: 0...4, using: &generator) {
            case 0: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &generator)
            case 1: bytes[place] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &generator) ?? 0
            case 2: bytes.removeSubrange(place..<min(bytes.count, place + 3))
            case 3: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: place)
            default: bytes.removeSubrange(place...)
            }
            if bytes.isEmpty { bytes = [WireMessage.version] }
        }
    }

    private func check(_ answer: WireAnswer) {
        guard case .result(_, let result) = answer else { return }
        let fits =
            result.observations.count <= RecognitionLimits.maximumObservations
            && result.observations.allSatisfy { observation in
                observation.bounds.corners.allSatisfy { $0.x.magnitude <= 2 && $0.y.magnitude <= 2 }
            }
        #expect(fits)
    }
}
