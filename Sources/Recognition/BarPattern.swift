// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ScanModel

/// The bars of a linear symbol, drawn anew from its payload.
struct BarPattern: Hashable {
    /// Widths of bars and spaces in turns, in modules or narrow elements, from the first bar to the last.
    private(set) var widths: [Float] = []
    /// What could be another character, in the order of the symbol.
    private(set) var characters: [Character] = []

    struct Character: Hashable {
        /// Its bars and spaces.
        var elements: Range<Int>
        /// The widths of all the others of its kind that are as wide as it is.
        var others: [[Float]]
    }

    /// Modules from the first bar to the last.
    var length: Float { widths.reduce(0, +) }

    /// What a payload leaves open.
    struct Variant: Hashable {
        /// Wide to narrow, of the symbologies that have two widths.
        var ratio: Float = 2.5
        /// The space between characters of Code 39 and Codabar, in narrow elements.
        var gap: Float = 1
        /// The code set of Code 128 that is not used, where that is possible: A and B share most characters.
        var unused = Code128Encoding.Set.a
    }

    /// The usual variants of a symbology, ...
    static func variants(of symbology: Symbology) -> [Variant] {
        // ISO/IEC 16388 and 16390: wide elements are 2 to 3 narrow ones.
        if hasTwoWidths(symbology) { return [2, 2.25, 2.5, 2.75, 3].map { Variant(ratio: $0) } }
        return symbology == .code128 ? [Variant(unused: .a), Variant(unused: .b)] : [Variant()]
    }

    /// ... and those that are tried where none of them fits: gaps of up to 5.3 narrow elements are Code 39 (ISO/IEC 16388,
    /// 4.4), and Codabar leaves them open.
    static func rareVariants(of symbology: Symbology) -> [Variant] {
        guard [.code39, .codabar].contains(symbology) else { return [] }
        return [Float(1.5), 2, 2.5, 3].flatMap { gap in [Float(2), 2.5, 3].map { Variant(ratio: $0, gap: gap) } }
    }

    /// `nil` for another symbology, and for characters that it can not have.
    init?(symbology: Symbology, payload: [UInt8], isGS1: Bool = false, variant: Variant = Variant()) {
        let ratio = variant.ratio
        switch symbology {
        case .ean13, .upcA, .ean8, .upcE:
            guard addRetail(symbology, payload) else { return nil }
        case .i2of5, .itf14:
            guard addTwoOfFive(payload, ratio: ratio) else { return nil }
        case .code39:
            guard addCode39(payload, variant) else { return nil }
        case .codabar:
            guard addCodabar(payload, variant) else { return nil }
        case .code128:
            guard let codes = Code128Encoding(payload, isGS1: isGS1, unused: variant.unused)?.codes else { return nil }
            for code in codes { add(Code128Table.widths[code], among: Code128Table.data) }
            add([2, 3, 3, 1, 1, 1, 2])
        default: return nil
        }
    }

    /// Whether there are two widths, so that their ratio is to be found.
    static func hasTwoWidths(_ symbology: Symbology) -> Bool {
        [.i2of5, .itf14, .code39, .codabar].contains(symbology)
    }

    mutating func add(_ widths: [Float]) { self.widths += widths }

    mutating func add(_ widths: [Float], among all: [[Float]]) {
        let sum = widths.reduce(0, +)
        let others = all.filter { $0 != widths && ($0.reduce(0, +) - sum).magnitude < 0.01 }
        characters.append(Character(elements: self.widths.count..<(self.widths.count + widths.count), others: others))
        self.widths += widths
    }
}

// MARK: - EAN and UPC

extension BarPattern {
    /// The sets of ISO/IEC 15420, 4.3.2, widths from left to right; C has those of A, B is the mirror of C.
    static let setA: [[Float]] = [
        [3, 2, 1, 1], [2, 2, 2, 1], [2, 1, 2, 2], [1, 4, 1, 1], [1, 1, 3, 2], [1, 2, 3, 1], [1, 1, 1, 4], [1, 3, 1, 2],
        [1, 2, 1, 3], [3, 1, 1, 2],
    ]
    static let setB = setA.map { Array($0.reversed()) }
    // Which of the six left digits are of set B, by the digit that they say: EAN-13, and UPC-E of number system 0.
    static let leading = [
        0b000000, 0b001011, 0b001101, 0b001110, 0b010011, 0b011001, 0b011100, 0b010101, 0b010110, 0b011010,
    ]
    static let checkOfUPCE = [
        0b111000, 0b110100, 0b110010, 0b110001, 0b101100, 0b100110, 0b100011, 0b101010, 0b101001, 0b100101,
    ]

    fileprivate mutating func addRetail(_ symbology: Symbology, _ payload: [UInt8]) -> Bool {
        let values = payload.map { Int($0) - 0x30 }
        guard values.allSatisfy({ (0...9).contains($0) }) else { return false }
        switch (symbology, values.count) {
        case (.ean13, 13): addHalves(Array(values.dropFirst()), parity: Self.leading[values[0]])
        case (.upcA, 12), (.ean8, 8): addHalves(values, parity: 0)
        case (.upcE, 8) where values[0] <= 1:
            let parity = Self.checkOfUPCE[values[7]]
            add([1, 1, 1])
            for (index, value) in values[1...6].enumerated() {
                addDigit(value, ofB: (parity >> (5 - index) & 1 == 1) == (values[0] == 0))
            }
            add([1, 1, 1, 1, 1, 1])
        default: return false
        }
        return true
    }

