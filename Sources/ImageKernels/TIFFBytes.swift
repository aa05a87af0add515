// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// Numbers in a TIFF, in the byte order that it chose; EXIF's blocks are TIFFs as well.
struct TIFFBytes {
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

    /// Where the entries of the first directory begin, 12 bytes each; as many as the file says and holds.
    var entries: [Int] {
        guard let directory = word(at: 4), let count = half(at: directory) else { return [] }
        return (0..<count).map { directory + 2 + $0 * 12 }.filter { $0 + 12 <= bytes.count }
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
