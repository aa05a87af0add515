// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// How a picture is turned before anything else sees it: the camera that hangs sideways.
public struct Orientation: Sendable, Hashable {
    /// Degrees clockwise.
    public enum Turn: Int, Sendable, Hashable, CaseIterable {
        case none = 0
        case quarter = 90
        case half = 180
        case threeQuarters = 270
    }

    public var turn: Turn
    /// Left and right are swapped after the turn.
    public var isMirrored: Bool

    public init(turn: Turn = .none, isMirrored: Bool = false) {
        self.turn = turn
        self.isMirrored = isMirrored
    }

    /// The picture as it comes.
    public static let upright = Orientation()

    /// Whether width and height change places.
    public var swapsSides: Bool { turn == .quarter || turn == .threeQuarters }

    /// The size of the turned picture.
    public func size(ofWidth width: Int, height: Int) -> (width: Int, height: Int) {
        swapsSides ? (height, width) : (width, height)
    }

    /// Writes the turned picture into tight rows; the buffer has `width * height` bytes or more and is not the source.
    public func write(_ source: LumaView, into buffer: UnsafeMutableRawBufferPointer) {
        write(rows: source, from: 0, of: source.height, into: buffer)
    }

    /// Writes some rows of a picture to where they belong in the turned one, so that a picture can be turned while it is
    /// made. `first` counts from the top of the whole picture of `height` rows, which the buffer has room for.
    func write(rows: LumaView, from first: Int, of height: Int, into buffer: UnsafeMutableRawBufferPointer) {
        let (width, count, stride) = (rows.width, rows.height, rows.stride)
        precondition(first >= 0 && first + count <= height, "the rows are the picture's")
        precondition(buffer.count >= width * height, "the buffer holds every pixel")
        guard let top = rows.bytes.baseAddress, let to = buffer.baseAddress else { return }
        // Upside down, the last of the rows comes first, behind those that are still to come.
        let bottom = top + (count - 1) * stride
        let behind = height - first - count
        switch (turn, isMirrored) {
        case (.none, false): copyRows(top, stride, to + first * width, width, count)
        case (.none, true): reverseRows(top, stride, to + first * width, width, count)
        case (.half, false): reverseRows(bottom, -stride, to + behind * width, width, count)
        case (.half, true): copyRows(bottom, -stride, to + behind * width, width, count)
        // The turned picture's columns are the source's rows, taken upwards or downwards; its rows the source's
        // columns, from the left or from the right.
        case (.quarter, false): transpose(bottom, -stride, to + behind, height, width, count, fromTheRight: false)
        case (.quarter, true): transpose(top, stride, to + first, height, width, count, fromTheRight: false)
        case (.threeQuarters, false): transpose(top, stride, to + first, height, width, count, fromTheRight: true)
        case (.threeQuarters, true): transpose(bottom, -stride, to + behind, height, width, count, fromTheRight: true)
        }
    }
}

private func copyRows(
    _ from: UnsafeRawPointer, _ stride: Int, _ to: UnsafeMutableRawPointer, _ width: Int, _ height: Int
) {
    if stride == width { return to.copyMemory(from: from, byteCount: width * height) }
    for y in 0..<height { (to + y * width).copyMemory(from: from + y * stride, byteCount: width) }
}

private func reverseRows(
    _ from: UnsafeRawPointer, _ stride: Int, _ to: UnsafeMutableRawPointer, _ width: Int, _ height: Int
) {
    for y in 0..<height {
        let row = from + y * stride
        let out = to + y * width
        var x = 0
        while x + 8 <= width {
            let word = row.loadUnaligned(fromByteOffset: width - 8 - x, as: UInt64.self)
            out.storeBytes(of: word.byteSwapped, toByteOffset: x, as: UInt64.self)
            x += 8
        }
        while x < width {
            out.storeBytes(of: row.load(fromByteOffset: width - 1 - x, as: UInt8.self), toByteOffset: x, as: UInt8.self)
            x += 1
        }
    }
}

