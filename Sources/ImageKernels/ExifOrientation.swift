// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

extension Orientation {
    /// How a picture with this value of EXIF's tag 0x0112 is to be turned to stand as it was seen (EXIF 2.32, 4.6.4): 1 as it
    /// is, 2 mirrored, 3 upside down, 4 both, 5 to 8 with width and height exchanged; `nil` for any other value.
    public init?(exif value: Int) {
        switch value {
        case 1: self.init()
        case 2: self.init(isMirrored: true)
        case 3: self.init(turn: .half)
        case 4: self.init(turn: .half, isMirrored: true)
        case 5: self.init(turn: .quarter, isMirrored: true)
        case 6: self.init(turn: .quarter)
        case 7: self.init(turn: .threeQuarters, isMirrored: true)
        case 8: self.init(turn: .threeQuarters)
        default: return nil
        }
    }
}

/// Finds EXIF's orientation in the bytes of picture files, without decoding anything.
///
/// A block that is cut or contradicts itself says nothing: the picture is then taken as it is.
enum ExifOrientation {
    private static let tag = 0x0112

    /// In a JPEG: in the first APP1 segment that is EXIF's, before the picture's data.
    static func inJPEG(_ bytes: UnsafeRawBufferPointer) -> Orientation? {
        var at = 2
        while at + 4 <= bytes.count, bytes[at] == 0xFF {
            let marker = bytes[at + 1]
            // Fill bytes may stand before a marker; 01 and D0...D7 have no length.
            if marker == 0xFF {
                at += 1
                continue
            }
            if marker == 0x01 || (0xD0...0xD7).contains(marker) {
                at += 2
                continue
            }
            // The picture's data or its end.
            if marker == 0xDA || marker == 0xD9 { return nil }
            let length = Int(bytes[at + 2]) << 8 | Int(bytes[at + 3])
            guard length >= 2, at + 2 + length <= bytes.count else { return nil }
            if marker == 0xE1, let orientation = inBlock(bytes, at + 4..<at + 2 + length) { return orientation }
            at += 2 + length
        }
        return nil
    }

    /// In a PNG: in the chunk `eXIf` (PNG, third edition, 11.3.4.5), which may stand behind the picture's data.
    static func inPNG(_ bytes: UnsafeRawBufferPointer) -> Orientation? {
        var at = pngSignature.count
        while at + 12 <= bytes.count {
            let length = Int(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self)))
            guard length <= bytes.count - at - 12 else { return nil }
            if bytes[at + 4..<at + 8].elementsEqual("eXIf".utf8) { return inBlock(bytes, at + 8..<at + 8 + length) }
            at += 12 + length
        }
        return nil
    }

    /// In a WebP: in the chunk `EXIF` of the extended format.
    static func inWebP(_ bytes: UnsafeRawBufferPointer) -> Orientation? {
        var at = 12
        while at + 8 <= bytes.count {
            let length = Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: at + 4, as: UInt32.self)))
            guard length <= bytes.count - at - 8 else { return nil }
            if bytes[at..<at + 4].elementsEqual("EXIF".utf8) { return inBlock(bytes, at + 8..<at + 8 + length) }
            at += 8 + length + length % 2
        }
        return nil
    }

    /// In a TIFF: its own tag, and where the value of it lies in the file.
    static func inTIFF(_ bytes: UnsafeRawBufferPointer) -> (orientation: Orientation, offset: Int)? {
        guard bytes.count >= 8, bytes[0] == bytes[1], bytes[0] == UInt8(ascii: "I") || bytes[0] == UInt8(ascii: "M")
        else { return nil }
        let file = TIFFBytes(bytes: bytes, isBigEndian: bytes[0] == UInt8(ascii: "M"))
        guard file.half(at: 2) == 42 else { return nil }
        for entry in file.entries where file.half(at: entry) == tag {
            // A SHORT (type 3), one of it, in the entry itself.
            guard file.half(at: entry + 2) == 3, file.word(at: entry + 4) == 1,
                let value = file.half(at: entry + 8), let orientation = Orientation(exif: value)
            else { return nil }
            return (orientation, entry + 8)
        }
        return nil
    }

    /// In EXIF's own block, with or without the name that stands before it in a JPEG (and in some WebP files).
    private static func inBlock(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Orientation? {
        var block = bytes[range]
        let name = Array("Exif".utf8) + [0, 0]
        if block.starts(with: name) { block = block.dropFirst(name.count) }
        return inTIFF(UnsafeRawBufferPointer(rebasing: block))?.orientation
    }
}
