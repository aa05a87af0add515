// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ScanModel

/// Why the element strings of a symbol do not parse.
public struct GS1Error: Error, Sendable, Hashable, CustomStringConvertible {
    /// The application identifier; `nil` where there is none.
    public let identifier: String?
    /// Where it begins, in bytes of the payload from 0.
    public let offset: Int
    /// What is wrong, in words.
    public let problem: String

    public var description: String { (identifier.map { "(\($0))" } ?? "the data") + " at byte \(offset): \(problem)" }
}

/// Reads GS1 element strings: application identifiers and their values, one after the other.
public enum GS1ElementString {
    /// FNC1 as readers transmit it (GS1 General Specifications, 7.8.3).
    private static let separator: UInt8 = 0x1D

    /// The elements in their order; an identifier that is repeated with the same value comes once.
    ///
    /// A separator is needed behind a value whose length the identifier does not fix, allowed behind any, and allowed
    /// once in front of all (some readers transmit the FNC1 that marks the symbol). That identifiers need or exclude each
    /// other (4.14) is not judged: a label may spread them over several symbols.
    public static func parse(_ bytes: [UInt8]) throws(GS1Error) -> [GS1Content.Element] {
        var elements: [GS1Content.Element] = []
        var at = bytes.first == separator ? 1 : 0
        guard at < bytes.count else { throw GS1Error(identifier: nil, offset: at, problem: "there is nothing") }
        while at < bytes.count {
            let start = at
            let (identifier, components) = try identifier(in: bytes, at: start)
            at += identifier.utf8.count
            let end = try end(of: identifier, components, in: bytes, from: at, start: start)
            if let problem = problem(bytes[at..<end], components) {
                throw GS1Error(identifier: identifier, offset: start, problem: problem)
            }
            let element = GS1Content.Element(identifier, String(decoding: bytes[at..<end], as: UTF8.self))
            switch elements.first(where: { $0.identifier == identifier })?.value {
            case nil: elements.append(element)
            case element.value: break
            case .some(let other):
                throw GS1Error(
                    identifier: identifier, offset: start,
                    problem: "it says \(element.value), and before it said \(other)")
            }
            at = end < bytes.count && bytes[end] == separator ? end + 1 : end
        }
        return elements
    }

    /// The form for people, with the identifiers in brackets: `(01)04006381333931(17)261130`.
    public static func humanReadable(_ elements: [GS1Content.Element]) -> String {
        elements.map { "(\($0.identifier))\($0.value)" }.joined()
    }

    private static func identifier(
        in bytes: [UInt8], at start: Int
    ) throws(GS1Error) -> (String, [GS1Component]) {
        let digits = bytes[start...].prefix(4).prefix { CheckDigits.value(ofDigit: $0) != nil }
        for length in 2...4 where digits.count >= length {
            let identifier = String(decoding: digits.prefix(length), as: UTF8.self)
            if let components = GS1IdentifierTable.components(of: identifier) { return (identifier, components) }
        }
        let problem: String
        if bytes[start] == separator {
            problem = "a separator with nothing before it"
        } else if digits.count < 2 {
            problem = "an application identifier is expected, two digits or more"
        } else {
            problem = "no application identifier begins with \(String(decoding: digits, as: UTF8.self))"
        }
        throw GS1Error(identifier: nil, offset: start, problem: problem)
    }

    /// Where a value ends: where its length says so, or at the next separator.
    private static func end(
        of identifier: String, _ components: [GS1Component], in bytes: [UInt8], from at: Int, start: Int
    ) throws(GS1Error) -> Int {
        let next = bytes[at...].firstIndex(of: separator) ?? bytes.count
        guard GS1IdentifierTable.isPredefined(String(identifier.prefix(2))) else { return next }
        let length = components.reduce(0) { $0 + $1.length.upperBound }
        guard next - at >= length else {
            throw GS1Error(
                identifier: identifier, offset: start, problem: "\(length) digits are expected, there are \(next - at)")
        }
        return at + length
    }

    /// What is wrong with a value; `nil` where nothing is.
    private static func problem(_ value: ArraySlice<UInt8>, _ components: [GS1Component]) -> String? {
        var rest = value
        for component in components {
            if rest.isEmpty, component.isOptional { break }
            let part = rest.prefix(component.length.upperBound)
            if let odd = part.firstIndex(where: { !component.characters.contains($0) }) {
                return "\(shown(value[odd])) at byte \(odd) is not \(component.characters.words)"
            }
            guard part.count >= component.length.lowerBound else {
                if value.isEmpty { return "it has no value" }
                return "it ends after \(value.count) characters, \(extent(components))"
            }
            if let problem = component.check?.problem(Array(part)) { return problem }
            rest = rest.dropFirst(part.count)
        }
        guard !rest.isEmpty else { return nil }
        return "it has \(value.count) characters up to a separator or the end, \(extent(components))"
    }

    private static func extent(_ components: [GS1Component]) -> String {
        let least = components.reduce(0) { $0 + ($1.isOptional ? 0 : $1.length.lowerBound) }
        let most = components.reduce(0) { $0 + $1.length.upperBound }
        return least == most ? "\(most) are expected" : "\(least) to \(most) are expected"
    }

    private static func shown(_ byte: UInt8) -> String {
        (0x20...0x7E).contains(byte) ? "'\(Character(Unicode.Scalar(byte)))'" : "byte \(byte)"
    }
}
