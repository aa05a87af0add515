// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// Which frame, and when it was taken.
public struct FrameStamp: Sendable, Hashable {
    /// Counts the frames that the source delivered, held or skipped, from 0.
    public var sequence: UInt64
    /// When it was taken, for all timing.
    public var monotonic: MonotonicTime
    /// When it was taken, for display.
    public var time: WallTime

    public init(sequence: UInt64, monotonic: MonotonicTime, time: WallTime) {
        self.sequence = sequence
        self.monotonic = monotonic
        self.time = time
    }
}