    private mutating func addHalves(_ values: [Int], parity: Int) {
        let half = values.count / 2
        add([1, 1, 1])
        for (index, value) in values[..<half].enumerated() {
            addDigit(value, ofB: parity >> (half - 1 - index) & 1 == 1)
        }
        add([1, 1, 1, 1, 1])
        for value in values[half...] { addDigit(value, ofB: false) }
        add([1, 1, 1])
    }

    private mutating func addDigit(_ value: Int, ofB isB: Bool) {
        let set = isB ? Self.setB : Self.setA
        add(set[value], among: set)
    }
}

// MARK: - Two widths

extension BarPattern {
    /// Which two of five elements are wide, for 1 to 9 and 0: 2 of 5, and the bars of Code 39 (ISO/IEC 16390, 4.3;
    /// ISO/IEC 16388, 4.3).
    private static let twoOfFive = [
        "10001", "01001", "11000", "00101", "10100", "01100", "00011", "10010", "01010", "00110",
    ]
    private static let code39Rows: [(spaces: String, characters: String)] = [
        ("0100", "1234567890"), ("0010", "ABCDEFGHIJ"), ("0001", "KLMNOPQRST"), ("1000", "UVWXYZ-. *"),
    ]
    /// Those with narrow bars and three wide spaces.
    private static let code39Signs = ["1110": "$", "1101": "/", "1011": "+", "0111": "%"]
    /// EN 798, 4.3: bars and spaces from left to right.
    private static let codabar: [Swift.Character: String] = [
        "0": "0000011", "1": "0000110", "2": "0001001", "3": "1100000", "4": "0010010", "5": "1000010", "6": "0100001",
        "7": "0100100", "8": "0110000", "9": "1001000", "-": "0001100", "$": "0011000", ":": "1000101", "/": "1010001",
        ".": "1010100", "+": "0010101", "A": "0011010", "B": "0101001", "C": "0001011", "D": "0001110",
    ]

    private static func interleaved(_ bars: String, _ spaces: String, ratio: Float) -> [Float] {
        var result: [Float] = []
        let (bars, spaces) = (Array(bars), Array(spaces))
        for index in bars.indices {
            result.append(bars[index] == "1" ? ratio : 1)
            if index < spaces.count { result.append(spaces[index] == "1" ? ratio : 1) }
        }
        return result
    }

    fileprivate mutating func addTwoOfFive(_ payload: [UInt8], ratio: Float) -> Bool {
        let values = payload.map { Int($0) - 0x30 }
        guard values.count >= 2, values.count % 2 == 0, values.allSatisfy({ (0...9).contains($0) }) else {
            return false
        }
        func pair(_ first: Int, _ second: Int) -> [Float] {
            Self.interleaved(Self.twoOfFive[(first + 9) % 10], Self.twoOfFive[(second + 9) % 10], ratio: ratio)
        }
        // Another digit in one of the two places: both at once are told by either.
        add([1, 1, 1, 1])
        for index in stride(from: 0, to: values.count, by: 2) {
            let (first, second) = (values[index], values[index + 1])
            add(pair(first, second), among: (0...9).flatMap { [pair($0, second), pair(first, $0)] })
        }
        add([ratio, 1, 1])
        return true
    }

    fileprivate mutating func addCode39(_ payload: [UInt8], _ variant: Variant) -> Bool {
        let ratio = variant.ratio
        var table: [UInt8: [Float]] = [:]
        for row in Self.code39Rows {
            for (index, character) in row.characters.utf8.enumerated() {
                table[character] = Self.interleaved(Self.twoOfFive[index], row.spaces, ratio: ratio)
            }
        }
        for (spaces, character) in Self.code39Signs {
            if let code = character.utf8.first { table[code] = Self.interleaved("00000", spaces, ratio: ratio) }
        }
        let star = UInt8(ascii: "*")
        return addCharacters([star] + payload + [star], of: table, gap: variant.gap)
    }

    fileprivate mutating func addCodabar(_ payload: [UInt8], _ variant: Variant) -> Bool {
        let ratio = variant.ratio
        var table: [UInt8: [Float]] = [:]
        for (character, elements) in Self.codabar {
            if let code = character.utf8.first { table[code] = elements.map { $0 == "1" ? ratio : 1 } }
        }
        return addCharacters(payload, of: table, gap: variant.gap)
    }

    /// Characters with a space between them.
    private mutating func addCharacters(_ payload: [UInt8], of table: [UInt8: [Float]], gap: Float) -> Bool {
        let all = Array(table.values)
        for (index, code) in payload.enumerated() {
            guard let widths = table[code] else { return false }
            if index > 0 { add([gap]) }
            add(widths, among: all)
        }
        return payload.count >= 2
    }
}
