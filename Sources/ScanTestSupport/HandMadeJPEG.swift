// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ImageKernels

/// A baseline JPEG of luma made block by block, with the things that cameras do and libraries do not: restart intervals
/// with bytes behind their data, no Huffman tables, a header of one's own.
public struct HandMadeJPEG {
    /// MCUs (blocks of 8x8) between restart markers; 0 for none.
    public var restartInterval = 0
    /// What stands behind the data of interval n, before its marker.
    public var padding: @Sendable (Int) -> [UInt8] = { _ in [] }
    public var hasHuffmanTables = true
    /// The segment behind the start of image; an AVI1 one, as in webcams' frames.
    public var firstSegment: [UInt8] = [0xFF, 0xE0, 0, 16] + Array("AVI1".utf8) + [UInt8](repeating: 0, count: 10)
    /// The step of all coefficients.
    public var step = 8
    /// Start and end of the spectrum and approximation, as in the scan's header.
    public var scanParameters: [UInt8] = [0, 63, 0]

    public init() {}

    /// Encodes a picture; where its size is no multiple of 8, its edge goes on.
    public func encode(_ picture: LumaBuffer) throws(PictureError) -> [UInt8] {
        let tables = try StandardTables()
        func segment(_ marker: UInt8, _ bytes: [UInt8]) -> [UInt8] {
            [0xFF, marker, UInt8((bytes.count + 2) >> 8), UInt8((bytes.count + 2) & 255)] + bytes
        }
        func word(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 255)] }
        var bytes: [UInt8] = [0xFF, 0xD8] + firstSegment
        bytes += segment(0xDB, [0] + [UInt8](repeating: UInt8(step), count: 64))
        bytes += segment(0xC0, [8] + word(picture.height) + word(picture.width) + [1, 1, 0x11, 0])
        if hasHuffmanTables { bytes += tables.segments }
        if restartInterval > 0 { bytes += segment(0xDD, word(restartInterval)) }
        bytes += segment(0xDA, [1, 1, 0] + scanParameters)

        var writer = BitWriter()
        var (mean, block, interval) = (0, 0, 0)
        let (columns, rows) = ((picture.width + 7) / 8, (picture.height + 7) / 8)
        for row in 0..<rows {
            for column in 0..<columns {
                if restartInterval > 0, block > 0, block % restartInterval == 0 {
                    bytes += writer.finish() + padding(interval) + [0xFF, 0xD0 + UInt8(interval & 7)]
                    interval += 1
                    mean = 0
                }
                let coefficients = transformed(picture, column, row)
                tables.write(coefficients, previousMean: mean, into: &writer)
                mean = coefficients[0]
                block += 1
            }
        }
        return bytes + writer.finish() + padding(interval) + [0xFF, 0xD9]
    }

    /// The 64 coefficients of a block in zigzag order, divided by `step`.
    private func transformed(_ picture: LumaBuffer, _ column: Int, _ row: Int) -> [Int] {
        let samples = (0..<64).map { index in
            let x = min(column * 8 + index % 8, picture.width - 1)
            let y = min(row * 8 + index / 8, picture.height - 1)
            return Double(picture.pixels[y * picture.width + x]) - 128
        }
        return zigzag.map { place in
            let (u, v) = (place % 8, place / 8)
            var sum = 0.0
            for y in 0..<8 { for x in 0..<8 { sum += samples[y * 8 + x] * waves[u * 8 + x] * waves[v * 8 + y] } }
            return Int((sum / 4 / Double(step)).rounded())
        }
    }
}

/// The standard tables, as libjpeg writes them into each picture that is not optimised.
private struct StandardTables {
    /// Their segments of the header.
    private(set) var segments: [UInt8] = []
    private var codes: [[Int: (bits: UInt32, length: Int)]] = [[:], [:]]

