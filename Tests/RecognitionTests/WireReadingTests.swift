// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanModel
import ScanTestSupport
import Testing

@testable import Recognition

/// What a worker says of a barcode beside its payload, and what is not taken from it.
@Suite struct WireReadingTests {
    private static let whole = BarcodeReading(
        symbology: .qr, payload: [0x89, 0xEF], symbologyIdentifier: "]Q1", isGS1: true, quality: 1, isConfirmed: true,
        touchesEdge: true, confidence: 0.93, eci: 20, text: "会", isInverted: true, isMirrored: true,
        isReaderProgramming: true, part: SymbolPart(index: 1, count: 16, identifier: "74"))
    private static let magazine = BarcodeReading(
        symbology: .ean13, payload: Array("9771234567898".utf8), quality: 40, supplement: Array("05".utf8))

    private func answer(_ reading: BarcodeReading) -> [UInt8] {
        WireAnswer.result(
            number: 1,
            RecognitionResult(
                observations: [Observation(bounds: WireSamples.quad, content: .barcode(reading))], cpuTime: .zero)
        ).encoded()
    }

    private func decoded(_ bytes: [UInt8]) throws(WireError) -> BarcodeReading? {
        guard case .result(_, let result) = try WireAnswer(decoding: bytes, count: bytes.count),
            case .barcode(let reading)? = result.observations.first?.content
        else { return nil }
        return reading
    }

    static let readings: [BarcodeReading] = {
        var macro = whole
        macro.symbology = .pdf417
        macro.part = SymbolPart(index: 99_998, count: nil, identifier: String(repeating: "9", count: 64))
        var aztec = whole
        aztec.symbology = .aztec
        aztec.part = SymbolPart(index: 25, count: 26)
        var bare = BarcodeReading(symbology: .dataMatrix, payload: [0])
        bare.confidence = 0
        return [whole, magazine, macro, aztec, bare]
    }()

    @Test(arguments: readings) func everythingComesBackAsItWas(_ reading: BarcodeReading) throws {
        let bytes = answer(reading)
        #expect(try decoded(bytes) == reading)
        for count in 0..<bytes.count {
            #expect(throws: WireError.self) { try WireAnswer(decoding: bytes, count: count) }
        }
        let job = try WireSamples.barcodeJob(Set(Symbology.allCases))
        #expect(job.objection(to: Observation(bounds: WireSamples.quad, content: .barcode(reading))) == nil)
    }

    static let lies: [(why: String, change: @Sendable (inout BarcodeReading) -> Void)] = [
        ("confidence", { $0.confidence = .nan }), ("confidence", { $0.confidence = .infinity }),
        ("confidence", { $0.confidence = 1.0001 }), ("confidence", { $0.confidence = -0.1 }),
        ("ECI", { $0.eci = 1_000_000 }), ("text", { $0.text = String(repeating: "x", count: 24_577) }),
        ("text", { ($0.eci, $0.text) = (nil, "no set") }),
        ("part", { $0.part = SymbolPart(index: 16, count: 16) }),
        ("part", { $0.part = SymbolPart(index: 0, count: 17) }), ("part", { $0.part = SymbolPart(index: 0, count: 0) }),
        ("part", { $0.part = SymbolPart(index: 16) }),
        ("part", { $0.part = SymbolPart(index: 0, count: 2, identifier: String(repeating: "x", count: 65)) }),
        ("part", { ($0.symbology, $0.part) = (.aztec, SymbolPart(index: 26, count: 27)) }),
        ("part", { ($0.symbology, $0.part) = (.pdf417, SymbolPart(index: 0, count: 100_000)) }),
        ("part", { ($0.symbology, $0.part) = (.code128, SymbolPart(index: 0, count: 2)) }),
        ("supplement", { $0.supplement = Array("05".utf8) }),
        ("supplement", { ($0.symbology, $0.part, $0.supplement) = (.ean13, nil, Array("055".utf8)) }),
        ("supplement", { ($0.symbology, $0.part, $0.supplement) = (.ean13, nil, []) }),
        ("supplement", { ($0.symbology, $0.part, $0.supplement) = (.ean13, nil, Array("0x".utf8)) }),
        ("supplement", { ($0.symbology, $0.part, $0.supplement) = (.ean8, nil, Array("05".utf8)) }),
        ("supplement", { ($0.symbology, $0.part, $0.supplement) = (.upcA, nil, Array("051234".utf8)) }),
    ]

    @Test(arguments: lies.indices) func whatNoSymbolCanSayIsRefused(_ index: Int) throws {
        let (why, change) = Self.lies[index]
        var reading = Self.whole
        change(&reading)
        let observation = Observation(bounds: WireSamples.quad, content: .barcode(reading))
        let job = try WireSamples.barcodeJob(Set(Symbology.allCases))
        #expect(job.objection(to: observation)?.contains(why) == true)
        #expect(throws: WireError.self) { try decoded(answer(reading)) }
        // The worker leaves such a reading out rather than being taken for a liar.
        let fitted = RecognitionResult(observations: [observation], cpuTime: .zero).fitted(to: job)
        #expect(fitted.observations.isEmpty && fitted.omitted == 1)
    }

    @Test func changedBytesNeverTrapAndWhatIsTakenKeepsTheRules() {
        var generator = SeededGenerator(seed: 15)
        let seeds = Self.readings.map(answer)
        var taken = 0
        for round in 0..<40_000 {
            var bytes = seeds[round % seeds.count]
            let place = Int.random(in: 0..<bytes.count, using: &generator)
            bytes[place] = UInt8.random(in: 0...255, using: &generator)
            guard let reading = try? decoded(bytes) else { continue }
            taken += 1
            #expect(reading.objection == nil)
        }
        #expect(taken > 1000)
    }
}
