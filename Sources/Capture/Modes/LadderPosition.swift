// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ScanModel

/// Which rung of its ladder of modes a camera is set to, over all openings.
///
/// It goes down when a mode can not be started, or gave nothing in three openings; from the last rung back to the first. A
/// camera that was away begins at the top: whatever kept the mode from going may have gone with it.
struct LadderPosition {
    /// Openings without a lasting stream before the next mode is tried.
    static let openings = 3
    /// Going down because no frames came is a guess: cable and firmware do that as well. When the lower mode has run for so
    /// long, the best mode is tried once more, so that a camera that hung for a minute is not slow for months.
    static let secondChanceAfter = Duration.seconds(60)
    /// A chance that was of no use costs frames for some seconds: the next one comes after twice as long, up to this.
    static let longestWaitForChance = Duration.seconds(3600)

    enum Step: Hashable {
        case none
        /// From one mode to another one.
        case to(CameraMode, from: CameraMode)
        /// No mode works; it goes on from the first.
        case exhausted
    }

    private(set) var rung = 0
    private var fruitless = 0
    private var goodSince: MonotonicTime?
    private var isGuess = false
    /// How long the best mode is left alone before its next chance.
    private var waitForChance = LadderPosition.secondChanceAfter
    /// When the present rung was gone down to.
    private var lowSince: MonotonicTime?
    /// The rung that works, while the first one has its second chance.
    private var fallback: Int?

    /// The mode to set.
    func mode(of ladder: [CameraMode]) -> CameraMode? { ladder.isEmpty ? nil : ladder[min(rung, ladder.count - 1)] }

    mutating func opens() { goodSince = nil }

    /// A good frame came.
    mutating func streams(at now: MonotonicTime) {
        let since = goodSince ?? now
        goodSince = since
        guard now - since >= RecoveryPlan.goodStream else { return }
        fruitless = 0
        guard rung == 0 else { return }
        (fallback, isGuess) = (nil, false)
        // Not after `goodStream` alone: a mode that hangs each time after some more seconds would never be left for long.
        if now - since >= waitForChance { waitForChance = LadderPosition.secondChanceAfter }
    }

    func wantsSecondChance(at now: MonotonicTime) -> Bool {
        guard rung > 0, isGuess, let goodSince else { return false }
        // The longer wait is one over all openings: a camera that fails now and then would never come to the end of it.
        return now - goodSince >= LadderPosition.secondChanceAfter && now - (lowSince ?? goodSince) >= waitForChance
    }

    /// Takes the fault that ended a stream, or kept it from beginning, in the mode of the present rung.
    mutating func failed(_ fault: CameraFault, ladder: [CameraMode], at now: MonotonicTime) -> Step {
        if fault.isAbsence {
            self = LadderPosition()
            return .none
        }
        if fault == .secondChance {
            (fallback, rung) = (rung, 0)
            waitForChance = min(waitForChance * 2, LadderPosition.longestWaitForChance)
            return .none
        }
        guard fault.blamesMode, let mode = mode(of: ladder) else { return .none }
        if let fallback {
            (rung, self.fallback, lowSince) = (fallback, nil, now)
            return step(from: mode, ladder)
        }
        if case .mode = fault {
            isGuess = isGuess || !fault.isBandwidth
            return goDown(from: mode, ladder, at: now)
        }
        let lasted = goodSince.map { now - $0 >= RecoveryPlan.goodStream } ?? false
        if !lasted { fruitless += 1 }
        guard fruitless >= LadderPosition.openings else { return .none }
        isGuess = true
        return goDown(from: mode, ladder, at: now)
    }

    private mutating func goDown(from mode: CameraMode, _ ladder: [CameraMode], at now: MonotonicTime) -> Step {
        fruitless = 0
        guard rung + 1 < ladder.count else {
            rung = 0
            return .exhausted
        }
        rung += 1
        lowSince = now
        return step(from: mode, ladder)
    }

    private func step(from mode: CameraMode, _ ladder: [CameraMode]) -> Step {
        guard let next = self.mode(of: ladder), next != mode else { return .none }
        return .to(next, from: mode)
    }
}
