// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Capture
import Configuration
import ScanProtocol
import ServiceSupport

/// `datascan controls [NAME[=VALUE]...]`: a camera's controls, all or some, set where a value is given.
///
/// A name or value that is wrong stops it before anything is set. What is shown is what is in force afterwards.
enum Controls {
    static func run(_ session: Session) throws {
        let wanted = session.options.operands.map { Operand($0) }
        let camera: CameraControls
        let before: ControlBook
        do throws(CameraAccessError) {
            camera = try CameraControls(of: session.options.source.map { .named($0) } ?? .automatic)
            before = try camera.book()
        } catch {
            throw ProgramFailure(ExitStatus(error), error.description)
        }
        do throws(ControlProblem) {
            for operand in wanted { try operand.check(before) }
        } catch {
            throw ProgramFailure(.usage, error.description)
        }
        let outcomes = camera.apply(wanted.compactMap(\.setting))
        let book: ControlBook
        do throws(CameraAccessError) {
            book = wanted.contains { $0.value != nil } ? try camera.book() : before
        } catch {
            throw ProgramFailure(ExitStatus(error), error.description)
        }
        let shown = wanted.isEmpty ? book.controls : wanted.compactMap { book[$0.name] }
        session.output.print(session.format == .text ? text(shown, of: camera) : json(shown))
        try report(outcomes)
    }

    /// What could not be set ends with an error; what was set and has no effect for now is only told.
    private static func report(_ outcomes: [CameraReport.Control]) throws(ProgramFailure) {
        let logger = Logger(program: "datascan", threshold: .info, isJournal: false)
        for outcome in outcomes where outcome.value != nil {
            if let problem = outcome.problem { logger.warning("\(outcome.name): \(problem)") }
        }
        let failed = outcomes.filter { $0.value == nil }
        if failed.isEmpty { return }
        throw ProgramFailure(
            .inputOutput, failed.map { "\($0.name) was not set: \($0.problem ?? "")" }.joined(separator: "; "))
    }

    // MARK: - For people

    private static func text(_ controls: [VideoControl], of camera: CameraControls) -> String {
        var lines = [ItemLine.printable("\(camera.device)  \(camera.name)")]
        if controls.isEmpty { lines.append("  it has no controls") }
        let width = controls.map(\.name.count).max() ?? 0
        for control in controls {
            lines.append("  " + control.name.padded(to: width + 2) + ItemLine.printable(words(control)))
            guard case .menu(let entries) = control.kind else { continue }
            for entry in entries {
                let mark = entry.index == control.value ? "*" : " "
                lines.append(
                    "  " + "".padded(to: width + 2) + "\(mark) \(entry.index)  " + ItemLine.printable(entry.name))
            }
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private static func words(_ control: VideoControl) -> String {
        var parts: [String] = []
        if let now = control.value { parts.append(value(now, control)) }
        switch control.kind {
        case .integer: parts.append("(\(control.allowedValues), default \(control.defaultValue))")
        case .boolean, .menu: parts.append("(default \(value(control.defaultValue, control)))")
        case .button: parts.append("(a button: \(control.name)=press)")
        case .other: parts.append("(not shown and set here)")
        }
        if control.isReadOnly { parts.append("read-only") }
        if control.isInactive { parts.append("inactive") }
        return parts.joined(separator: "  ")
    }

    private static func value(_ value: Int64, _ control: VideoControl) -> String {
        if case .boolean = control.kind { value == 0 ? "off" : "on" } else { "\(value)" }
    }

    // MARK: - For programs

    private static func json(_ controls: [VideoControl]) -> String {
        String(decoding: JSONValue.array(controls.map { json($0) }).encoded, as: UTF8.self) + "\n"
    }

    private static func json(_ control: VideoControl) -> JSONValue {
        var members: [String: JSONValue] = [
            "name": .string(control.name), "title": .string(control.title), "type": .string(type(control)),
            "readOnly": .bool(control.isReadOnly), "inactive": .bool(control.isInactive),
        ]
        if let value = control.value { members["value"] = .integer(value) }
        switch control.kind {
        case .button, .other: return .object(members)
        case .menu(let entries):
            members["menu"] = .array(
                entries.map { .object(["value": .integer($0.index), "name": .string($0.name)]) })
        case .integer, .boolean: break
        }
        members["minimum"] = .integer(control.minimum)
        members["maximum"] = .integer(control.maximum)
        members["step"] = .integer(Int64(clamping: control.step))
        members["default"] = .integer(control.defaultValue)
        return .object(members)
    }

    private static func type(_ control: VideoControl) -> String {
        switch control.kind {
        case .integer: "integer"
        case .boolean: "boolean"
        case .menu: "menu"
        case .button: "button"
        case .other: "other"
        }
    }
}

/// `NAME` or `NAME=VALUE`.
private struct Operand {
    let name: String
    let value: String?

    init(_ text: String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        name = parts[0]
        value = parts.count > 1 ? parts[1] : nil
    }

    var setting: CameraControlSetting? { value.map { CameraControlSetting(name: name, value: $0) } }

    func check(_ book: ControlBook) throws(ControlProblem) {
        let control = try book.control(named: name)
        if let value { _ = try control.value(written: value) }
    }
}

extension CameraSelection {
    /// `auto` or a path; whatever it is, opening it tells.
    fileprivate static func named(_ name: String) -> CameraSelection { name == "auto" ? .automatic : .path(name) }
}

extension ExitStatus {
    init(_ error: CameraAccessError) {
        switch error {
        case .notFound, .notACamera: self = .noInput
        case .permissionDenied: self = .noPermission
        case .failed: self = .inputOutput
        }
    }
}
