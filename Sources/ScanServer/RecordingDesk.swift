// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import LinuxSystem
internal import ScanModel
internal import ScanProtocol

/// Hands the camera's frames to the recordings, which the server's thread takes to their clients.
///
/// A frame is copied once, whoever gets it, and only where somebody has room for it.
final class RecordingDesk: FrameObserver {
    /// What the server's thread is to do, in this order.
    enum Delivery: Sendable {
        /// The first frame came: what all of them are.
        case began(UInt64, Wire.RecordingStarted)
        /// A frame's bytes with a newline, and whom it goes to behind which line.
        case frame([UInt8], [(token: UInt64, line: [UInt8])])
        case ended(UInt64, Wire.RecordingEnded)
        /// It never began.
        case refused(UInt64, RequestFailure)
    }

    /// What all frames of a recording have in common.
    private struct Form: Hashable {
        let format: String
        let width: Int
        let height: Int

        init(_ frame: CameraFrame) {
            format = frame.format
            width = frame.width
            height = frame.height
        }

        var text: String { "\(width)x\(height) \(format)" }
    }

    private struct Recording {
        var meter: RecordingMeter
        var form: Form?
    }

    private struct State {
        var recordings: [UInt64: Recording] = [:]
        var deliveries: [Delivery] = []
        var framesRecorded: UInt64 = 0
        var framesNotRecorded: UInt64 = 0

        /// The recording is over for the desk; the client is told after the frames that are on the way.
        mutating func end(_ token: UInt64, _ reason: RecordingEndReason, _ message: String? = nil) {
            guard let recording = recordings.removeValue(forKey: token) else { return }
            guard recording.form != nil else {
                let failure = RequestFailure(message ?? "no frames come", isTemporary: reason == .unavailable)
                deliveries.append(.refused(token, failure))
                return
            }
            let ended = Wire.RecordingEnded(
                frames: recording.meter.frames, dropped: recording.meter.dropped, reason: reason.rawValue,
                message: message)
            deliveries.append(.ended(token, ended))
        }
    }

    private let state = Monitor(State())
    private let queueLimit: Int
    private let wake: EventDescriptor

    /// - Parameter wake: signalled when there is something to deliver.
    init(queueLimit: Int, wake: EventDescriptor) {
        self.queueLimit = queueLimit
        self.wake = wake
    }

    // MARK: - The capture thread's side

    func take(_ frame: CameraFrame) {
        let now = MonotonicTime.now
        let form = Form(frame)
        let receivers = state.withLock { takers(of: frame, form, now: now, &$0) }
        if !receivers.isEmpty {
            // Outside the lock, or the server's thread would wait for it.
            let payload = [UInt8](unsafeUninitializedCapacity: frame.bytes.count + 1) { buffer, count in
                UnsafeMutableRawBufferPointer(buffer).copyMemory(from: frame.bytes)
                buffer[frame.bytes.count] = 0x0A
                count = frame.bytes.count + 1
            }
            state.withLock { send(payload, frame, to: receivers, &$0) }
        }
        if state.withLock({ !$0.deliveries.isEmpty }) { wake.signal() }
    }

    func framesEnded(_ reason: RecordingEndReason, message: String?) {
        state.withLock { state in
            for token in state.recordings.keys { state.end(token, reason, message) }
        }
        wake.signal()
    }

    /// Those who have room for the frame.
    private func takers(of frame: CameraFrame, _ form: Form, now: MonotonicTime, _ state: inout State) -> [UInt64] {
        let size = frame.bytes.count
        return state.recordings.keys.sorted().filter { token in
            guard var recording = state.recordings[token] else { return false }
            if let known = recording.form, known != form {
                state.end(token, .formatChanged, "\(known.text) to \(form.text)")
                return false
            }
            if recording.form == nil {
                guard size + RecordingDesk.lineAllowance <= queueLimit else {
                    let message = "a frame has \(size) bytes, and at most \(queueLimit) may wait for a recording"
                    state.end(token, .stopped, message)
                    return false
                }
                recording.form = form
                let started = Wire.RecordingStarted(
                    format: form.format, width: form.width, height: form.height, bytesPerLine: frame.bytesPerLine)
                state.deliveries.append(.began(token, started))
            }
            let verdict = recording.meter.offer(size: size, onTheWay: size + RecordingDesk.lineAllowance, now: now)
            state.recordings[token] = recording
            switch verdict {
            case .taken: return true
            case .dropped:
                state.framesNotRecorded += 1
                return false
            case .ended(let reason):
                state.end(token, reason)
                return false
            }
        }
    }

    private func send(_ payload: [UInt8], _ frame: CameraFrame, to receivers: [UInt64], _ state: inout State) {
        var lines: [(token: UInt64, line: [UInt8])] = []
        var last: [(UInt64, RecordingEndReason)] = []
        for token in receivers {
            // It may have ended while the bytes were copied.
            guard var recording = state.recordings[token] else { continue }
            let line = MessageEncoder.frame(
                Wire.RecordedFrame(
                    sequence: frame.stamp.sequence, time: frame.stamp.time.rfc3339,
                    monotonic: frame.stamp.monotonic.nanoseconds, byteCount: frame.bytes.count,
                    dropped: recording.meter.dropped))
            let reason = recording.meter.send(size: frame.bytes.count, onTheWay: line.count + payload.count)
            state.recordings[token] = recording
            state.framesRecorded += 1
            lines.append((token, line))
            if let reason { last.append((token, reason)) }
        }
        if !lines.isEmpty { state.deliveries.append(.frame(payload, lines)) }
        for (token, reason) in last { state.end(token, reason) }
    }

    // MARK: - The server thread's side

    /// Room for the line before a frame and the newline behind it, with all their numbers at their longest.
    private static let lineAllowance = 256

    func add(_ token: UInt64, _ request: Wire.RecordingRequest) {
        let meter = RecordingMeter(request, queueLimit: queueLimit)
        state.withLock { $0.recordings[token] = Recording(meter: meter) }
    }

    /// Forgets a recording whose client has gone.
    func remove(_ token: UInt64) { state.withLock { _ = $0.recordings.removeValue(forKey: token) } }

    /// Ends a recording; it is delivered like what came before.
    func end(_ token: UInt64, _ reason: RecordingEndReason, message: String? = nil) {
        state.withLock { $0.end(token, reason, message) }
    }

    /// Notes that so many bytes of a recording reached its client.
    func arrived(_ bytes: Int, at token: UInt64) {
        state.withLock { $0.recordings[token]?.meter.arrived(bytes) }
    }

    /// When a recording's time is over; `nil` before its first frame and after its end.
    func deadline(of token: UInt64) -> MonotonicTime? { state.withLock { $0.recordings[token]?.meter.deadline } }

    /// Takes what there is to do.
    func takeDeliveries() -> [Delivery] {
        state.withLock { state in
            defer { state.deliveries = [] }
            return state.deliveries
        }
    }

    /// Frames since the start: those that recordings got, and those that they did not.
    var counts: (recorded: UInt64, notRecorded: UInt64) {
        state.withLock { ($0.framesRecorded, $0.framesNotRecorded) }
    }
}
