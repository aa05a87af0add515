// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanModel

/// Where barcodes are looked for.
extension ScanScheduler {
    // MARK: - Without motion

    /// All of the region as often as the budget allows, where nothing is known of what moved.
    mutating func unguidedLook(in view: FrameView, isFree: Bool) -> ScanPlan.BarcodeLook? {
        leavesWork = true
        guard isFree, barcodeBudget.isInCredit || barcodes.isDue(after: sweepTime, at: view.now) else { return nil }
        return wholeLook(in: view, sweeps: lastSweep.map { view.now - $0 >= sweepTime } ?? true)
    }

    mutating func wholeLook(in view: FrameView, sweeps: Bool) -> ScanPlan.BarcodeLook {
        if sweeps { lastSweep = view.now }
        return ScanPlan.BarcodeLook(
            searched: [view.region],
            knownBarcodes: view.attention.barcodes.map { KnownBarcode(bounds: $0.bounds, symbology: $0.symbology) },
            sweeps: sweeps)
    }

    // MARK: - With motion

    /// What is worth looking at, by need; `nil` for nothing in this frame.
    mutating func guidedLook(in view: FrameView, isFree: Bool) -> ScanPlan.BarcodeLook? {
        places.keep(view.attention.barcodes)
        let isUrgentAllowed = barcodeBudget.isInCredit
        let isRoutineAllowed = isUrgentAllowed && routineBudget.isInCredit
        var needs = searchNeeds(in: view)
        let codes = places.due(view.attention.barcodes, isStill: view.isStill, slack: slack, at: view.now)
        let unread = places.due(view.attention.unreadCodes, isStill: view.isStill, slack: slack, at: view.now)
        nextDue = [needs.nextDue, places.nextDue].compactMap { $0 }.min()
        leavesWork =
            needs.isUrgent || !codes.uncertain.isEmpty || !unread.isEmpty
            || codes.certain.count > SchedulerLimits.mostVerified

        // In debt, the sweep is kept by one search of everything in its time.
        let isWholeDue = lastWholeLook.map { view.now - $0 >= sweepTime - settings.frameInterval - slack } ?? true
        let isForced = needs.isOverdue && (isUrgentAllowed || isWholeDue)
        let isPlainDue = view.isStill && !needs.plain.isEmpty && plainBudget.isInCredit
        guard
            isForced || needs.isDue || isPlainDue || !codes.uncertain.isEmpty || !codes.certain.isEmpty
                || !unread.isEmpty
        else {
            return nil
        }
        guard isFree else {
            leavesWork = true
            return nil
        }
        // The sweep's time is kept even in a blurred picture.
        if blur.waits(forNew: needs.isNew, at: view.now), !isForced {
            leavesWork = true
            return nil
        }

        if !isUrgentAllowed { needs.dropUrgent() }
        if !isRoutineAllowed { needs.dropRoutine() }
        var searched = isForced && !isUrgentAllowed ? [view.region] : parts(of: needs, in: view)
        let sweeps = isRoutineAllowed && sweepsPlainly(&searched, needs, in: view)
        if !needs.routine.isEmpty, !needs.isUrgent, !isForced {
            routineBudget.draw(costs.barcodes(view.work(of: ScanPlan.BarcodeLook(searched: searched))))
        }
        if !searched.isEmpty { markSearched(searched, sweeps: sweeps, in: view) }

        var indices: [Int] = isUrgentAllowed ? codes.uncertain.map(\.index) : []
        indices += codes.certain.lazy.filter { isRoutineAllowed || $0.isOverdue }
            .prefix(SchedulerLimits.mostVerified).map(\.index)
        routineBudget.draw(costs.barcodes(LookCosts.BarcodeWork(places: indices.count)))
        let asked = Set(indices)
        // Those in what is searched would be found there anyway: known, they cost their crop alone.
        indices += view.attention.barcodes.indices.filter { index in
            let middle = view.attention.barcodes[index].bounds.center
            return !asked.contains(index) && searched.contains { $0.contains(middle) }
        }
        for index in indices { places.look(at: view.attention.barcodes[index], now: view.now) }
        if isUrgentAllowed {
            for index in unread {
                let code = view.attention.unreadCodes[index]
                places.look(at: code, now: view.now)
                if let part = unreadPart(code, in: view.region),
                    !searched.contains(where: { $0.contains(code.bounds.center) })
                {
                    searched.append(part)
                }
            }
        }
        guard !searched.isEmpty || !indices.isEmpty else { return nil }
        return ScanPlan.BarcodeLook(
            searched: searched,
            knownBarcodes: indices.map {
                KnownBarcode(
                    bounds: view.attention.barcodes[$0].bounds, symbology: view.attention.barcodes[$0].symbology)
            },
            sweeps: sweeps)
    }

