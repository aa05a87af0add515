// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Capture
internal import ImageKernels
internal import Motion
internal import ScanModel

/// Follows the picture from frame to frame on a small copy of it, which it keeps.
///
/// Confined to the pipeline thread.
struct PictureFollower {
    private var estimator = MotionEstimator()
    private var small = LumaBuffer(width: 1, height: 1)

    /// Says how a developed frame moved since the last one that was followed, and each of the places with it.
    mutating func follow(_ frame: Frame, places: [FollowedPlace]) -> FrameMotion {
        let size = MotionEstimator.pictureSize(width: frame.width, height: frame.height)
        if small.width != size.width || small.height != size.height {
            small = LumaBuffer(width: size.width, height: size.height)
        }
        small.pixels.withUnsafeMutableBytes { target in
            _ = frame.withLuma { $0.small(width: size.width, height: size.height, into: target) }
        }
        return small.withView { estimator.follow($0, sequence: frame.stamp.sequence, places: places) }
    }

    /// Forgets what was seen: what comes next has nothing to do with it.
    mutating func forget() { estimator.forget() }
}
