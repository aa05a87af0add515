// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ScanModel

/// The controls that a camera has, to be found by any of their names.
public struct ControlBook: Sendable, Hashable {
    /// In the driver's order.
    public let controls: [VideoControl]

    /// Letters that a name may differ in for the right one to be guessed.
    private static let likeness = 3

    public init(_ controls: [VideoControl]) { self.controls = controls }

    /// The control of that name, in the older or newer spelling; `nil` where there is none.
    public subscript(name: String) -> VideoControl? {
        for spelling in ControlNames.spellings(of: name) {
            if let control = controls.first(where: { $0.name == spelling }) { return control }
        }
        return nil
    }

    /// The control of that name, or an error with the names that there are.
    public func control(named name: String) throws(ControlProblem) -> VideoControl {
        if let control = self[name] { return control }
        if controls.isEmpty { throw ControlProblem("the camera has no controls, so there is no '\(name)'") }
        let wanted = ControlNames.normalized(name)
        let nearest = controls.map { ($0.name, editDistance($0.name, wanted)) }.min { $0.1 < $1.1 }
        let guess = nearest.map { $0.1 <= ControlBook.likeness ? "; did you mean \($0.0)?" : "" } ?? ""
        throw ControlProblem(
            "the camera has no control '\(name)'\(guess.isEmpty ? ";" : guess) it has "
                + controls.map(\.name).joined(separator: ", "))
    }

    /// Who can be in charge of a control that is inactive: the camera's own names of the automatics over it.
    func automatics(over name: String) -> [String] {
        ControlNames.automatics(over: name).compactMap { self[$0]?.name }
    }

    /// The order in which settings are to be made, as positions in what was written: automatics first, for they decide
    /// whether the others can be set, the rest as written.
    static func order(of settings: [CameraControlSetting]) -> [Int] {
        settings.indices.filter { ControlNames.isAutomatic(settings[$0].name) }
            + settings.indices.filter { !ControlNames.isAutomatic(settings[$0].name) }
    }
}
