// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// The identity of an item: a UUID of version 7 (RFC 9562), the same from `didAdd` to `didRemove`.
public struct ItemID: Sendable, Hashable, Comparable, CustomStringConvertible {
    public let high: UInt64
    public let low: UInt64

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Makes a new identity: 48 bits of wall time, then 74 random bits (RFC 9562, 5.7).
    public init(at time: WallTime, using generator: inout some RandomNumberGenerator) {
        let milliseconds = UInt64(Swift.max(0, time.milliseconds)) & 0xFFFF_FFFF_FFFF
        high = milliseconds << 16 | 0x7000 | UInt64.random(in: 0...0xFFF, using: &generator)
        low = 0x8000_0000_0000_0000 | UInt64.random(in: 0...0x3FFF_FFFF_FFFF_FFFF, using: &generator)
    }

    /// Reads the canonical form with hyphens; `nil` for anything else.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 36 else { return nil }
        var value: (UInt64, UInt64) = (0, 0)
        var digits = 0
        for (index, byte) in bytes.enumerated() {
            if [8, 13, 18, 23].contains(index) {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            if digits < 16 { value.0 = value.0 << 4 | UInt64(digit) } else { value.1 = value.1 << 4 | UInt64(digit) }
            digits += 1
        }
        self.init(high: value.0, low: value.1)
    }

    public var description: String {
        let digits = Array((ItemID.hex(high) + ItemID.hex(low)).utf8)
        var text = ""
        for (index, byte) in digits.enumerated() {
            if [8, 12, 16, 20].contains(index) { text.append("-") }
            text.unicodeScalars.append(Unicode.Scalar(byte))
        }
        return text
    }

    public static func < (a: ItemID, b: ItemID) -> Bool { (a.high, a.low) < (b.high, b.low) }

    private static func hex(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
