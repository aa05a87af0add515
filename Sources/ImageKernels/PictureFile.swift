// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import CLeptonica

/// A picture file in memory whose kind and size are known and within the limits; its pixels are not decoded yet.
///
/// JPEG goes through `JPEGDecoder`; PNG, PNM, TIFF and WebP through Leptonica, whose other kinds (GIF, BMP, JPEG 2000,
/// PostScript, ...) can not tell their size without being decoded, and are refused.
///
/// - Important: Borrows the bytes: valid only for as long as they are.
public struct PictureFile {
    public let width: Int
    public let height: Int
    private let bytes: UnsafeRawBufferPointer
    private let kind: Kind

    private enum Kind { case jpeg, png, pnm, tiff, webp }

    /// Looks at the header; throws before anything of the picture's size is allocated.
    public init(
        _ bytes: UnsafeRawBufferPointer, limits: PictureLimits = PictureLimits(), jpeg: JPEGDecoder
    ) throws(PictureError) {
        guard !bytes.isEmpty else { throw .empty }
        guard let kind = PictureFile.kind(of: bytes) else { throw .unknownKind }
        self.bytes = bytes
        self.kind = kind
        switch kind {
        case .jpeg:
            let header = try jpeg.header(of: bytes, limits: limits)
            (width, height) = (header.width, header.height)
        case .png, .pnm, .tiff, .webp:
            if kind == .webp, PictureFile.isAnimatedWebP(bytes) { throw .unsupported("an animated WebP is not read") }
            _ = leptonicaIsQuiet
            var (format, width, height): (Int32, Int32, Int32) = (0, 0, 0)
            let code = pixReadHeaderMem(
                bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count, &format, &width, &height, nil, nil,
                nil)
            guard code == 0 else { throw .damaged("its \(kind) header can not be read") }
            try limits.check(width: Int(width), height: Int(height))
            (self.width, self.height) = (Int(width), Int(height))
        }
    }

    /// How the picture is to be turned to stand as it was seen, by the EXIF data or the tag of its file.
    ///
    /// `width`, `height` and the decoded pixels are those of the picture as it is stored.
    public var orientation: Orientation {
        switch kind {
        case .jpeg: ExifOrientation.inJPEG(bytes) ?? .upright
        case .png: ExifOrientation.inPNG(bytes) ?? .upright
        case .tiff: ExifOrientation.inTIFF(bytes)?.orientation ?? .upright
        case .webp: ExifOrientation.inWebP(bytes) ?? .upright
        case .pnm: .upright
        }
    }

    /// Whether the first bytes are those of a kind that is read here.
    public static func isPicture(_ beginning: UnsafeRawBufferPointer) -> Bool { kind(of: beginning) != nil }

    /// Decodes into tight rows of luma; the buffer has `width * height` bytes or more.
    ///
    /// Colour becomes Rec. 601 luma, what is transparent shows white, 1, 2, 4 and 16 bits become 8.
    public func decodeLuma(into buffer: UnsafeMutableRawBufferPointer, jpeg: JPEGDecoder) throws(PictureError) {
        guard buffer.count >= width * height else {
            throw .noRoom("\(buffer.count) bytes for \(width)x\(height) pixels")
        }
        switch kind {
        case .jpeg: try jpeg.decodeLuma(bytes, into: buffer, width: width, height: height)
        case .png:
            let essential = try essentialPNG(bytes)
            try essential.withUnsafeBufferPointer { (bytes) throws(PictureError) in
                try decode(UnsafeRawBufferPointer(bytes), into: buffer)
            }
        case .tiff:
            try checkWholeTIFF(bytes)
            guard let unturned = unturnedTIFF(bytes) else { return try decode(bytes, into: buffer) }
            try unturned.withUnsafeBufferPointer { (bytes) throws(PictureError) in
                try decode(UnsafeRawBufferPointer(bytes), into: buffer)
            }
        case .pnm, .webp: try decode(bytes, into: buffer)
        }
    }

    /// Decodes into a picture of its own.
    public func luma(jpeg: JPEGDecoder) throws(PictureError) -> LumaBuffer {
        var luma = LumaBuffer(width: width, height: height)
        try luma.pixels.withUnsafeMutableBufferPointer { (buffer) throws(PictureError) in
            try decodeLuma(into: UnsafeMutableRawBufferPointer(buffer), jpeg: jpeg)
        }
        return luma
    }

