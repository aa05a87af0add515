// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ScanModel

/// Tells what keeps codes and text from being read, each with a beginning and an end that do not flicker.
///
/// Something begins when it was so for 0.5 s of the last 0.7 s, and ends when it was clearly not so for 1 s. It is a value without
/// a clock.
public struct GuidanceJudge: Sendable {
    /// A beginning or an end.
    public struct Change: Sendable, Hashable {
        public var guidance: Guidance
        public var isActive: Bool

        public init(_ guidance: Guidance, isActive: Bool) {
            self.guidance = guidance
            self.isActive = isActive
        }
    }

    /// What is known of one frame.
    public struct Evidence: Sendable, Hashable {
        public var motion: FrameMotion
        /// Places that look like codes and gave no reading.
        public var unreadCodes: [SchedulerAttention.UnreadCode]
        /// When the frame was taken in which a code was read last.
        public var lastRead: MonotonicTime?
        /// The frame's width over its height.
        public var aspectRatio: Double

        public init(
            motion: FrameMotion, unreadCodes: [SchedulerAttention.UnreadCode] = [], lastRead: MonotonicTime? = nil,
            aspectRatio: Double
        ) {
            self.motion = motion
            self.unreadCodes = unreadCodes
            self.lastRead = lastRead
            self.aspectRatio = aspectRatio
        }
    }

    private let level: QualityLevel
    private var spells = Dictionary(uniqueKeysWithValues: Guidance.allCases.map { ($0, GuidanceSpell()) })

    public init(qualityLevel: QualityLevel) { level = qualityLevel }

    /// What is so now, in the order of the enumeration.
    public var active: [Guidance] { Guidance.allCases.filter { spells[$0]?.isActive == true } }

    /// Takes a frame, and says what began and what ended with it.
    public mutating func judge(_ evidence: Evidence, now: MonotonicTime) -> [Change] {
        let rules = GuidanceRules(evidence: evidence, level: level, now: now)
        return Guidance.allCases.compactMap { guidance in
            let wasActive = spells[guidance]?.isActive == true
            let isSo = rules.holds(guidance, isActive: wasActive)
            let turns = spells[guidance, default: GuidanceSpell()].note(isSo, at: now)
            return turns ? Change(guidance, isActive: !wasActive) : nil
        }
    }

    /// Ends all that is so, as when scanning stops or the camera is lost.
    public mutating func end() -> [Change] {
        let ended = active.map { Change($0, isActive: false) }
        self = GuidanceJudge(qualityLevel: level)
        return ended
    }
}

/// What is a reason for guidance in one frame; where it is told already, less is reason enough to go on.
private struct GuidanceRules {
    let evidence: GuidanceJudge.Evidence
    let level: QualityLevel
    let now: MonotonicTime

    private var light: PictureLight { evidence.motion.light }
    private var speed: Double { evidence.motion.speed.isFinite ? evidence.motion.speed.magnitude : 0 }

    func holds(_ guidance: Guidance, isActive: Bool) -> Bool {
        switch guidance {
        case .slowDown: isTooFast(isActive)
        case .moveCloser: isTooFar(isActive)
        // Clips of a badly lit shelf are 0.43 bright, well lit ones 0.6.
        case .tooDark: light.brightness < (isActive ? 0.13 : 0.09)
        // White labels in good light clip 1 % of a picture at the most.
        case .glare: light.glare > (isActive ? 0.04 : 0.06)
        case .outOfFocus: isOutOfFocus(isActive)
        }
    }

    /// Labels that are blurred by 7 px of 1080p have a sharpness of 0.72 and less. A picture without edges has 0 and is no
    /// reason, but for one that rushes by.
    private func isTooFast(_ isActive: Bool) -> Bool {
        let isBlurred = light.sharpness > 0 && light.sharpness < (isActive ? 0.78 : 0.72)
        return (speed > (isActive ? 0.006 : 0.008) && isBlurred) || speed > (isActive ? 0.03 : 0.04)
    }

    /// Edges over 7 px wide, in a picture that hardly moves, and nothing is read.
    private func isOutOfFocus(_ isActive: Bool) -> Bool {
        light.sharpness > 0 && light.sharpness < (isActive ? 0.65 : 0.55) && speed < 0.004
            && light.brightness > 0.09 && !wasReadLately
    }

    private func isTooFar(_ isActive: Bool) -> Bool {
        guard !wasReadLately else { return false }
        return evidence.unreadCodes.contains { code in
            guard let module = code.moduleSize, now - code.lastSeen < .milliseconds(500) else { return false }
            return module < leastModule(of: code.bounds) * (isActive ? 1.15 : 1)
        }
    }

    private var wasReadLately: Bool { evidence.lastRead.map { now - $0 < .seconds(1) } ?? false }

    /// Pixels of a bar or square from which on most is read: 1.3 for bars and 2 for squares at the balanced level; the accurate
    /// one reads doubled pictures, the fast one takes a single look.
    private func leastModule(of bounds: Quad) -> Double {
        let upright = bounds.scaled(x: evidence.aspectRatio, y: 1)
        let shape = upright.height > 0 ? upright.width / upright.height : 0
        let least = shape > 0.75 && shape < 1.33 ? 2.0 : 1.3
        switch level {
        case .fast: return least * 1.5
        case .balanced: return least
        case .accurate: return least * 0.75
        }
    }
}

/// One guidance over time.
struct GuidanceSpell {
    private static let window = Duration.milliseconds(700)
    private static let beginning = Duration.milliseconds(500)
    private static let ending = Duration.seconds(1)
    /// A frame stands for the time since the one before it, up to this: a second without frames is no evidence.
    private static let mostOfAFrame = Duration.milliseconds(150)

    private(set) var isActive = false
    private var last: MonotonicTime?
    /// Frames of the window in which it was so, and the time that each stands for.
    private var held: [(time: MonotonicTime, share: Duration)] = []
    private var clearSince: MonotonicTime?

    /// Takes a frame; answers whether it began or ended.
    mutating func note(_ isSo: Bool, at now: MonotonicTime) -> Bool {
        let share = last.map { Swift.max(.zero, Swift.min(now - $0, GuidanceSpell.mostOfAFrame)) } ?? .zero
        last = now
        if isActive {
            if isSo { clearSince = nil } else if clearSince == nil { clearSince = now }
            guard let clearSince, now - clearSince >= GuidanceSpell.ending else { return false }
            self = GuidanceSpell()
            last = now
            return true
        }
        held.removeAll { now - $0.time >= GuidanceSpell.window }
        if isSo, share > .zero { held.append((now, share)) }
        // Frames are a few percent of a second: half of one less is half a second.
        guard held.reduce(.zero, { $0 + $1.share }) >= GuidanceSpell.beginning - share / 2 else { return false }
        isActive = true
        clearSince = nil
        held = []
        return true
    }
}
