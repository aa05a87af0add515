// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ScanModel

/// Decides which recogniser looks at which frame, within a budget of CPU time.
///
/// It is a value without a clock; the same calls give the same plans. It is asked once for each newest frame, and
/// never remembers one: a machine that is too slow gets fewer looks, not a queue.
public struct ScanScheduler: Sendable {
    private let settings: SchedulerSettings
    private var costs: LookCosts
    private var barcodeBudget = CPUBudget(burst: SchedulerLimits.barcodeBurst)
    private var extraBudget = CPUBudget(burst: SchedulerLimits.extraTime)
    private var textBudget = CPUBudget(burst: SchedulerLimits.textBurst)
    private var lastPlan: MonotonicTime?
    private var lastSweep: MonotonicTime?
    private var barcodes = Progress()
    private var text = Progress()
    /// Lines that the last look for text read: what the next one is expected to read.
    private var linesRead = SchedulerLimits.maximumLines
    private var turn = 0

    private struct Progress {
        var lastFrame: UInt64?
        var lastLook: MonotonicTime?
        /// What the look in work was charged with, in seconds.
        var charged: Double?

        func isNew(_ frame: FrameStamp) -> Bool { lastFrame.map { frame.sequence > $0 } ?? true }
        func isDue(after interval: Duration, at now: MonotonicTime) -> Bool {
            lastLook.map { now - $0 >= interval } ?? true
        }

        mutating func look(at frame: FrameStamp, now: MonotonicTime, charged seconds: Double) {
            lastFrame = frame.sequence
            lastLook = now
            charged = seconds
        }
    }

    public init(settings: SchedulerSettings) {
        self.settings = settings
        costs = LookCosts(level: settings.qualityLevel, isFixed: settings.costModel == .fixed)
    }

    // MARK: - Planning

    /// Decides what to look at in the newest frame, and takes it as begun.
    ///
    /// `region` is the region of interest in 0...1; `width` and `height` are the frame's pixels. A reader that is not
    /// free gets no look. Every look that is planned must be reported to `finished` or `failed`.
    public mutating func plan(
        frame: FrameStamp, width: Int, height: Int, region: Rect, isBarcodeReaderFree: Bool, isTextReaderFree: Bool,
        attention: SchedulerAttention, now: MonotonicTime
    ) -> ScanPlan {
        fillBudgets(isUncertain: attention.uncertainBarcodes > 0, now: now)
        let pixels = Int(Double(width) * Double(height) * Swift.max(0, Swift.min(1, region.area)))
        guard pixels > 0 else { return ScanPlan() }
        var plan = ScanPlan()
        if settings.wantsBarcodes, isBarcodeReaderFree, barcodes.isNew(frame), isBarcodeLookDue(at: now) {
            let cost = costs.barcodes(pixels: pixels)
            barcodeBudget.draw(cost)
            barcodes.look(at: frame, now: now, charged: cost)
            let sweeps = lastSweep.map { now - $0 >= sweepTime } ?? true
            if sweeps { lastSweep = now }
            plan.barcodes = ScanPlan.BarcodeLook(
                searched: [region], knownBarcodes: attention.barcodes, sweeps: sweeps)
        }
        if settings.wantsText, isTextReaderFree, text.isNew(frame), isTextLookDue(attention.lines, at: now) {
            let cost = costs.text(lines: linesRead)
            textBudget.draw(cost)
            text.look(at: frame, now: now, charged: cost)
            plan.text = ScanPlan.TextLook(
                region: region, masks: attention.barcodes.map(\.bounds),
                knownLines: attention.lines.filter { !needsReading($0, at: now) }.map(\.bounds),
                maximumLines: SchedulerLimits.maximumLines, turn: turn)
            turn += 1
        }
        return plan
    }

    private func isBarcodeLookDue(at now: MonotonicTime) -> Bool {
        barcodeBudget.isInCredit || barcodes.isDue(after: sweepTime, at: now)
    }

    private func isTextLookDue(_ lines: [SchedulerAttention.Line], at now: MonotonicTime) -> Bool {
        if text.isDue(after: Swift.max(sweepTime, SchedulerLimits.verifyInterval), at: now) { return true }
        guard textBudget.isInCredit else { return false }
        let hurries = lines.contains { !$0.isSettled }
        let interval = hurries ? SchedulerLimits.unsettledInterval : SchedulerLimits.verifyInterval
        return text.isDue(after: interval - settings.frameInterval / 2, at: now)
    }

    private func needsReading(_ line: SchedulerAttention.Line, at now: MonotonicTime) -> Bool {
        guard line.isSettled, let lastRead = line.lastRead else { return true }
        return now - lastRead >= SchedulerLimits.rereadInterval
    }

    private var sweepTime: Duration { SchedulerLimits.sweepTime(at: settings.qualityLevel) }

    private mutating func fillBudgets(isUncertain: Bool, now: MonotonicTime) {
        guard let last = lastPlan else {
            lastPlan = now
            return
        }
        let elapsed = Swift.max(0, (now - last).inSeconds)
        lastPlan = Swift.max(last, now)
        barcodeBudget.fill(elapsed * SchedulerLimits.barcodeShare)
        textBudget.fill(elapsed * SchedulerLimits.textShare)
        extraBudget.fill(elapsed * SchedulerLimits.extraShare)
        guard isUncertain, extraBudget.credit > 0 else { return }
        let extra = Swift.min(
            extraBudget.credit, elapsed * (SchedulerLimits.uncertainShare - SchedulerLimits.barcodeShare))
        extraBudget.draw(extra)
        barcodeBudget.fill(extra)
    }

    // MARK: - What became of it

    /// Notes that a look ended: `pixels` were looked at, `linesRead` lines were read (text only).
    public mutating func finished(
        _ subject: Look.Subject, cpuTime: Duration, pixels: Int, linesRead lines: Int = 0, now: MonotonicTime
    ) {
        switch subject {
        case .barcodes:
            let cost = costs.finishedBarcodes(cpuTime: cpuTime, pixels: pixels)
            barcodeBudget.draw(cost - (barcodes.charged ?? 0))
            barcodes.charged = nil
        case .text:
            let cost = costs.finishedText(cpuTime: cpuTime, lines: lines)
            textBudget.draw(cost - (text.charged ?? 0))
            text.charged = nil
            linesRead = lines
        }
    }

    /// Notes that a look gave no result. It stays charged, so that a job that fails each time is not tried each frame.
    public mutating func failed(_ subject: Look.Subject, now: MonotonicTime) {
        switch subject {
        case .barcodes: barcodes.charged = nil
        case .text: text.charged = nil
        }
    }
}
