// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// Bytes that `fingerprint` looks at one by one; of more it takes samples of about as many or at least half.
private let wholeFingerprint = 384 << 10
/// Bytes of a sample: what memory moves at a time.
private let sample = 64

/// A number by which equal bytes are known again: others have another one but for one in 2^64 by chance, and certainly
/// where a single word of eight bytes differs. No protection against people who want two to be alike.
///
/// Beyond 384 KiB it looks at one of every few pieces of 64 bytes, an odd number apart, so that samples do not stand in
/// columns: a change of 50x50 pixels in a 1080p frame of YUYV meets some of them.
public func fingerprint(of bytes: UnsafeRawBufferPointer) -> UInt64 {
    guard let base = bytes.baseAddress else { return 0 }
    let pieces = bytes.count / sample
    let step = bytes.count <= wholeFingerprint ? 1 : (bytes.count / wholeFingerprint + 1) | 1
    // Four at a time: a product takes some cycles, and the next one need not wait for it.
    var (a, b, c, d): (UInt64, UInt64, UInt64, UInt64) = (1, 2, 3, 4)
    var piece = 0
    while piece < pieces {
        let at = base + piece * sample
        mix(&a, at.loadUnaligned(as: UInt64.self))
        mix(&b, at.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        mix(&c, at.loadUnaligned(fromByteOffset: 16, as: UInt64.self))
        mix(&d, at.loadUnaligned(fromByteOffset: 24, as: UInt64.self))
        mix(&a, at.loadUnaligned(fromByteOffset: 32, as: UInt64.self))
        mix(&b, at.loadUnaligned(fromByteOffset: 40, as: UInt64.self))
        mix(&c, at.loadUnaligned(fromByteOffset: 48, as: UInt64.self))
        mix(&d, at.loadUnaligned(fromByteOffset: 56, as: UInt64.self))
        piece += step
    }
    for byte in bytes[(pieces * sample)...] { mix(&a, UInt64(byte)) }
    mix(&a, b)
    mix(&a, c)
    mix(&a, d)
    mix(&a, UInt64(bytes.count))
    return a ^ a >> 32
}

/// One to one in the word, and in the state: what once differs does not become equal by the same words.
@inline(__always)
private func mix(_ state: inout UInt64, _ word: UInt64) {
    let product = (state ^ word) &* 0x9E37_79B9_7F4A_7C15
    state = product << 31 | product >> 33
}
