// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ScanModel

/// Decides which recogniser looks at which part of which frame, within a budget of CPU time.
///
/// It is a value without a clock; the same calls give the same plans. It is asked once for each newest frame, and
/// never remembers one: a machine that is too slow gets fewer looks, not a queue. What it remembers is which parts of the
/// scene were searched, carried along with the picture's motion.
public struct ScanScheduler: Sendable {
    let settings: SchedulerSettings
    var costs: LookCosts
    /// What all looks for barcodes may take, and what those may that can wait.
    var barcodeBudget = CPUBudget(burst: SchedulerLimits.barcodeBurst)
    var routineBudget = CPUBudget(
        burst: SchedulerLimits.routineBurst, mostDebt: SchedulerLimits.mostRoutineDebt)
    /// What plain scans may.
    var plainBudget: CPUBudget
    var extraBudget = CPUBudget(burst: SchedulerLimits.extraTime)
    var textBudget = CPUBudget(burst: SchedulerLimits.textBurst)
    var lastPlan: MonotonicTime?
    var barcodes = Progress()
    var text = Progress()
    /// Lines that the last look for text read: what the next one is expected to read.
    var linesRead = SchedulerLimits.maximumLines
    private var turn = 0

    var coverage = CoverageMap()
    var places = PlaceRhythm()
    var blur = BlurWait()
    var firstPlan: MonotonicTime?
    /// The newest plain scan.
    var lastSweep: MonotonicTime?
    /// The newest search of all of the region.
    var lastWholeLook: MonotonicTime?
    var lastEdgeLook: MonotonicTime?
    var lastChangeLook: MonotonicTime?
    /// The newest look that searched most of a scene for the first time, and whether it is to be repeated for agreement.
    var lastFirstLook: MonotonicTime?
    var confirmsFirstLook = false
    /// Whether the last plan left something that is to be looked at in the next frame, and when else something is due.
    var leavesWork = true
    var nextDue: MonotonicTime?
    private var isIdle = false
    var frameAspect = 16.0 / 9

    /// What became of the looks of one kind.
    struct Progress {
        /// A look in work.
        struct Work {
            /// What it was charged with, in seconds.
            var charged: Double
            var barcodes = LookCosts.BarcodeWork()
            /// Where what it searches is in the newest frame.
            var searched: [Quad] = []
        }

        var lastFrame: UInt64?
        var lastLook: MonotonicTime?
        var work: Work?

        func isNew(_ frame: FrameStamp) -> Bool { lastFrame.map { frame.sequence > $0 } ?? true }
        func isDue(after interval: Duration, at now: MonotonicTime) -> Bool {
            lastLook.map { now - $0 >= interval } ?? true
        }

        mutating func look(at frame: FrameStamp, now: MonotonicTime, _ work: Work) {
            lastFrame = frame.sequence
            lastLook = now
            self.work = work
        }
    }

    public init(settings: SchedulerSettings) {
        self.settings = settings
        costs = LookCosts(level: settings.qualityLevel, isFixed: settings.costModel == .fixed)
        plainBudget = CPUBudget(burst: SchedulerLimits.plainBurst(at: settings.qualityLevel))
    }

    // MARK: - Idle

    /// Says whether anyone needs the looks: if not, there is one a second (`SchedulerSettings.idleInterval`), of all there is.
    ///
    /// The first plan after idling looks at once: what was known of the scene is old.
    public mutating func setIdle(_ isIdle: Bool) {
        guard isIdle != self.isIdle else { return }
        self.isIdle = isIdle
        coverage.forget()
        lastFirstLook = nil
        leavesWork = !isIdle
    }

    // MARK: - Planning

    /// Whether a look is likely to be planned for a frame, before it is decoded; it may be wrong either way.
    public func expectsLook(now: MonotonicTime) -> Bool {
        if isIdle { return isIdleLookDue(at: now) }
        return leavesWork || (nextDue.map { now + slack >= $0 } ?? true)
    }

    /// Both kinds look at the same frame, so that one is decoded.
    private func isIdleLookDue(at now: MonotonicTime) -> Bool {
        guard let last = [barcodes.lastLook, text.lastLook].compactMap({ $0 }).max() else { return true }
        return now - last >= settings.idleInterval - slack
    }

