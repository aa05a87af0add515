// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ScanModel

/// What looks may cost, what they did cost, and what became of them.
extension ScanScheduler {
    mutating func fillBudgets(isUncertain: Bool, now: MonotonicTime) {
        guard let last = lastPlan else {
            lastPlan = now
            firstPlan = now
            return
        }
        let elapsed = Swift.max(0, (now - last).inSeconds)
        lastPlan = Swift.max(last, now)
        barcodeBudget.fill(elapsed * SchedulerLimits.barcodeShare)
        routineBudget.fill(elapsed * SchedulerLimits.routineShare(at: settings.qualityLevel))
        plainBudget.fill(elapsed * SchedulerLimits.plainShare(at: settings.qualityLevel))
        textBudget.fill(elapsed * SchedulerLimits.textShare)
        extraBudget.fill(elapsed * SchedulerLimits.extraShare)
        guard isUncertain, extraBudget.credit > 0 else { return }
        let extra = Swift.min(
            extraBudget.credit, elapsed * (SchedulerLimits.uncertainShare - SchedulerLimits.barcodeShare))
        extraBudget.draw(extra)
        barcodeBudget.fill(extra)
    }

    // MARK: - What became of it

    /// Notes that a look ended: so many pixels were searched and so many known places looked at (barcodes), or so many lines
    /// read (text).
    public mutating func finished(
        _ subject: Look.Subject, cpuTime: Duration, pixels: Int, places: Int = 0, linesRead lines: Int = 0,
        now: MonotonicTime
    ) {
        switch subject {
        case .barcodes:
            var work = LookCosts.BarcodeWork(pixels: pixels, places: places)
            if barcodes.work?.barcodes.sweptPixels ?? 0 > 0 { work.sweptPixels = pixels }
            let cost = costs.finishedBarcodes(cpuTime: cpuTime, work: work)
            barcodeBudget.draw(cost - (barcodes.work?.charged ?? 0))
            barcodes.work = nil
        case .text:
            let cost = costs.finishedText(cpuTime: cpuTime, lines: lines)
            textBudget.draw(cost - (text.work?.charged ?? 0))
            text.work = nil
            linesRead = lines
        }
    }

    /// Notes that a look gave no result: what it was to search counts as not searched. It stays charged, so that a job that
    /// fails each time is not tried each frame.
    public mutating func failed(_ subject: Look.Subject, now: MonotonicTime) {
        switch subject {
        case .barcodes:
            for part in barcodes.work?.searched ?? [] {
                coverage.update(in: part.boundingRect) { cell, _ in cell.forgetSearch(at: now) }
            }
            barcodes.work = nil
            lastFirstLook = nil
        case .text: text.work = nil
        }
    }
}
