// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import LinuxSystem
internal import ScanModel

/// Frames from a camera through V4L2, which never gives up on it.
///
/// Whatever happens to the camera, `next` says so once (`unavailable`) and goes on trying: the camera is closed, and
/// opened from nothing when a device comes or goes, or after a back-off of 0.5 s that grows to 4 s, and to 10 s when an
/// outage has lasted for a minute. What can be told within 2 s is told then. Frames come within 5 s of the camera's return,
/// and of the end of a fault that no device event tells of, such as too little bandwidth; of one that lasted for more than
/// a minute, within 11 s. Frame numbers never go back; gaps are frames that the driver lost.
///
/// - Important: `next` belongs to the capture thread; all else may be called from any.
public final class V4L2Camera: RawPictureSource {
    public let isUnpaced = false
    private let fallbackName: String
    // Held during `next`, by the one thread that calls it.
    private let run: Monitor<CameraRun>
    private let report: Monitor<CameraReport>
    private let observer: Monitor<(any RawPictureObserver)?>

    /// A camera of this machine; it is opened by the first `next`.
    public convenience init(options: CameraOptions) {
        self.init(options: options, system: LinuxCameraSystem()) { applyControls($0, to: $1) }
    }

    init(
        options: CameraOptions, system: sending any CameraSystem,
        applyControls:
            @escaping @Sendable (_ settings: [CameraControlSetting], _ device: any VideoDevice) ->
            [CameraReport.Control]
    ) {
        var asked = CameraReport()
        asked.asked.width = options.size?.width
        asked.asked.height = options.size?.height
        asked.asked.rate = options.rate
        asked.asked.format = options.format
        report = Monitor(asked)
        observer = Monitor(nil)
        switch options.selection {
        case .automatic: fallbackName = "camera"
        case .path(let path): fallbackName = path
        }
        run = Monitor(
            CameraRun(
                options: options, system: system, setControls: applyControls, report: report, observer: observer))
    }

    /// The camera's own name; before it was found, what was asked for.
    public var name: String { report.withLock { $0.name } ?? fallbackName }

    public var cameraReport: CameraReport? { report.withLock { $0 } }

    /// Gives each good frame to `observer` as the camera made it, from the next one on; `nil`: to nobody.
    ///
    /// Any thread may call it. A frame that is being taken may still go to the one before.
    public func observe(_ observer: (any RawPictureObserver)?) { self.observer.withLock { $0 = observer } }

    public func rest() { run.withLock { $0.rest() } }

    public func next(into pool: FramePool, cancellation: EventDescriptor) -> SourceStep {
        run.withLock { $0.next(into: pool, cancellation: cancellation) }
    }
}
