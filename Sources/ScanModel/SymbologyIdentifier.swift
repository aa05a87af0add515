// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// The identifiers that ISO/IEC 15424 puts before data, such as `]C1`.
public enum SymbologyIdentifier {
    /// The identifier for a payload as this product tells it.
    ///
    /// A modifier says how the data are sent: engines name one that announces escaped character sets (`]Q2`, `]d4`, `]L1`)
    /// or a header of structured append in the data, which are in no payload here, so that the variant without them is the
    /// right one. EAN and UPC have `]E0` with an add-on too, as `]E3` stands for digits of both in one.
    ///
    /// - Parameter named: what the engine that read the symbol says.
    public static func told(_ named: String?, symbology: Symbology, isGS1: Bool) -> String? {
        switch symbology {
        case .ean13, .upcA, .upcE: return "]E0"
        case .ean2: return "]E1"
        case .ean5: return "]E2"
        case .ean8: return "]E4"
        case .gs1DataBar, .gs1DataBarExpanded, .gs1DataBarLimited: return "]e0"
        case .code93: return "]G0"
        // Its check digit is looked at, as there is no ITF-14 without one.
        case .itf14: return "]I1"
        // Whether the last character is a check character only the user knows (`SymbologyRule.requiresCheckDigit`).
        case .i2of5: return "]I0"
        case .codabar: return "]F0"
        case .pdf417: return "]L2"
        case .code39: return named ?? "]A0"
        case .code128: return isGS1 ? "]C1" : named ?? "]C0"
        case .qr, .microQR:
            return variant(named, "]Q", [1: 1, 2: 1, 3: 3, 4: 3, 5: 5, 6: 5]) ?? (isGS1 ? "]Q3" : "]Q1")
        case .dataMatrix: return variant(named, "]d", [1: 1, 2: 2, 3: 3, 4: 1, 5: 2, 6: 3]) ?? (isGS1 ? "]d2" : "]d1")
        case .aztec:
            return variant(named, "]z", [0: 0, 1: 1, 2: 2, 3: 0, 4: 1, 5: 2, 6: 0, 7: 1, 8: 2]) ?? aztec(isGS1)
        case .maxiCode: return variant(named, "]U", [0: 0, 1: 1, 2: 0, 3: 1]) ?? "]U0"
        }
    }

    private static func aztec(_ isGS1: Bool) -> String { isGS1 ? "]z1" : "]z0" }

    /// The modifier without what is not sent; `nil` where it is none that is known.
    private static func variant(_ named: String?, _ code: String, _ plain: [Int: Int]) -> String? {
        guard let named, named.hasPrefix(code), let modifier = Int(named.dropFirst(2)) else { return nil }
        return plain[modifier].map { "\(code)\($0)" }
    }
}
