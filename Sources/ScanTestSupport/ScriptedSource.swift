// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import Capture
public import ImageKernels
public import LinuxSystem
public import ScanModel

/// A source that plays a list of steps, unpaced, at 30 frames a second of its own clock.
public final class ScriptedSource: FrameSource {
    /// What comes next.
    public enum Step: Sendable {
        case show(LumaBuffer, frames: Int)
        /// Frames whose picture is only made when they are developed: `onDevelop` is told which, and may call it damaged.
        case showUndeveloped(
            LumaBuffer, frames: Int, onDevelop: @Sendable (UInt64) throws(PictureError) -> Void)
        case skip(reason: String)
        case unavailable(UnavailabilityCode)
    }

    public let name = "script"
    public let isUnpaced: Bool
    private let steps: Monitor<(steps: [Step], shown: Int, sequence: UInt64)>

    public init(_ steps: [Step], isUnpaced: Bool = true) {
        self.isUnpaced = isUnpaced
        self.steps = Monitor((steps, 0, 0))
    }

    public func next(into pool: FramePool, cancellation: EventDescriptor) -> SourceStep {
        let next = steps.withLock { state -> (Step, FrameStamp)? in
            guard let step = state.steps.first else { return nil }
            let stamp = ScriptedSource.stamp(state.sequence)
            state.sequence += 1
            state.shown += 1
            if state.shown < step.frames { return (step, stamp) }
            state.steps.removeFirst()
            state.shown = 0
            return (step, stamp)
        }
        guard let (step, stamp) = next else { return .ended }
        switch step {
        case .skip(let reason): return .skipped(stamp, subject: "step \(stamp.sequence)", reason: reason)
        case .unavailable(let code): return .unavailable(code, message: "as the script says")
        case .show(let picture, _): return show(picture, stamp, pool, cancellation)
        case .showUndeveloped(let picture, _, let onDevelop):
            let frame = pool.makeFrame(stamp, width: picture.width, height: picture.height) {
                (slot) throws(PictureError) in
                try onDevelop(stamp.sequence)
                picture.pixels.withUnsafeBytes { slot.copyMemory(from: $0) }
            }
            return frame.map { .frame($0) } ?? .ended
        }
    }

    private func show(
        _ picture: LumaBuffer, _ stamp: FrameStamp, _ pool: FramePool, _ cancellation: EventDescriptor
    ) -> SourceStep {
        while true {
            let frame = pool.makeFrame(stamp, width: picture.width, height: picture.height) { slot in
                picture.pixels.withUnsafeBytes { slot.copyMemory(from: $0) }
                return true
            }
            if let frame { return .frame(frame) }
            // All slots are in use: look again soon.
            let ready = try? pollDescriptors([(cancellation.raw, .readable)], until: .now + .milliseconds(2))
            if ready?.first?.contains(.readable) == true { return .cancelled }
        }
    }

    private static func stamp(_ sequence: UInt64) -> FrameStamp {
        FrameStamp(
            sequence: sequence, monotonic: MonotonicTime(nanoseconds: Int64(sequence) * 33_333_333),
            time: WallTime(milliseconds: 1_780_000_000_000 + Int64(sequence) * 33))
    }
}

extension ScriptedSource.Step {
    /// How many frames it lasts.
    fileprivate var frames: Int {
        switch self {
        case .show(_, let frames), .showUndeveloped(_, let frames, _): frames
        case .skip, .unavailable: 1
        }
    }
}
