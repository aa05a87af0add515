// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import LinuxSystem

/// Sets what was asked for, and tells of each what became of it.
///
/// An error at one control stops neither the others nor the start: a camera without its focus set is worth more than
/// none.
func applyControls(_ settings: [CameraControlSetting], to device: any VideoDevice) -> [CameraReport.Control] {
    if settings.isEmpty { return [] }
    do throws(SystemError) {
        let known = try device.controls()
        return settings.map { setting in
            guard let control = known.first(where: { $0.name == setting.name }) else {
                return CameraReport.Control(name: setting.name, value: nil, problem: "no such control")
            }
            guard let value = Int64(setting.value) else {
                return CameraReport.Control(name: setting.name, value: nil, problem: "'\(setting.value)' is no number")
            }
            do throws(SystemError) {
                try device.setControl(control.id, to: value)
                return CameraReport.Control(
                    name: setting.name, value: try device.value(ofControl: control.id), problem: nil)
            } catch {
                return CameraReport.Control(name: setting.name, value: nil, problem: error.description)
            }
        }
    } catch {
        return settings.map { CameraReport.Control(name: $0.name, value: nil, problem: error.description) }
    }
}
