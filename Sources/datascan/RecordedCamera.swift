// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Capture
import Configuration
import ScanProtocol

/// The camera of a recording, for `recording.json`: what somebody needs who gets the pictures with a bug report.
struct RecordedCamera {
    private var members: [String: JSONValue] = ["version": .string(ProductVersion.current)]

    /// As the daemon describes it.
    init(_ started: Wire.RecordingStarted) {
        put("format", started.format)
        put("width", started.width)
        put("height", started.height)
        members["bytesPerLine"] = .integer(Int64(started.bytesPerLine))
        guard let camera = started.capture else { return }
        put(name: camera.name, stablePath: camera.stablePath, bus: camera.bus, driver: camera.driver)
        if let rate = camera.mode?.rate { members["rate"] = .number(rate) }
        put(camera.controls.map { ($0.name, $0.value, $0.problem) })
    }

    /// As it was opened here.
    init(_ report: CameraReport?) {
        guard let report else { return }
        if let mode = report.mode {
            put("format", mode.format.description)
            put("width", mode.width)
            put("height", mode.height)
            if let interval = mode.interval {
                members["rate"] = .number((interval.framesPerSecond * 100).rounded() / 100)
            }
        }
        put(name: report.name, stablePath: report.stablePath, bus: report.bus, driver: report.driver)
        put(report.controls.map { ($0.name, $0.value, $0.problem) })
    }

    /// With how the recording is going, or how it went.
    func json(_ tally: RecordingTally, _ conclusion: RecordConclusion?) -> JSONValue {
        var members = members
        if let conclusion {
            members["frames"] = .integer(Int64(tally.frames))
            members["dropped"] = .integer(Int64(conclusion.dropped))
            members["seconds"] = .number(tally.duration.inTenths)
            members["ended"] = .string(conclusion.code)
            if let message = conclusion.message { members["message"] = .string(message) }
        }
        return .object(members)
    }

    private mutating func put(_ key: String, _ text: String?) { members[key] = text.map { .string($0) } }
    private mutating func put(_ key: String, _ number: Int) { members[key] = .integer(Int64(number)) }

    private mutating func put(name: String?, stablePath: String?, bus: String?, driver: String?) {
        put("name", name)
        put("stablePath", stablePath)
        put("bus", bus)
        put("driver", driver)
    }

    private mutating func put(_ controls: [(name: String, value: Int64?, problem: String?)]) {
        guard !controls.isEmpty else { return }
        members["controls"] = .array(
            controls.map { control in
                var entry: [String: JSONValue] = ["name": .string(control.name)]
                if let value = control.value { entry["value"] = .integer(value) }
                if let problem = control.problem { entry["problem"] = .string(problem) }
                return .object(entry)
            })
    }
}
