// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import CV4L2
internal import Glibc
internal import LinuxSystem

extension KernelVideoDevice {
    /// What one control fails at does not hide the others; it throws where there is no list at all for another reason
    /// than that the driver keeps none.
    func controls() throws(SystemError) -> [VideoControl] {
        var controls: [VideoControl] = []
        var enumeration = ControlEnumeration()
        while let last = enumeration.last {
            do throws(SystemError) {
                // With both marks the answer is the next control behind the id, compound ones among them.
                let answer = try queryControl(
                    last | V4L2_CTRL_FLAG_NEXT_CTRL | UInt32(V4L2_CTRL_FLAG_NEXT_COMPOUND))
                if enumeration.take(answer.id), let control = control(answer) { controls.append(control) }
            } catch {
                let isTheEnd = error.code == EINVAL || error.code == ENOTTY
                if !enumeration.fail(error.code), controls.isEmpty, !isTheEnd { throw error }
            }
        }
        return controls
    }

    func value(ofControl id: UInt32) throws(SystemError) -> Int64 {
        let type = try type(ofControl: id)
        let control = try exchange(
            v4l2_ext_control.value(0, of: id, type), cv4l2_G_EXT_CTRLS, "VIDIOC_G_EXT_CTRLS")
        switch type {
        case V4L2_CTRL_TYPE_INTEGER64.rawValue: return control.value64
        case V4L2_CTRL_TYPE_BITMASK.rawValue: return Int64(UInt32(bitPattern: control.value))
        default: return Int64(control.value)
        }
    }

    func setControl(_ id: UInt32, to value: Int64) throws(SystemError) {
        let type = try type(ofControl: id)
        let fits =
            switch type {
            case V4L2_CTRL_TYPE_INTEGER64.rawValue: true
            case V4L2_CTRL_TYPE_BITMASK.rawValue: UInt32(exactly: value) != nil
            default: Int32(exactly: value) != nil
            }
        guard fits else { throw SystemError("VIDIOC_S_EXT_CTRLS", code: ERANGE, subject: node) }
        _ = try exchange(v4l2_ext_control.value(value, of: id, type), cv4l2_S_EXT_CTRLS, "VIDIOC_S_EXT_CTRLS")
    }

    /// `nil` for what is listed and is no control of its own: the heading of a class, one that is disabled for good.
    private func control(_ answer: v4l2_query_ext_ctrl) -> VideoControl? {
        func has(_ flag: Int32) -> Bool { answer.flags & UInt32(flag) != 0 }
        guard answer.type != V4L2_CTRL_TYPE_CTRL_CLASS.rawValue, !has(V4L2_CTRL_FLAG_DISABLED) else { return nil }
        controlTypes[answer.id] = answer.type
        let kind = kind(answer)
        let isReadable = kind != .button && kind != .other && !has(V4L2_CTRL_FLAG_WRITE_ONLY)
        let title = driverText(answer.name)
        return VideoControl(
            id: answer.id, name: ControlNames.normalized(title), title: title, kind: kind, minimum: answer.minimum,
            maximum: answer.maximum, step: answer.step, defaultValue: answer.default_value,
            value: isReadable ? try? value(ofControl: answer.id) : nil, isReadOnly: has(V4L2_CTRL_FLAG_READ_ONLY),
            isInactive: has(V4L2_CTRL_FLAG_INACTIVE))
    }

    private func kind(_ answer: v4l2_query_ext_ctrl) -> VideoControl.Kind {
        if answer.nr_of_dims > 0 || answer.flags & UInt32(V4L2_CTRL_FLAG_HAS_PAYLOAD) != 0 { return .other }
        switch answer.type {
        case V4L2_CTRL_TYPE_INTEGER.rawValue, V4L2_CTRL_TYPE_INTEGER64.rawValue, V4L2_CTRL_TYPE_BITMASK.rawValue:
            return .integer
        case V4L2_CTRL_TYPE_BOOLEAN.rawValue: return .boolean
        case V4L2_CTRL_TYPE_BUTTON.rawValue: return .button
        case V4L2_CTRL_TYPE_MENU.rawValue: return .menu(entries(answer, areNumbers: false))
        case V4L2_CTRL_TYPE_INTEGER_MENU.rawValue: return .menu(entries(answer, areNumbers: true))
        default: return .other
        }
    }

    private func entries(_ answer: v4l2_query_ext_ctrl, areNumbers: Bool) -> [VideoControl.MenuEntry] {
        guard let first = UInt32(exactly: answer.minimum), let last = UInt32(exactly: answer.maximum), first <= last
        else { return [] }
        return (first...last).prefix(VideoListLimit.menuEntries).compactMap { index in
            var entry = v4l2_querymenu()
            entry.id = answer.id
            entry.index = index
            // Numbers between the bounds may be missing.
            do { try call(cv4l2_QUERYMENU, "VIDIOC_QUERYMENU", &entry) } catch { return nil }
            return .init(index: Int64(index), name: areNumbers ? "\(entry.value)" : driverText(entry.name))
        }
    }

    private func type(ofControl id: UInt32) throws(SystemError) -> UInt32 {
        if let type = controlTypes[id] { return type }
        let type = try queryControl(id).type
        controlTypes[id] = type
        return type
    }

    private func queryControl(_ id: UInt32) throws(SystemError) -> v4l2_query_ext_ctrl {
        var answer = v4l2_query_ext_ctrl()
        answer.id = id
        try call(cv4l2_QUERY_EXT_CTRL, "VIDIOC_QUERY_EXT_CTRL", &answer)
        return answer
    }

    private func exchange(
        _ control: v4l2_ext_control, _ request: UInt, _ name: String
    ) throws(SystemError) -> v4l2_ext_control {
        // The request holds the control's address, which is only good in here; the error goes out as a value, because
        // the closure's type can not carry it.
        var control = control
        let outcome: Result<Void, SystemError> = withUnsafeMutablePointer(to: &control) { address in
            var list = v4l2_ext_controls()
            list.which = UInt32(V4L2_CTRL_WHICH_CUR_VAL)
            list.count = 1
            list.controls = address
            return Result { () throws(SystemError) in try call(request, name, &list) }
        }
        try outcome.get()
        return control
    }
}

extension v4l2_ext_control {
    fileprivate static func value(_ value: Int64, of id: UInt32, _ type: UInt32) -> v4l2_ext_control {
        var control = v4l2_ext_control()
        control.id = id
        if type == V4L2_CTRL_TYPE_INTEGER64.rawValue {
            control.value64 = value
        } else {
            control.value = Int32(truncatingIfNeeded: value)
        }
        return control
    }
}
