// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import CTurboJPEG

/// What a JPEG's header says, before anything is decoded.
public struct JPEGHeader: Sendable, Hashable {
    public let width: Int
    public let height: Int
    /// A picture in several scans: slow, and hostile where a camera sends it.
    public let isProgressive: Bool
    /// Four inks instead of light; decoded by way of a buffer of four bytes a pixel.
    public let isCMYK: Bool
}

/// Decodes JPEG pictures to luma (libjpeg-turbo's TurboJPEG interface).
///
/// The chroma's inverse transform is left out; what remains is two thirds entropy decoding, which no smaller scale
/// avoids.
///
/// - Important: Owns its handle; one thread at a time.
public final class JPEGDecoder {
    /// What to do with progressive pictures.
    public enum ProgressivePolicy: Sendable, Hashable {
        /// For cameras, which never make them: 250 kB can cost 0.7 s and 125 MB.
        case refused
        /// For files: read with at most 500 scans, TurboJPEG's limit.
        case limited
    }

    /// Bytes below which nothing is a JPEG picture: the smallest that libjpeg writes have over 125.
    public static let minimumBytes = 125

    private let handle: tjhandle
    /// A smaller picture that is made smaller still; kept from picture to picture.
    private var scaled: [UInt8] = []

    /// Throws `noRoom` when the library has no memory for its state.
    public init() throws(PictureError) {
        guard let handle = tjInitDecompress() else { throw .noRoom("TurboJPEG's decoder") }
        self.handle = handle
    }

    deinit { tjDestroy(handle) }

    /// Reads the header and checks the size against the limits; nothing of the picture's size is allocated.
    public func header(
        of bytes: UnsafeRawBufferPointer, limits: PictureLimits = PictureLimits(),
        progressive: ProgressivePolicy = .limited
    ) throws(PictureError) -> JPEGHeader {
        guard !bytes.isEmpty, let base = bytes.baseAddress else { throw .empty }
        guard bytes.count >= 2, bytes[0] == 0xFF, bytes[1] == 0xD8 else { throw .unknownKind }
        guard bytes.count >= Self.minimumBytes else { throw .damaged("a JPEG of only \(bytes.count) bytes") }
        // The library answers "success" for some truncated headers and leaves the sizes alone.
        var (width, height, sampling, space): (Int32, Int32, Int32, Int32) = (0, 0, -1, -1)
        let code = tjDecompressHeader3(
            handle, base.assumingMemoryBound(to: UInt8.self), UInt(bytes.count), &width, &height, &sampling, &space)
        guard code == 0 || isHarmlessWarning else {
            defer { forgetHeader() }
            throw .damaged(lastMessage)
        }
        guard width > 0, height > 0 else { throw .damaged("the JPEG ends before its size") }
        try limits.check(width: Int(width), height: Int(height))
        let isProgressive = jpegIsProgressive(bytes)
        if isProgressive, progressive == .refused { throw .unsupported("a progressive JPEG is not read") }
        return JPEGHeader(
            width: Int(width), height: Int(height), isProgressive: isProgressive,
            isCMYK: space == Int32(TJCS_CMYK.rawValue) || space == Int32(TJCS_YCCK.rawValue))
    }

