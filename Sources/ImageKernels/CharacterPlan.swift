// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// The plan of a symbology whose characters have one width and always begin and end with an edge, as EAN and UPC.
public struct CharacterPlan: Sendable, Hashable {
    public struct Slot: Sendable, Hashable {
        /// Its first module.
        public var start: Int
        /// Which codewords can stand there.
        public var choices: Range<Int>
    }

    /// Modules of a codeword.
    public static let width = 7

    /// Bits of the codewords, the first module the highest; 1 is dark.
    public let codewords: [Int]
    public let slots: [Slot]
    /// Modules of the whole.
    public let modules: Int
    /// What stands before, between and behind the slots, in their order: bits and their count.
    let guards: [Guard]

    struct Guard: Sendable, Hashable {
        var bits: Int
        var count: Int
    }

    /// `guards` has one more than `slots`: pairs of bits and their count.
    public init(codewords: [Int], choices: [Range<Int>], guards: [(bits: Int, count: Int)]) {
        self.codewords = codewords
        self.guards = guards.map { Guard(bits: $0.bits, count: $0.count) }
        var place = 0
        var slots: [Slot] = []
        for (index, range) in choices.enumerated() {
            place += guards[index].count
            slots.append(Slot(start: place, choices: range))
            place += Self.width
        }
        self.slots = slots
        modules = place + (guards.last?.count ?? 0)
    }

    /// Dark runs of the fixed parts, as module ranges.
    public var guardRuns: [Range<Int>] {
        var place = 0
        var runs: [Range<Int>] = []
        for part in guards {
            runs += DarkModules(bits: part.bits, count: part.count, at: place).runs
            place += part.count + Self.width
        }
        return runs
    }

    /// Dark runs of the whole with these codewords.
    public func runs(of path: [Int]) -> [Range<Int>] {
        guardRuns
            + zip(slots, path).flatMap { slot, word in
                DarkModules(bits: codewords[word], count: Self.width, at: slot.start).runs
            }
    }
}
