// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ScanModel

/// When a recording ends by itself.
public struct RecordingLimits: Sendable, Hashable {
    /// From the first frame's time to where the next would begin.
    public var duration: Duration = .seconds(60)
    /// `nil`: as many as come.
    public var frames: Int?
    /// Bytes of all files together.
    public var bytes = 1024 << 20

    public init() {}
}

/// Why a recording took no further frame.
public enum RecordingEnd: Sendable, Hashable {
    /// The time of the limits is over.
    case duration
    /// There are as many frames as the limits say, or as many files as a directory takes.
    case frames
    /// One more frame would be over the size of the limits.
    case size
    /// The disk, a quota or the file system's largest file is full; the system's words.
    case noRoom(String)
    /// The camera gives frames of another size or format, as after it was opened anew; from what to what.
    case formatChanged(String)
}

/// What a recording holds so far.
public struct RecordingTally: Sendable, Hashable {
    public var frames = 0
    /// Bytes of all files together.
    public var bytes = 0
    /// Frames whose bytes were no whole picture, so that they could not be written as one.
    public var damaged = 0
    public var first: MonotonicTime?
    public var last: MonotonicTime?

    public init() {}

    /// From the first frame to the last one.
    public var duration: Duration {
        guard let first, let last else { return .zero }
        return last - first
    }
}
