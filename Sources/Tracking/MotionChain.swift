// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanModel

/// How the picture moved over the last frames, so that what was seen in an older one can be carried to now.
struct MotionChain {
    private struct Step {
        /// The frame that the motion leads to.
        var sequence: UInt64
        var plane: PlaneMotion
    }

    private var steps: [Step] = []
    /// How fast the picture moves in its newest frame, in frame heights a frame; `nil` where that is not known.
    private(set) var speed: Double?

    /// Frames that are kept: 2 s at 60 frames a second, and an OCR answers within 0.5 s.
    private static let length = 128

    mutating func append(_ motion: FrameMotion, to frame: FrameStamp) {
        if steps.count >= MotionChain.length { steps.removeFirst(MotionChain.length / 4) }
        steps.append(Step(sequence: frame.sequence, plane: motion.plane))
        speed = motion.certainty == .unknown ? nil : motion.speed
    }

    /// What comes next has nothing to do with what was.
    mutating func forget() {
        steps.removeAll()
        speed = nil
    }

    /// The motion from a frame to the newest one; as far back as it is known.
    func motion(since frame: FrameStamp) -> PlaneMotion {
        var motion = PlaneMotion.identity
        for step in steps where step.sequence > frame.sequence && step.plane != .identity {
            motion = motion.then(step.plane)
        }
        return motion
    }
}

extension Look {
    /// The look with all its places where they are after a motion.
    func carried(by motion: PlaneMotion) -> Look {
        if motion == .identity { return self }
        var look = self
        look.searched = searched.map { motion(Quad($0)).boundingRect }
        look.verified = verified.map { motion($0) }
        look.observations = observations.map { observation in
            var observation = observation
            observation.bounds = motion(observation.bounds)
            return observation
        }
        return look
    }
}
