// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanModel
import Testing

/// The AIM identifier of a payload as it is told (ISO/IEC 15424).
@Suite struct SymbologyIdentifierTests {
    static let cases: [(named: String?, symbology: Symbology, isGS1: Bool, told: String)] = [
        ("]E0", .ean13, false, "]E0"), ("]E3", .ean13, false, "]E0"), ("]E0", .upcE, false, "]E0"),
        ("]E4", .ean8, false, "]E4"), (nil, .ean2, false, "]E1"), (nil, .ean5, false, "]E2"),
        ("]C0", .code128, false, "]C0"), ("]C1", .code128, true, "]C1"), ("]C2", .code128, false, "]C2"),
        (nil, .code128, true, "]C1"), ("]A0", .code39, false, "]A0"), ("]G0", .code93, false, "]G0"),
        ("]F0", .codabar, false, "]F0"), ("]I0", .itf14, false, "]I1"), ("]I1", .i2of5, false, "]I0"),
        ("]e0", .gs1DataBar, true, "]e0"), (nil, .gs1DataBarExpanded, true, "]e0"),
        ("]Q1", .qr, false, "]Q1"), ("]Q2", .qr, false, "]Q1"), ("]Q3", .qr, true, "]Q3"), ("]Q4", .qr, true, "]Q3"),
        (nil, .qr, true, "]Q3"), ("]Q1", .microQR, false, "]Q1"), ("]d1", .dataMatrix, false, "]d1"),
        ("]d2", .dataMatrix, true, "]d2"), ("]d4", .dataMatrix, false, "]d1"), ("]d5", .dataMatrix, true, "]d2"),
        ("]z0", .aztec, false, "]z0"), ("]z1", .aztec, true, "]z1"), ("]z3", .aztec, false, "]z0"),
        ("]z6", .aztec, false, "]z0"), ("]z:", .aztec, false, "]z0"), ("]L2", .pdf417, false, "]L2"),
        ("]L1", .pdf417, false, "]L2"), ("]U0", .maxiCode, false, "]U0"), ("]U1", .maxiCode, false, "]U1"),
        ("]U3", .maxiCode, false, "]U1"), ("nonsense", .qr, false, "]Q1"),
    ]

    @Test(arguments: cases)
    func isThatOfTheBytes(_ named: String?, _ symbology: Symbology, _ isGS1: Bool, _ told: String) {
        #expect(SymbologyIdentifier.told(named, symbology: symbology, isGS1: isGS1) == told)
    }
}
