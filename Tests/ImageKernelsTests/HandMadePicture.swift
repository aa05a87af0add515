// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// Picture files made byte by byte, so that what is read does not come from the library that reads it.
enum HandMadePicture {
    /// PNG's colour types.
    enum Colour: UInt8 {
        case grey = 0
        case rgb = 2
        case palette = 3
        case greyAlpha = 4
        case rgba = 6
    }

    /// A PNG of raw rows (packed as PNG wants them, without filter bytes), stored without compression.
    static func png(
        width: Int, height: Int, depth: UInt8 = 8, colour: Colour = .grey, rows: [[UInt8]],
        extra: [(String, [UInt8])] = []
    ) -> [UInt8] {
        var raw: [UInt8] = []
        for row in rows { raw += [0] + row }
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        file += chunk("IHDR", big(UInt32(width)) + big(UInt32(height)) + [depth, colour.rawValue, 0, 0, 0])
        for (name, content) in extra { file += chunk(name, content) }
        file += chunk("IDAT", stored(raw))
        return file + chunk("IEND", [])
    }

    static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let checked = Array(name.utf8) + content
        var crc: UInt32 = 0xFFFF_FFFF
        for byte in checked {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? 0xEDB8_8320 ^ (crc >> 1) : crc >> 1 }
        }
        return big(UInt32(content.count)) + checked + big(~crc)
    }

    static func pgm(width: Int, height: Int, pixels: [UInt8]) -> [UInt8] {
        Array("P5\n\(width) \(height)\n255\n".utf8) + pixels
    }

    /// An uncompressed little-endian TIFF in one strip; `samples` 1 (grey) or 3 (colour).
    static func tiff(
        width: Int, height: Int, depth: UInt16 = 8, samples: UInt16 = 1, orientation: UInt16 = 1, data: [UInt8]
    ) -> [UInt8] {
        let entries: [(tag: UInt16, type: UInt16, value: UInt32)] = [
            (256, 4, UInt32(width)), (257, 4, UInt32(height)), (258, 3, UInt32(depth)), (259, 3, 1),
            (262, 3, samples == 1 ? 1 : 2), (273, 4, 8 + 2 + 11 * 12 + 4), (274, 3, UInt32(orientation)),
            (277, 3, UInt32(samples)), (278, 4, UInt32(height)), (279, 4, UInt32(data.count)), (284, 3, 1),
        ]
        var file: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0, UInt8(entries.count), 0]
        for entry in entries {
            file += little16(entry.tag) + little16(entry.type) + little(1) + little(entry.value)
        }
        return file + little(0) + data
    }

    /// 3x2 white, black at the top left, red at the lower right; lossless.
    static let webp: [UInt8] = [
        82, 73, 70, 70, 34, 0, 0, 0, 87, 69, 66, 80, 86, 80, 56, 76, 21, 0, 0, 0,
        47, 2, 64, 0, 0, 23, 48, 255, 243, 63, 255, 243, 31, 40, 133, 107, 160, 68, 244, 63,
        2, 0,
    ]

    /// EXIF's block with the orientation and nothing else.
    static func exif(orientation: UInt16, isBigEndian: Bool = false) -> [UInt8] {
        let order: [UInt8] = isBigEndian ? [0x4D, 0x4D] : [0x49, 0x49]
        func half(_ value: UInt16) -> [UInt8] { isBigEndian ? little16(value).reversed() : little16(value) }
        func word(_ value: UInt32) -> [UInt8] { isBigEndian ? little(value).reversed() : little(value) }
        return order + half(42) + word(8) + half(1) + half(0x0112) + half(3) + word(1) + half(orientation) + half(0)
            + word(0)
    }

    /// A JPEG with a segment put behind its first marker.
    static func jpeg(_ file: [UInt8], app1 content: [UInt8]) -> [UInt8] {
        let length = UInt16(content.count + 2)
        return file[..<2] + [0xFF, 0xE1] + little16(length).reversed() + content + file[2...]
    }

    private static func stored(_ raw: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        var at = 0
        repeat {
            let count = min(65_535, raw.count - at)
            stream += [at + count == raw.count ? 1 : 0] + little16(UInt16(count)) + little16(~UInt16(count))
            stream += raw[at..<at + count]
            at += count
        } while at < raw.count
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in raw {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return stream + big(high << 16 | low)
    }

    private static func big(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }
    private static func little(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.littleEndian) { Array($0) } }
    private static func little16(_ value: UInt16) -> [UInt8] { withUnsafeBytes(of: value.littleEndian) { Array($0) } }
}
