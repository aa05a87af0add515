// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ScanModel

extension NegotiatedFormat {
    /// A JPEG of fewer bytes has no room for its tables.
    static let smallestJPEG = 125

    /// Bytes of a tight row of the first plane; `nil` for a compressed format.
    private var tightRow: Int? {
        switch code {
        case .mjpg, .jpeg: nil
        case .grey, .nv12, .nv21, .yu12, .yv12: width
        case .yuyv, .uyvy, .yvyu, .y16: width * 2
        default: width * 3
        }
    }

    /// Rows of the first plane that the whole picture is as large as, in halves: chroma planes add a half to it.
    private var halfPlanes: Int {
        switch code {
        case .nv12, .nv21, .yu12, .yv12: 3
        default: 2
        }
    }

    /// The format with rows that can hold their pixels: some drivers leave `bytesperline` at 0.
    var withPlausibleRows: NegotiatedFormat {
        var format = self
        if let tightRow { format.bytesPerLine = max(bytesPerLine, tightRow) } else { format.bytesPerLine = 0 }
        return format
    }

    /// Bytes that a whole frame has at the least.
    var fewestBytes: Int {
        tightRow == nil ? NegotiatedFormat.smallestJPEG : bytesPerLine * height * halfPlanes / 2
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
