// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ImageKernels
internal import LinuxSystem
internal import ScanModel

/// The course of a replay: which picture is due, which number it has, what is dropped.
///
/// Confined to the capture thread.
final class ReplayRun {
    /// How long a wait for a slot lasts before cancellation is looked at again.
    private static let slotPatience = Duration.milliseconds(5)
    /// How long a frame that is due may stay away before that is told, as with a camera. Only a paced replay has a time
    /// at which a frame is due.
    private static let stallPatience = Duration.milliseconds(1500)

    private(set) var counters = ReplayCounters()
    private let input: ReplayInput
    private let writer: FrameWriter
    private let options: ReplayOptions
    private let hold: UInt64
    private let isPaced: Bool

    private var clock: ReplayClock?
    /// The first number that was not given out, dropped or skipped.
    private var nextNumber: UInt64 = 0
    /// The picture that `pictures` is at, counted through all passes; -1 before the first.
    private var index = -1
    /// That picture as it was last shown, for as long as its numbers last.
    private var held: Frame?
    private var unreadableInPass = 0
    private var isOver = false

    init(input: ReplayInput, writer: FrameWriter, options: ReplayOptions) {
        self.input = input
        self.writer = writer
        self.options = options
        hold = UInt64(options.hold)
        isPaced = !options.isUnpaced
    }

    func next(into pool: FramePool, cancellation: EventDescriptor) -> SourceStep {
        guard !isOver else { return .ended }
        guard !isSignalled(cancellation, until: .now) else { return .cancelled }
        guard var clock else {
            guard let step = begin(cancellation) else { return next(into: pool, cancellation: cancellation) }
            return step
        }
        if isPaced, isSignalled(cancellation, until: clock.due(nextNumber)) { return .cancelled }
        let due = dueNumber(clock)
        if let held, due / hold == UInt64(index) { return deliver(due, clock, showing: held) }
        held = nil
        guard let lease = waitForSlot(pool, cancellation) else { return .cancelled }
        let reached = reach(Int(dueNumber(clock) / hold), &clock, cancellation)
        self.clock = clock
        switch reached {
        case .cancelled: return .cancelled
        case .stalled: return stall
        case .ended:
            isOver = true
            return .ended
        case .atPicture: return show(lease, clock)
        }
    }

    // MARK: - The start

    /// Reads up to the first picture and starts the clock; `nil` when it did, else what to answer.
    private func begin(_ cancellation: EventDescriptor) -> SourceStep? {
        let preparation = input.prepare(limits: options.limits, until: stallDeadline, cancellation: cancellation)
        let rate = options.rate(ofSource: input.pictures?.frameRate)
        let clock = ReplayClock(rate: rate, isPaced: isPaced, now: .now, wall: .now)
        switch preparation {
        case .cancelled: return .cancelled
        case .notYet: return stall
        case .failed(_, let reason):
            isOver = true
            counters.skipped += 1
            return .skipped(clock.stamp(0, now: .now, wall: .now), subject: input.name, reason: reason)
        case .ready:
            self.clock = clock
            return nil
        }
    }

    // MARK: - What is due

    /// The number to show now: the next one, or by the clock a later one.
    private func dueNumber(_ clock: ReplayClock) -> UInt64 {
        isPaced ? max(nextNumber, clock.newest(at: .now)) : nextNumber
    }

    /// When a frame that is due now and does not come is told; `nil` to wait without a word.
    private var stallDeadline: MonotonicTime? { isPaced ? .now + ReplayRun.stallPatience : nil }

    private var stall: SourceStep {
        .unavailable(
            .noFrames,
            message: "\(input.name) gave no new frame for \(ReplayRun.stallPatience.inSeconds) s after one was due; "
                + "is the program that writes it stuck? If it is that slow, name its rate with --rate")
    }

    private func isSignalled(_ cancellation: EventDescriptor, until deadline: MonotonicTime) -> Bool {
        // poll fails only where the kernel has no memory; the caller then tries again, as after a cancellation.
        guard let ready = try? pollDescriptors([(cancellation.raw, .readable)], until: deadline) else { return true }
        return !ready[0].isEmpty
    }

    private func waitForSlot(_ pool: FramePool, _ cancellation: EventDescriptor) -> SlotLease? {
        while true {
            if let lease = pool.lease(until: .now + ReplayRun.slotPatience) { return lease }
            if isSignalled(cancellation, until: .now) { return nil }
        }
    }

    // MARK: - Going forward

    private enum Reached { case atPicture, ended, cancelled, stalled }

    /// Goes to the picture `target`, or as near to it as the input gives without being waited for.
    private func reach(_ target: Int, _ clock: inout ReplayClock, _ cancellation: EventDescriptor) -> Reached {
        guard let pictures = input.pictures else { return .ended }
        while index < target {
            // Something new to show is waited for; what lies behind it only for one interval. A writer that needs
            // longer is the one who is late.
            let hasNews = index >= 0 && UInt64(index) >= nextNumber / hold
            let began = MonotonicTime.now
            let deadline = hasNews ? began + clock.interval : stallDeadline
            switch pictures.advance(until: deadline, cancellation: cancellation) {
            case .picture:
                index += 1
                if isPaced, .now - began > clock.interval {
                    clock.postpone(max(nextNumber, UInt64(index) * hold), to: .now)
                    return .atPicture
                }
            case .notYet where !hasNews:
                // The frame that did not come is due when it comes.
                clock.postpone(nextNumber, to: .now)
                return .stalled
            case .notYet:
                clock.postpone(max(nextNumber, UInt64(index) * hold), to: .now)
                return .atPicture
            case .cancelled: return .cancelled
            case .ended:
                // A pass without a readable picture would be repeated for ever.
                if options.loop, pictures.position >= unreadableInPass, pictures.rewind(),
                    case .ready = pictures.prepare(until: nil, cancellation: cancellation)
                {
                    unreadableInPass = 0
                    continue
                }
                return hasNews ? .atPicture : .ended
            }
            if index & 63 == 0, isSignalled(cancellation, until: .now) { return .cancelled }
        }
        return .atPicture
    }

    // MARK: - Showing

    /// Writes the picture that was reached into the slot and gives it out, or tells why not.
    private func show(_ lease: consuming SlotLease, _ clock: ReplayClock) -> SourceStep {
        guard let pictures = input.pictures else { return .ended }
        let first = max(nextNumber, UInt64(index) * hold)
        let number = min(max(first, dueNumber(clock)), UInt64(index) * hold + hold - 1)
        do throws(UnreadablePicture) {
            let size = try pictures.write(with: writer, into: lease.writableBytes)
            let stamp = clock.stamp(number, now: .now, wall: .now)
            return deliver(number, Frame(stamp: stamp, width: size.width, height: size.height, lease: lease))
        } catch {
            counters.dropped += first - nextNumber
            counters.skipped += 1
            unreadableInPass += 1
            nextNumber = (UInt64(index) + 1) * hold
            let stamp = clock.stamp(first, now: .now, wall: .now)
            return .skipped(stamp, subject: pictures.subject, reason: error.reason)
        }
    }

    private func deliver(_ number: UInt64, _ clock: ReplayClock, showing held: Frame) -> SourceStep {
        deliver(number, Frame(stamp: clock.stamp(number, now: .now, wall: .now), showing: held))
    }

    private func deliver(_ number: UInt64, _ frame: Frame) -> SourceStep {
        counters.dropped += number - nextNumber
        counters.delivered += 1
        nextNumber = number + 1
        // The slot is free for others as soon as the last number is out.
        held = nextNumber % hold == 0 ? nil : frame
        return .frame(frame)
    }
}
