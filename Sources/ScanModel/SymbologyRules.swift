// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// What readings of one symbology must be like to be taken for real.
public struct SymbologyRule: Sendable, Hashable {
    /// Bytes of the payload, as it is told, that are allowed; empty for any number.
    public var lengths: Set<Int> = []
    /// The least and the most bytes of the payload; `nil` for no limit.
    public var minimumLength: Int?
    public var maximumLength: Int?
    /// Whether the payload must end with the check character that its symbology leaves to the user.
    public var requiresCheckDigit = false

    public init() {}

    /// Whether a payload of so many bytes is allowed.
    public func allows(length: Int) -> Bool {
        (lengths.isEmpty || lengths.contains(length)) && length >= minimumLength ?? 0 && length <= maximumLength ?? .max
    }
}

extension Symbology {
    /// Whether a check character may be there or not, so that only the user can know (ISO/IEC 16388, 16390; EN 798).
    public var hasOptionalCheckDigit: Bool { self == .code39 || self == .i2of5 || self == .codabar }

    /// Whether it has as many characters as its name says, always.
    public var hasFixedLength: Bool {
        switch self {
        case .ean13, .ean8, .upcA, .upcE, .ean2, .ean5, .itf14, .gs1DataBar, .gs1DataBarLimited: true
        default: false
        }
    }
}
