// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import CZBar
internal import ScanModel

/// Which of ZBar's decoders a set of symbologies needs, and what its results are called.
enum ZBarSymbology {
    /// What ZBar 0.23.92 reads; not DataBar Limited or stacked, not Data Matrix, PDF417, Aztec, Micro QR, MaxiCode.
    static let supported: Set<Symbology> = [
        .ean13, .ean8, .upcA, .upcE, .ean2, .ean5, .code128, .code39, .code93, .codabar, .i2of5, .itf14, .gs1DataBar,
        .gs1DataBarExpanded, .qr,
    ]

    /// The decoders to enable; empty when ZBar can read none of the symbologies.
    static func decoders(for symbologies: Set<Symbology>) -> Set<UInt32> {
        var types: Set<UInt32> = []
        for symbology in symbologies {
            switch symbology {
            case .ean13, .upcA:
                types.insert(ZBAR_EAN13.rawValue)
                // Without its own decoder enabled, a UPC-E symbol would come as the EAN-13 that it stands for.
                types.insert(ZBAR_UPCE.rawValue)
            case .upcE: types.insert(ZBAR_UPCE.rawValue)
            case .ean8: types.insert(ZBAR_EAN8.rawValue)
            case .ean2: types.insert(ZBAR_EAN2.rawValue)
            case .ean5: types.insert(ZBAR_EAN5.rawValue)
            case .code128: types.insert(ZBAR_CODE128.rawValue)
            case .code39: types.insert(ZBAR_CODE39.rawValue)
            case .code93: types.insert(ZBAR_CODE93.rawValue)
            case .codabar: types.insert(ZBAR_CODABAR.rawValue)
            case .i2of5, .itf14: types.insert(ZBAR_I25.rawValue)
            case .gs1DataBar: types.insert(ZBAR_DATABAR.rawValue)
            case .gs1DataBarExpanded: types.insert(ZBAR_DATABAR_EXP.rawValue)
            case .qr: types.insert(ZBAR_QRCODE.rawValue)
            case .gs1DataBarLimited, .microQR, .dataMatrix, .pdf417, .aztec, .maxiCode: break
            }
        }
        return types
    }

    /// Whether the symbol is no symbol by itself but parts of a structured append, as many as were seen.
    static func isPartial(_ symbol: ZBarSymbol) -> Bool {
        symbol.type == ZBAR_PARTIAL.rawValue || !symbol.parts.isEmpty
    }

    /// The symbology and payload of a symbol among those asked for; `nil` when it was not asked for or says nothing.
    ///
    /// An EAN-13 that begins with 0 and a UPC-A are the same symbol: it is named UPC-A, with 12 digits, where UPC-A is
    /// asked for. Interleaved 2 of 5 with 14 digits and a right check digit is ITF-14 where that is asked for.
    static func name(
        _ symbol: ZBarSymbol, among asked: Set<Symbology>
    ) -> (symbology: Symbology, payload: [UInt8])? {
        let data = symbol.data
        guard !data.isEmpty else { return nil }
        let symbology: Symbology
        switch symbol.type {
        case ZBAR_EAN13.rawValue:
            if data.count == 13, data[0] == UInt8(ascii: "0"), asked.contains(.upcA) {
                return (.upcA, [UInt8](data.dropFirst()))
            }
            symbology = .ean13
        case ZBAR_UPCA.rawValue: symbology = .upcA
        case ZBAR_UPCE.rawValue: symbology = .upcE
        case ZBAR_EAN8.rawValue: symbology = .ean8
        case ZBAR_EAN2.rawValue: symbology = .ean2
        case ZBAR_EAN5.rawValue: symbology = .ean5
        case ZBAR_CODE128.rawValue: symbology = .code128
        case ZBAR_CODE39.rawValue: symbology = .code39
        case ZBAR_CODE93.rawValue: symbology = .code93
        case ZBAR_CODABAR.rawValue: symbology = .codabar
        case ZBAR_I25.rawValue:
            symbology = nameOfTwoOfFive(data, asked: asked)
        case ZBAR_DATABAR.rawValue: symbology = .gs1DataBar
        case ZBAR_DATABAR_EXP.rawValue: symbology = .gs1DataBarExpanded
        case ZBAR_QRCODE.rawValue: symbology = .qr
        default: return nil
        }
        return asked.contains(symbology) ? (symbology, data) : nil
    }

    /// The identifier of ISO/IEC 15424, as far as ZBar tells which variant it saw.
    ///
    /// Whether a check digit was verified is not told by ZBar, so that Code 39, Codabar and 2 of 5 have modifier 0. QR
    /// has ]Q1 without ECI; ZBar turns ECI into UTF-8 and does not say that it did.
    static func identifier(of symbology: Symbology, isGS1: Bool, isAIM: Bool) -> String? {
        switch symbology {
        case .ean13, .upcA, .upcE: "]E0"
        case .ean2: "]E1"
        case .ean5: "]E2"
        case .ean8: "]E4"
        case .code128: isGS1 ? "]C1" : isAIM ? "]C2" : "]C0"
        case .code39: "]A0"
        case .code93: "]G0"
        case .codabar: "]F0"
        case .i2of5, .itf14: "]I0"
        case .gs1DataBar, .gs1DataBarExpanded: "]e0"
        case .qr: isGS1 ? "]Q3" : isAIM ? "]Q5" : "]Q1"
        default: nil
        }
    }

    /// The bars of a symbol that ZBar decodes by halves.
    static func barCount(of symbology: Symbology) -> Int? {
        switch symbology {
        case .ean13, .upcA: 30
        case .ean8: 22
        default: nil
        }
    }

    /// ITF-14 where that is asked for and the digits are one.
    static func nameOfTwoOfFive(_ digits: [UInt8], asked: Set<Symbology>) -> Symbology {
        asked.contains(.itf14) && hasRightCheckDigit(itf14: digits) ? .itf14 : .i2of5
    }

    private static func hasRightCheckDigit(itf14 digits: [UInt8]) -> Bool {
        guard digits.count == 14, digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return false }
        var sum = 0
        for (index, digit) in digits.enumerated() { sum += Int(digit - 0x30) * (index % 2 == 0 ? 3 : 1) }
        return sum % 10 == 0
    }
}
