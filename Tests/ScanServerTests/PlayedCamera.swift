// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import LinuxSystem
import ScanModel
import ScanProtocol
import ScanServer

/// A camera whose frames a test makes, one by one, on the test's own thread.
final class PlayedCamera: FrameProvider {
    private struct State {
        var failure: RequestFailure?
        var observer: (any FrameObserver)?
    }

    private let state = Monitor(State())

    init(failure: RequestFailure? = nil) { state.withLock { $0.failure = failure } }

    func recordingSource() -> Result<StatusReport.Capture, RequestFailure> {
        if let failure = state.withLock({ $0.failure }) { return .failure(failure) }
        var capture = StatusReport.Capture()
        capture.name = "Played Camera"
        return .success(capture)
    }

    func giveFrames(to observer: (any FrameObserver)?) { state.signal { $0.observer = observer } }

    /// Whether somebody wants frames.
    var isObserved: Bool { state.withLock { $0.observer != nil } }

    func waitForObserver(_ wanted: Bool = true) -> Bool {
        state.wait(until: .now + .seconds(10)) { ($0.observer != nil) == wanted ? true : nil } ?? false
    }

    /// Gives a frame that begins with its number, and may hold any byte.
    func give(_ number: Int, size: Int = 1000, width: Int = 640, at time: MonotonicTime = .now) {
        let observer = state.withLock { $0.observer }
        PlayedCamera.bytes(number, size: size).withUnsafeBytes { bytes in
            observer?.take(
                CameraFrame(
                    stamp: FrameStamp(
                        sequence: UInt64(number), monotonic: time, time: WallTime(milliseconds: Int64(number))),
                    format: "MJPG", width: width, height: 480, bytesPerLine: 0, bytes: bytes))
        }
    }

    func end(_ reason: RecordingEndReason, _ message: String?) {
        state.withLock { $0.observer }?.framesEnded(reason, message: message)
    }

    static func bytes(_ number: Int, size: Int = 1000) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: number + $0 * 7) }
    }
}
