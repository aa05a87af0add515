// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import LinuxSystem
internal import ScanModel

/// The course of a camera: opened, streaming, lost, opened again, for ever.
///
/// It decides little itself: `RecoveryPlan` says when to open and what to tell, `LadderPosition` in which mode,
/// `StallWatch`, `FrameLedger` and `PictureHealth` judge what comes. Confined to the capture thread.
final class CameraRun {
    /// What a wait that gave nothing is followed by: a driver that answers at once for ever must not take the processor.
    static let idlePause = Duration.milliseconds(10)
    /// A caller that stayed away for longer finds its buffers full of old pictures.
    static let lateCall = Duration.milliseconds(500)
    /// Damaged frames among the first of a stream are counted and not told: many cameras begin with one.
    static let forgivenFrames = 5
    /// The clocks are not read at the same moment; a shorter sleep harms no camera.
    static let shortestSuspension = Duration.seconds(1)
    /// Where no frames come, suspension is looked for so often: the clock of the waits stands still meanwhile.
    static let suspensionCheck = Duration.milliseconds(250)

    let options: CameraOptions
    let wish: ModeWish
    let system: any CameraSystem
    let setControls: ControlSetter
    let report: Monitor<CameraReport>
    let observer: Monitor<(any RawPictureObserver)?>

    var plan: RecoveryPlan
    var identity: CameraIdentity
    var position = LadderPosition()
    var ladder: [CameraMode] = []
    var ledger = FrameLedger()
    var health: PictureHealth
    var maker: CameraFrameMaker?
    /// What is open, and since when nothing came from it.
    var stream: CameraStream?
    var stall: StallWatch
    var rate = RateWatch()
    /// Whether frames came too slowly at one time.
    var isSlow = false
    var framesOfStream: UInt64 = 0
    var passedErrors: UInt64 = 0
    private var isResting = false
    /// Whether the stream failed, and is closed by the next call.
    private var isToBeClosed = false
    /// Whether all that there is to remark of this opening was said.
    var isRemarked = false
    /// What was remarked already and still holds.
    private var remarks: Set<String> = []
    /// A picture that hangs was answered by one opening; another one would not help either.
    var hasReopenedFrozen = false
    private var suspended: Duration
    private var lastReturn: MonotonicTime?

    init(
        options: CameraOptions, system: any CameraSystem, setControls: @escaping ControlSetter,
        report: Monitor<CameraReport>, observer: Monitor<(any RawPictureObserver)?>
    ) {
        self.options = options
        self.system = system
        self.setControls = setControls
        self.report = report
        self.observer = observer
        wish = ModeWish(options)
        plan = RecoveryPlan(now: system.now)
        identity = CameraIdentity(options.selection)
        health = PictureHealth(frozenAfter: options.frozenAfter)
        stall = StallWatch(interval: nil, start: system.now)
        suspended = system.suspendedTime
    }

    deinit { stream?.close() }

    func next(into pool: FramePool, cancellation: EventDescriptor) -> SourceStep {
        defer { lastReturn = system.now }
        if isResting {
            plan = RecoveryPlan(now: system.now)
            isResting = false
        }
        if isToBeClosed { closeStream() }
        var isFirst = true
        while true {
            do throws(CameraFault) {
                if isFirst { try excuseAbsenceOfCaller() }
                isFirst = false
                if let stream {
                    if let remark = nextRemark() { return .remark(remark) }
                    if let step = try advance(stream, pool, cancellation) { return step }
                } else if !(try open(cancellation)) {
                    return .cancelled
                }
            } catch {
                isFirst = false
                if let step = fail(error) { return step }
            }
        }
    }

    // MARK: - Faults

    /// Decides how it goes on, closes everything, and answers what is to be told.
    ///
    /// What is told is told before the stream is closed: a camera that answers nothing at all keeps the kernel waiting for
    /// 5 s in the close, and 2 s are allowed until the fault is told.
    private func fail(_ fault: CameraFault) -> SourceStep? {
        let news = judge(fault)
        if news == nil { closeStream() } else { isToBeClosed = true }
        return news
    }

