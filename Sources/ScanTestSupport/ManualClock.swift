// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ScanModel

/// A clock that goes only when told to, and the stamps of frames at a steady rate.
public struct ManualClock: Sendable {
    /// The wall time of frame 0: 2026-11-30T09:26:34.000Z.
    public static let start = WallTime(milliseconds: 1_796_030_794_000)

    public let frameRate: Double
    public private(set) var now = MonotonicTime(nanoseconds: 0)

    public init(frameRate: Double = 30) { self.frameRate = frameRate }

    public mutating func advance(by duration: Duration) { now = now + duration }

    /// The stamp of the frame with a number, taken at number / rate.
    public func stamp(_ sequence: UInt64) -> FrameStamp {
        let seconds = Double(sequence) / frameRate
        return FrameStamp(
            sequence: sequence, monotonic: MonotonicTime(nanoseconds: Int64((seconds * 1e9).rounded())),
            time: WallTime(milliseconds: ManualClock.start.milliseconds + Int64((seconds * 1000).rounded())))
    }
}
