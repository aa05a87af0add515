// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ImageKernels
import ScanModel
import ScanTestSupport
import Testing

@testable import Recognition

/// A payload's own bars against those in the picture.
@Suite struct PatternProofTests {
    static let codes: [(zint: String, data: String, symbology: Symbology, payload: String)] = [
        ("EANX", "4006381333931", .ean13, "4006381333931"), ("EANX", "9780141026626", .ean13, "9780141026626"),
        ("EANX", "9638507", .ean8, "96385074"), ("UPCA", "697929110035", .upcA, "697929110035"),
        ("UPCE", "01234565", .upcE, "01234565"), ("UPCE", "1234567", .upcE, "12345670"),
    ]

    private func symbol(_ quad: Quad, _ symbology: Symbology, _ payload: String) -> DecodedSymbol {
        DecodedSymbol(
            symbology: symbology, payload: Array(payload.utf8), quad: quad, witnesses: [], quality: 1, isGS1: false,
            isInverted: false, confidence: 0.5)
    }

    @Test(arguments: codes)
    func theBarsAreTheSymbols(_ zint: String, _ data: String, _ symbology: Symbology, _ payload: String) throws {
        let code = try TestPictures.zint(zint, data, scale: 0.5)
        let pattern = try #require(BarPattern(symbology: symbology, payload: Array(payload.utf8)))
        let row = (0..<code.width).map { code.pixels[(code.height / 3) * code.width + $0] < 128 }
        let modules = pattern.widths.enumerated().flatMap { [Bool](repeating: $0 % 2 == 0, count: Int($1)) }
        #expect(row == modules, "\(payload)")
    }

    @Test(arguments: codes.filter { $0.symbology != .upcE })
    func onlyTheRightDigitsFit(_ zint: String, _ data: String, _ symbology: Symbology, _ payload: String) throws {
        let code = try TestPictures.zint(zint, data, scale: 1)
        let small = code.padded(24).resized(width: (code.width + 48) * 9 / 10, height: (code.height + 48) * 9 / 10)
        let picture = small.noisy(8)
        // Ends that an engine told a module off.
        let quad = Quad(Rect(x: 24 * 0.9 - 1.5, y: 24, width: Double(code.width) * 0.9 + 2, height: 60))
        var generator = SeededGenerator(seed: 9)
        picture.withView { view in
            let proof = PatternProof(picture: view)
            #expect(proof.isProved(symbol(quad, symbology, payload)) == true, "\(payload)")
            for _ in 0..<12 {
                var digits = Array(payload.utf8)
                // Two digits that change together keep the check digit right: 3 and 1 are their weights.
                let place = 1 + Int(generator.next() % UInt64(digits.count - 3))
                let up = 1 + UInt8(generator.next() % 9)
                digits[place] = 0x30 + (digits[place] - 0x30 + up) % 10
                digits[place + 1] = 0x30 + (digits[place + 1] - 0x30 + 7 * up) % 10
                let other = String(decoding: digits, as: UTF8.self)
                guard other != payload else { continue }
                #expect(proof.isProved(symbol(quad, symbology, other)) != true, "\(other) for \(payload)")
            }
        }
    }

    @Test func whatIsNoBarsIsNotProved() {
        let noise = LumaBuffer(width: 240, height: 100, filledWith: 128).noisy(30)
        let claimed = symbol(Quad(Rect(x: 20, y: 20, width: 190, height: 60)), .ean13, "4006381333931")
        #expect(noise.withView { PatternProof(picture: $0).isProved(claimed) } == nil)
        let other = symbol(Quad(Rect(x: 20, y: 20, width: 190, height: 60)), .code128, "4006381333931")
        #expect(noise.withView { PatternProof(picture: $0).isProved(other) } == nil)
    }
}
