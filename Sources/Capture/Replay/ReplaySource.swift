// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Glibc
internal import ImageKernels
public import LinuxSystem
internal import ScanModel

/// Frames from pictures that are there already: a directory, a picture, an MJPEG or Y4M file or pipe.
///
/// Each picture has `hold` numbers, from its index times `hold` on, whether it is delivered, dropped or unreadable; with
/// `loop` the indices go on. Paced, frame n is due n intervals after the first call of `next`. A caller that comes late
/// gets the frame that is due then, and what is past is dropped; an input that comes late moves the schedule instead,
/// as a pipe's writer would never be caught up with. Paced, an input that gives nothing for 1.5 s after a frame was due is
/// `unavailable` (`noFrames`), again every 1.5 s; unpaced, it is waited for in silence.
///
/// - Important: `next` belongs to the capture thread; `counters` may be read from any.
public final class ReplaySource: FrameSource {
    public let name: String
    public let isUnpaced: Bool
    // Held during `next`, by the one thread that calls it.
    private let run: Monitor<ReplayRun>
    private let counted: Monitor<ReplayCounters>

    /// Opens what `path` names; `-` is standard input, whose kind is only found out by the first `next`.
    ///
    /// Throws where there is nothing that could ever give a frame. A file that is named like a picture and is none is
    /// no such error: it is skipped by `next`, which tells why.
    public convenience init(path: String, options: ReplayOptions = ReplayOptions()) throws(ReplayError) {
        if path == "-" {
            guard CurrentProcess.isReadable(0) else {
                throw ReplayError(
                    .notFound, "standard input",
                    "it is closed, or open for writing only; connect the program or the file that the video comes from"
                )
            }
            let raw = fcntl(0, F_DUPFD_CLOEXEC, 3)
            guard raw >= 0 else { throw ReplayError(.last("dup", "standard input")) }
            try self.init(stream: OwnedDescriptor(owning: raw), name: "standard input", options: options)
        } else {
            try self.init(input: try ReplayInput(path: path, limits: options.limits), name: path, options: options)
        }
    }

    /// Takes MJPEG or Y4M from a pipe, a socket or an open file.
    public convenience init(
        stream: consuming OwnedDescriptor, name: String, options: ReplayOptions = ReplayOptions()
    ) throws(ReplayError) {
        if options.loop {
            throw ReplayError(.invalidOption, name, "a pipe can not be started again; --loop needs a file")
        }
        try self.init(input: ReplayInput(stream: ByteStream(stream, name: name)), name: name, options: options)
    }

    private init(input: sending ReplayInput, name: String, options: ReplayOptions) throws(ReplayError) {
        try options.check(for: name)
        let writer: FrameWriter
        do throws(PictureError) {
            writer = try FrameWriter(orientation: options.orientation, limits: options.limits)
        } catch {
            throw ReplayError(.system, name, error.description)
        }
        self.name = name
        isUnpaced = options.isUnpaced
        run = Monitor(ReplayRun(input: input, writer: writer, options: options))
        counted = Monitor(ReplayCounters())
    }

    public func next(into pool: FramePool, cancellation: EventDescriptor) -> SourceStep {
        run.withLock { run in
            defer { counted.withLock { [counters = run.counters] in $0 = counters } }
            return run.next(into: pool, cancellation: cancellation)
        }
    }

    /// What became of the pictures, as of the last `next`.
    public var counters: ReplayCounters { counted.withLock { $0 } }
}

extension ReplayOptions {
    var limits: PictureLimits {
        PictureLimits(maximumPixels: maximumPixels, maximumSide: FramePool.maximumSide)
    }

    var isUnpaced: Bool {
        if case .unpaced = rate { true } else { false }
    }

    /// Frames a second of the schedule, given what the file says.
    func rate(ofSource own: Double?) -> Double {
        switch rate {
        case .source, .unpaced(clockRate: nil): own ?? ReplayOptions.defaultRate
        case .fixed(let rate), .unpaced(clockRate: .some(let rate)): rate
        }
    }

    fileprivate func check(for subject: String) throws(ReplayError) {
        guard (1...ReplayOptions.maximumHold).contains(hold) else {
            throw ReplayError(
                .invalidOption, subject, "hold \(hold); a picture is shown for 1 to \(ReplayOptions.maximumHold) frames"
            )
        }
        let rate = rate(ofSource: nil)
        guard ReplayOptions.rates.contains(rate) else {
            throw ReplayError(.invalidOption, subject, "rate \(rate); it is \(ReplayOptions.rates) frames a second")
        }
        guard (1...FramePool.maximumPixels).contains(maximumPixels) else {
            throw ReplayError(
                .invalidOption, subject, "at most \(maximumPixels) pixels; it is 1 to \(FramePool.maximumPixels)")
        }
    }
}
