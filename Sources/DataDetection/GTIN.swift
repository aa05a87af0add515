// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ScanModel

/// Global Trade Item Numbers in barcodes.
public enum GTIN {
    /// The GTIN-14 of a barcode, with leading zeros; `nil` where it has none or the check digit is wrong.
    ///
    /// Numbers of restricted circulation (EAN-13 with the prefixes 02, 04 and 20 to 29) have the form of a GTIN and are
    /// given like one. Of GS1 element strings only one that starts with (01) is looked at: GS1 wants the GTIN first.
    public static func canonical14(symbology: Symbology, payload: [UInt8], isGS1: Bool = false) -> String? {
        switch symbology {
        case .ean13: return padded(payload, lengths: [13])
        case .ean8: return padded(payload, lengths: [8])
        // Some readers give a UPC-A in the 13 digits of the EAN that it is.
        case .upcA: return padded(payload, lengths: [12, 13])
        case .upcE: return UPCE.expanded(payload).flatMap { padded($0, lengths: [12]) }
        case .itf14: return padded(payload, lengths: [14])
        case .gs1DataBar, .gs1DataBarLimited:
            return payload.count == 14 ? padded(payload, lengths: [14]) : leading(payload, mayGoOn: false)
        case .gs1DataBarExpanded: return leading(payload, mayGoOn: true)
        default: return isGS1 ? leading(payload, mayGoOn: true) : nil
        }
    }

    private static func padded(_ digits: [UInt8], lengths: Set<Int>) -> String? {
        guard lengths.contains(digits.count), CheckDigits.isValidGS1(digits) else { return nil }
        let zeros = [UInt8](repeating: UInt8(ascii: "0"), count: 14 - digits.count)
        return String(validating: zeros + digits, as: UTF8.self)
    }

    /// The number after the application identifier 01 at the start of an element string.
    private static func leading(_ payload: [UInt8], mayGoOn: Bool) -> String? {
        guard payload.count == 16 || (mayGoOn && payload.count > 16), payload.starts(with: "01".utf8) else {
            return nil
        }
        return padded(Array(payload[2..<16]), lengths: [14])
    }
}