    /// Decodes the whole picture into tight rows of luma.
    ///
    /// A picture that is grey from the middle on would look like a shelf that was cleared. So the data of a sequential
    /// picture is walked through first (`JPEGScanWalk`), and of any other one each warning of the library is an error.
    /// `buffer` holds rubbish after an error. Throws `damaged` where the picture is not of the size that the caller made
    /// room for.
    public func decodeLuma(
        _ bytes: UnsafeRawBufferPointer, into buffer: UnsafeMutableRawBufferPointer, width: Int, height: Int,
        progressive: ProgressivePolicy = .limited
    ) throws(PictureError) {
        guard buffer.count >= width * height, let output = buffer.baseAddress else {
            throw .noRoom("\(buffer.count) bytes for \(width)x\(height) pixels")
        }
        try withChecked(bytes, width, height, progressive) { (checked) throws(PictureError) in
            guard checked.isCMYK else {
                return try decode(checked, to: TJPF_GRAY, output.assumingMemoryBound(to: UInt8.self), width, height)
            }
            let inks = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: width * height * 4)
            defer { inks.deallocate() }
            guard let first = inks.baseAddress else { throw .noRoom("four inks of \(width)x\(height) pixels") }
            try decode(checked, to: TJPF_CMYK, first, width, height)
            // Adobe's programs, which make nearly all of these, store the inks inverted: 255 is none.
            for pixel in 0..<width * height {
                let (c, m, y) = (UInt32(inks[pixel * 4]), UInt32(inks[pixel * 4 + 1]), UInt32(inks[pixel * 4 + 2]))
                let light = lumaOf(red: c, green: m, blue: y) * UInt32(inks[pixel * 4 + 3])
                buffer[pixel] = UInt8(truncatingIfNeeded: (light + 127) / 255)
            }
        }
    }

    /// Decodes a camera's picture at an eighth of its size, rounded up: about two thirds of the time of the whole.
    ///
    /// Throws like `decodeLuma`, and `unsupported` for a picture in inks.
    public func decodeEighth(
        _ bytes: UnsafeRawBufferPointer, width: Int, height: Int
    ) throws(PictureError) -> LumaBuffer {
        var small = LumaBuffer(width: (width + 7) / 8, height: (height + 7) / 8)
        try withChecked(bytes, width, height, .refused) { (checked) throws(PictureError) in
            if checked.isCMYK { throw .unsupported("a picture in inks is not read from a camera") }
            try small.pixels.withUnsafeMutableBufferPointer { (pixels) throws(PictureError) in
                guard let output = pixels.baseAddress else { return }
                try decode(checked, to: TJPF_GRAY, output, (width + 7) / 8, (height + 7) / 8)
            }
        }
        return small
    }

    /// Decodes a camera's picture made smaller, into tight rows, as `LumaView.small` would make it of the whole.
    ///
    /// A quarter of 1080p costs nine tenths of the whole, most of it for the walk through the data and for entropy decoding. A half, a quarter or an eighth comes straight from the library;
    /// other sizes are made from the smallest of these whose pixels end where the small picture ends. Throws like `decodeLuma`, and `unsupported` for a picture in inks.
    public func decodeSmall(
        _ bytes: UnsafeRawBufferPointer, width: Int, height: Int, smallWidth: Int, smallHeight: Int,
        into buffer: UnsafeMutableRawBufferPointer
    ) throws(PictureError) {
        guard smallWidth > 0, smallHeight > 0, smallWidth <= width, smallHeight <= height,
            buffer.count >= smallWidth * smallHeight, let output = buffer.baseAddress
        else { throw .noRoom("\(buffer.count) bytes for \(smallWidth)x\(smallHeight) pixels") }
        // What the small picture shows: a whole multiple of it where there is one, as in `LumaView.small`.
        let shrink = min(width / smallWidth, height / smallHeight)
        let isWhole = width - shrink * smallWidth < shrink && height - shrink * smallHeight < shrink
        let (shownWidth, shownHeight) = isWhole ? (shrink * smallWidth, shrink * smallHeight) : (width, height)
        let divisor = [8, 4, 2].first { $0 <= shrink && shownWidth % $0 == 0 && shownHeight % $0 == 0 } ?? 1
        // The library rounds up.
        let (scaledWidth, scaledHeight) = ((width + divisor - 1) / divisor, (height + divisor - 1) / divisor)
        try withChecked(bytes, width, height, .refused) { (checked) throws(PictureError) in
            if checked.isCMYK { throw .unsupported("a picture in inks is not read from a camera") }
            if scaledWidth == smallWidth, scaledHeight == smallHeight {
                let pixels = output.assumingMemoryBound(to: UInt8.self)
                return try decode(checked, to: TJPF_GRAY, pixels, scaledWidth, scaledHeight)
            }
            if scaled.count < scaledWidth * scaledHeight {
                scaled = [UInt8](repeating: 0, count: scaledWidth * scaledHeight)
            }
            try scaled.withUnsafeMutableBufferPointer { (pixels) throws(PictureError) in
                guard let base = pixels.baseAddress else { return }
                try decode(checked, to: TJPF_GRAY, base, scaledWidth, scaledHeight)
                let view = LumaView(
                    bytes: UnsafeRawBufferPointer(pixels), width: shownWidth / divisor,
                    height: shownHeight / divisor, stride: scaledWidth)
                guard view?.small(width: smallWidth, height: smallHeight, into: buffer) == true else {
                    throw .noRoom("\(smallWidth)x\(smallHeight) pixels")
                }
            }
        }
    }

    /// A picture of the size that is expected, and whether its data was walked through.
    private struct Checked {
        var bytes: UnsafeRawBufferPointer
        var isCMYK: Bool
        var isWalked: Bool
    }

    private func withChecked(
        _ bytes: UnsafeRawBufferPointer, _ width: Int, _ height: Int, _ progressive: ProgressivePolicy,
        _ body: (Checked) throws(PictureError) -> Void
    ) throws(PictureError) {
        let size = PictureLimits(maximumPixels: .max, maximumSide: 65_535)
        let header = try header(of: bytes, limits: size, progressive: progressive)
        guard header.width == width, header.height == height else {
            throw .damaged("\(header.width)x\(header.height) pixels where \(width)x\(height) were expected")
        }
        let structure = try JPEGStructure(bytes)
        guard structure.isSequential else {
            return try body(Checked(bytes: bytes, isCMYK: header.isCMYK, isWalked: false))
        }
        if structure.lacksHuffmanTables {
            // The library has the standard tables too, but takes those of the picture before where there were any.
            let complete = structure.completed(bytes)
            return try complete.withUnsafeBufferPointer { (bytes) throws(PictureError) in
                try withChecked(UnsafeRawBufferPointer(bytes), width, height, progressive, body)
            }
        }
        let intervals = try structure.intervals(in: bytes).data
        try JPEGScanWalk(structure, of: bytes).check(bytes, intervals: intervals, structure: structure)
        try body(Checked(bytes: bytes, isCMYK: header.isCMYK, isWalked: true))
    }

    private func decode(
        _ picture: Checked, to format: TJPF, _ output: UnsafeMutablePointer<UInt8>, _ width: Int, _ height: Int
    ) throws(PictureError) {
        let bytes = picture.bytes
        let code = tjDecompress2(
            handle, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt(bytes.count), output, Int32(width), 0,
            Int32(height), Int32(format.rawValue),
            Int32(TJFLAG_LIMITSCANS | (picture.isWalked ? 0 : TJFLAG_STOPONWARNING)))
        // The library keeps the first warning only: behind a harmless one there may be others, which the walk ruled out.
        guard code == 0 || (picture.isWalked && isHarmlessWarning) else { throw .damaged(lastMessage) }
    }

    /// Whether the library only warned, of something that changes no pixel: bytes behind the data of an interval, or a
    /// field that has no meaning in a sequential picture. The words are those of libjpeg's table of messages.
    private var isHarmlessWarning: Bool {
        guard tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue) else { return false }
        let message = lastMessage
        return message.contains("extraneous bytes before marker")
            || message.hasPrefix("Invalid SOS parameters for sequential JPEG")
            || message.hasPrefix("Warning: unknown JFIF revision number")
    }

    /// Begins anew after a header that could not be read.
    ///
    /// TurboJPEG 2.1 stays in the middle of such a header and would go on there, so that the next picture, however whole,
    /// would have no size. A decoding that fails leaves nothing behind, and one of two bytes always fails.
    private func forgetHeader() {
        let start: [UInt8] = [0xFF, 0xD8]
        var pixel: UInt8 = 0
        _ = tjDecompress2(handle, start, UInt(start.count), &pixel, 1, 0, 1, Int32(TJPF_GRAY.rawValue), 0)
    }

    private var lastMessage: String { String(cString: tjGetErrorStr2(handle)) }
}

/// Luma of 8-bit colour by Rec. 601, as in JPEG: weights of 256ths.
@inline(__always)
func lumaOf(red: UInt32, green: UInt32, blue: UInt32) -> UInt32 { (77 * red + 150 * green + 29 * blue + 128) >> 8 }

/// Whether the first frame header is one of the progressive kinds; false where the header is not to be found.
private func jpegIsProgressive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var at = 2
    while at + 4 <= bytes.count, bytes[at] == 0xFF {
        let marker = bytes[at + 1]
        switch marker {
        case 0xFF: at += 1
        case 0x01, 0xD0...0xD8: at += 2
        case 0xC4, 0xC8, 0xCC: at += 2 + (Int(bytes[at + 2]) << 8 | Int(bytes[at + 3]))
        case 0xC0...0xCF: return marker & 3 == 2
        case 0xD9, 0xDA: return false
        default: at += 2 + (Int(bytes[at + 2]) << 8 | Int(bytes[at + 3]))
        }
    }
    return false
}
