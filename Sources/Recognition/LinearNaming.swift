// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ScanModel

/// Brings what the engines call the same symbol to one name and one payload.
enum LinearNaming {
    /// zxing-cpp's reading as ZBar would give it.
    ///
    /// A DataBar's payload is the element string with its identifier 01, that of DataBar Expanded has no brackets. An
    /// EAN-13 that begins with 0 is a UPC-A where that is asked for, and a UPC-A an EAN-13 where it is not.
    static func named(_ symbol: ZXingSymbol, asked: Set<Symbology>) -> (symbology: Symbology, payload: [UInt8]) {
        let (symbology, payload) = (symbol.symbology, symbol.payload)
        let zero = UInt8(ascii: "0")
        switch symbology {
        case .gs1DataBar:
            return (symbology, payload.count == 14 ? Array("01".utf8) + payload : payload)
        case .gs1DataBarExpanded:
            return (symbology, GS1Brackets.removed(from: payload))
        case .upcA where payload.count == 12 && !asked.contains(.upcA):
            return (.ean13, [zero] + payload)
        case .ean13 where payload.first == zero && payload.count == 13 && asked.contains(.upcA):
            return (.upcA, Array(payload.dropFirst()))
        case .i2of5, .itf14:
            return (ZBarSymbology.nameOfTwoOfFive(payload, asked: asked), payload)
        default: return (symbology, payload)
        }
    }

    /// A payload in the form in which two readings of one symbol are equal, whichever engine they are from.
    ///
    /// ZBar drops the FNC4 of Code 128, and with it the highest bit of the characters.
    static func key(_ symbology: Symbology, _ payload: [UInt8]) -> [UInt8] {
        switch symbology {
        case .upcA where payload.count == 12: [UInt8(ascii: "0")] + payload
        case .code128: payload.map { $0 & 0x7F }
        default: payload
        }
    }

    /// Symbologies whose readings can be of one symbol.
    static func family(_ symbology: Symbology) -> Symbology {
        switch symbology {
        case .upcA: .ean13
        case .itf14: .i2of5
        default: symbology
        }
    }
}

/// The form of element strings with identifiers in brackets, as people write them.
enum GS1Brackets {
    private static let separator: UInt8 = 0x1D
    /// Data bytes after identifiers with these first two digits (GS1 General Specifications, figure 7.8.5-2, less the two);
    /// all others end with a separator unless they are the last.
    private static let fixedLengths: [Int: Int] = [
        0: 18, 1: 14, 2: 14, 3: 14, 4: 16, 11: 6, 12: 6, 13: 6, 14: 6, 15: 6, 16: 6, 17: 6, 18: 6, 19: 6, 20: 2,
        31: 8, 32: 8, 33: 8, 34: 8, 35: 8, 36: 8, 41: 14,
    ]

    /// The element string itself; what is not in brackets' form comes back as it is.
    static func removed(from text: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var position = 0
        while position < text.count {
            guard let identifier = identifier(in: text, at: position) else { return text }
            result += identifier
            position += identifier.count + 2
            var end = position
            let prefix = Int(identifier[offset: 0] - 0x30) * 10 + Int(identifier[offset: 1] - 0x30)
            if let length = fixedLengths[prefix] {
                // Of identifiers with three and four digits the further digits count as data here.
                end = min(text.count, position + length - (identifier.count - 2))
            }
            while end < text.count, Self.identifier(in: text, at: end) == nil { end += 1 }
            result += text[position..<end]
            if end < text.count, fixedLengths[prefix] == nil { result.append(separator) }
            position = end
        }
        return result
    }

    /// Two to four digits in brackets.
    private static func identifier(in text: [UInt8], at start: Int) -> ArraySlice<UInt8>? {
        guard text[start] == UInt8(ascii: "(") else { return nil }
        let inside = text[(start + 1)...].prefix { $0 >= 0x30 && $0 <= 0x39 }
        guard (2...4).contains(inside.count), inside.endIndex < text.count,
            text[inside.endIndex] == UInt8(ascii: ")")
        else { return nil }
        return inside
    }
}

extension ArraySlice<UInt8> {
    fileprivate subscript(offset index: Int) -> UInt8 { self[startIndex + index] }
}

extension Symbology {
    /// Whether it carries GS1 element strings by its kind.
    var isDataBar: Bool { [.gs1DataBar, .gs1DataBarExpanded, .gs1DataBarLimited].contains(self) }
    /// EAN and UPC, which decode by halves.
    var isRetail: Bool { [.ean13, .ean8, .upcA, .upcE].contains(self) }
    /// Symbologies of any length and without a check that both engines insist on.
    var isUnchecked: Bool { [.i2of5, .itf14, .code39, .codabar].contains(self) }
}
