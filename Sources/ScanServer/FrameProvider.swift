// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ScanModel
public import ScanProtocol

/// A frame as the camera gave it.
///
/// - Important: `bytes` are borrowed: valid during the call only.
public struct CameraFrame {
    public let stamp: FrameStamp
    /// V4L2's code, such as `MJPG`.
    public let format: String
    public let width: Int
    public let height: Int
    /// Bytes from one row to the next of the first plane; 0 where the format is compressed.
    public let bytesPerLine: Int
    public let bytes: UnsafeRawBufferPointer

    public init(
        stamp: FrameStamp, format: String, width: Int, height: Int, bytesPerLine: Int, bytes: UnsafeRawBufferPointer
    ) {
        self.stamp = stamp
        self.format = format
        self.width = width
        self.height = height
        self.bytesPerLine = bytesPerLine
        self.bytes = bytes
    }
}

/// Where recordings get their frames from.
///
/// - Important: Called on the server's thread; nothing here may block.
public protocol FrameProvider: Sendable {
    /// What is recorded; the failure says why nothing can be now: no camera, a replay, not scanning.
    func recordingSource() -> Result<StatusReport.Capture, RequestFailure>
    /// Whom to give each frame from now on; `nil`: nobody any more.
    func giveFrames(to observer: (any FrameObserver)?)
}

/// Who gets the frames, and hears when they end.
public protocol FrameObserver: AnyObject, Sendable {
    /// Takes a frame; for the capture thread, which it never keeps waiting.
    func take(_ frame: CameraFrame)
    /// No more frames come for now: the camera is gone (`unavailable`), or the scanner was `stopped`. Any thread.
    func framesEnded(_ reason: RecordingEndReason, message: String?)
}
