// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Glibc
internal import LinuxSystem

/// Sets what was asked for, and tells of each, as it was written and in that order, what became of it.
///
/// An error at one control stops neither the others nor the start: a camera without its focus set is worth more than
/// none. What is in force is read after all were set, because an automatic changes what others do.
func applyControls(_ settings: [CameraControlSetting], to device: any VideoDevice) -> [CameraReport.Control] {
    if settings.isEmpty { return [] }
    let book: ControlBook
    do throws(SystemError) {
        book = ControlBook(try device.controls())
    } catch {
        return settings.map {
            .init(name: $0.name, value: nil, problem: "the camera does not list its controls: \(error.reason)")
        }
    }
    let attempts = ControlBook.order(of: settings).map { ($0, ControlAttempt(settings[$0], in: book, of: device)) }
    let after = (try? device.controls()).map { ControlBook($0) }
    return attempts.sorted { $0.0 < $1.0 }.map { index, attempt in attempt.report(as: settings[index].name, after) }
}

/// What happened when a control was set.
private enum ControlAttempt {
    case taken(VideoControl, Int64)
    case refused(VideoControl, SystemError)
    case wrong(ControlProblem)

    init(_ setting: CameraControlSetting, in book: ControlBook, of device: any VideoDevice) {
        let control: VideoControl
        let value: Int64
        do throws(ControlProblem) {
            control = try book.control(named: setting.name)
            value = try control.value(written: setting.value)
        } catch {
            self = .wrong(error)
            return
        }
        do throws(SystemError) {
            try device.setControl(control.id, to: value)
            self = .taken(control, value)
        } catch {
            self = .refused(control, error)
        }
    }

    func report(as name: String, _ after: ControlBook?) -> CameraReport.Control {
        switch self {
        case .wrong(let problem): return .init(name: name, value: nil, problem: problem.description)
        case .refused(let control, let error):
            let now = after?[control.name]
            let reason = now?.isInactive == true ? inactive(control, after) : words(for: error)
            return .init(name: name, value: nil, problem: reason)
        case .taken(let control, let value):
            guard let after else { return .init(name: name, value: value, problem: nil) }
            guard let now = after[control.name] else {
                return .init(name: name, value: nil, problem: "it was set, and the camera has it no more")
            }
            // What can not be read back, a button for one, is as it was set.
            return .init(
                name: name, value: now.value ?? value,
                problem: now.isInactive ? "without effect: \(inactive(control, after))" : nil)
        }
    }

    private func inactive(_ control: VideoControl, _ book: ControlBook?) -> String {
        let automatics = book?.automatics(over: control.name) ?? []
        if automatics.isEmpty { return "another control is in charge of it" }
        return "it is under the control of \(automatics.joined(separator: " or ")); switch that to manual or off"
    }

    private func words(for error: SystemError) -> String {
        switch error.code {
        case EACCES, EPERM: "the camera does not let it be set now (\(error.reason))"
        case EBUSY: "it can not be changed while the camera is in use (\(error.reason))"
        case ERANGE, EINVAL: "the camera refuses this value (\(error.reason))"
        case EIO, EPIPE, EPROTO, ETIMEDOUT, EILSEQ: "the camera did not answer as it should (\(error.reason))"
        default: error.description
        }
    }
}
