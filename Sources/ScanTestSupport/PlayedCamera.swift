// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import LinuxSystem
internal import ScanModel
public import ScanProtocol
public import ScanServer

/// A camera whose frames a test makes, one by one, on the test's own thread.
public final class PlayedCamera: FrameProvider {
    private struct State {
        var failure: RequestFailure?
        var observer: (any FrameObserver)?
    }

    private let state = Monitor(State())

    /// - Parameter failure: why nothing can be recorded of it.
    public init(failure: RequestFailure? = nil) { state.withLock { $0.failure = failure } }

    public func recordingSource() -> Result<StatusReport.Capture, RequestFailure> {
        if let failure = state.withLock({ $0.failure }) { return .failure(failure) }
        var capture = StatusReport.Capture()
        capture.name = "Played Camera"
        capture.stablePath = "/dev/v4l/by-id/played-camera"
        capture.mode = .init(width: 640, height: 480, rate: 25, format: "MJPG")
        capture.controls = [.init(name: "exposure_time_absolute", value: 50, problem: nil)]
        return .success(capture)
    }

    public func giveFrames(to observer: (any FrameObserver)?) { state.signal { $0.observer = observer } }

    /// Nothing can be recorded from now on, or something can (`nil`).
    public func fail(_ failure: RequestFailure?) { state.withLock { $0.failure = failure } }

    /// Whether somebody wants frames.
    public var isObserved: Bool { state.withLock { $0.observer != nil } }

    /// Waits until somebody wants frames, or nobody does any more; false when that did not come about.
    public func waitForObserver(_ wanted: Bool = true) -> Bool {
        state.wait(until: .now + .seconds(20)) { ($0.observer != nil) == wanted ? true : nil } ?? false
    }

    /// Gives a frame of such bytes, 1/25 s after the one before, or at any moment.
    public func give(
        _ number: Int, _ bytes: [UInt8], format: String = "MJPG", width: Int = 640, height: Int = 480,
        bytesPerLine: Int = 0, monotonic: Int64? = nil
    ) {
        let observer = state.withLock { $0.observer }
        let stamp = FrameStamp(
            sequence: UInt64(number),
            monotonic: MonotonicTime(nanoseconds: monotonic ?? 7_000_000_000 + Int64(number) * 40_000_000),
            time: WallTime(milliseconds: 1_796_030_796_000 + Int64(number) * 40))
        bytes.withUnsafeBytes { bytes in
            observer?.take(
                CameraFrame(
                    stamp: stamp, format: format, width: width, height: height, bytesPerLine: bytesPerLine,
                    bytes: bytes))
        }
    }

    /// Gives a frame that begins with its number, and may hold any byte.
    public func give(_ number: Int, size: Int = 1000, width: Int = 640) {
        give(number, PlayedCamera.bytes(number, size: size), width: width)
    }

    /// No more frames come.
    public func end(_ reason: RecordingEndReason, _ message: String?) {
        state.withLock { $0.observer }?.framesEnded(reason, message: message)
    }

    /// The bytes of a frame that is given by its number.
    public static func bytes(_ number: Int, size: Int = 1000) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: number + $0 * 7) }
    }
}