    /// Decides what to look at in the newest frame, and takes it as begun.
    ///
    /// `region` is the region of interest in 0...1; `width` and `height` are the frame's pixels. A reader that is not
    /// free gets no look. Every look that is planned must be reported to `finished` or `failed`.
    ///
    /// - Parameter motion: how the picture moved since the frame of the last call; `nil` where nobody knows, then all of
    ///   the region is looked at as often as the budget allows.
    public mutating func plan(
        frame: FrameStamp, width: Int, height: Int, region: Rect, isBarcodeReaderFree: Bool, isTextReaderFree: Bool,
        attention: SchedulerAttention, motion: FrameMotion? = nil, now: MonotonicTime
    ) -> ScanPlan {
        let isStill = motion.map(ScanScheduler.isStill) ?? false
        fillBudgets(isUncertain: attention.uncertainBarcodes > 0, now: now)
        guard width > 0, height > 0, Double(width) * Double(height) * region.area >= 1 else { return ScanPlan() }
        frameAspect = Double(width) / Double(height)
        if let motion { follow(motion, at: now) }
        let view = FrameView(
            width: width, height: height, region: region, attention: attention, motion: motion, isStill: isStill,
            now: now)
        var plan = ScanPlan()
        if isIdle {
            leavesWork = false
            guard isIdleLookDue(at: now) else { return plan }
            if settings.wantsBarcodes, isBarcodeReaderFree, barcodes.isNew(frame) {
                plan.barcodes = wholeLook(in: view, sweeps: true)
            }
            if settings.wantsText, isTextReaderFree, text.isNew(frame) {
                plan.text = textLook(in: view, region: region)
            }
        } else {
            leavesWork = false
            nextDue = nil
            if settings.wantsBarcodes, barcodes.isNew(frame) {
                plan.barcodes =
                    motion == nil
                    ? unguidedLook(in: view, isFree: isBarcodeReaderFree)
                    : guidedLook(in: view, isFree: isBarcodeReaderFree)
            }
            if settings.wantsText, text.isNew(frame), let part = textPart(in: view), isTextReaderFree {
                plan.text = textLook(in: view, region: part)
            }
        }
        if let look = plan.barcodes { begin(look, of: frame, view) }
        if plan.text != nil {
            let cost = costs.text(lines: linesRead)
            textBudget.draw(cost)
            text.look(at: frame, now: now, Progress.Work(charged: cost))
            turn += 1
        }
        return plan
    }

    private mutating func begin(_ look: ScanPlan.BarcodeLook, of frame: FrameStamp, _ view: FrameView) {
        let work = view.work(of: look)
        let cost = costs.barcodes(work)
        let plain = costs.plainScan(pixels: work.sweptPixels)
        barcodeBudget.draw(cost)
        plainBudget.draw(plain)
        barcodes.look(
            at: frame, now: view.now,
            Progress.Work(charged: cost, barcodes: work, searched: look.searched.map { Quad($0) }))
    }

    private func textLook(in view: FrameView, region: Rect) -> ScanPlan.TextLook {
        ScanPlan.TextLook(
            region: region, masks: view.attention.barcodes.map(\.bounds),
            knownLines: view.attention.lines.filter { !needsReading($0, view) }.map(\.bounds),
            maximumLines: SchedulerLimits.maximumLines, turn: turn)
    }

    var sweepTime: Duration { SchedulerLimits.sweepTime(at: settings.qualityLevel) }

    /// A rhythm is kept to within half a frame.
    var slack: Duration { settings.frameInterval / 2 }

    static func isStill(_ motion: FrameMotion) -> Bool {
        motion.certainty == .still
            || (motion.certainty != .unknown && motion.speed.magnitude < SchedulerLimits.stillSpeed)
    }

    // MARK: - What moved

    private mutating func follow(_ motion: FrameMotion, at now: MonotonicTime) {
        blur.note(motion, at: now)
        defer { coverage.noteArrivals(at: now) }
        guard motion.certainty != .unknown else {
            // Another scene, or nothing to be seen: what was searched is not known.
            coverage.forget()
            return
        }
        if !ScanScheduler.isStill(motion) {
            coverage.carry(along: motion.plane)
            places.carry(along: motion.plane, at: now)
            if var work = barcodes.work {
                work.searched = work.searched.map { motion.plane($0) }
                barcodes.work = work
            }
        }
        let level =
            ScanScheduler.isStill(motion) ? SchedulerLimits.changeLevel : SchedulerLimits.movingChangeLevel
        coverage.note(motion.changes, level: level, at: now)
        if ScanScheduler.isStill(motion) {
            places.forgetUnread { motion.changes.change(at: $0) >= level }
        }
    }
}

/// What one plan is made from.
struct FrameView {
    let width: Int
    let height: Int
    let region: Rect
    let attention: SchedulerAttention
    let motion: FrameMotion?
    let isStill: Bool
    let now: MonotonicTime

    func pixels(_ part: Rect) -> Int { Int(Double(width) * Double(height) * Swift.max(0, Swift.min(1, part.area))) }

    func work(of look: ScanPlan.BarcodeLook) -> LookCosts.BarcodeWork {
        let pixels = look.searched.reduce(0) { $0 + self.pixels($1) }
        return LookCosts.BarcodeWork(
            pixels: pixels, sweptPixels: look.sweeps ? pixels : 0, places: look.knownBarcodes.count)
    }
}
