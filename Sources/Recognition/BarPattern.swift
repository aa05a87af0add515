// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ScanModel

/// The bars of an EAN or UPC, drawn anew from its digits.
struct BarPattern: Hashable {
    /// Modules from the first bar to the last: true is dark.
    private(set) var modules: [Bool] = []
    /// Where each digit's modules are that could be another digit's.
    private(set) var digits: [Digit] = []

    struct Digit: Hashable {
        /// Its first module of seven.
        var start: Int
        /// 0...9.
        var value: Int
        /// Which of the three sets of patterns it is from.
        var set: DigitSet
    }

    /// The sets of ISO/IEC 15420, 4.3.2.
    enum DigitSet: Hashable {
        case a, b, c
    }

    /// Modules of one digit.
    static let digitModules = 7
    // Set A; C is its inverse, B the mirror of C.
    private static let setA = [
        0b0001101, 0b0011001, 0b0010011, 0b0111101, 0b0100011, 0b0110001, 0b0101111, 0b0111011, 0b0110111, 0b0001011,
    ]
    // Which of the six left digits are of set B, by the digit that they say: EAN-13, and UPC-E of number system 0.
    private static let leading = [
        0b000000, 0b001011, 0b001101, 0b001110, 0b010011, 0b011001, 0b011100, 0b010101, 0b010110, 0b011010,
    ]
    private static let checkOfUPCE = [
        0b111000, 0b110100, 0b110010, 0b110001, 0b101100, 0b100110, 0b100011, 0b101010, 0b101001, 0b100101,
    ]

    /// `nil` for another symbology, and for digits that it can not have.
    init?(symbology: Symbology, payload: [UInt8]) {
        let values = payload.map { Int($0) - 0x30 }
        guard values.allSatisfy({ (0...9).contains($0) }) else { return nil }
        switch (symbology, values.count) {
        case (.ean13, 13): addHalves(Array(values.dropFirst()), parity: Self.leading[values[0]])
        case (.upcA, 12): addHalves(values, parity: 0)
        case (.ean8, 8): addHalves(values, parity: 0)
        case (.upcE, 8) where values[0] <= 1:
            let parity = Self.checkOfUPCE[values[7]]
            add("101")
            for (index, value) in values[1...6].enumerated() {
                let isB = (parity >> (5 - index) & 1 == 1) == (values[0] == 0)
                add(value, isB ? .b : .a)
            }
            add("010101")
        default: return nil
        }
    }

    /// A digit's modules, from left to right.
    static func pattern(_ value: Int, _ set: DigitSet) -> [Bool] {
        let bits = setA[value]
        return (0..<digitModules).map { index in
            switch set {
            case .a: bits >> (6 - index) & 1 == 1
            case .b: bits >> index & 1 == 0
            case .c: bits >> (6 - index) & 1 == 0
            }
        }
    }

    /// The pattern with another digit in a place.
    func replacing(_ digit: Digit, by value: Int) -> [Bool] {
        var result = modules
        result.replaceSubrange(
            digit.start..<(digit.start + Self.digitModules), with: Self.pattern(value, digit.set))
        return result
    }

    private mutating func addHalves(_ values: [Int], parity: Int) {
        let half = values.count / 2
        add("101")
        for (index, value) in values[..<half].enumerated() {
            add(value, parity >> (half - 1 - index) & 1 == 1 ? .b : .a)
        }
        add("01010")
        for value in values[half...] { add(value, .c) }
        add("101")
    }

    private mutating func add(_ guards: String) { modules += guards.map { $0 == "1" } }

    private mutating func add(_ value: Int, _ set: DigitSet) {
        digits.append(Digit(start: modules.count, value: value, set: set))
        modules += Self.pattern(value, set)
    }
}
