// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// A Huffman table made for walking: what a code means and how many bits it takes, its value's bits included.
///
/// Codes of 10 bits and less are looked up, longer ones (1 of 100 in a camera's picture) are searched for. All of it lies
/// in one piece of memory that somebody else owns, so that the walk counts no references.
struct JPEGHuffmanTable {
    /// Words of memory that a table takes.
    static let words = entriesAt + 256
    /// How far an end of block advances: beyond any block, so that it is told from a run that goes too far.
    static let endOfBlock = 128

    private static let lookupBits = 10
    // Of each length: the first code, aligned to 16 bits, the number of its value, and how many there are.
    private static let firstCodeAt = 1 << lookupBits
    private static let firstValueAt = firstCodeAt + 17
    private static let countAt = firstValueAt + 17
    private static let entriesAt = countAt + 17

    /// What a code stands for.
    struct Entry {
        let raw: UInt32

        /// `length` is that of the code, `size` the number of bits of the value behind it, `advance` how many
        /// coefficients are done with it.
        init(length: Int, size: Int, advance: Int) {
            raw = UInt32(length + size) | UInt32(advance) << 8 | UInt32(length) << 16 | UInt32(size) << 24
        }

        init(raw: UInt32) { self.raw = raw }

        /// A code that has no meaning.
        static let none = Entry(raw: 0)

        var isNone: Bool { raw == 0 }
        var bits: Int { Int(raw & 0xFF) }
        var advance: Int { Int(raw >> 8 & 0xFF) }
        var length: Int { Int(raw >> 16 & 0xFF) }
        var size: Int { Int(raw >> 24) }
    }

    private let memory: UnsafePointer<UInt32>

    /// Takes memory that `write` filled, for as long as it is lent.
    init(_ memory: UnsafePointer<UInt32>) { self.memory = memory }

    /// The meaning of the code at the top of `bits`.
    @inline(__always)
    func entry(_ bits: UInt64) -> Entry {
        let raw = memory[Int(truncatingIfNeeded: bits &>> UInt64(64 - Self.lookupBits))]
        return raw != 0 ? Entry(raw: raw) : longEntry(bits)
    }

    private func longEntry(_ bits: UInt64) -> Entry {
        let window = UInt32(truncatingIfNeeded: bits >> 48)
        for length in Self.lookupBits + 1...16 where window >= memory[Self.firstCodeAt + length] {
            let index = (window - memory[Self.firstCodeAt + length]) >> UInt32(16 - length)
            if index < memory[Self.countAt + length] {
                return Entry(raw: memory[Self.entriesAt + Int(memory[Self.firstValueAt + length] + index)])
            }
        }
        return .none
    }

    /// Makes a table of a definition as it stands in the file: 16 counts, then the values.
    ///
    /// `memory` has `words` words of zero. Throws `damaged` where there are more codes than bits allow.
    static func write(
        _ definition: UnsafeRawBufferPointer, isDC: Bool, into memory: UnsafeMutableBufferPointer<UInt32>
    ) throws(PictureError) {
        var (code, value): (UInt32, Int) = (0, 0)
        for length in 1...16 {
            let count = definition[length - 1]
            memory[firstCodeAt + length] = code << UInt32(16 - length)
            memory[firstValueAt + length] = UInt32(value)
            memory[countAt + length] = UInt32(count)
            for _ in 0..<count {
                guard code < 1 << UInt32(length) else { throw .damaged("a Huffman table with too many codes") }
                let symbol = Int(definition[16 + value])
                let entry = isDC ? dcEntry(symbol, length) : acEntry(symbol, length)
                memory[entriesAt + value] = entry.raw
                if length <= lookupBits {
                    let spare = UInt32(lookupBits - length)
                    for index in code << spare..<(code + 1) << spare { memory[Int(index)] = entry.raw }
                }
                code += 1
                value += 1
            }
            code <<= 1
        }
    }

    /// Differences of 8-bit pictures have up to 11 bits (T.81, table F.1).
    private static func dcEntry(_ symbol: Int, _ length: Int) -> Entry {
        symbol <= 11 ? Entry(length: length, size: symbol, advance: 1) : .none
    }

    /// A run of zeros and the bits of the coefficient behind it, up to 10 (T.81, table F.2).
    private static func acEntry(_ symbol: Int, _ length: Int) -> Entry {
        let (run, size) = (symbol >> 4, symbol & 15)
        switch (run, size) {
        case (0, 0): return Entry(length: length, size: 0, advance: endOfBlock)
        case (15, 0): return Entry(length: length, size: 0, advance: 16)
        case (_, 1...10): return Entry(length: length, size: size, advance: run + 1)
        default: return .none
        }
    }
}

/// The tables that a camera means when it sends none (T.81, annex K.3.3), as one segment of definitions.
enum StandardHuffmanTables {
    static let segment: [UInt8] = {
        let definitions =
            [0x00] + dcLuma + [0x10] + acLuma + [0x01] + dcChroma + [0x11] + acChroma
        let length = definitions.count + 2
        return [0xFF, 0xC4, UInt8(length >> 8), UInt8(length & 255)] + definitions
    }()

    static let dcLuma: [UInt8] =
        [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0] + Array(0...11)
    static let dcChroma: [UInt8] =
        [0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0] + Array(0...11)

    static let acLuma: [UInt8] =
        [0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 0x7D]
        + hexadecimal(
            """
            01020300041105122131410613516107227114328191A1082342B1C11552D1F02433627282090A161718191A25262728292A3435363738
            393A434445464748494A535455565758595A636465666768696A737475767778797A838485868788898A92939495969798999AA2A3A4A5
            A6A7A8A9AAB2B3B4B5B6B7B8B9BAC2C3C4C5C6C7C8C9CAD2D3D4D5D6D7D8D9DAE1E2E3E4E5E6E7E8E9EAF1F2F3F4F5F6F7F8F9FA
            """)
    static let acChroma: [UInt8] =
        [0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 0x77]
        + hexadecimal(
            """
            000102031104052131061241510761711322328108144291A1B1C109233352F0156272D10A162434E125F11718191A262728292A353637
            38393A434445464748494A535455565758595A636465666768696A737475767778797A82838485868788898A92939495969798999AA2A3
            A4A5A6A7A8A9AAB2B3B4B5B6B7B8B9BAC2C3C4C5C6C7C8C9CAD2D3D4D5D6D7D8D9DAE2E3E4E5E6E7E8E9EAF2F3F4F5F6F7F8F9FA
            """)

    private static func hexadecimal(_ text: String) -> [UInt8] {
        let digits = text.utf8.compactMap { character -> UInt8? in
            switch character {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
            case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
            default: nil
            }
        }
        return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}
