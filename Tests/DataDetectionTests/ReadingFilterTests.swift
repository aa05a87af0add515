// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import DataDetection
import ScanModel
import Testing

@Suite struct ReadingFilterTests {
    private let place = Quad(Rect(x: 0.1, y: 0.1, width: 0.2, height: 0.1))

    private func reading(_ symbology: Symbology, _ payload: String) -> Observation {
        Observation(
            bounds: place,
            content: .barcode(
                BarcodeReading(symbology: symbology, payload: Array(payload.utf8), symbologyIdentifier: "]X0")))
    }

    private func kept(
        _ symbology: Symbology, _ payload: String, lengths: Set<Int> = [], minimum: Int? = nil, maximum: Int? = nil,
        checkDigit: Bool = false
    ) -> String? {
        var rule = SymbologyRule()
        rule.lengths = lengths
        rule.minimumLength = minimum
        rule.maximumLength = maximum
        rule.requiresCheckDigit = checkDigit
        let left = ReadingFilter(rules: [symbology: rule]).allowed([reading(symbology, payload)])
        guard case .barcode(let reading)? = left.first?.content else { return nil }
        return reading.symbologyIdentifier
    }

    @Test func lengthsAreThoseOfThePayload() {
        #expect(kept(.i2of5, "123456", lengths: [6, 14]) == "]X0")
        #expect(kept(.i2of5, "1234", lengths: [6, 14]) == nil)
        #expect(kept(.code39, "ABC", minimum: 4) == nil)
        #expect(kept(.code39, "ABCD", minimum: 4, maximum: 4) == "]X0")
        #expect(kept(.code39, "ABCDE", maximum: 4) == nil)
        #expect(kept(.qr, "long enough", minimum: 3) == "]X0")
    }

    static let checked: [(Symbology, String, String?)] = [
        (.code39, "CODE39W", "]A1"), (.code39, "CODE39X", nil), (.code39, "code39w", nil),
        (.i2of5, "10614141000415", "]I1"), (.i2of5, "10614141000416", nil), (.codabar, "A12345B", "]F2"),
        (.codabar, "a12345b", "]F2"), (.codabar, "A12346B", nil), (.codabar, "A1*345B", nil),
        // No choice there: the rule does nothing.
        (.code128, "anything", "]X0"),
    ]

    @Test(arguments: checked)
    func aRequiredCheckDigitIsVerifiedAndSaid(symbology: Symbology, payload: String, identifier: String?) {
        #expect(kept(symbology, payload, checkDigit: true) == identifier)
    }

    @Test func whatHasNoRuleStaysAsItIs() {
        let all = [
            reading(.ean13, "4006381333931"), Observation(bounds: place, content: .unreadLine),
            reading(.i2of5, "12"),
        ]
        #expect(ReadingFilter(rules: [:]).allowed(all) == all)
        var rule = SymbologyRule()
        rule.minimumLength = 6
        #expect(ReadingFilter(rules: [.i2of5: rule]).allowed(all) == Array(all.dropLast()))
    }
}
