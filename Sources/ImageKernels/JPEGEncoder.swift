// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import CTurboJPEG

/// Makes JPEG pictures (TurboJPEG).
public enum JPEGEncoder {
    /// How the bytes of a picture lie; rows are `stride` bytes apart.
    public enum Layout: Sendable, Hashable {
        /// One byte a pixel; the JPEG has no colour.
        case luma
        /// Three bytes a pixel; the JPEG has a quarter of the colour (4:2:0).
        case rgb
        /// Four bytes a pixel, inverted as Adobe does.
        case cmyk
    }

    /// A picture without colour; `quality` is 1...100 and is clamped.
    public static func encode(luma: LumaView, quality: Int) throws(PictureError) -> [UInt8] {
        try encode(
            luma.bytes, layout: .luma, width: luma.width, height: luma.height, stride: luma.stride, quality: quality)
    }

    /// A picture of any layout; `quality` is 1...100 and is clamped.
    ///
    /// Throws `noRoom` when the bytes are fewer than the size needs or the library has no memory, `unsupported` for a
    /// side over JPEG's 65,500.
    public static func encode(
        _ bytes: UnsafeRawBufferPointer, layout: Layout, width: Int, height: Int, stride: Int, quality: Int,
        progressive: Bool = false
    ) throws(PictureError) -> [UInt8] {
        let (format, sampling, width4) = parameters(of: layout)
        guard width > 0, height > 0, max(width, height) <= 65_500, stride <= Int(Int32.max) else {
            throw .unsupported("\(width)x\(height) pixels do not fit into a JPEG")
        }
        guard stride >= width * width4, bytes.count >= (height - 1) * stride + width * width4 else {
            throw .noRoom("\(bytes.count) bytes for \(width)x\(height) pixels")
        }
        guard let handle = tjInitCompress() else { throw .noRoom("TurboJPEG's encoder") }
        defer { tjDestroy(handle) }
        var output: UnsafeMutablePointer<UInt8>?
        var size: UInt = 0
        defer { tjFree(output) }
        let code = tjCompress2(
            handle, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(width), Int32(stride), Int32(height),
            Int32(format.rawValue), &output, &size, Int32(sampling.rawValue), Int32(min(max(quality, 1), 100)),
            progressive ? Int32(TJFLAG_PROGRESSIVE) : 0)
        guard code == 0, let output else { throw .noRoom(String(cString: tjGetErrorStr2(handle))) }
        return [UInt8](UnsafeBufferPointer(start: output, count: Int(size)))
    }

    private static func parameters(of layout: Layout) -> (TJPF, TJSAMP, bytesPerPixel: Int) {
        switch layout {
        case .luma: (TJPF_GRAY, TJSAMP_GRAY, 1)
        case .rgb: (TJPF_RGB, TJSAMP_420, 3)
        case .cmyk: (TJPF_CMYK, TJSAMP_444, 4)
        }
    }
}
