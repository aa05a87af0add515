// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Capture
internal import DataDetection
internal import ImageKernels
internal import LinuxSystem
internal import Motion
internal import Recognition
internal import ScanModel
internal import Scheduling
internal import Tracking

/// What the pipeline works with; shared with the threads around it.
struct PipelineContext: Sendable {
    let configuration: ScannerConfiguration
    let isUnpaced: Bool
    /// A camera's name is known when it was opened.
    let sourceName: @Sendable () -> String
    let inbox: PipelineInbox
    let recognition: any RecognitionService
    let capture: CaptureLoop
    let subscriptions: Subscriptions
    let status: Monitor<ScannerStatus>
    let onEvent: DataScanner.EventHandler
    let onEnd: @Sendable () -> Void
}

/// The scanner's main thread: frames in, looks out to the recognisers, their answers into the tracker, events out.
///
/// It decides nothing itself: the scheduler says what to look at, the tracker what it means.
struct Pipeline {
    /// The longest that the thread sleeps: the tracker's clock goes on without frames too.
    private static let longestWait = Duration.milliseconds(500)
    /// Frames without a damaged one that end a spell of damage: a bad cable spoils one frame a second, and a log line for
    /// each would fill the journal.
    private static let undamagedSpan = Duration.seconds(10)

    let context: PipelineContext
    var tracker: ItemTracker
    var scheduler: ScanScheduler
    let filter: ReadingFilter
    var follower = PictureFollower()
    var looks = LooksInWork()
    /// The newest frame seen; no event leaves with an older one.
    var newest: FrameStamp?
    var isScanning = false
    private var isEnding = false
    private var isUnavailable = false
    /// Counts what cuts the stream of frames: scanning that stopped, a source that was lost. A look of before says nothing of
    /// what is in view after.
    var era = 0
    /// When the newest frame that was skipped was taken, until enough good ones came.
    private var lastSkip: MonotonicTime?
    /// Frames that were to be looked at while all slots were in use.
    private var framesWithoutSlot = 0

    init(_ context: PipelineContext) {
        self.context = context
        let configuration = context.configuration
        var settings = TrackerSettings()
        settings.qualityLevel = configuration.qualityLevel
        settings.recognizesMultipleItems = configuration.recognizesMultipleItems
        settings.region = configuration.regionOfInterest
        settings.annotate = { BarcodeDetails.complete(&$0) }
        tracker = ItemTracker(settings: settings)
        filter = ReadingFilter(rules: configuration.symbologyRules)
        var rhythm = SchedulerSettings()
        rhythm.qualityLevel = configuration.qualityLevel
        rhythm.wantsBarcodes = !configuration.symbologies.isEmpty
        rhythm.wantsText = !configuration.languages.isEmpty
        rhythm.costModel = context.isUnpaced ? .fixed : .measured
        scheduler = ScanScheduler(settings: rhythm)
    }

    /// The thread's body; returns after `shutDown` or the source's end.
    mutating func run() {
        while true {
            let (messages, frame, dropped) = takeNext()
            for message in messages {
                if case .shutDown = message {
                    finish()
                    return
                }
                handle(message)
            }
            if let frame, isScanning { process(frame, dropped: dropped) }
            if isEnding, looks.isEmpty {
                finish()
                return
            }
        }
    }

    /// Messages and the frame; an unpaced source's frame stays where it is while scanning is stopped: none is dropped.
    private func takeNext() -> (messages: [PipelineMessage], frame: Frame?, dropped: Int) {
        let deadline = MonotonicTime.now + Pipeline.longestWait
        if context.isUnpaced, !isScanning { return (context.inbox.takeMessages(until: deadline), nil, 0) }
        return context.inbox.take(until: deadline)
    }

    // MARK: - Messages

    private mutating func handle(_ message: PipelineMessage) {
        switch message {
        case .start:
            isScanning = true
            context.status.withLock { $0.isScanning = true }
            context.capture.resume()
        case .stop:
            isScanning = false
            context.status.withLock { $0.isScanning = false }
            context.capture.pause()
            removeAll(.stopped)
            era += 1
        case .looked(let outcome): finishLook(outcome)
        case .skipped(let stamp, let subject, let reason): skip(stamp, subject, reason)
        case .unavailable(let code, let message): becomeUnavailable(code, message)
        case .remark(let text): context.configuration.onNotice(.sourceRemark(text))
        case .sourceEnded: isEnding = true
        case .shutDown: break
        }
    }

