// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// Why a control can not be set as it was written, and what would do.
public struct ControlProblem: Error, Sendable, Hashable, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}

extension VideoControl {
    /// The number that a written value means here.
    ///
    /// Integers are decimal or, behind `0x`, hexadecimal; `true`, `false`, `on`, `off`, `yes`, `no`, 1 and 0 set a
    /// boolean; a menu takes an entry's number or its words in any case; any of 1, `on` and `press` presses a button.
    public func value(written text: String) throws(ControlProblem) -> Int64 {
        if isReadOnly { throw ControlProblem("\(name) can only be read") }
        switch kind {
        case .integer: return try integer(text)
        case .boolean:
            guard let value = VideoControl.truth(text) else {
                throw ControlProblem("\(name) is on or off, not '\(text)'")
            }
            return value ? 1 : 0
        case .menu(let entries): return try choice(text, among: entries)
        case .button:
            guard text == "press" || VideoControl.truth(text) == true else {
                throw ControlProblem("\(name) is a button: '\(name)=press' presses it")
            }
            return 1
        case .other: throw ControlProblem("\(name) holds no single number and can not be set here")
        }
    }

    /// The values that the control takes, in words: `3 to 2047 in steps of 1`.
    public var allowedValues: String {
        switch kind {
        case .integer:
            guard minimum <= maximum else { return "any number" }
            return "\(minimum) to \(maximum)" + (step > 1 ? " in steps of \(step)" : "")
        case .boolean: return "on or off"
        case .menu(let entries):
            if entries.isEmpty { return "nothing" }
            return entries.map { entry in
                entry.name == String(entry.index) ? entry.name : "\(entry.index) (\(entry.name))"
            }.joined(separator: ", ")
        case .button: return "press"
        case .other: return "nothing that is set here"
        }
    }

    private func integer(_ text: String) throws(ControlProblem) -> Int64 {
        guard let value = VideoControl.number(text) else {
            throw ControlProblem("\(name) takes a number, \(allowedValues), not '\(text)'")
        }
        // A driver that tells a range without a value in it has told none.
        guard minimum <= maximum else { return value }
        guard (minimum...maximum).contains(value) else {
            throw ControlProblem("\(name) takes \(allowedValues), not \(value)")
        }
        let excess = step > 1 ? value.distance(above: minimum) % step : 0
        if excess != 0 {
            // Both wrap around: a step may be wider than half of all numbers.
            let lower = value &- Int64(bitPattern: excess)
            let hasUpper = maximum.distance(above: lower) >= step
            throw ControlProblem(
                "\(name) takes \(allowedValues), not \(value); "
                    + (hasUpper
                        ? "\(lower) and \(lower &+ Int64(bitPattern: step)) are the nearest"
                        : "\(lower) is the nearest"))
        }
        return value
    }

    private func choice(_ text: String, among entries: [MenuEntry]) throws(ControlProblem) -> Int64 {
        if let number = VideoControl.number(text), entries.contains(where: { $0.index == number }) { return number }
        let exact = entries.filter { $0.name.lowercased() == text.lowercased() }
        // `50hz` is meant as `50 Hz`; but `15` is not `1.5` where there is a `15`.
        let loose = entries.filter { VideoControl.letters(of: $0.name) == VideoControl.letters(of: text) }
        let meant = exact.isEmpty && !VideoControl.letters(of: text).isEmpty ? loose : exact
        if let only = meant.first, meant.count == 1 { return only.index }
        throw ControlProblem(
            meant.isEmpty
                ? "\(name) takes \(allowedValues), not '\(text)'"
                : "\(name) has several entries '\(text)'; name one by its number: \(allowedValues)")
    }

    private static func number(_ text: String) -> Int64? {
        let isNegative = text.hasPrefix("-")
        let digits = isNegative ? text.dropFirst() : text[...]
        guard digits.hasPrefix("0x") || digits.hasPrefix("0X") else { return Int64(text) }
        let hexadecimal = digits.dropFirst(2)
        // `Int64` would take a second sign.
        guard hexadecimal.first?.isHexDigit == true else { return nil }
        return Int64((isNegative ? "-" : "") + hexadecimal, radix: 16)
    }

    private static func letters(of text: String) -> String { ControlNames.normalized(text).filter { $0 != "_" } }

    private static func truth(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "1", "true", "on", "yes": true
        case "0", "false", "off", "no": false
        default: nil
        }
    }
}

extension Int64 {
    /// How far it lies above a number that is not larger; 64 bits without a sign hold it in any case.
    fileprivate func distance(above lower: Int64) -> UInt64 { UInt64(bitPattern: self &- lower) }
}
