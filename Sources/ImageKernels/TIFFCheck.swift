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

/// The file with the tag that turns its picture set to "as it is"; `nil` where it says so already.
///
/// Leptonica turns a TIFF while it decodes it, and nothing else; here a picture is decoded as it is stored and turned by
/// whoever wants it upright.
func unturnedTIFF(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
    guard let (orientation, offset) = ExifOrientation.inTIFF(bytes), orientation != .upright else { return nil }
    var copy = Array(bytes)
    let isBigEndian = bytes[0] == UInt8(ascii: "M")
    (copy[offset], copy[offset + 1]) = isBigEndian ? (0, 1) : (1, 0)
    return copy
}
