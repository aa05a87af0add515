// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanModel
import Testing

/// In which encoding a payload is text.
@Suite struct PayloadEncodingTests {
    static let cases:
        [(bytes: [UInt8], eci: Int?, symbology: Symbology, encoding: PayloadEncoding?, text: String?, guessed: Bool)] =
            [
                (Array("abc".utf8), nil, .qr, .ascii, "abc", false),
                (Array("Größe".utf8), nil, .qr, .utf8, "Größe", false),
                // Named wrong, as labels do: what is valid UTF-8 is not so by chance.
                (Array("Größe".utf8), 3, .qr, .utf8, "Größe", false),
                ([0x47, 0x72, 0xF6, 0xDF, 0x65], nil, .code128, .latin1, "Größe", true),
                ([0x47, 0x72, 0xF6, 0xDF, 0x65], 3, .dataMatrix, .latin1, "Größe", false),
                ([0x80, 0x20, 0x39], 23, .qr, .windows1252, "\u{20AC} 9", false),
                ([0x00, 0x41, 0x20, 0xAC], 25, .qr, .utf16, "A\u{20AC}", false),
                ([0xD8, 0x3D, 0xDE, 0x00], 25, .qr, .utf16, "\u{1F600}", false),
                ([0xD8, 0x3D, 0xDE], 25, .qr, nil, nil, false),
                // Shift JIS is named and not read here; so is UTF-8 that is none.
                ([0x89, 0xEF, 0x8E, 0xD0], 20, .qr, nil, nil, false),
                ([0xFF, 0xFE], 26, .qr, nil, nil, false),
                // Bytes of no text.
                ([0x00, 0x80, 0x81, 0xFF], nil, .qr, nil, nil, false),
                ([0xE4, 0x1D, 0x31], nil, .dataMatrix, .latin1, "ä\u{1D}1", true),
            ]

    @Test(arguments: cases)
    func theEncodingIsDecidedInTheOpen(
        _ bytes: [UInt8], _ eci: Int?, _ symbology: Symbology, _ encoding: PayloadEncoding?, _ text: String?,
        _ guessed: Bool
    ) {
        let payload = Payload(bytes: bytes, eci: eci, symbology: symbology)
        #expect(payload.bytes == bytes)
        #expect(payload.isEncodingGuessed == guessed)
        #expect(payload.encoding == encoding)
        if let text { #expect(payload.string == text) }
        if encoding == nil { #expect(payload.string == nil) }
    }

    @Test func aSetThatIsReadElsewhereNeedsItsText() {
        let bytes: [UInt8] = [0x89, 0xEF, 0x8E, 0xD0]
        let payload = Payload(bytes: bytes, eci: 20, symbology: .qr, convertedText: "会社")
        #expect(payload.encoding == .shiftJIS && payload.string == "会社" && !payload.isEncodingGuessed)
        #expect(Payload(bytes: bytes, eci: 20, symbology: .qr).encoding == nil)
        // An ECI that is of no character set names none, whatever text comes with it.
        #expect(Payload(bytes: bytes, eci: 899, symbology: .qr, convertedText: "x").string == nil)
        // What is UTF-8 by itself is not another set.
        #expect(Payload(bytes: Array("会".utf8), eci: 20, symbology: .qr, convertedText: "x").string == "会")
    }
}
