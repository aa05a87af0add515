// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Glibc
internal import LinuxSystem
internal import ScanModel

/// When a camera that failed is opened again, and whether its fault is told.
///
/// A fault is told once, and again only after another one was, or after frames came.
struct RecoveryPlan {
    /// From one opening to the next at the least, however many devices come and go.
    static let shortestPause = Duration.milliseconds(250)
    /// A good stream of this length makes up for the faults before it, as far as the mode is concerned.
    static let goodStream = Duration.seconds(10)
    /// And one of this length, as far as the pauses are.
    static let steadyStream = Duration.seconds(3)
    /// A node that has just appeared may not have its group yet: udev sets it some time after the kernel made the node.
    static let permissionPatience = Duration.seconds(5)
    /// Longest pauses. Looking for a node that is not there, or may not be opened, costs nobody anything, and an event may
    /// get lost; a camera that hangs is to be back within 5 s.
    static let longestPauseOfTrial = Duration.seconds(4)
    /// What nobody tells the end of (bandwidth that another camera freed, a bus that answers again) is over within 5 s as
    /// well, unless it has lasted for this long: then each trial is of less use, and the pauses grow to `BackOff.longest`.
    static let frequentTrials = Duration.seconds(60)
    static let longestPauseOfStall = Duration.seconds(2)
    /// Faults that are nobody's concern become one when no frame has come for so long.
    static let quietLimit = StallWatch.patience

    /// When the next opening is due.
    private(set) var retryAt: MonotonicTime
    private var backOff = BackOff()
    private var lastOpening: MonotonicTime?
    private var told: Unavailability?
    /// Since when no good frame has come; `nil` while they come.
    private var outageSince: MonotonicTime?
    private var streamSince: MonotonicTime?
    private var hasFrameSinceOpening = false
    private var wasAbsent = false
    private var appearedAt: MonotonicTime?

    /// The first opening is due at once.
    init(now: MonotonicTime) {
        retryAt = now
        outageSince = now
    }

    /// Whether frames are missing and that was told.
    var isTold: Bool { told != nil }

    // MARK: - What happens

    mutating func opens(at now: MonotonicTime) {
        lastOpening = now
        hasFrameSinceOpening = false
        streamSince = nil
    }

    /// The camera's node is there.
    mutating func located(at now: MonotonicTime) {
        if wasAbsent { appearedAt = now }
        wasAbsent = false
    }

    /// The camera gave a good frame, whether it shows anything or not.
    mutating func streams(at now: MonotonicTime) {
        outageSince = nil
        appearedAt = nil
        hasFrameSinceOpening = true
        let since = streamSince ?? now
        streamSince = since
        if now - since >= RecoveryPlan.steadyStream { backOff.reset() }
    }

    /// A frame went to the caller: whatever was told is over.
    mutating func handedOn() { told = nil }

    /// Something about a video device changed: it is tried at once, and with new patience.
    mutating func deviceChanged(at now: MonotonicTime) {
        backOff.reset()
        retryAt = earliestOpening(now)
    }

    /// A mode could not be started, and the next one is tried without a pause: there are only so many.
    mutating func triesAnotherMode(at now: MonotonicTime) {
        retryAt = now
        if outageSince == nil { outageSince = now }
    }

    /// Takes a fault, and sets the time of the next opening.
    mutating func failed(_ fault: CameraFault, at now: MonotonicTime) {
        if outageSince == nil { outageSince = now }
        let pause = pause(after: fault, at: now)
        retryAt = max(now + pause, fault.isQuiet ? earliestOpening(now) : now)
        if fault.isAbsence {
            wasAbsent = true
            appearedAt = nil
        }
    }

    // MARK: - What is told

    /// Whether frames have been missing for long enough to tell it, and it was not.
    func isOverdue(at now: MonotonicTime) -> Bool {
        guard told == nil, let outageSince else { return false }
        return now - outageSince >= RecoveryPlan.quietLimit
    }

    /// Whether a fault is to be told now, by the words for it.
    func isNews(_ fault: CameraFault, _ words: Unavailability, at now: MonotonicTime) -> Bool {
        if fault.code == EACCES, isSettling(at: now) { return false }
        if fault.isQuiet { return isOverdue(at: now) }
        return isNews(words)
    }

    /// Answers what is to be told, `nil` where that was told already.
    mutating func tell(_ news: Unavailability) -> Unavailability? {
        guard isNews(news) else { return nil }
        told = news
        return news
    }

    private func isNews(_ words: Unavailability) -> Bool { told?.code != words.code || told?.cause != words.cause }

    // MARK: -

    private func isSettling(at now: MonotonicTime) -> Bool {
        appearedAt.map { now - $0 < RecoveryPlan.permissionPatience } ?? false
    }

    private func earliestOpening(_ now: MonotonicTime) -> MonotonicTime {
        max(now, lastOpening.map { $0 + RecoveryPlan.shortestPause } ?? now)
    }

    private mutating func pause(after fault: CameraFault, at now: MonotonicTime) -> Duration {
        if fault.isQuiet, hasFrameSinceOpening { return .zero }
        switch fault {
        case .absent: return backOff.step(limit: RecoveryPlan.longestPauseOfTrial)
        case .noFrames: return backOff.step(limit: RecoveryPlan.longestPauseOfStall)
        case .frozen: return BackOff.first
        case .call(let error) where error.code == EACCES && isSettling(at: now): return BackOff.first
        case .call(let error) where [EBUSY, EACCES, EPERM].contains(error.code) || fault.isAbsence:
            return backOff.step(limit: RecoveryPlan.longestPauseOfTrial)
        case .call, .mode, .unsupported, .driver, .formatChanged, .resumed, .secondChance:
            return backOff.step(limit: isLong(at: now) ? BackOff.longest : RecoveryPlan.longestPauseOfTrial)
        }
    }

    private func isLong(at now: MonotonicTime) -> Bool {
        outageSince.map { now - $0 >= RecoveryPlan.frequentTrials } ?? false
    }
}
