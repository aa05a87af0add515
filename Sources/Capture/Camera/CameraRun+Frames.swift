// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import LinuxSystem
internal import ScanModel

extension CameraRun {
    /// Waits for a frame and hands it on; `nil` to be called again.
    func advance(
        _ stream: CameraStream, _ pool: FramePool, _ cancellation: EventDescriptor
    ) throws(CameraFault) -> SourceStep? {
        if position.wantsSecondChance(at: system.now) { throw .secondChance }
        let deadline = min(
            stall.deadline(isSlowStartTold: plan.isTold), system.now + CameraRun.suspensionCheck)
        let wake = try stream.wait(until: deadline, cancellation: cancellation)
        if wake == .cancelled { return .cancelled }
        try checkSuspension()
        guard wake == .ready else { return try judgeSilence() }
        var harvest = try Harvest(from: stream, into: &ledger, stall: &stall, now: system.now)
        framesOfStream += harvest.taken
        if rate.saw(harvest.taken, agreed: stream.mode.interval, at: system.now), !isSlow {
            (isSlow, isRemarked) = (true, false)
        }
        count(harvest, stream.passedErrors)
        if let lease = harvest.newest.take(), let entry = harvest.newestEntry {
            if let step = try show(lease, entry, stream, pool) { return step }
        } else if let entry = harvest.damaged, let reason = harvest.damage {
            let stamp = ledger.stamp(entry, now: system.now, wall: system.wallTime)
            if let step = try skip(stamp, reason) { return step }
        } else if !system.pause(until: system.now + CameraRun.idlePause, cancellation: cancellation) {
            return .cancelled
        }
        return try judgeSilence()
    }

    /// Looks at how long nothing good has come.
    private func judgeSilence() throws(CameraFault) -> SourceStep? {
        switch stall.verdict(at: system.now) {
        case .fine: return nil
        case .slowStart: return plan.isTold ? nil : tell(Unavailability(.noFrames(silence), words))
        case .stalled: throw .noFrames(silence)
        }
    }

    private var silence: String {
        let length = inWords(stall.silence(at: system.now).inSeconds)
        if let damage = stall.lastDamage {
            return
                "gave nothing but damaged frames for \(length) s (\(stall.damagedSinceGood) of them, the last: \(damage))"
        }
        return stall.hasGivenFrames
            ? "gave no frame for \(length) s" : "gave no frame in the \(length) s since it was started"
    }

    private func count(_ harvest: borrowing Harvest, _ errors: UInt64) {
        let passed = errors - passedErrors
        passedErrors = errors
        report.withLock { report in
            report.count(harvest)
            report.damagedFrames += passed
        }
    }

    // MARK: - Good frames

    /// Makes a frame of the newest buffer, which is queued again when this returns.
    private func show(
        _ lease: consuming BufferLease, _ entry: FrameLedger.Entry, _ stream: CameraStream, _ pool: FramePool
    ) throws(CameraFault) -> SourceStep? {
        guard let maker else { preconditionFailure("the maker is there before a stream") }
        let now = system.now
        let format = stream.format
        let bytes = lease.bytes
        let stamp = ledger.stamp(entry, now: now, wall: system.wallTime)
        let state = health.see(
            hash: health.wantsHash ? maker.hash(of: bytes) : nil,
            brightness: health.wantsBrightness(at: now) ? maker.brightness(of: bytes, as: format) : nil, at: now)
        observer.withLock { $0 }?.take(
            RawPicture(
                stamp: stamp, format: format.code, width: format.width, height: format.height,
                bytesPerLine: format.bytesPerLine, bytes: bytes))
        guard state == .fine else {
            sawGood(stamp)
            return try withhold(state)
        }
        hasReopenedFrozen = false
        do throws(FrameFault) {
            let frame = try maker.makeFrame(bytes, as: format, stamp: stamp, in: pool)
            sawGood(stamp)
            plan.handedOn()
            return .frame(frame)
        } catch {
            switch error {
            case .noSlot:
                sawGood(stamp)
                report.withLock { $0.staleFrames += 1 }
                return nil
            case .damaged(let reason):
                stall.sawDamaged(reason, now: system.now)
                report.withLock { $0.damagedFrames += 1 }
                return try skip(stamp, reason)
            }
        }
    }

    private func sawGood(_ stamp: FrameStamp) {
        let now = system.now
        stall.sawGood(now: now)
        plan.streams(at: now)
        position.streams(at: now)
        report.withLock { $0.newestFrame = stamp.monotonic }
    }

    /// A picture without light, or one that hangs, is told and kept back.
    private func withhold(_ state: PictureHealth.State) throws(CameraFault) -> SourceStep? {
        guard state == .frozen else { return tell(.dark(words)) }
        guard hasReopenedFrozen else {
            hasReopenedFrozen = true
            throw .frozen
        }
        return tell(Unavailability(.frozen, words))
    }

    // MARK: - Damaged frames

    /// Tells of a damaged frame; not at the start of a stream, and not while the caller knows that no frames come.
    private func skip(_ stamp: FrameStamp, _ reason: String) throws(CameraFault) -> SourceStep? {
        if let step = try judgeSilence() { return step }
        guard !plan.isTold, framesOfStream > CameraRun.forgivenFrames else { return nil }
        return .skipped(stamp, subject: words.subject, reason: reason)
    }
}
