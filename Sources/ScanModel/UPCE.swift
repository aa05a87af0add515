// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// The zero-suppressed form of a UPC-A number.
public enum UPCE {
    /// Gives the 12 digits of the UPC-A number that 8 digits of UPC-E stand for; `nil` where they are none.
    ///
    /// The digits are ASCII: number system (0 or 1), six digits, check digit (GS1 General Specifications, 5.2.2.4.2).
    /// The check digit is that of the long form and is carried over, not verified.
    public static func expanded(_ digits: [UInt8]) -> [UInt8]? {
        let zero = UInt8(ascii: "0")
        guard digits.count == 8, digits.allSatisfy({ $0 >= zero && $0 <= UInt8(ascii: "9") }), digits[0] <= zero + 1
        else { return nil }
        let six = Array(digits[1...6])
        let zeros = { (count: Int) in [UInt8](repeating: zero, count: count) }
        let body: [UInt8]
        switch six[5] - zero {
        case 0, 1, 2: body = six[0...1] + [six[5]] + zeros(4) + six[2...4]
        case 3: body = six[0...2] + zeros(5) + six[3...4]
        case 4: body = six[0...3] + zeros(5) + [six[4]]
        default: body = six[0...4] + zeros(4) + [six[5]]
        }
        return [digits[0]] + body + [digits[7]]
    }
}
