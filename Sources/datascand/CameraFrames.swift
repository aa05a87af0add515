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
        guard let status = state.withLock({ $0.scanner })?.status, status.isScanning else {
            return .failure(RequestFailure("datascand is not scanning, so its camera gives no frames: startScanning"))
        }
        // A dark picture is one as well, and is recorded.
        if let code = status.unavailability, code != .dark {
            return .failure(
                RequestFailure("\(code.rawValue): \(status.unavailabilityMessage)", isTemporary: true))
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

    /// Takes what the scanner tells of its source.
    func note(_ event: ScanEvent) {
        switch event {
        case .becameUnavailable(.dark, _): break
        case .becameUnavailable(let code, let message):
            state.withLock { $0.observer }?.framesEnded(.unavailable, message: "\(code.rawValue): \(message)")
        default: break
        }
    }

    /// Scanning was stopped, and the camera with it.
    func noteStop() {
        state.withLock { $0.observer }?.framesEnded(.stopped, message: "scanning was stopped")
    }
}