    /// A code that was not read, with half its size around it.
    private func unreadPart(_ code: SchedulerAttention.UnreadCode, in region: Rect) -> Rect? {
        let box = code.bounds.boundingRect
        guard box.width.isFinite, box.height.isFinite, box.width < 0.5, box.height < 0.5 else { return nil }
        let (x, y) = (box.width / 4 + 0.01, box.height / 4 + 0.01)
        return Rect(x: box.x - x, y: box.y - y, width: box.width + 2 * x, height: box.height + 2 * y)
            .intersection(region)
    }

    private func parts(of needs: SearchNeeds, in view: FrameView) -> [Rect] {
        var parts = SearchParts(region: view.region, marginX: marginX, marginY: CoverageMap.edgeDepth)
        for place in needs.chosen { parts.add(CoverageMap.box(around: place)) }
        for place in needs.comingIn { parts.addIfCheap(CoverageMap.box(around: place)) }
        return parts.finished()
    }

    /// What is taken around a cell to the sides, in 0...1 of the frame.
    private var marginX: Double { CoverageMap.edgeDepth / frameAspect }

    /// Whether ZBar goes over what is searched as well.
    ///
    /// It does so on a sweep over what is due for that; before it, on a picture that stands, in a look of its own. A picture that
    /// moves shows each label from many places, so that one scan now and then is enough there.
    private func sweepsPlainly(_ searched: inout [Rect], _ needs: SearchNeeds, in view: FrameView) -> Bool {
        guard plainBudget.isInCredit, !needs.isNew, !needs.plain.isEmpty else { return false }
        var parts = SearchParts(region: view.region, marginX: marginX, marginY: CoverageMap.edgeDepth)
        for place in needs.plain { parts.add(CoverageMap.box(around: place)) }
        let wanted = parts.finished()
        let area = wanted.reduce(0) { $0 + $1.area }
        let pixels = wanted.reduce(0) { $0 + view.pixels($1) }
        guard plainBudget.hasSaved(costs.plainScan(pixels: pixels)) else { return false }
        let interval = SchedulerLimits.movingPlainInterval
        if !view.isStill, settings.qualityLevel != .accurate {
            guard let last = lastSweep ?? firstPlan, view.now - last >= interval else { return false }
        }
        if needs.isOverdue { return searched.reduce(0) { $0 + $1.area } <= area * 1.5 }
        // Something that is due now can not wait for it.
        guard searched.isEmpty, view.isStill else { return false }
        searched = wanted
        return true
    }

    private mutating func markSearched(_ searched: [Rect], sweeps: Bool, in view: FrameView) {
        let (mx, my) = (marginX, CoverageMap.edgeDepth)
        let sharpness = view.motion?.light.sharpness ?? 1
        let now = view.now
        let aspect = frameAspect
        if sweeps { lastSweep = now }
        if searched == [view.region] { lastWholeLook = now }
        var newCells = 0
        var changedCells = 0
        var edgeCells = 0
        var all = 0
        coverage.update(in: view.region) { cell, place in
            all += 1
            let box = CoverageMap.box(around: place)
            let needed = Rect(
                x: box.x - mx, y: box.y - my, width: box.width + 2 * mx, height: box.height + 2 * my
            ).intersection(view.region)
            guard let needed, searched.contains(where: { $0.holds(needed) }) else { return }
            if cell.searched == nil { newCells += 1 }
            if cell.changeDue != nil { changedCells += 1 }
            let depth = CoverageMap.depth(of: place, in: view.region, aspect: aspect)
            if depth < CoverageMap.wholeDepth { edgeCells += 1 }
            cell.search(at: now, depth: depth, sharpness: sharpness, sweeps: sweeps)
        }
        if changedCells > 0 { lastChangeLook = now }
        if edgeCells > 0 { lastEdgeLook = now }
        confirmsFirstLook = newCells * 2 > all
        if confirmsFirstLook { lastFirstLook = now }
    }
}

extension Rect {
    /// Whether another rectangle lies within this one, to a thousandth of a pixel.
    func holds(_ other: Rect) -> Bool {
        other.minX >= minX - 1e-6 && other.minY >= minY - 1e-6 && other.maxX <= maxX + 1e-6
            && other.maxY <= maxY + 1e-6
    }
}
