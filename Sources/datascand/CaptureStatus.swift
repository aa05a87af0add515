// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Capture
import ScanModel
import ScanProtocol

extension StatusReport.Capture {
    /// The camera's report in the words of the wire.
    init(_ report: CameraReport, now: MonotonicTime) {
        self.init()
        device = report.device
        stablePath = report.stablePath
        name = report.name
        bus = report.bus
        driver = report.driver
        asked = Mode(
            width: report.asked.width, height: report.asked.height, rate: report.asked.rate,
            format: report.asked.format?.description)
        mode = report.mode.map {
            Mode(
                width: $0.width, height: $0.height, rate: ($0.interval?.framesPerSecond).map(toHundredths),
                format: $0.format.description)
        }
        note = report.modeNote
        isConverted = report.isConverted
        controls = report.controls.map { Control(name: $0.name, value: $0.value, problem: $0.problem) }
        framesTaken = report.framesTaken
        driverDrops = report.driverDrops
        staleFrames = report.staleFrames
        damagedFrames = report.damagedFrames
        timestampsReplaced = report.timestampsReplaced
        openings = report.openings
        stepDowns = report.stepDowns
        lastStepDown = report.lastStepDown
        newestFrameAge = report.newestFrame.map { toHundredths(max(0, (now - $0).inSeconds)) }
    }
}

private func toHundredths(_ value: Double) -> Double { (value * 100).rounded() / 100 }
