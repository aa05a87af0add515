// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanProtocol

/// The camera's part of `datascan status`, for people.
enum CaptureRows {
    static func rows(_ capture: StatusReport.Capture) -> [(String, String)] {
        var rows: [(String, String)] = []
        let names = [capture.name, capture.device, capture.bus, capture.stablePath].compactMap { $0 }
        if !names.isEmpty { rows.append(("camera", names.joined(separator: ", "))) }
        rows.append(("mode", mode(capture)))
        if let note = capture.note { rows.append(("but", note)) }
        rows.append(
            (
                "from it",
                "\(capture.framesTaken) frames, \(capture.driverDrops) lost on the way, \(capture.staleFrames) overtaken, "
                    + "\(capture.damagedFrames) damaged, \(capture.timestampsReplaced) with a wrong time"
                    + (capture.newestFrameAge.map { "; newest \($0) s ago" } ?? "")
            ))
        rows.append(("openings", "\(capture.openings), \(capture.stepDowns) steps down"))
        if let reason = capture.lastStepDown { rows.append(("stepped down", reason)) }
        for control in capture.controls {
            let parts = [control.value.map { "= \($0)" }, control.problem.map { "(\($0))" }].compactMap { $0 }
            rows.append(("control", ([control.name] + parts).joined(separator: " ")))
        }
        return rows
    }

    private static func mode(_ capture: StatusReport.Capture) -> String {
        let asked = "asked for " + words(capture.asked)
        guard let mode = capture.mode else { return "not open; " + asked }
        return words(mode) + (capture.isConverted ? " made by libv4l2" : "") + "; " + asked
    }

    private static func words(_ mode: StatusReport.Capture.Mode) -> String {
        var parts: [String] = []
        if let width = mode.width, let height = mode.height { parts.append("\(width)x\(height)") }
        if let rate = mode.rate { parts.append("\(rate)/s") }
        if let format = mode.format { parts.append(format) }
        return parts.isEmpty ? "what the level wants" : parts.joined(separator: " ")
    }
}