    private static func kind(of bytes: UnsafeRawBufferPointer) -> Kind? {
        func begins(_ magic: [UInt8], at offset: Int = 0) -> Bool {
            bytes.count >= offset + magic.count && magic.indices.allSatisfy { bytes[offset + $0] == magic[$0] }
        }
        if begins([0xFF, 0xD8, 0xFF]) { return .jpeg }
        if begins(pngSignature) { return .png }
        if begins([0x49, 0x49, 0x2A, 0]) || begins([0x4D, 0x4D, 0, 0x2A]) { return .tiff }
        if begins(Array("RIFF".utf8)), begins(Array("WEBP".utf8), at: 8) { return .webp }
        if bytes.count >= 3, bytes[0] == UInt8(ascii: "P"), (UInt8(ascii: "1")...UInt8(ascii: "6")).contains(bytes[1]),
            [0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: "#")].contains(bytes[2])
        {
            return .pnm
        }
        return nil
    }

    /// Leptonica decodes the first picture of a still file only, and calls the others damaged.
    private static func isAnimatedWebP(_ bytes: UnsafeRawBufferPointer) -> Bool {
        // The extended header's flags (WebP container specification, section "Extended File Format"): bit 1.
        bytes.count > 20 && bytes[12..<16].elementsEqual(Array("VP8X".utf8)) && bytes[20] & 0x02 != 0
    }

    private func decode(
        _ bytes: UnsafeRawBufferPointer, into buffer: UnsafeMutableRawBufferPointer
    ) throws(PictureError) {
        var picture = pixReadMem(bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
        defer { pixDestroy(&picture) }
        guard let picture else { throw .damaged("its \(kind) data ends early or contradicts itself") }
        guard pixGetWidth(picture) == Int32(width), pixGetHeight(picture) == Int32(height) else {
            throw .damaged("its \(kind) data is not of the size in its header")
        }
        try writeLuma(of: picture, into: buffer)
    }
}

// Leptonica tells its mishaps on standard error; ours are told by whoever skips the picture.
private let leptonicaIsQuiet: Void = {
    setMsgSeverity(Int32(L_SEVERITY_NONE))
    // Some of its messages have no severity.
    leptSetStderrHandler { _ in }
}()

/// Any of Leptonica's pictures as tight 8-bit luma.
private func writeLuma(
    of picture: UnsafeMutablePointer<PIX>, into buffer: UnsafeMutableRawBufferPointer
) throws(PictureError) {
    let depth = pixGetDepth(picture)
    var converted: UnsafeMutablePointer<PIX>?
    defer { pixDestroy(&converted) }
    if let palette = pixGetColormap(picture) {
        var isOpaque: Int32 = 1
        pixcmapIsOpaque(palette, &isOpaque)
        // Full colour and not grey: Leptonica's grey has other weights than JPEG's.
        let target = isOpaque == 0 ? REMOVE_CMAP_WITH_ALPHA : REMOVE_CMAP_TO_FULL_COLOR
        converted = pixRemoveColormap(picture, Int32(target))
    } else if depth == 8 || depth == 32 {
        converted = pixClone(picture)
    } else {
        converted = pixConvertTo8(picture, 0)
    }
    guard let converted, let words = pixGetData(converted) else { throw .noRoom("conversion from \(depth) bits") }
    let (width, height) = (Int(pixGetWidth(converted)), Int(pixGetHeight(converted)))
    let stride = Int(pixGetWpl(converted))
    let hasAlpha = pixGetSpp(converted) == 4
    for y in 0..<height {
        let row = words + y * stride
        let output = UnsafeMutableRawBufferPointer(rebasing: buffer[y * width..<(y + 1) * width])
        switch pixGetDepth(converted) {
        case 8:
            // Leptonica's bytes go from the high end of a word to its low end.
            for x in 0..<width { output[x] = UInt8(truncatingIfNeeded: row[x >> 2] >> UInt32(24 - 8 * (x & 3))) }
        case 32 where hasAlpha:
            for x in 0..<width {
                let word = row[x]
                let light = lumaOf(red: word >> 24, green: word >> 16 & 255, blue: word >> 8 & 255)
                let alpha = word & 255
                output[x] = UInt8(truncatingIfNeeded: (light * alpha + 255 * (255 - alpha) + 127) / 255)
            }
        case 32:
            for x in 0..<width {
                let word = row[x]
                output[x] = UInt8(
                    truncatingIfNeeded: lumaOf(red: word >> 24, green: word >> 16 & 255, blue: word >> 8 & 255))
            }
        case let other: throw .unsupported("\(other) bits a pixel are not read")
        }
    }
}
