// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import LinuxSystem
public import ScanModel

/// What a source gives next.
public enum SourceStep: Sendable {
    /// A frame that is due now.
    case frame(Frame)
    /// A picture that could not be read: its number, its name where it has one, and why. It was waited for like a frame.
    case skipped(FrameStamp, subject: String, reason: String)
    /// Nothing came before the call was cancelled.
    case cancelled
    /// There are no more frames.
    case ended
    /// No frames come for now, and why; the next call goes on trying.
    case unavailable(UnavailabilityCode, message: String)
    /// What whoever runs the source should know, while frames come: a mode that is not the one asked for.
    case remark(String)
}

/// Where frames come from: a replay or a camera.
///
/// - Important: Confined to the capture thread, but for `describe`.
public protocol FrameSource: AnyObject, Sendable {
    /// Waits until the next frame is due and puts it into a slot of `pool`.
    ///
    /// It returns `cancelled` soon after `cancellation` became readable. A source paced by time that was called late
    /// gives the frame that is due now and does not catch up on those before.
    func next(into pool: FramePool, cancellation: EventDescriptor) -> SourceStep

    /// Gives back what others may want while nobody asks for frames; the next call of `next` takes it again.
    ///
    /// Called on the capture thread.
    func rest()

    /// Whether frames come as fast as they are taken, with a clock of their own (`--rate max`): none is dropped then.
    var isUnpaced: Bool { get }

    /// What it is, for messages: a path or a camera's name.
    var name: String { get }

    /// How the camera is doing; `nil` for a source that is none. Any thread may ask.
    var cameraReport: CameraReport? { get }
}

extension FrameSource {
    public func rest() {}

    public var cameraReport: CameraReport? { nil }
}
