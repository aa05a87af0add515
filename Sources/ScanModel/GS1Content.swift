// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// What the GS1 element strings of a symbol say.
public struct GS1Content: Sendable, Hashable {
    /// One application identifier and its value.
    public struct Element: Sendable, Hashable {
        /// Two to four digits, such as `01` or `3103`.
        public var identifier: String
        /// As it is printed in the symbol: a weight of 1.25 kg under `3103` is `001250`.
        public var value: String

        public init(_ identifier: String, _ value: String) {
            self.identifier = identifier
            self.value = value
        }
    }

    /// The dates of a label that have a name of their own; the raw value is the name on the wire.
    public enum DateKind: String, Sendable, Hashable, CaseIterable {
        case productionDate
        case dueDate
        case packagingDate
        case bestBeforeDate
        case sellByDate
        case expiryDate
    }

    /// In the order of the symbol, no identifier twice; from the wire, in the order of the identifiers. Empty where the
    /// strings do not parse.
    public var elements: [Element] = []
    /// Which identifier at which byte does not parse, and why; `nil` where all do.
    public var error: String?
    /// The serial shipping container code, 18 digits.
    public var sscc: String?
    /// A date without a day is the last day of its month (GS1 General Specifications, 3.4).
    public var dates: [DateKind: CalendarDate] = [:]

    public init() {}

    /// The value of an identifier; `nil` where it is not there.
    public subscript(identifier: String) -> String? { elements.first { $0.identifier == identifier }?.value }
}
