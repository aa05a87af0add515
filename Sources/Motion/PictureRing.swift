// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ImageKernels

/// The last small pictures, with the numbers of their frames; buffers are used again.
struct PictureRing {
    /// So many frames a reading may be late and its place's look still be known: half a second at 30/s.
    static let capacity = 16

    struct Entry {
        var picture: LumaBuffer
        var sequence: UInt64
        var sharpness: Float
        var isFilled = false
    }

    private var entries: [Entry] = []
    private var next = 0
    private(set) var newest: Int?

    init(width: Int, height: Int) {
        for _ in 0..<Self.capacity {
            entries.append(Entry(picture: LumaBuffer(width: width, height: height), sequence: 0, sharpness: 0))
        }
    }

    mutating func append(_ picture: LumaView, sequence: UInt64, sharpness: Float) {
        entries[next].picture.take(picture)
        entries[next].sequence = sequence
        entries[next].sharpness = sharpness
        entries[next].isFilled = true
        newest = next
        next = (next + 1) % Self.capacity
    }

    /// The picture of the frame with this number; `nil` when it is too long ago.
    func entry(of sequence: UInt64) -> Entry? {
        entries.first { $0.isFilled && $0.sequence == sequence }
    }

    func withNewest<Result>(_ body: (LumaView) -> Result) -> Result? {
        newest.map { entries[$0].picture.withView(body) }
    }
}

extension LumaBuffer {
    /// Copies a picture of the same size.
    mutating func take(_ picture: LumaView) {
        let (width, height) = (width, height)
        guard picture.width == width, picture.height == height else { return }
        pixels.withUnsafeMutableBytes { target in
            for row in 0..<height {
                let from = UnsafeRawBufferPointer(
                    rebasing: picture.bytes[(row * picture.stride)..<(row * picture.stride + width)])
                UnsafeMutableRawBufferPointer(rebasing: target[(row * width)..<((row + 1) * width)])
                    .copyMemory(from: from)
            }
        }
    }
}