    private func judge(_ fault: CameraFault) -> SourceStep? {
        let now = system.now
        let step = position.failed(fault, ladder: ladder, at: now)
        note(step, because: fault)
        if case .mode = fault, case .to = step {
            // Only a camera that takes its time over each refusal is told of before the last of its modes was tried.
            plan.triesAnotherMode(at: now)
            guard plan.isOverdue(at: now) else { return nil }
        } else {
            plan.failed(fault, at: now)
        }
        var words = words
        var news = Unavailability(fault, words)
        guard plan.isNews(fault, news, at: now) else { return nil }
        if news.code == .cameraBusy, let node = words.node {
            words.holders = system.holders(of: node)
            news = Unavailability(fault, words)
        }
        return tell(news)
    }

    func tell(_ news: Unavailability) -> SourceStep? {
        plan.tell(news).map { .unavailable($0.code, message: $0.message) }
    }

    func closeStream() {
        isToBeClosed = false
        stream?.close()
        stream = nil
        report.withLock { $0.mode = nil }
    }

    private func note(_ step: LadderPosition.Step, because fault: CameraFault) {
        guard case .to(let next, let last) = step else { return }
        let why: String
        switch fault {
        case .mode(_, let error), .call(let error): why = fault.isBandwidth ? "USB bandwidth" : error.inCameraWords
        case .noFrames: why = "no frames"
        default: why = "the driver's fault"
        }
        report.withLock { report in
            report.stepDowns += 1
            report.lastStepDown = "\(why): from \(last) to \(next)"
        }
    }

    /// What messages can name.
    var words: CameraWords {
        let (name, node) = report.withLock { ($0.name, $0.device) }
        let named = name.map { name in node.map { "\(name) (\($0))" } ?? name }
        return CameraWords(found: named ?? node ?? identity.path, node: node)
    }

    // MARK: - Remarks

    /// The first of what is not as it was asked for that was not said yet.
    private func nextRemark() -> String? {
        guard !isRemarked else { return nil }
        let report = report.withLock { $0 }
        var all: [String] = []
        if case .path(let path) = options.selection, path == report.device, let stable = report.stablePath,
            stable != path
        {
            all.append("\(path) may be another camera after the next start; name it by its link, \(stable)")
        }
        if let note = report.modeNote { all.append(note) }
        if let step = report.lastStepDown, position.rung > 0 { all.append("stepped down because of " + step) }
        if isSlow, let mode = report.mode, let interval = mode.interval {
            all.append(
                "gives less than \(Int(RateWatch.share * 100)) % of the \(inWords(interval.framesPerSecond)) frames a second "
                    + "agreed upon; more light, or the control exposure_dynamic_framerate=0, keeps the rate up")
        }
        for control in report.controls {
            if let problem = control.problem { all.append("the control \(control.name): \(problem)") }
        }
        let subject = words.subject
        for remark in all where remarks.insert(remark).inserted { return "\(subject): \(remark)" }
        isRemarked = true
        // What is over may be said again when it comes back. So it is bounded too.
        remarks.formIntersection(all)
        return nil
    }

    /// Closes the camera, so that others can have it; it is opened at once when frames are asked for again.
    func rest() {
        closeStream()
        isResting = true
    }

    // MARK: - Time that was not the camera's

    /// Forgets what filled the buffers while nobody asked for frames.
    private func excuseAbsenceOfCaller() throws(CameraFault) {
        guard let stream, let lastReturn else { return }
        let now = system.now
        let gap = now - lastReturn
        guard gap > CameraRun.lateCall else { return }
        stall.excuse(gap)
        rate.restart()
        let old = try Harvest(from: stream, into: &ledger, stall: &stall, now: now)
        let isGood = old.newest != nil
        report.withLock { report in
            report.count(old)
            if isGood { report.staleFrames += 1 }
        }
        ledger.excuseGap()
    }

    /// Throws once for each time that the machine was suspended: many cameras do not stream on after it.
    func checkSuspension() throws(CameraFault) {
        let now = system.suspendedTime
        let slept = now - suspended
        guard slept > CameraRun.shortestSuspension else { return }
        suspended = now
        throw .resumed
    }

    /// A sleep before an opening harms nothing.
    func forgetSuspension() { suspended = system.suspendedTime }
}

extension CameraReport {
    mutating func count(_ harvest: borrowing Harvest) {
        framesTaken += harvest.taken
        driverDrops += harvest.dropped
        staleFrames += harvest.stale
        damagedFrames += harvest.damagedCount
        timestampsReplaced += harvest.replaced
    }
}
