// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ScanModel

extension OptionValue {
    /// Bytes that a payload can have: as many as a recogniser may give.
    private static let payloadLengths = 1...8192

    /// `NAME[,NAME...]:RULE[:RULE...]`, such as `I2of5:lengths=6,10-14:checkDigit=on`.
    ///
    /// What is said again of a symbology replaces what was said before; the other rules stay. A rule that can not make a
    /// difference, or would leave nothing, is refused.
    public static func symbologyRules(
        _ text: String, adding rules: inout [Symbology: SymbologyRule]
    ) throws(UsageError) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count > 1 else {
            throw UsageError("there is no rule behind the name; such as I2of5:lengths=6,14:checkDigit=on")
        }
        for symbology in try symbologies(parts[0]) {
            var rule = rules[symbology] ?? SymbologyRule()
            for part in parts.dropFirst() { try apply(part, to: &rule, of: symbology) }
            if let least = rule.minimumLength, let most = rule.maximumLength, least > most {
                throw UsageError("\(symbology.rawValue): minLength \(least) is above maxLength \(most)")
            }
            if !rule.lengths.isEmpty, !rule.lengths.contains(where: rule.allows) {
                throw UsageError("\(symbology.rawValue): no length is left between minLength and maxLength")
            }
            rules[symbology] = rule
        }
    }

    /// Names of symbologies, separated by commas, without regard to case.
    static func symbologies(_ text: String) throws(UsageError) -> [Symbology] {
        var symbologies: [Symbology] = []
        for name in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let symbology = Symbology(name: String(name)) else { throw unknownSymbology(String(name)) }
            symbologies.append(symbology)
        }
        return symbologies
    }

    private static func unknownSymbology(_ name: String) -> UsageError {
        let nearest = Symbology.allCases.map {
            ($0.rawValue, editDistance($0.rawValue.lowercased(), name.lowercased()))
        }
        .min { $0.1 < $1.1 }
        let hint = nearest.flatMap { $0.1 <= 2 && $0.1 < name.count ? "; did you mean \($0.0)?" : nil } ?? ";"
        let known = Symbology.allCases.map(\.rawValue).joined(separator: " ")
        return UsageError("there is no symbology '\(name)'\(hint) known are \(known)")
    }

    private static func apply(_ text: String, to rule: inout SymbologyRule, of symbology: Symbology) throws(UsageError)
    {
        guard let equals = text.firstIndex(of: "=") else {
            throw UsageError(
                "expected KEY=VALUE in place of '\(text)'; keys are minLength, maxLength, lengths, checkDigit")
        }
        let value = String(text[text.index(after: equals)...])
        switch text[..<equals] {
        case "minLength":
            try checkLengthIsFree(of: symbology)
            rule.minimumLength = try integer(value, in: payloadLengths)
        case "maxLength":
            try checkLengthIsFree(of: symbology)
            rule.maximumLength = try integer(value, in: payloadLengths)
        case "lengths":
            try checkLengthIsFree(of: symbology)
            rule.lengths = try lengths(value)
        case "checkDigit":
            guard symbology.hasOptionalCheckDigit else {
                let optional = Symbology.allCases.filter(\.hasOptionalCheckDigit).map(\.rawValue)
                throw UsageError(
                    "\(symbology.rawValue) leaves no choice of a check digit; \(optional.joined(separator: ", ")) do")
            }
            guard value == "on" || value == "off" else { throw UsageError("checkDigit: expected on or off") }
            rule.requiresCheckDigit = value == "on"
        case let key:
            throw UsageError("there is no rule '\(key)'; there are minLength, maxLength, lengths and checkDigit")
        }
    }

    private static func checkLengthIsFree(of symbology: Symbology) throws(UsageError) {
        if symbology.hasFixedLength { throw UsageError("\(symbology.rawValue) has one length only") }
    }

    /// Lengths and ranges of lengths: `6,10-14`.
    private static func lengths(_ text: String) throws(UsageError) -> Set<Int> {
        var result: Set<Int> = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).map { Int($0) }
            guard let first = ends[0], let last = ends.count > 1 ? ends[1] : first, first <= last,
                payloadLengths.contains(first), payloadLengths.contains(last)
            else {
                throw UsageError("lengths: expected numbers and ranges of them, such as 6,10-14")
            }
            result.formUnion(first...last)
        }
        return result
    }
}
