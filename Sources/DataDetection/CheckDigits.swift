// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// Check digits of numbers that are printed as barcodes; digits and characters are ASCII.
public enum CheckDigits {
    /// The digit that completes a GS1 number: weights 3 and 1 from the right, the complement of the sum to tens
    /// (GS1 General Specifications, 7.9); `nil` where a byte is no digit.
    public static func gs1(completing digits: [UInt8]) -> UInt8? {
        var sum = 0
        for (index, byte) in digits.reversed().enumerated() {
            guard let digit = value(ofDigit: byte) else { return nil }
            sum += digit * (index.isMultiple(of: 2) ? 3 : 1)
        }
        return UInt8(ascii: "0") + UInt8((10 - sum % 10) % 10)
    }

    /// Whether the last digit of a GS1 number completes those before it.
    public static func isValidGS1(_ digits: [UInt8]) -> Bool {
        guard let last = digits.last, digits.count >= 2 else { return false }
        return gs1(completing: Array(digits.dropLast())) == last
    }

    /// The characters of Code 39 in the order of their values 0...42 (ISO/IEC 16388, annex A).
    private static let code39 = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. $/+%".utf8)

    /// The character that completes a Code 39 payload by modulo 43; `nil` where a byte is none of its characters.
    public static func code39(completing characters: [UInt8]) -> UInt8? {
        var sum = 0
        for byte in characters {
            guard let value = code39.firstIndex(of: byte) else { return nil }
            sum += value
        }
        return code39[sum % 43]
    }

    /// Whether a Code 39 payload ends with its modulo 43 character; the check is optional, so `false` proves nothing.
    public static func isValidCode39(_ characters: [UInt8]) -> Bool {
        guard let last = characters.last, characters.count >= 2 else { return false }
        return code39(completing: Array(characters.dropLast())) == last
    }

    /// The characters of Codabar in the order of their values 0...19 (EN 798, annex A).
    private static let codabar = Array("0123456789-$:/.+ABCD".utf8)

    /// Whether the character before the stop completes a Codabar payload, start and stop included, by modulo 16; the check
    /// is optional, so `false` proves nothing.
    public static func isValidCodabar(_ characters: [UInt8]) -> Bool {
        var sum = 0
        for byte in characters {
            let isLowercase = (UInt8(ascii: "a")...UInt8(ascii: "d")).contains(byte)
            guard let value = codabar.firstIndex(of: isLowercase ? byte - 0x20 : byte) else { return false }
            sum += value
        }
        return characters.count >= 4 && sum.isMultiple(of: 16)
    }

    static func value(ofDigit byte: UInt8) -> Int? {
        byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") ? Int(byte - UInt8(ascii: "0")) : nil
    }
}