    private mutating func skip(_ stamp: FrameStamp, _ subject: String, _ reason: String) {
        advance(to: stamp)
        tellSkipped(stamp, subject, reason)
    }

    private mutating func tellSkipped(_ stamp: FrameStamp, _ subject: String, _ reason: String) {
        lastSkip = stamp.monotonic
        context.status.withLock { status in
            status.framesSkipped += 1
            status.lastSkippedName = subject
            status.lastSkippedReason = reason
        }
        context.configuration.onNotice(.frameSkipped(sequence: stamp.sequence, subject: subject, reason: reason))
    }

    private mutating func becomeUnavailable(_ code: UnavailabilityCode, _ message: String) {
        if isUnavailable, context.status.withLock({ $0.unavailability == code }) { return }
        removeAll(.sourceLost)
        era += 1
        isUnavailable = true
        context.status.withLock { status in
            status.unavailability = code
            status.unavailabilityMessage = message
        }
        emit([.becameUnavailable(code, message: message)])
    }

    // MARK: - Frames

    private mutating func process(_ frame: Frame, dropped: Int) {
        if isUnavailable {
            // A camera that is back and sends rubbish is not back.
            if let fault = develop(frame) {
                advance(to: frame.stamp)
                return tell(fault, of: frame)
            }
            isUnavailable = false
            context.status.withLock { $0.unavailability = nil }
            emit([.becameAvailable])
        }
        let places = tracker.places
        if !places.isEmpty {
            // What is in view is followed in every frame, so every frame is decoded; of an empty scene only those that are
            // looked at.
            if let fault = develop(frame) {
                advance(to: frame.stamp)
                return tell(fault, of: frame)
            }
            advance(to: frame.stamp, motion: follower.follow(frame, places: places))
        } else {
            advance(to: frame.stamp)
        }
        let now = frame.stamp.monotonic
        let before = scheduler
        let plan = scheduler.plan(
            frame: frame.stamp, width: frame.width, height: frame.height,
            region: context.configuration.regionOfInterest.boundingRect, isBarcodeReaderFree: looks.isFree(.barcodes),
            isTextReaderFree: looks.isFree(.text), attention: SchedulerAttention(tracker.attention(now: now)), now: now)
        if !plan.isEmpty, let fault = develop(frame) {
            // As if it had never been asked: the next frame gets the look, and the tracker hears of none.
            scheduler = before
            return tell(fault, of: frame)
        }
        count(frame, dropped: dropped)
        guard !plan.isEmpty else { return }
        for look in PlannedLook.all(in: plan, frame: frame, configuration: context.configuration) { submit(look) }
        if context.isUnpaced { awaitLooks() }
    }

    /// Decodes a frame that somebody wants to look at; answers why that can not be.
    private mutating func develop(_ frame: Frame) -> FrameFault? {
        if frame.isDeveloped { return nil }
        do throws(FrameFault) {
            try frame.develop()
        } catch {
            return error
        }
        context.status.withLock { $0.framesDecoded += 1 }
        return nil
    }

    private mutating func tell(_ fault: FrameFault, of frame: Frame) {
        switch fault {
        case .damaged(let reason): tellSkipped(frame.stamp, context.sourceName(), reason)
        case .noSlot:
            framesWithoutSlot += 1
            context.status.withLock { status in
                status.framesDropped += 1
                status.framesDelivered += 1
            }
        }
    }

    private mutating func count(_ frame: Frame, dropped: Int) {
        // Whether one that nobody looks at could be read is not known.
        if let skipped = lastSkip, frame.isDeveloped, frame.stamp.monotonic - skipped >= Pipeline.undamagedSpan {
            lastSkip = nil
            context.configuration.onNotice(.framesReadAgain(skipped: context.status.withLock { $0.framesSkipped }))
        }
        context.status.withLock { status in
            status.framesProcessed += 1
            status.framesDropped = dropped + framesWithoutSlot
            status.framesDelivered = status.framesProcessed + status.framesDropped
            status.frameWidth = frame.width
            status.frameHeight = frame.height
            status.rateMeter.note(delivered: status.framesDelivered, now: .now)
        }
    }

    mutating func submit(_ look: PlannedLook) {
        var look = look
        look.era = era
        looks.begin(look)
        let inbox = context.inbox
        let subject = look.subject
        // The frame stays in its slot for as long as `looks` holds it.
        context.recognition.submit(look.job) { result in
            inbox.put(.looked(LookOutcome(subject: subject, result: result)))
        }
    }
}
