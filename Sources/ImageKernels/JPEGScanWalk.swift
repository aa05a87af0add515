// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Glibc

/// Goes through the entropy-coded data of a sequential JPEG as a decoder does, and makes no pixels.
///
/// It tells a picture that is whole from one that a decoder only fills up. TurboJPEG can not: it keeps the first warning
/// of a picture, and its fast path takes bad codes and blocks that run over without one. Many webcams put some bytes
/// behind the data of a restart interval, so that a warning alone ("2 extraneous bytes before marker 0xd6") is no sign of
/// damage, and may hide one that is.
///
/// A picture passes when each interval has all of its blocks, in valid codes, none with more than 64 coefficients, none
/// whose mean leaves what 8 bits can hold, and at most `maximumPadding` bytes are left behind its last block.
struct JPEGScanWalk {
    /// Bytes that may be left at the end of an interval. Healthy cameras were seen with up to 10.
    static let maximumPadding = 16

    /// One block of an MCU: the component that its mean is predicted in, and where its tables lie.
    private struct Block {
        var component: Int
        var dcTable: Int
        var acTable: Int
        /// The largest mean, in steps.
        var limit: Int
    }

    private var tables: [UInt32]
    private var blocks: [Block] = []

    /// Throws `damaged` where the header lacks what the data needs; the picture is sequential.
    init(_ structure: JPEGStructure, of bytes: UnsafeRawBufferPointer) throws(PictureError) {
        let used = Set(structure.components.flatMap { [$0.dcTable, 4 + $0.acTable] }).sorted()
        tables = [UInt32](repeating: 0, count: used.count * JPEGHuffmanTable.words)
        var places = [Int](repeating: 0, count: 8)
        for (number, table) in used.enumerated() {
            guard let definition = structure.huffmanTables[table] else {
                throw .damaged("a JPEG without Huffman tables")
            }
            places[table] = number * JPEGHuffmanTable.words
            try tables.withUnsafeMutableBufferPointer { (tables) throws(PictureError) in
                let memory = tables[places[table]..<places[table] + JPEGHuffmanTable.words]
                try JPEGHuffmanTable.write(
                    UnsafeRawBufferPointer(rebasing: bytes[definition]), isDC: table < 4,
                    into: UnsafeMutableBufferPointer(rebasing: memory))
            }
        }
        for index in structure.blocksOfUnit {
            let component = structure.components[index]
            guard let step = structure.dcSteps[component.quantisation], step > 0 else {
                throw .damaged("a JPEG without the quantisation table that it names")
            }
            // The mean of 8-bit samples is -1024...1016 in the transform's scale; two steps for how encoders round.
            blocks.append(
                Block(
                    component: index, dcTable: places[component.dcTable], acTable: places[4 + component.acTable],
                    limit: 1024 / step + 2))
        }
        guard structure.components.count <= 4, blocks.count <= 10 else {
            throw .damaged("an MCU of \(blocks.count) blocks")
        }
    }

    /// Walks through all intervals; throws `damaged` with what is wrong at the first that is not whole.
    func check(
        _ bytes: UnsafeRawBufferPointer, intervals: [Range<Int>], structure: JPEGStructure
    ) throws(PictureError) {
        let unitCount = structure.unitCount
        let perInterval = structure.restartInterval > 0 ? structure.restartInterval : unitCount
        let longest = intervals.map(\.count).max() ?? 0
        let failure = withUnsafeTemporaryAllocation(
            byteCount: longest + JPEGBitReader.spareBytes, alignment: 8
        ) { work -> String? in
            var left = unitCount
            for (index, interval) in intervals.enumerated() {
                let data = JPEGBitReader.unstuff(UnsafeRawBufferPointer(rebasing: bytes[interval]), into: work)
                if let problem = problem(of: data, units: min(perInterval, left)) {
                    return problem + (intervals.count > 1 ? " in interval \(index + 1) of \(intervals.count)" : "")
                }
                left -= perInterval
            }
            return nil
        }
        if let failure { throw .damaged("the JPEG's data \(failure)") }
    }

