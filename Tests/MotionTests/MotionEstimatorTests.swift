// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Motion
import Testing

@Test func aFrameOf1080pIsFollowedAtAQuarter() {
    let size = MotionEstimator.pictureSize(width: 1920, height: 1080)
    #expect(size == (480, 270))
}