/// Pixels of a tile's side. A tile's rows of both pictures fill 2 x 64 lines of 64 bytes, a quarter of the smallest
/// first-level cache; whole rows would fetch each line of the result eight times.
private let tile = 64

/// Writes row r (counted with `outStride` from `to`), column c of the result from source row c (counted with `stride`
/// from `from`) and source column r, or `width - 1 - r` from the right.
private func transpose(
    _ from: UnsafeRawPointer, _ stride: Int, _ to: UnsafeMutableRawPointer, _ outStride: Int, _ width: Int,
    _ height: Int, fromTheRight: Bool
) {
    let (wholeWidth, wholeHeight) = (width & ~7, height & ~7)
    for tileTop in Swift.stride(from: 0, to: wholeHeight, by: tile) {
        for tileLeft in Swift.stride(from: 0, to: wholeWidth, by: tile) {
            for y in Swift.stride(from: tileTop, to: min(tileTop + tile, wholeHeight), by: 8) {
                for x in Swift.stride(from: tileLeft, to: min(tileLeft + tile, wholeWidth), by: 8) {
                    let row = fromTheRight ? width - 1 - x : x
                    transposeBlock(
                        from + y * stride + x, stride, to + row * outStride + y,
                        fromTheRight ? -outStride : outStride)
                }
            }
        }
    }
    // What is left of 8 at the right and at the bottom.
    for y in 0..<height {
        for x in (y < wholeHeight ? wholeWidth : 0)..<width {
            let row = fromTheRight ? width - 1 - x : x
            to.storeBytes(
                of: from.load(fromByteOffset: y * stride + x, as: UInt8.self), toByteOffset: row * outStride + y,
                as: UInt8.self)
        }
    }
}

/// 8x8 bytes as eight words: in three rounds, halves of 1, 2 and 4 bytes change places between pairs of words.
@inline(__always)
private func transposeBlock(
    _ from: UnsafeRawPointer, _ stride: Int, _ to: UnsafeMutableRawPointer, _ outStride: Int
) {
    @inline(__always)
    func load(_ row: Int) -> UInt64 {
        UInt64(littleEndian: from.loadUnaligned(fromByteOffset: row * stride, as: UInt64.self))
    }
    @inline(__always)
    func store(_ word: UInt64, _ row: Int) {
        to.storeBytes(of: word.littleEndian, toByteOffset: row * outStride, as: UInt64.self)
    }
    @inline(__always)
    func swap(_ a: inout UInt64, _ b: inout UInt64, _ shift: UInt64, _ mask: UInt64) {
        let difference = ((a &>> shift) ^ b) & mask
        b ^= difference
        a ^= difference &<< shift
    }
    var (a, b, c, d) = (load(0), load(1), load(2), load(3))
    var (e, f, g, h) = (load(4), load(5), load(6), load(7))
    swap(&a, &b, 8, 0x00FF_00FF_00FF_00FF)
    swap(&c, &d, 8, 0x00FF_00FF_00FF_00FF)
    swap(&e, &f, 8, 0x00FF_00FF_00FF_00FF)
    swap(&g, &h, 8, 0x00FF_00FF_00FF_00FF)
    swap(&a, &c, 16, 0x0000_FFFF_0000_FFFF)
    swap(&b, &d, 16, 0x0000_FFFF_0000_FFFF)
    swap(&e, &g, 16, 0x0000_FFFF_0000_FFFF)
    swap(&f, &h, 16, 0x0000_FFFF_0000_FFFF)
    swap(&a, &e, 32, 0x0000_0000_FFFF_FFFF)
    swap(&b, &f, 32, 0x0000_0000_FFFF_FFFF)
    swap(&c, &g, 32, 0x0000_0000_FFFF_FFFF)
    swap(&d, &h, 32, 0x0000_0000_FFFF_FFFF)
    store(a, 0)
    store(b, 1)
    store(c, 2)
    store(d, 3)
    store(e, 4)
    store(f, 5)
    store(g, 6)
    store(h, 7)
}
