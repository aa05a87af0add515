// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// Where the luma lies in a frame that is not compressed; V4L2's codes are named with each.
public enum RawLayout: Sendable, Hashable, CaseIterable {
    /// Luma alone, one byte a pixel: GREY.
    case grey
    /// Two pixels in four bytes, each with its luma before a chroma: YUYV, YVYU.
    case lumaFirst
    /// Two pixels in four bytes, each with its luma behind a chroma: UYVY.
    case chromaFirst
    /// A plane of luma, then one of both chromas in turn, half as wide and half as high: NV12, NV21.
    case semiPlanar
    /// A plane of luma, then two of a chroma each, half as wide and half as high: YU12, YV12.
    case planar
    /// Luma alone, two bytes a pixel, the lower one first, the whole range used: Y16.
    case grey16
    /// Red, green, blue, one byte each: RGB3.
    case rgb

    /// Bytes of one row of the first plane, without what is behind it.
    public func rowBytes(width: Int) -> Int {
        switch self {
        case .grey, .semiPlanar, .planar: width
        // A row ends with a whole pair.
        case .lumaFirst, .chromaFirst: (width + 1) / 2 * 4
        case .grey16: width * 2
        case .rgb: width * 3
        }
    }

    /// Bytes of a frame from the first byte to the last of its last row, chroma and all.
    ///
    /// The one rule for how long a frame has to be. What is behind the last row does not count: drivers leave it out or
    /// not. A plane of chroma has half the rows and half the bytes of a row, rounded up, as the kernel reckons for its own
    /// formats (`v4l2_fill_pixfmt`). `bytesPerLine` is at most `UInt32.max`, the sides are within `PictureLimits`.
    public func frameBytes(width: Int, height: Int, bytesPerLine: Int) -> Int {
        let chromaRows = (height + 1) / 2
        switch self {
        case .grey, .lumaFirst, .chromaFirst, .grey16, .rgb:
            return bytesPerLine * (height - 1) + rowBytes(width: width)
        case .semiPlanar:
            return bytesPerLine * (height + chromaRows - 1) + (width + 1) / 2 * 2
        case .planar:
            let chromaLine = (bytesPerLine + 1) / 2
            return bytesPerLine * height + chromaLine * (2 * chromaRows - 1) + (width + 1) / 2
        }
    }
}

/// A frame of a camera that is not compressed, of which all bytes are there.
///
/// Luma is taken as the camera gives it: a limited range (16...235) is not stretched.
///
/// - Important: Borrows the bytes: valid only for as long as they are.
public struct RawFrame {
    /// Rows of luma that are made before they are turned: as many as the turn takes at a time.
    private static let bandRows = 64

    public let width: Int
    public let height: Int
    private let layout: RawLayout
    private let bytes: UnsafeRawBufferPointer
    private let bytesPerLine: Int

    /// Checks that every row is within the bytes, chroma too: a frame that is cut in its chroma was cut in transfer, and
    /// what is there of it may belong to two pictures.
    ///
    /// `bytesPerLine` is that of the first plane; 0 means that nothing is behind a row, as of drivers that do not tell.
    /// Throws `damaged` where the frame is too short, with how long it is and should be, and `tooLarge` beyond
    /// `PictureLimits`.
    public init(
        _ bytes: UnsafeRawBufferPointer, layout: RawLayout, width: Int, height: Int, bytesPerLine: Int
    ) throws(PictureError) {
        try PictureLimits().check(width: width, height: height)
        let rowBytes = layout.rowBytes(width: width)
        let line = bytesPerLine == 0 ? rowBytes : bytesPerLine
        // The driver's number has 32 bits; with them, nothing overflows.
        guard line >= rowBytes, line <= Int(UInt32.max) else {
            throw .damaged("rows of \(line) bytes where \(width) pixels need \(rowBytes)")
        }
        let needed = layout.frameBytes(width: width, height: height, bytesPerLine: line)
        guard bytes.count >= needed else {
            throw .damaged("a frame of \(bytes.count) bytes where \(width)x\(height) pixels need \(needed)")
        }
        self.bytes = bytes
        self.layout = layout
        self.width = width
        self.height = height
        self.bytesPerLine = line
    }

    /// Bytes of work memory that `writeLuma` wants for a frame of this width.
    public static func workBytes(width: Int) -> Int { bandRows * width }

    /// Writes tight rows of luma, turned; the buffer has `width * height` bytes or more.
    ///
    /// `work` has `workBytes` bytes, whatever is in them; only packed pixels that are to be turned use them: they are
    /// taken apart some rows at a time, which are turned while the cache has them.
    public func writeLuma(
        into buffer: UnsafeMutableRawBufferPointer, orientation: Orientation = .upright,
        work: UnsafeMutableRawBufferPointer
    ) {
        precondition(buffer.count >= width * height, "the buffer holds every pixel")
        if let plane { return orientation.write(plane, into: buffer) }
        guard orientation != .upright else { return writeRows(0..<height, into: buffer) }
        precondition(work.count >= Self.workBytes(width: width), "there is room for a band of rows")
        for first in stride(from: 0, to: height, by: Self.bandRows) {
            let rows = first..<min(first + Self.bandRows, height)
            writeRows(rows, into: work)
            guard let band = LumaView(bytes: UnsafeRawBufferPointer(work), width: width, height: rows.count) else {
                preconditionFailure("the work memory holds the band")
            }
            orientation.write(rows: band, from: first, of: height, into: buffer)
        }
    }

    /// About 64 rows (128 at the most) from all over the frame, for statistics.
    public func sampledRows() -> LumaBuffer {
        let step = max(1, height / 64)
        let count = (height + step - 1) / step
        var sample = LumaBuffer(width: width, height: count)
        sample.pixels.withUnsafeMutableBytes { buffer in
            for row in 0..<count {
                let target = UnsafeMutableRawBufferPointer(rebasing: buffer[row * width..<(row + 1) * width])
                writeRows(row * step..<row * step + 1, into: target)
            }
        }
        return sample
    }

    /// The luma where it lies in a plane of its own.
    private var plane: LumaView? {
        switch layout {
        case .grey, .semiPlanar, .planar:
            LumaView(bytes: bytes, width: width, height: height, stride: bytesPerLine)
        case .lumaFirst, .chromaFirst, .grey16, .rgb: nil
        }
    }

    /// Writes some rows, tight and as they stand.
    private func writeRows(_ rows: Range<Int>, into buffer: UnsafeMutableRawBufferPointer) {
        guard let from = bytes.baseAddress, let to = buffer.baseAddress else { return }
        for (index, row) in rows.enumerated() {
            let (source, target) = (from + row * bytesPerLine, to + index * width)
            switch layout {
            case .grey, .semiPlanar, .planar: target.copyMemory(from: source, byteCount: width)
            case .lumaFirst: copyEvenBytes(source, target, width)
            case .chromaFirst, .grey16: copyOddBytes(source, target, width)
            case .rgb: writeLumaOfRGB(source, target, width)
            }
        }
    }
}
