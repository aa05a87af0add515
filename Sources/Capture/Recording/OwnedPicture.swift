// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ScanModel

/// A frame's bytes as the camera gave them, in memory of one's own.
public struct OwnedPicture: Sendable, Hashable {
    public var stamp: FrameStamp
    public var format: FourCC
    public var width: Int
    public var height: Int
    /// As in `RawPicture`.
    public var bytesPerLine: Int
    public var bytes: [UInt8]

    public init(stamp: FrameStamp, format: FourCC, width: Int, height: Int, bytesPerLine: Int, bytes: [UInt8]) {
        self.stamp = stamp
        self.format = format
        self.width = width
        self.height = height
        self.bytesPerLine = bytesPerLine
        self.bytes = bytes
    }

    /// Copies what is only lent.
    public init(_ picture: RawPicture) {
        self.init(
            stamp: picture.stamp, format: picture.format, width: picture.width, height: picture.height,
            bytesPerLine: picture.bytesPerLine, bytes: Array(picture.bytes))
    }

    /// Lends it.
    public func withRaw<Result, Failure>(
        _ body: (RawPicture) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let result: Swift.Result<Result, Failure> = bytes.withUnsafeBytes { bytes in
            let picture = RawPicture(
                stamp: stamp, format: format, width: width, height: height, bytesPerLine: bytesPerLine, bytes: bytes)
            do throws(Failure) {
                return .success(try body(picture))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}
