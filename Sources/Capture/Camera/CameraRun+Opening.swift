// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ImageKernels
internal import LinuxSystem
internal import ScanModel

extension CameraRun {
    /// Waits until the next opening is due and opens the camera; false when it was cancelled before.
    func open(_ cancellation: EventDescriptor) throws(CameraFault) -> Bool {
        guard waitForOpening(cancellation) else { return false }
        forgetSuspension()
        plan.opens(at: system.now)
        position.opens()
        // Until the modes are known, no fault is one of a mode.
        ladder = []
        guard let located = identity.locate(at: system.now, system.locate) else { throw .absent }
        plan.located(at: system.now)
        report.withLock { report in
            report.device = located.node
            report.stablePath = located.stablePath
        }
        let probe = try CameraProbe(opening: located.node, system: system, wish: wish)
        ladder = probe.choice.ladder
        guard let mode = position.mode(of: ladder) else { preconditionFailure("a probe has a mode, or it threw") }
        describe(probe, asking: ladder.first ?? mode)
        let stream = try start(probe, mode)
        self.stream = stream
        identity.opened(located)
        report.withLock { report in
            report.mode = stream.mode
            report.controls = stream.controls
            report.openings += 1
        }
        ledger.beginStream()
        stall = StallWatch(interval: stream.mode.interval, start: system.now)
        (framesOfStream, passedErrors, isRemarked) = (0, 0, false)
        rate.restart()
        return true
    }

    private func start(_ probe: CameraProbe, _ mode: CameraMode) throws(CameraFault) -> CameraStream {
        if maker == nil {
            do throws(PictureError) {
                maker = try CameraFrameMaker(orientation: options.orientation)
            } catch {
                probe.device.close()
                throw .driver(error.description)
            }
        }
        return try CameraStream(probe, mode: mode, settings: options.controls, setControls: setControls)
    }

    private func waitForOpening(_ cancellation: EventDescriptor) -> Bool {
        guard system.pause(until: system.now, cancellation: cancellation) else { return false }
        guard system.now < plan.retryAt else { return true }
        system.watch(report.withLock { $0.device })
        defer { system.watch(nil) }
        while system.now < plan.retryAt {
            switch system.waitForChange(until: plan.retryAt, cancellation: cancellation) {
            case .deadline: break
            case .cancelled: return false
            case .changed:
                plan.deviceChanged(at: system.now)
                // Nothing is listened to until then: a storm of changes would wake us for each of them.
                guard system.pause(until: plan.retryAt, cancellation: cancellation) else { return false }
            }
        }
        return true
    }

    private func describe(_ probe: CameraProbe, asking mode: CameraMode) {
        report.withLock { report in
            report.name = probe.capability.name
            report.bus = probe.capability.bus
            report.driver = probe.capability.driver
            report.isConverted = probe.isConverted
            report.modeNote = probe.choice.note
            report.asked.width = options.size?.width ?? mode.width
            report.asked.height = options.size?.height ?? mode.height
            report.asked.rate = options.rate ?? mode.interval?.framesPerSecond
        }
    }
}
