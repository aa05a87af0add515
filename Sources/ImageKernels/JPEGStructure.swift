// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Glibc

/// What the markers of a JPEG say, from its start to the end of its first scan's header (ITU-T T.81, annex B).
///
/// Nothing of the picture's size is allocated, and no byte outside of the buffer is looked at.
struct JPEGStructure {
    struct Component {
        var id: UInt8
        var horizontal: Int
        var vertical: Int
        var quantisation: Int
        /// Which Huffman tables its blocks use.
        var dcTable = 0
        var acTable = 0
    }

    /// The last byte of the frame header's marker: 0xC0 baseline, 0xC1 extended, 0xC2 progressive, ...
    private(set) var process: UInt8 = 0
    private(set) var precision = 0
    private(set) var width = 0
    private(set) var height = 0
    private(set) var components: [Component] = []
    /// MCUs between two restart markers; 0 where there are none.
    private(set) var restartInterval = 0
    /// Where the definition of each Huffman table lies: DC 0...3, AC 0...3.
    private(set) var huffmanTables = [Range<Int>?](repeating: nil, count: 8)
    /// The step of the first coefficient in each quantisation table.
    private(set) var dcSteps = [Int?](repeating: nil, count: 4)
    private(set) var hasWholeScan = false
    /// Where the scan's parameters lie: start and end of the spectrum, approximation.
    private(set) var scanParameters = 0..<0
    /// The first byte of entropy-coded data.
    private(set) var dataStart = 0

    /// Baseline or extended with Huffman codes, 8 bits, all components in one scan: what cameras make.
    var isSequential: Bool { (process == 0xC0 || process == 0xC1) && precision == 8 && hasWholeScan }

    /// Whether a table that the scan uses is not defined: then the standard ones are meant, as cameras do to save bytes.
    var lacksHuffmanTables: Bool {
        components.contains { huffmanTables[$0.dcTable] == nil || huffmanTables[4 + $0.acTable] == nil }
    }

    init(_ bytes: UnsafeRawBufferPointer) throws(PictureError) {
        guard bytes.count >= 2, bytes[0] == 0xFF, bytes[1] == 0xD8 else { throw .unknownKind }
        var at = 2
        while dataStart == 0 {
            guard at + 4 <= bytes.count else { throw .damaged("the JPEG ends in its header") }
            guard bytes[at] == 0xFF else { throw .damaged("no marker where one must be, at byte \(at) of the JPEG") }
            let marker = bytes[at + 1]
            switch marker {
            case 0xFF:
                // Any number of these may stand before a marker.
                at += 1
                continue
            case 0x01, 0xD0...0xD7:
                at += 2
                continue
            case 0, 0xD8, 0xD9: throw .damaged("marker \(marker) at byte \(at), in the header of the JPEG")
            default: break
            }
            let length = word(bytes, at + 2)
            guard length >= 2, at + 2 + length <= bytes.count else {
                throw .damaged("a segment of \(length) bytes at byte \(at) of a JPEG of \(bytes.count)")
            }
            let segment = at + 4..<at + 2 + length
            switch marker {
            case 0xC4: try readHuffmanTables(bytes, segment)
            case 0xC0...0xCF where marker != 0xC8 && marker != 0xCC: try readFrame(bytes, segment, marker)
            case 0xDA: try readScan(bytes, segment)
            case 0xDB: try readQuantisation(bytes, segment)
            case 0xDD:
                guard segment.count == 2 else { throw .damaged("a restart interval of \(segment.count) bytes") }
                restartInterval = word(bytes, segment.lowerBound)
            default: break
            }
            at = segment.upperBound
        }
    }

    /// Blocks of one MCU, as indices of components in the order of the data.
    var blocksOfUnit: [Int] {
        guard components.count > 1 else { return [0] }
        return components.indices.flatMap { index in
            [Int](repeating: index, count: components[index].horizontal * components[index].vertical)
        }
    }

    /// How many MCUs the picture has.
    var unitCount: Int {
        // A component that is alone is coded block by block, whatever its factors say.
        let isAlone = components.count == 1
        let across = 8 * (isAlone ? 1 : components.map(\.horizontal).max() ?? 1)
        let down = 8 * (isAlone ? 1 : components.map(\.vertical).max() ?? 1)
        return ((width + across - 1) / across) * ((height + down - 1) / down)
    }

    // MARK: - Segments

    private mutating func readFrame(
        _ bytes: UnsafeRawBufferPointer, _ segment: Range<Int>, _ marker: UInt8
    ) throws(PictureError) {
        guard components.isEmpty else { throw .damaged("a second frame header in the JPEG") }
        let at = segment.lowerBound
        guard segment.count >= 9, segment.count == 6 + 3 * Int(bytes[at + 5]) else {
            throw .damaged("a frame header of \(segment.count) bytes")
        }
        process = marker
        precision = Int(bytes[at])
        height = word(bytes, at + 1)
        width = word(bytes, at + 3)
        guard width > 0, height > 0 else { throw .damaged("its header says \(width)x\(height) pixels") }
        for component in stride(from: at + 6, to: segment.upperBound, by: 3) {
            let factors = bytes[component + 1]
            guard (1...4).contains(factors >> 4), (1...4).contains(factors & 15), bytes[component + 2] < 4 else {
                throw .damaged("a colour component of \(factors >> 4)x\(factors & 15) blocks")
            }
            components.append(
                Component(
                    id: bytes[component], horizontal: Int(factors >> 4), vertical: Int(factors & 15),
                    quantisation: Int(bytes[component + 2])))
        }
    }

