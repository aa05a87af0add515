// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// Which part of a message a symbol carries, where the message goes over several (structured append).
public struct SymbolPart: Sendable, Hashable {
    /// Bytes of UTF-8 that `identifier` has at the most.
    public static let maximumIdentifierBytes = 64

    /// From 0.
    public var index: Int
    /// How many symbols there are; `nil` where the symbol does not tell, as PDF417 may not.
    public var count: Int?
    /// What all parts of one message share, as the symbol has it; empty where there is nothing of the kind.
    public var identifier: String

    public init(index: Int, count: Int? = nil, identifier: String = "") {
        self.index = index
        self.count = count
        self.identifier = identifier
    }

    /// Whether a symbol of this symbology can say so.
    public func isPossible(in symbology: Symbology) -> Bool {
        guard let limit = symbology.maximumParts, identifier.utf8.count <= Self.maximumIdentifierBytes else {
            return false
        }
        guard let count else { return (0..<limit).contains(index) }
        return (1...limit).contains(count) && (0..<count).contains(index)
    }
}

extension Symbology {
    /// The most symbols that one message may go over; `nil` where it goes over one (the structured append of ISO/IEC 18004,
    /// 16022, 24778 and 16023, the Macro PDF417 of 15438).
    public var maximumParts: Int? {
        switch self {
        case .qr, .dataMatrix: 16
        case .aztec: 26
        case .pdf417: 99_999
        case .maxiCode: 8
        default: nil
        }
    }

    /// Whether an add-on of two or five digits may stand beside it (ISO/IEC 15420; not beside an EAN-8).
    public var mayHaveAddOn: Bool { self == .ean13 || self == .upcA || self == .upcE }

    /// Whether it is an add-on, which stands beside an EAN-13, a UPC-A or a UPC-E.
    public var isAddOn: Bool { self == .ean2 || self == .ean5 }
}
