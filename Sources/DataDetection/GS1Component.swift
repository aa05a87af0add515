// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// A part of an application identifier's value: which characters, how many, and what else must hold.
struct GS1Component: Sendable, Hashable {
    /// Sets of characters (GS1 General Specifications, 7.11).
    enum Characters: Sendable, Hashable {
        /// 0...9.
        case digits
        /// ISO/IEC 646, the 82 characters of table 7.11-1.
        case set82
        /// The 39 characters of table 7.11-2, for component and part identifiers.
        case set39
        /// File-safe base64 (RFC 4648, 5).
        case set64

        func contains(_ byte: UInt8) -> Bool {
            switch byte {
            case 0x30...0x39: true
            case 0x41...0x5A: self != .digits
            case 0x61...0x7A: self == .set82 || self == .set64
            case 0x21, 0x22, 0x25...0x2C, 0x2E, 0x3A...0x3C, 0x3E, 0x3F: self == .set82
            case 0x2D: self != .digits
            case 0x23, 0x2F: self == .set82 && byte == 0x2F || self == .set39
            case 0x3D, 0x5F: self == .set82 || self == .set64
            default: false
            }
        }

        var words: String {
            switch self {
            case .digits: "a digit"
            case .set82: "one of the 82 characters of GS1"
            case .set39: "one of the 39 characters of GS1 part numbers"
            case .set64: "a character of file-safe base64"
            }
        }
    }

    var characters: Characters
    var length: ClosedRange<Int>
    var check: GS1Check?
    /// Whether the value may end before it.
    var isOptional = false

    var isFixed: Bool { length.lowerBound == length.upperBound }

    /// Exactly so many digits.
    static func n(_ count: Int, _ check: GS1Check? = nil) -> GS1Component {
        GS1Component(characters: .digits, length: count...count, check: check)
    }

    /// Digits, one to so many.
    static func n(upTo count: Int, _ check: GS1Check? = nil) -> GS1Component {
        GS1Component(characters: .digits, length: 1...count, check: check)
    }

    /// Exactly so many characters of the 82.
    static func x(_ count: Int, _ check: GS1Check? = nil) -> GS1Component {
        GS1Component(characters: .set82, length: count...count, check: check)
    }

    /// Characters of the 82, one to so many.
    static func x(upTo count: Int, _ check: GS1Check? = nil) -> GS1Component {
        GS1Component(characters: .set82, length: 1...count, check: check)
    }

    /// The same component where it may be absent.
    var optional: GS1Component {
        var component = self
        component.isOptional = true
        return component
    }
}