    /// Walks through one interval.
    private func problem(of data: UnsafeRawBufferPointer, units: Int) -> String? {
        withUnsafeTemporaryAllocation(of: Int.self, capacity: 4) { means in
            means.initialize(repeating: 0)
            return tables.withUnsafeBufferPointer { tables in
                blocks.withUnsafeBufferPointer { blocks in
                    guard let tables = tables.baseAddress, var reader = JPEGBitReader(data) else { return "is empty" }
                    for _ in 0..<units {
                        for block in blocks {
                            guard let difference = reader.difference(JPEGHuffmanTable(tables + block.dcTable)) else {
                                return "has a bad Huffman code"
                            }
                            means[block.component] &+= difference
                            if abs(means[block.component]) > block.limit {
                                return "has a block beyond black or white"
                            }
                            switch reader.skipCoefficients(JPEGHuffmanTable(tables + block.acTable)) {
                            case 64, JPEGHuffmanTable.endOfBlock...: break
                            case 0: return "has a bad Huffman code"
                            default: return "has a block of too many coefficients"
                            }
                            if reader.isBeyondEnd { return "ends early" }
                        }
                    }
                    return reader.bytesLeft > Self.maximumPadding ? "has \(reader.bytesLeft) bytes too many" : nil
                }
            }
        }
    }
}

/// Takes bits off entropy-coded data that has no marker in it; behind its end come zeros.
private struct JPEGBitReader {
    /// Memory behind the data: what one block takes at the most (64 codes of 27 bits), and a whole load.
    static let spareBytes = 64 * 27 / 8 + 16

    private let data: UnsafeRawPointer
    private let size: Int
    private var at = 0
    /// The next bits, from the top, and how many of them are known.
    private var bits: UInt64 = 0
    private var count = 0

    /// Takes what `unstuff` made; `nil` for nothing.
    init?(_ data: UnsafeRawBufferPointer) {
        guard let base = data.baseAddress else { return nil }
        self.data = base
        size = data.count
    }

    /// Copies data without the zeros that tell its 0xFF from a marker; `spareBytes` of zero follow it.
    static func unstuff(
        _ data: UnsafeRawBufferPointer, into work: UnsafeMutableRawBufferPointer
    ) -> UnsafeRawBufferPointer {
        guard let from = data.baseAddress, let to = work.baseAddress else {
            return UnsafeRawBufferPointer(start: nil, count: 0)
        }
        var (at, count) = (0, 0)
        while at < data.count {
            let end = memchr(from + at, 0xFF, data.count - at).map { UnsafeRawPointer($0) - from + 1 } ?? data.count
            (to + count).copyMemory(from: from + at, byteCount: end - at)
            count += end - at
            at = end + (data[end - 1] == 0xFF ? 1 : 0)
        }
        (to + count).initializeMemory(as: UInt8.self, repeating: 0, count: spareBytes)
        return UnsafeRawBufferPointer(start: to, count: count)
    }

    private var bitsTaken: Int { at * 8 - count }

    /// Whether more bits were taken than there are.
    var isBeyondEnd: Bool { bitsTaken > size * 8 }

    /// Whole bytes that were not taken.
    var bytesLeft: Int { (size * 8 - bitsTaken) / 8 }

    /// Takes a difference of means; `nil` for a code that is none.
    @inline(__always)
    mutating func difference(_ table: JPEGHuffmanTable) -> Int? {
        fill()
        let entry = table.entry(bits)
        if entry.isNone { return nil }
        // A value whose first bit is 0 stands for a negative one (T.81, figure F.12); of no bits at all, 0 is left.
        let value = Int(truncatingIfNeeded: ((bits &<< UInt64(entry.length)) >> 1) &>> UInt64(63 - entry.size))
        let isNegative = Int(truncatingIfNeeded: ~(bits &<< UInt64(entry.length)) >> 63)
        take(entry)
        return value &- isNegative &* ((1 &<< entry.size) &- 1)
    }

    /// Takes the codes of a block's other coefficients; answers how many coefficients there are, with the first one, or 0
    /// for a code that is none.
    @inline(__always)
    mutating func skipCoefficients(_ table: JPEGHuffmanTable) -> Int {
        var coefficients = 1
        while coefficients < 64 {
            fill()
            // Two codes and their values fit.
            let first = table.entry(bits)
            if first.isNone { return 0 }
            take(first)
            coefficients &+= first.advance
            if coefficients >= 64 { break }
            let second = table.entry(bits)
            if second.isNone { return 0 }
            take(second)
            coefficients &+= second.advance
        }
        return coefficients
    }

    @inline(__always)
    private mutating func take(_ entry: JPEGHuffmanTable.Entry) {
        bits &<<= UInt64(entry.bits)
        count &-= entry.bits
    }

    /// Sees to it that 56 bits are known: a code has up to 16, its value up to 11.
    ///
    /// Without a branch: bits that are known are loaded again, and are the same.
    @inline(__always)
    private mutating func fill() {
        let more = UInt64(bigEndian: data.loadUnaligned(fromByteOffset: at, as: UInt64.self))
        bits |= more &>> UInt64(count)
        at &+= (63 &- count) &>> 3
        count |= 56
    }
}
