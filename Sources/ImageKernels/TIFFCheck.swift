// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// Checks that the file holds every strip or tile of a TIFF's first picture.
///
/// libtiff fills what is missing at the end of an uncompressed picture with what it read before, and reports success.
func checkWholeTIFF(_ bytes: UnsafeRawBufferPointer) throws(PictureError) {
    let file = TIFFBytes(bytes: bytes, isBigEndian: bytes.first == UInt8(ascii: "M"))
    guard let directory = file.word(at: 4), let count = file.half(at: directory) else {
        throw .damaged("the TIFF ends before its directory")
    }
    var offsets: [Int] = []
    var sizes: [Int] = []
    for index in 0..<count {
        let entry = directory + 2 + index * 12
        guard let tag = file.half(at: entry) else { throw .damaged("the TIFF ends inside its directory") }
        switch tag {
        case 273, 324: offsets = try file.values(ofEntryAt: entry)
        case 279, 325: sizes = try file.values(ofEntryAt: entry)
        default: continue
        }
    }
    guard !offsets.isEmpty, offsets.count == sizes.count else {
        throw .damaged("the TIFF does not say where its \(max(offsets.count, sizes.count)) strips are")
    }
    for (offset, size) in zip(offsets, sizes) where offset + size > bytes.count {
        throw .damaged("the TIFF ends at byte \(bytes.count); a strip of it goes to \(offset + size)")
    }
}

/// Numbers in a TIFF, in the byte order that it chose.
private struct TIFFBytes {
    let bytes: UnsafeRawBufferPointer
    let isBigEndian: Bool

    func half(at offset: Int) -> Int? {
        guard offset >= 0, offset + 2 <= bytes.count else { return nil }
        let value = bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self)
        return Int(isBigEndian ? UInt16(bigEndian: value) : UInt16(littleEndian: value))
    }

    func word(at offset: Int) -> Int? {
        guard offset >= 0, offset + 4 <= bytes.count else { return nil }
        let value = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
        return Int(isBigEndian ? UInt32(bigEndian: value) : UInt32(littleEndian: value))
    }

    /// The values of a directory entry of 16-bit (type 3) or 32-bit numbers; up to 4 bytes lie in the entry itself.
    func values(ofEntryAt entry: Int) throws(PictureError) -> [Int] {
        guard let type = half(at: entry + 2), let count = word(at: entry + 4) else {
            throw .damaged("the TIFF ends inside its directory")
        }
        let size = type == 3 ? 2 : 4
        let start = count * size <= 4 ? entry + 8 : word(at: entry + 8) ?? bytes.count
        // As many values as the file has bytes would be a lie already; the check bounds what is allocated.
        guard start + count * size <= bytes.count else { throw .damaged("the TIFF ends inside its list of strips") }
        return (0..<count).compactMap { size == 2 ? half(at: start + $0 * 2) : word(at: start + $0 * 4) }
    }
}
