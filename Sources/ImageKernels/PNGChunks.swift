// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// What every PNG file begins with.
let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

/// The chunks of a PNG that make its picture, after a check of every chunk's length and checksum.
///
/// libpng writes its complaints about the others (a colour profile, a date) and about cut files to standard error, and
/// Leptonica gives no way to stop it: it only gets files that leave it nothing to say.
func essentialPNG(_ bytes: UnsafeRawBufferPointer) throws(PictureError) -> [UInt8] {
    let essential: [[UInt8]] = ["IHDR", "PLTE", "tRNS", "IDAT", "IEND"].map { Array($0.utf8) }
    var result = pngSignature
    result.reserveCapacity(bytes.count)
    var at = pngSignature.count
    while true {
        guard bytes.count - at >= 12 else {
            throw .damaged("the PNG ends at byte \(bytes.count), before its last chunk")
        }
        let length = Int(bigEndianWord(bytes, at))
        guard length <= bytes.count - at - 12 else {
            throw .damaged("the PNG ends at byte \(bytes.count), inside the chunk at byte \(at)")
        }
        let checked = UnsafeRawBufferPointer(rebasing: bytes[at + 4..<at + 8 + length])
        guard crc32(checked) == bigEndianWord(bytes, at + 8 + length) else {
            throw .damaged("the checksum of the PNG chunk at byte \(at) is wrong")
        }
        let name = Array(checked.prefix(4))
        if essential.contains(name) { result.append(contentsOf: bytes[at..<at + 12 + length]) }
        if name == essential[4] { return result }
        at += 12 + length
    }
}

private func bigEndianWord(_ bytes: UnsafeRawBufferPointer, _ at: Int) -> UInt32 {
    UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self))
}

private func crc32(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    crcTable.withUnsafeBufferPointer { table in
        var crc: UInt32 = 0xFFFF_FFFF
        for byte in bytes { crc = table[Int((crc ^ UInt32(byte)) & 255)] ^ (crc >> 8) }
        return ~crc
    }
}

private let crcTable: [UInt32] = (0..<256).map { (index: UInt32) in
    (0..<8).reduce(index) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
}
