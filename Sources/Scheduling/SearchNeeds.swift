// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanModel

/// Which cells are due for a search in one frame, and why.
struct SearchNeeds {
    /// The middles of cells, in 0...1 of the frame.
    var urgent: [Point] = []
    var routine: [Point] = []
    /// Cells of the sweep whose time is up.
    var overdue: [Point] = []
    /// Cells at the edges that could wait: a search beside them takes them in.
    var comingIn: [Point] = []
    /// Cells that are due for a plain scan.
    var plain: [Point] = []
    /// Whether most of what is seen was never searched, as after a cut.
    var isNew = false
    /// The earliest time at which something of what is not due now will be.
    var nextDue: MonotonicTime?

    var isOverdue: Bool { !overdue.isEmpty }
    var isUrgent: Bool { !urgent.isEmpty }
    var isDue: Bool { !urgent.isEmpty || !routine.isEmpty }

    mutating func dropUrgent() {
        urgent = []
        comingIn = []
        overdue = []
    }
    mutating func dropRoutine() { routine = [] }

    var chosen: [Point] { urgent + routine + overdue }

    mutating func note(due: MonotonicTime) { nextDue = Swift.min(nextDue ?? due, due) }
}

extension ScanScheduler {
    /// Goes over all cells in the region.
    ///
    /// In this order a cell is due because it was never searched, because it changed, because it was only seen partly or
    /// blurred, or because the sweep has come to it.
    func searchNeeds(in view: FrameView) -> SearchNeeds {
        let now = view.now
        let (region, aspect, slack, sweepTime) = (view.region, frameAspect, slack, sweepTime)
        let sharpness = view.motion?.light.sharpness ?? 1
        let isEdgeDue = lastEdgeLook.map { now - $0 >= SchedulerLimits.edgeInterval - slack } ?? true
        let isChangeDue = lastChangeLook.map { now - $0 >= SchedulerLimits.changeInterval - slack } ?? true
        // Where a picture is lost again and again, as in a shake, it is not searched as a whole each time.
        let isFirstDue = lastFirstLook.map { now - $0 >= SchedulerLimits.edgeInterval * 2 - slack } ?? true
        let confirms = confirmsFirstLook
        // Where frames are blurred now and then, the sweep takes a sharp one some time before it must have one.
        let early = blur.isLikely(at: now) && !blur.isBlurred ? BlurWait.mostTime : settings.frameInterval
        let sweepDue = sweepTime - early - slack
        var needs = SearchNeeds()
        var soon: [Point] = []
        var (newCells, cells) = (0, 0)
        var unsearched: [(Point, Double)] = []
        let sharpEnough = blur.sharpEnough
        let leastStep = Swift.max(
            SchedulerLimits.edgeStep,
            Swift.min(
                SchedulerLimits.mostEdgeStep, SchedulerLimits.edgeStepFrames * (view.motion?.speed ?? 0).magnitude))
        let edgeDue = (lastEdgeLook ?? now) + SchedulerLimits.edgeInterval

        coverage.forEach(in: region) { cell, place in
            cells += 1
            let depth = CoverageMap.depth(of: place, in: region, aspect: aspect)
            guard let searched = cell.searched else {
                newCells += 1
                if let since = cell.waitingSince, now - since >= sweepDue {
                    needs.overdue.append(place)
                } else {
                    unsearched.append((place, depth))
                }
                return
            }
            let age = now - searched
            if age >= sweepDue {
                needs.overdue.append(place)
                return
            }
            needs.note(due: searched + sweepDue)
            if confirms, cell.searches == 1 {
                needs.urgent.append(place)
                return
            }
            if let due = cell.changeDue {
                if now + slack >= due, isChangeDue {
                    if cell.searchesSinceChange == 0 { needs.urgent.append(place) } else { needs.routine.append(place) }
                    return
                }
                needs.note(due: due)
            }
            let step = cell.depth < CoverageMap.wholeDepth ? depth - cell.depth : 0
            let isSharper = cell.sharpness < sharpEnough && sharpness > cell.sharpness * SchedulerLimits.sharper
            if step >= leastStep || isSharper {
                if isEdgeDue { needs.urgent.append(place) } else { needs.note(due: edgeDue) }
                return
            }
            if step >= SchedulerLimits.leastEdgeStep { needs.comingIn.append(place) }
            if age >= sweepTime * 2 / 3 { soon.append(place) }
            let isPlainDue = cell.sweepDue.map { now >= $0 } ?? (age >= SchedulerLimits.changeInterval)
            if isPlainDue { needs.plain.append(place) }
        }
        needs.isNew = newCells * 2 > cells
        if needs.isNew ? isFirstDue : true {
            for (place, depth) in unsearched where needs.isNew || isEdgeDue || depth >= CoverageMap.edgeDepth {
                needs.urgent.append(place)
            }
        }
        // One search of what is due soon is cheaper than many of what just became so.
        if needs.isOverdue { needs.overdue += soon }
        if newCells > 0 || !view.isStill { needs.note(due: edgeDue) }
        return needs
    }
}
