// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ImageKernels
public import ScanModel

/// Says how the picture and each followed place moved from frame to frame.
///
/// - Important: Confined to one thread.
public struct MotionEstimator {
    public init() {}

    /// The size that a frame's picture is made smaller to: a quarter of 1080p, and as many pixels of others.
    public static func pictureSize(width: Int, height: Int) -> (width: Int, height: Int) {
        let factor = max(1, (Double(width) / 480).rounded())
        return (max(1, Int(Double(width) / factor)), max(1, Int(Double(height) / factor)))
    }

    /// Takes the next frame's small picture, of `pictureSize`, and says what moved since the last one.
    ///
    /// - Parameters:
    ///   - sequence: the frame's number, as in `FollowedPlace.readIn`.
    ///   - places: what to follow, where it was in the frame before.
    public mutating func follow(_ picture: LumaView, sequence: UInt64, places: [FollowedPlace]) -> FrameMotion {
        FrameMotion(
            certainty: .unknown,
            places: places.map { PlaceMotion(key: $0.key, bounds: $0.bounds, likeness: nil, isFollowed: false) })
    }

    /// Forgets all pictures: what comes next has nothing to do with what was.
    public mutating func forget() {}
}
