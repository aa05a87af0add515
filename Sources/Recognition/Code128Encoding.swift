// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// The shortest way to write a payload in Code 128 (ISO/IEC 15417, 4.3 and annex E), from the start to the check character.
struct Code128Encoding: Hashable {
    /// Symbol characters, 0...105, without the stop.
    let codes: [Int]

    /// 11 modules a character, and 13 for the stop.
    var modules: Int { 11 * codes.count + 13 }

    private static let (codeC, codeB, codeA, fnc1, fnc4A, fnc4B) = (99, 100, 101, 102, 101, 100)
    private static let shift = 98

    /// `nil` for none. The separator 0x1D is FNC1; `isGS1` puts one in first place. The set `unused` is used only where the
    /// payload can not be written without it.
    init?(_ payload: [UInt8], isGS1: Bool = false, unused: Set? = nil) {
        guard !payload.isEmpty, payload.count <= 200 else { return nil }
        var codes = unused.map { Self.shortest(payload, isGS1: isGS1, besides: $0) } ?? []
        if codes.isEmpty { codes = Self.shortest(payload, isGS1: isGS1, besides: nil) }
        guard !codes.isEmpty else { return nil }
        let sum = codes.enumerated().reduce(0) { $0 + $1.element * max(1, $1.offset) }
        codes.append(sum % 103)
        self.codes = codes
    }

    enum Set: Int, CaseIterable { case a, b, c }

    /// By what it costs to be in each of the three sets after each character.
    private static func shortest(_ payload: [UInt8], isGS1: Bool, besides unused: Set?) -> [Int] {
        let sets = Set.allCases.filter { $0 != unused }
        var paths: [[Int]?] = Set.allCases.map { $0 == unused ? nil : [103 + $0.rawValue] + (isGS1 ? [fnc1] : []) }
        var later: [[Int]?] = [nil, nil, nil]
        for (index, byte) in payload.enumerated() {
            var next = later
            var afterNext: [[Int]?] = [nil, nil, nil]
            func offer(_ path: [Int], to slots: inout [[Int]?], _ set: Set) {
                if slots[set.rawValue].map({ path.count < $0.count }) ?? true { slots[set.rawValue] = path }
            }
            for set in sets {
                guard let path = paths[set.rawValue] else { continue }
                for target in sets {
                    // A start has no need to be left.
                    let isStart = path.count == 1 + (isGS1 ? 1 : 0)
                    if target != set, isStart { continue }
                    let there = target == set ? path : path + [target == .a ? codeA : target == .b ? codeB : codeC]
                    for code in Self.codes(of: byte, in: target) { offer(there + code, to: &next, target) }
                    if target == .c, byte == 0x1D { offer(there + [fnc1], to: &next, .c) }
                    if target == .c, index + 1 < payload.count, let pair = Self.pair(byte, payload[index + 1]) {
                        offer(there + [pair], to: &afterNext, .c)
                    }
                }
            }
            (paths, later) = (next, afterNext)
        }
        return paths.compactMap { $0 }.min { $0.count < $1.count } ?? []
    }

    private static func pair(_ first: UInt8, _ second: UInt8) -> Int? {
        let values = [first, second].map { Int($0) - 0x30 }
        return values.allSatisfy { (0...9).contains($0) } ? 10 * values[0] + values[1] : nil
    }

    /// The characters that say a byte in a set, from the plain one to the shifted; none in C.
    private static func codes(of byte: UInt8, in set: Set) -> [[Int]] {
        guard set != .c else { return [] }
        if byte == 0x1D { return [[fnc1]] + (set == .a ? [[0x1D + 64]] : []) }
        let (low, fnc4) = (Int(byte & 0x7F), byte >= 0x80 ? [set == .a ? fnc4A : fnc4B] : [])
        let isInA = low < 0x60
        let isInB = low >= 0x20
        let inA = low < 0x20 ? low + 64 : low - 32
        let inB = low - 32
        switch set {
        case .a: return [fnc4 + (isInA ? [inA] : [shift, inB])]
        case .b: return [fnc4 + (isInB ? [inB] : [shift, inA])]
        case .c: return []
        }
    }
}

/// The bars of Code 128's characters (ISO/IEC 15417, table 1).
enum Code128Table {
    private static let patterns = """
        212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 122132 122231 113222
        123122 123221 223211 221132 221231 213212 223112 312131 311222 321122 321221 312212 322112 322211 212123 212321
        232121 111323 131123 131321 112313 132113 132311 211313 231113 231311 112133 112331 132131 113123 113321 133121
        313121 211331 231131 213113 213311 213131 311123 311321 331121 312113 312311 332111 314111 221411 431111 111224
        111422 121124 121421 141122 141221 112214 112412 122114 122411 142112 142211 241211 221114 413111 241112 134111
        111242 121142 121241 114212 124112 124211 411212 421112 421211 212141 214121 412121 111143 111341 131141 114113
        114311 411113 411311 113141 114131 311141 411131 211412 211214 211232
        """
    /// Of the characters 0 to 105: three bars and three spaces.
    static let widths: [[Float]] = patterns.split(whereSeparator: \.isWhitespace).map { pattern in
        pattern.utf8.map { Float($0 - 0x30) }
    }
    /// Without the three starts.
    static let data = Array(widths.prefix(103))
}
