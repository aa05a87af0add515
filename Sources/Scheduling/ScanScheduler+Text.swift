// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanModel

/// Where text is looked for.
extension ScanScheduler {
    /// How high a band is taken beyond what is due, in 0...1 of the frame: no line is cut.
    private static let bandMargin = 0.1
    /// From this share of the region on all of it is looked at.
    private static let wholeShare = 0.7

    /// The part of the region in which text is to be looked for now; `nil` for none.
    mutating func textPart(in view: FrameView) -> Rect? {
        guard view.motion != nil else { return isUnguidedTextDue(view) ? view.region : nil }
        let now = view.now
        let isVerifyDue = text.isDue(
            after: Swift.max(sweepTime, SchedulerLimits.stillTextInterval) - slack, at: now)
        let due = textCells(in: view)
        let unsettled = view.attention.lines.filter { needsReading($0, view) }
        let isHurried = !due.isEmpty || !unsettled.isEmpty
        nextDue = [nextDue, text.lastLook.map { $0 + (isHurried ? SchedulerLimits.unsettledInterval : .seconds(2)) }]
            .compactMap { $0 }.min()
        if isVerifyDue {
            markText(in: view.region, view)
            return view.region
        }
        guard isHurried, textBudget.isInCredit,
            text.isDue(after: SchedulerLimits.unsettledInterval - slack, at: now), !blur.isBlurred
        else { return nil }
        let part = band(of: due, lines: unsettled, in: view.region)
        markText(in: part, view)
        return part
    }

    private func isUnguidedTextDue(_ view: FrameView) -> Bool {
        if text.isDue(after: Swift.max(sweepTime, SchedulerLimits.verifyInterval), at: view.now) { return true }
        guard textBudget.isInCredit else { return false }
        let hurries = view.attention.lines.contains { !$0.isSettled }
        let interval = hurries ? SchedulerLimits.unsettledInterval : SchedulerLimits.verifyInterval
        return text.isDue(after: interval - slack, at: view.now)
    }

    /// Whether a line that is found is to be read: with motion, only where it is not settled or its place changed.
    func needsReading(_ line: SchedulerAttention.Line, _ view: FrameView) -> Bool {
        guard line.isSettled, let lastRead = line.lastRead else { return true }
        guard view.motion != nil else { return view.now - lastRead >= SchedulerLimits.rereadInterval }
        return coverage.newestChange(in: line.bounds).map { $0 > lastRead } ?? false
    }

    /// Cells that were never looked at for text, or changed since and are quiet now.
    private func textCells(in view: FrameView) -> [Point] {
        var due: [Point] = []
        let now = view.now
        coverage.forEach(in: view.region) { cell, place in
            guard let read = cell.readForText else {
                due.append(place)
                return
            }
            if let changed = cell.changed, changed > read, now - changed >= SchedulerLimits.edgeInterval {
                due.append(place)
            }
        }
        return due
    }

    /// A band over the whole width that holds all of them.
    private func band(of cells: [Point], lines: [SchedulerAttention.Line], in region: Rect) -> Rect {
        var (top, bottom) = (Double.infinity, -Double.infinity)
        for place in cells {
            (top, bottom) = (Swift.min(top, place.y), Swift.max(bottom, place.y))
        }
        for line in lines {
            let box = line.bounds.boundingRect
            (top, bottom) = (Swift.min(top, box.minY), Swift.max(bottom, box.maxY))
        }
        let part = Rect(
            x: region.x, y: top - ScanScheduler.bandMargin, width: region.width,
            height: bottom - top + 2 * ScanScheduler.bandMargin
        ).intersection(region)
        guard let part, part.area < ScanScheduler.wholeShare * region.area else { return region }
        return part
    }

    private mutating func markText(in part: Rect, _ view: FrameView) {
        let now = view.now
        coverage.update(in: part) { cell, _ in cell.readForText = now }
    }
}