    init() throws(PictureError) {
        let sample = try LumaBuffer(width: 8, height: 8, filledWith: 99).withViewOrThrow {
            (view) throws(PictureError) in
            try JPEGEncoder.encode(luma: view, quality: 75)
        }
        var at = 2
        while sample[at + 1] != 0xDA {
            let end = at + 2 + Int(sample[at + 2]) << 8 + Int(sample[at + 3])
            if sample[at + 1] == 0xC4 {
                segments += sample[at..<end]
                add(Array(sample[at + 4..<end]))
            }
            at = end
        }
    }

    private mutating func add(_ definition: [UInt8]) {
        var (code, value): (UInt32, Int) = (0, 0)
        for length in 1...16 {
            for _ in 0..<definition[length] {
                codes[Int(definition[0] >> 4)][Int(definition[17 + value])] = (code, length)
                code += 1
                value += 1
            }
            code <<= 1
        }
    }

    func write(_ coefficients: [Int], previousMean: Int, into writer: inout BitWriter) {
        put(coefficients[0] - previousMean, run: 0, codes[0], &writer)
        var run = 0
        for coefficient in coefficients.dropFirst() {
            if coefficient == 0 {
                run += 1
                continue
            }
            while run > 15 {
                put(code: 0xF0, codes[1], &writer)
                run -= 16
            }
            put(coefficient, run: run, codes[1], &writer)
            run = 0
        }
        if run > 0 { put(code: 0, codes[1], &writer) }
    }

    private func put(_ value: Int, run: Int, _ codes: [Int: (bits: UInt32, length: Int)], _ writer: inout BitWriter) {
        let size = Int.bitWidth - abs(value).leadingZeroBitCount
        put(code: run << 4 | size, codes, &writer)
        writer.put(UInt32(truncatingIfNeeded: value < 0 ? value - 1 : value), size)
    }

    private func put(code: Int, _ codes: [Int: (bits: UInt32, length: Int)], _ writer: inout BitWriter) {
        guard let entry = codes[code] else { preconditionFailure("coefficients have at most 10 bits") }
        writer.put(entry.bits, entry.length)
    }
}

/// Bits from the top, a zero behind each 0xFF.
private struct BitWriter {
    private var bytes: [UInt8] = []
    private var partial: UInt32 = 0
    private var count = 0

    mutating func put(_ bits: UInt32, _ length: Int) {
        for bit in stride(from: length - 1, through: 0, by: -1) {
            partial = partial << 1 | (bits >> UInt32(bit)) & 1
            count += 1
            if count == 8 {
                bytes.append(UInt8(partial))
                if partial == 0xFF { bytes.append(0) }
                (partial, count) = (0, 0)
            }
        }
    }

    /// The bytes so far, filled up with ones, and starts again.
    mutating func finish() -> [UInt8] {
        while count > 0 { put(1, 1) }
        defer { bytes = [] }
        return bytes
    }
}

extension LumaBuffer {
    fileprivate func withViewOrThrow<Value>(
        _ body: (LumaView) throws(PictureError) -> Value
    ) throws(PictureError) -> Value {
        try withView { view in Result { () throws(PictureError) in try body(view) } }.get()
    }
}

/// The order of coefficients in the data: along the diagonals.
private let zigzag: [Int] = {
    (0..<15).flatMap { diagonal -> [Int] in
        let rows = max(0, diagonal - 7)...min(diagonal, 7)
        let places = rows.map { row in row * 8 + diagonal - row }
        return diagonal % 2 == 0 ? places.reversed() : places
    }
}()

/// cos((2x + 1) u pi / 16), the first one divided by the root of 2: 8 rows of 8.
private let waves: [Double] = {
    // By the recurrence of Chebyshev from cos(pi / 16), as this target has no mathematical library.
    let step = 0.980_785_280_403_230_4
    var cosines = [1.0, step]
    for index in 2..<128 { cosines.append(2 * step * cosines[index - 1] - cosines[index - 2]) }
    var rows: [Double] = []
    for u in 0..<8 {
        for x in 0..<8 { rows.append(u == 0 ? 0.5.squareRoot() : cosines[(2 * x + 1) * u]) }
    }
    return rows
}()