    private mutating func readScan(_ bytes: UnsafeRawBufferPointer, _ segment: Range<Int>) throws(PictureError) {
        let at = segment.lowerBound
        guard !components.isEmpty else { throw .damaged("a scan without a frame header in the JPEG") }
        guard segment.count >= 6, segment.count == 4 + 2 * Int(bytes[at]) else {
            throw .damaged("a scan header of \(segment.count) bytes")
        }
        var isOrdered = true
        for (number, selector) in stride(from: at + 1, to: segment.upperBound - 3, by: 2).enumerated() {
            guard let index = components.firstIndex(where: { $0.id == bytes[selector] }), bytes[selector + 1] >> 4 < 4,
                bytes[selector + 1] & 15 < 4
            else { throw .damaged("a scan of component \(bytes[selector])") }
            components[index].dcTable = Int(bytes[selector + 1] >> 4)
            components[index].acTable = Int(bytes[selector + 1] & 15)
            isOrdered = isOrdered && index == number
        }
        hasWholeScan = isOrdered && Int(bytes[at]) == components.count
        scanParameters = segment.upperBound - 3..<segment.upperBound
        dataStart = segment.upperBound
    }

    private mutating func readHuffmanTables(
        _ bytes: UnsafeRawBufferPointer, _ segment: Range<Int>
    ) throws(PictureError) {
        var at = segment.lowerBound
        while at < segment.upperBound {
            guard at + 17 <= segment.upperBound, bytes[at] & 0xEC == 0 else {
                throw .damaged("a Huffman table that is cut, or has number \(bytes[at])")
            }
            let values = (at + 1...at + 16).reduce(0) { $0 + Int(bytes[$1]) }
            guard values <= 256, at + 17 + values <= segment.upperBound else {
                throw .damaged("a Huffman table of \(values) values")
            }
            huffmanTables[Int(bytes[at] >> 4) * 4 + Int(bytes[at] & 3)] = at + 1..<at + 17 + values
            at += 17 + values
        }
    }

    private mutating func readQuantisation(
        _ bytes: UnsafeRawBufferPointer, _ segment: Range<Int>
    ) throws(PictureError) {
        var at = segment.lowerBound
        while at < segment.upperBound {
            let isWide = bytes[at] >> 4 == 1
            let count = isWide ? 129 : 65
            guard bytes[at] & 0xEC == 0, at + count <= segment.upperBound else {
                throw .damaged("a quantisation table that is cut, or has number \(bytes[at])")
            }
            dcSteps[Int(bytes[at] & 3)] = isWide ? word(bytes, at + 1) : Int(bytes[at + 1])
            at += count
        }
    }
}

// MARK: - Entropy-coded data

/// A marker in entropy-coded data.
struct JPEGDataMarker {
    /// Where the data before it ends: its own 0xFF, or the first of several.
    var start: Int
    /// The byte behind it.
    var end: Int
    var code: UInt8

    /// The first marker from `at` on; `nil` when there is none. 0xFF is data where a zero follows.
    init?(in bytes: UnsafeRawBufferPointer, from at: Int) {
        guard let base = bytes.baseAddress else { return nil }
        var at = at
        while at < bytes.count, let found = memchr(base + at, 0xFF, bytes.count - at) {
            let first = UnsafeRawPointer(found) - base
            var last = first
            while last + 1 < bytes.count, bytes[last + 1] == 0xFF { last += 1 }
            guard last + 1 < bytes.count else { return nil }
            if bytes[last + 1] != 0 || last > first {
                start = first
                end = last + 2
                code = bytes[last + 1]
                return
            }
            at = last + 2
        }
        return nil
    }
}

extension JPEGStructure {
    /// Goes from marker to marker through the data of the only scan, and answers where each restart interval's data lies
    /// and where the picture ends, behind its end-of-image marker.
    ///
    /// Each restart marker must be there and in its turn. Cameras put zeros or junk behind the end of the picture, which
    /// is not looked at. It takes some 20 µs for 300 kB.
    func intervals(in bytes: UnsafeRawBufferPointer) throws(PictureError) -> (data: [Range<Int>], end: Int) {
        let count = restartInterval > 0 ? (unitCount + restartInterval - 1) / restartInterval : 1
        var data: [Range<Int>] = []
        data.reserveCapacity(min(count, 1 << 16))
        var at = dataStart
        while let marker = JPEGDataMarker(in: bytes, from: at) {
            if data.count < count { data.append(at..<marker.start) }
            at = marker.end
            switch marker.code {
            case 0xD9:
                guard data.count == count else {
                    throw .damaged("\(data.count) of \(count) restart intervals of the JPEG are there")
                }
                return (data, marker.end)
            case 0xD0...0xD7:
                // One behind the last interval is allowed: some encoders do not know yet that it was the last.
                let isNext = marker.code == 0xD0 + UInt8(truncatingIfNeeded: (data.count - 1) & 7)
                guard restartInterval > 0, isNext, data.count < count || marker.start == data[count - 1].upperBound
                else {
                    throw .damaged("restart marker \(marker.code - 0xD0) out of turn in the JPEG's data")
                }
            default: throw .damaged("marker \(marker.code) at byte \(marker.start), in the JPEG's data")
            }
        }
        throw .damaged("the JPEG ends before its picture does")
    }
}

private func word(_ bytes: UnsafeRawBufferPointer, _ at: Int) -> Int { Int(bytes[at]) << 8 | Int(bytes[at + 1]) }
