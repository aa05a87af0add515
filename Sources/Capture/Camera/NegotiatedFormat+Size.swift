// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ImageKernels
internal import ScanModel

extension NegotiatedFormat {
    /// A JPEG of fewer bytes has no room for its tables.
    static let smallestJPEG = 125

    /// The format with rows that can hold their pixels: some drivers leave `bytesperline` at 0.
    var withPlausibleRows: NegotiatedFormat {
        var format = self
        let tightRow = RawLayout(code)?.rowBytes(width: width)
        format.bytesPerLine = tightRow.map { max(bytesPerLine, $0) } ?? 0
        return format
    }

    /// Bytes that a whole frame has at the least: what `RawFrame` wants of one.
    var fewestBytes: Int {
        RawLayout(code)?.frameBytes(width: width, height: height, bytesPerLine: bytesPerLine)
            ?? NegotiatedFormat.smallestJPEG
    }

    var size: VideoSize { VideoSize(width: width, height: height) }
}

extension DequeuedBuffer {
    /// Why the buffer holds no whole frame, as far as its size tells; `nil` where it may.
    func damage(as format: NegotiatedFormat, room: Int) -> String? {
        if isDamaged { return "the driver marked it as damaged" }
        if bytesUsed > room { return "the driver says \(bytesUsed) bytes, and the buffer has \(room)" }
        if bytesUsed < format.fewestBytes {
            return "\(bytesUsed) bytes, and a \(format.code) frame of \(format.width)x\(format.height) "
                + "has \(format.fewestBytes) at the least"
        }
        return nil
    }
}

extension RawLayout {
    /// `nil` for a compressed format, and for what is not read.
    init?(_ code: FourCC) {
        // RGB24, as V4L2 spells it.
        let rgb3 = FourCC("RGB3")
        switch code {
        case .grey: self = .grey
        case .yuyv, .yvyu: self = .lumaFirst
        case .uyvy: self = .chromaFirst
        case .nv12, .nv21: self = .semiPlanar
        case .yu12, .yv12: self = .planar
        case .y16: self = .grey16
        case rgb3: self = .rgb
        default: return nil
        }
    }
}
