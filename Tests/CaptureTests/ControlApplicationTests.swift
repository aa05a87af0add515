// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Glibc
import Testing

@testable import Capture

private func settings(_ pairs: String...) -> [CameraControlSetting] {
    pairs.map { pair in
        let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
        return CameraControlSetting(name: parts[0], value: parts[1])
    }
}

/// `name=value`, and the problem where there is one.
private func describe(_ report: CameraReport.Control) -> String {
    "\(report.name)=\(report.value.map { "\($0)" } ?? "-")" + (report.problem.map { " (\($0))" } ?? "")
}

@Suite struct ControlApplicationTests {
    private let exposureMenu = VideoControl.Kind.menu([
        .init(index: 1, name: "Manual Mode"), .init(index: 3, name: "Aperture Priority Mode"),
    ])

    @Test func automaticsComeFirstAndTheRestAsWritten() {
        let device = ControlDevice([
            control("exposure_time_absolute"), control("auto_exposure", exposureMenu), control("gain"),
            control("brightness"), control("focus_automatic_continuous", .boolean, 0...1), control("focus_absolute"),
        ])
        let reports = applyControls(
            settings(
                "gain=3", "exposure_absolute=9", "focus_absolute=40", "exposure_auto=Manual Mode", "brightness=7",
                "focus_auto=off"),
            to: device)
        #expect(
            device.journal == [
                "auto_exposure=1", "focus_automatic_continuous=0", "gain=3", "exposure_time_absolute=9",
                "focus_absolute=40", "brightness=7",
            ])
        #expect(
            reports.map { describe($0) } == [
                "gain=3", "exposure_absolute=9", "focus_absolute=40", "exposure_auto=1", "brightness=7", "focus_auto=0",
            ])
    }

    @Test(arguments: [EPIPE, EIO, EACCES, ERANGE, EBUSY, EINVAL, ETIMEDOUT, ENODEV])
    func anErrorAtOneStopsNoOther(_ code: Int32) {
        let device = ControlDevice([control("gain"), control("hue"), control("zoom_absolute")])
        device.refusals["hue"] = code
        let reports = applyControls(settings("gain=1", "hue=2", "zoom_absolute=3"), to: device)
        #expect(device.journal == ["gain=1", "hue=2", "zoom_absolute=3"])
        #expect(reports.map(\.value) == [1, nil, 3])
        #expect(reports.map { $0.problem == nil } == [true, false, true])
        #expect(reports[1].problem?.contains(String(cString: strerror(code))) == true)
    }

    @Test func wrongNamesAndValuesAreToldAndNotTried() {
        let device = ControlDevice([control("gain")])
        let reports = applyControls(settings("gian=1", "gain=300", "gain=4"), to: device)
        #expect(device.journal == ["gain=4"])
        #expect(
            reports.map { describe($0) } == [
                "gian=- (the camera has no control 'gian'; did you mean gain? it has gain)",
                "gain=- (gain takes 0 to 255, not 300)", "gain=4",
            ])
    }

    @Test func whatTheCameraMadeOfAValueIsTold() {
        let device = ControlDevice([control("exposure_absolute")])
        device.effects["exposure_absolute"] = { $0.known[0].value = 156 }
        #expect(
            applyControls(settings("exposure_absolute=157"), to: device).map { describe($0) } == [
                "exposure_absolute=156"
            ])
    }

    @Test func aControlThatComesInactiveIsTold() {
        let device = ControlDevice([
            control("exposure_auto", exposureMenu), control("exposure_absolute", isInactive: true),
        ])
        device.refusals["exposure_absolute"] = EACCES
        let refused = applyControls(settings("exposure_absolute=20"), to: device)
        #expect(
            refused.map { describe($0) } == [
                "exposure_absolute=- (it is under the control of exposure_auto; switch that to manual or off)"
            ])

        device.refusals = [:]
        let stored = applyControls(settings("exposure_absolute=20"), to: device)
        #expect(
            stored.map { describe($0) } == [
                "exposure_absolute=20 (without effect: it is under the control of exposure_auto; switch that to manual or off)"
            ])
    }

    @Test func aControlThatWasInactiveBeforeItsAutomaticWasSetIsNoProblem() {
        let device = ControlDevice([
            control("auto_exposure", exposureMenu, value: 3), control("exposure_time_absolute", isInactive: true),
        ])
        device.effects["auto_exposure"] = { $0.known[1].isInactive = false }
        let reports = applyControls(settings("exposure_time_absolute=20", "auto_exposure=1"), to: device)
        #expect(reports.map { describe($0) } == ["exposure_time_absolute=20", "auto_exposure=1"])
    }

    @Test func aControlThatDisappearsIsTold() {
        let device = ControlDevice([control("mode"), control("gain")])
        device.effects["gain"] = { $0.known.removeLast() }
        let reports = applyControls(settings("gain=2", "mode=1"), to: device)
        #expect(reports.map { describe($0) } == ["gain=- (it was set, and the camera has it no more)", "mode=1"])
    }

    @Test func whatCanNotBeReadIsAsItWasSet() {
        let device = ControlDevice([control("start", .button, value: nil)])
        #expect(applyControls(settings("start=press"), to: device).map { describe($0) } == ["start=1"])
    }

    @Test func aCameraThatListsNothingIsNoReasonToStop() {
        let device = ControlDevice([])
        device.listError = EIO
        let reports = applyControls(settings("gain=2", "hue=1"), to: device)
        #expect(reports.map(\.name) == ["gain", "hue"])
        #expect(reports.allSatisfy { $0.value == nil && $0.problem?.contains("Input/output error") == true })
        #expect(applyControls([], to: device).isEmpty)
    }
}
