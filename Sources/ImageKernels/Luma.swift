// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// A picture of 8-bit luma that somebody else owns: rows from the top, `stride` bytes apart.
///
/// - Important: Valid only for as long as its owner says, usually the closure that it was handed to. `width`, `height`
///   are positive and the buffer holds every row.
public struct LumaView {
    public let bytes: UnsafeRawBufferPointer
    public let width: Int
    public let height: Int
    /// Bytes from one row to the next, at least `width`.
    public let stride: Int

    /// Takes a buffer; `nil` when it is too short for the size, or the size is not positive.
    public init?(bytes: UnsafeRawBufferPointer, width: Int, height: Int, stride: Int? = nil) {
        let stride = stride ?? width
        guard width > 0, height > 0, stride >= width, width <= 1 << 20, height <= 1 << 20,
            bytes.count >= (height - 1) * stride + width
        else { return nil }
        self.bytes = bytes
        self.width = width
        self.height = height
        self.stride = stride
    }

    @inline(__always)
    public subscript(x: Int, y: Int) -> UInt8 { bytes[y * stride + x] }
}

/// A picture of 8-bit luma with tight rows.
public struct LumaBuffer: Sendable {
    public var pixels: [UInt8]
    public let width: Int
    public let height: Int

    /// A picture of one brightness; width and height are positive.
    public init(width: Int, height: Int, filledWith value: UInt8 = 0) {
        precondition(width > 0 && height > 0, "a picture has at least one pixel")
        pixels = [UInt8](repeating: value, count: width * height)
        self.width = width
        self.height = height
    }

    /// A picture whose pixels `fill` writes, each of them; width and height are positive.
    init(width: Int, height: Int, _ fill: (UnsafeMutableBufferPointer<UInt8>) -> Void) {
        precondition(width > 0 && height > 0, "a picture has at least one pixel")
        pixels = [UInt8](unsafeUninitializedCapacity: width * height) { buffer, count in
            fill(UnsafeMutableBufferPointer(rebasing: buffer[0..<(width * height)]))
            count = width * height
        }
        self.width = width
        self.height = height
    }

    /// Takes pixels; `nil` when their number is not `width * height`.
    public init?(pixels: [UInt8], width: Int, height: Int) {
        guard width > 0, height > 0, pixels.count == width * height else { return nil }
        self.pixels = pixels
        self.width = width
        self.height = height
    }

    /// Lends the picture.
    public func withView<Result>(_ body: (LumaView) throws -> Result) rethrows -> Result {
        try pixels.withUnsafeBytes { bytes in
            guard let view = LumaView(bytes: bytes, width: width, height: height) else {
                preconditionFailure("the buffer holds width * height pixels")
            }
            return try body(view)
        }
    }
    /// Lends the pixels to a kernel.
    @inline(__always)
    func withPointer(_ body: (UnsafePointer<UInt8>) -> Void) {
        pixels.withUnsafeBufferPointer { if let base = $0.baseAddress { body(base) } }
    }
}
