// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ScanModel

/// A frame's bytes as the camera gave them, for a recording.
///
/// - Important: `bytes` are the driver's buffer: valid during the call only.
public struct RawPicture {
    public let stamp: FrameStamp
    public let format: FourCC
    public let width: Int
    public let height: Int
    /// Bytes from one row to the next of the first plane; 0 where the format is compressed.
    public let bytesPerLine: Int
    public let bytes: UnsafeRawBufferPointer

    public init(
        stamp: FrameStamp, format: FourCC, width: Int, height: Int, bytesPerLine: Int, bytes: UnsafeRawBufferPointer
    ) {
        self.stamp = stamp
        self.format = format
        self.width = width
        self.height = height
        self.bytesPerLine = bytesPerLine
        self.bytes = bytes
    }
}

/// A source whose frames can be had as the camera gave them.
public protocol RawPictureSource: FrameSource {
    /// Gives each good frame to `observer` from the next one on; `nil`: to nobody. Any thread may call it.
    func observe(_ observer: (any RawPictureObserver)?)
}

/// Gets each good frame of a camera before it is turned, decoded or dropped.
public protocol RawPictureObserver: AnyObject, Sendable {
    /// Called on the capture thread; it must not wait for anyone.
    func take(_ picture: RawPicture)
}
