// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Capture
import Glibc
import LinuxSystem
import ScanModel
import Testing

@testable import Capture

/// A camera's course under a script, and what it told.
final class CameraPlay {
    enum Told: Equatable {
        case frame(UInt64)
        case skipped(UInt64, String)
        case unavailable(UnavailabilityCode, String)
        case remark(String)
    }

    struct Step {
        let at: Double
        let told: Told
        let stamp: FrameStamp?
    }

    let system: ScriptedCameraSystem
    let report = Monitor(CameraReport())
    let observer = Monitor<(any RawPictureObserver)?>(nil)
    let run: CameraRun
    private let pool: FramePool
    private let cancellation: EventDescriptor
    private(set) var steps: [Step] = []
    /// Kept from one `next` to the next, as a slow consumer does.
    var keepsFrames = false
    private var kept: [Frame] = []

    init(_ system: ScriptedCameraSystem, _ options: CameraOptions = CameraOptions(selection: .automatic)) throws {
        self.system = system
        pool = try FramePool(slotCount: 3, maximumPixels: 1 << 20)
        cancellation = try EventDescriptor()
        run = CameraRun(
            options: options, system: system, setControls: CameraPlay.setControls, report: report, observer: observer)
    }

    /// One camera, which is found by itself.
    convenience init(_ camera: ScriptedCamera, _ change: (inout CameraOptions) -> Void = { _ in }) throws {
        var options = CameraOptions(selection: .automatic)
        change(&options)
        try self.init(ScriptedCameraSystem([camera]), options)
    }

    /// Each control that is asked for, by its number.
    static let setControls: ControlSetter = { settings, device in
        let listed = (try? device.controls()) ?? []
        return settings.map { setting in
            guard let control = listed.first(where: { $0.name == setting.name }), let value = Int64(setting.value)
            else {
                return CameraReport.Control(name: setting.name, value: nil, problem: "not listed")
            }
            do throws(SystemError) {
                try device.setControl(control.id, to: value)
                return CameraReport.Control(
                    name: setting.name, value: try device.value(ofControl: control.id), problem: nil)
            } catch {
                return CameraReport.Control(name: setting.name, value: nil, problem: error.description)
            }
        }
    }

    /// Lets the camera run until `seconds` after the start.
    @discardableResult
    func until(_ seconds: Double) -> CameraPlay {
        system.cancelAt = system.moment(seconds)
        while step() {}
        return self
    }

    /// One call of `next`; false when it was cancelled.
    func step() -> Bool {
        let step = run.next(into: pool, cancellation: cancellation)
        let at = (system.now - system.start).inSeconds
        switch step {
        case .frame(let frame):
            if keepsFrames { kept.append(frame) }
            if frame.stamp.monotonic > system.now { system.violations.append("a stamp in the future at \(at)") }
            steps.append(Step(at: at, told: .frame(frame.stamp.sequence), stamp: frame.stamp))
        case .skipped(let stamp, _, let reason):
            steps.append(Step(at: at, told: .skipped(stamp.sequence, reason), stamp: stamp))
        case .unavailable(let code, let message):
            steps.append(Step(at: at, told: .unavailable(code, message), stamp: nil))
        case .remark(let text): steps.append(Step(at: at, told: .remark(text), stamp: nil))
        case .cancelled: return false
        case .ended:
            system.violations.append("a camera ended")
            return false
        }
        return true
    }

    // MARK: - What it told

    var counts: CameraReport { report.withLock { $0 } }

    var unavailable: [(at: Double, code: UnavailabilityCode, message: String)] {
        steps.compactMap { step in
            if case .unavailable(let code, let message) = step.told { (step.at, code, message) } else { nil }
        }
    }

    var remarks: [String] {
        steps.compactMap { if case .remark(let text) = $0.told { text } else { nil } }
    }

    var codes: [UnavailabilityCode] { unavailable.map(\.code) }

    var skipped: [String] {
        steps.compactMap { if case .skipped(_, let reason) = $0.told { reason } else { nil } }
    }

    func frames(from: Double = 0, to: Double = .infinity) -> [Step] {
        steps.filter { step in
            if case .frame = step.told, step.at >= from, step.at <= to { true } else { false }
        }
    }

    func firstFrame(after seconds: Double) -> Double? { frames(from: seconds).first?.at }

    /// What must hold after any script; each sentence is a fault.
    func faults(mostCalls: Int = 1500) -> [String] {
        var faults = system.violations
        let open = system.devices.filter(\.isOpen).count
        if open > 1 { faults.append("\(open) devices are open") }
        if run.stream == nil, open > 0 { faults.append("a device is open without a stream") }
        if system.mostCallsInSecond > mostCalls { faults.append("\(system.mostCallsInSecond) calls within a second") }
        let stamps = steps.compactMap(\.stamp)
        for (a, b) in zip(stamps, stamps.dropFirst()) {
            if b.sequence <= a.sequence { faults.append("number \(b.sequence) after \(a.sequence)") }
            if b.monotonic < a.monotonic { faults.append("the stamp of \(b.sequence) goes back") }
        }
        for second in stride(from: 0.0, through: 200, by: 1) {
            let (from, to) = (system.moment(second), system.moment(second + 1))
            let count = system.openings.filter { $0.at >= from && $0.at < to }.count
            // Ten modes may be tried one after the other.
            if count > 4 + ModeChoice.longestLadder { faults.append("\(count) openings in the second from \(second)") }
        }
        return faults
    }
}
