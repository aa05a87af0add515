// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Capture
import DataScanner
import LinuxSystem
import ScanModel
import ScanProtocol
import ScanServer

/// Gives the camera's own frames to the server's recordings, and tells them when there are no more.
///
/// The server shares them out among the recordings, so one observer is enough here.
final class CameraFrames: FrameProvider, RawPictureObserver {
    private struct State {
        var observer: (any FrameObserver)?
        // Unowned by design, as in `RequestHandler`.
        var scanner: DataScanner?
        /// Why no frames come, while none come.
        var unavailable: String?
    }

    private let source: any FrameSource
    private let state = Monitor(State())

    init(_ source: any FrameSource) { self.source = source }

    /// Names the scanner; before that, nothing is scanned.
    func attach(_ scanner: DataScanner) { state.withLock { $0.scanner = scanner } }

    // MARK: - For the server

    func recordingSource() -> Result<StatusReport.Capture, RequestFailure> {
        guard source is any RawPictureSource, let report = source.cameraReport else {
            return .failure(
                RequestFailure(
                    "the source is a replay (\(source.name)), and frames are recorded of cameras only; "
                        + "copy the replay's own files"))
        }
        let (scanner, unavailable) = state.withLock { ($0.scanner, $0.unavailable) }
        if let unavailable { return .failure(RequestFailure(unavailable, isTemporary: true)) }
        guard let scanner, scanner.status.isScanning else {
            return .failure(RequestFailure("datascand is not scanning, so its camera gives no frames: startScanning"))
        }
        return .success(StatusReport.Capture(report, now: .now))
    }

    func giveFrames(to observer: (any FrameObserver)?) {
        state.withLock { $0.observer = observer }
        // A camera that nobody records does nothing for it.
        (source as? any RawPictureSource)?.observe(observer == nil ? nil : self)
    }

    // MARK: - For the camera

    func take(_ picture: RawPicture) {
        state.withLock { $0.observer }?.take(
            CameraFrame(
                stamp: picture.stamp, format: picture.format.description, width: picture.width,
                height: picture.height, bytesPerLine: picture.bytesPerLine, bytes: picture.bytes))
    }

    // MARK: - For the daemon

    /// Takes what the scanner tells of its source. A dark picture is one as well, and is recorded.
    func note(_ event: ScanEvent) {
        switch event {
        case .becameUnavailable(.dark, _): break
        case .becameUnavailable(let code, let message):
            let reason = "\(code.rawValue): \(message)"
            let observer = state.withLock { state in
                state.unavailable = reason
                return state.observer
            }
            observer?.framesEnded(.unavailable, message: reason)
        case .becameAvailable: state.withLock { $0.unavailable = nil }
        default: break
        }
    }

    /// Scanning was stopped, and the camera with it.
    func noteStop() {
        let observer = state.withLock { state in
            state.unavailable = nil
            return state.observer
        }
        observer?.framesEnded(.stopped, message: "scanning was stopped")
    }
}
