// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import FoundationEssentials

/// A JSON value (RFC 8259), for answers and whatever a newer server sends.
///
/// Whole numbers keep all their 64 bits: CLOCK_MONOTONIC in nanoseconds passes 2^53 after 104 days.
public enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// Takes any `Encodable`; what has no value is left out.
    ///
    /// - Throws: `EncodingError` for a number that is not finite.
    init(encoding value: some Encodable) throws {
        self = try JSONLine.decode(JSONValue.self, from: JSONEncoder().encode(value))
    }

    /// The value as a `Decodable` type; the error's path names the member that does not fit.
    public func decoded<Result: Decodable>(as type: Result.Type) throws -> Result {
        try JSONLine.decode(type, from: encoded)
    }

    /// An object's member; `nil` where it is absent or this is no object.
    public subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[key]
    }

    /// The text of a string, else `nil`.
    public var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// One line without a newline: keys in order, no white space, control characters escaped.
    ///
    /// By the events' own writer: `JSONEncoder` leaves the C1 controls and U+2028/2029 as they are.
    public var encoded: [UInt8] {
        var writer = JSONWriter()
        writer.value(self)
        return writer.bytes
    }
}

extension JSONValue: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) { self = .string(value) }
}

extension JSONValue: Decodable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // Another type is no fault; a string with half a surrogate pair or a number like 1e999 is.
        func value<Value: Decodable>(_ type: Value.Type) throws -> Value? {
            do {
                return try container.decode(type)
            } catch DecodingError.typeMismatch {
                return nil
            }
        }
        if container.decodeNil() {
            self = .null
        } else if let text = try value(String.self) {
            self = .string(text)
        } else if let integer = try? container.decode(Int64.self) {
            // Foundation calls 1.5 corrupt for an integer, not a mismatch; the next line judges it.
            self = .integer(integer)
        } else if let number = try value(Double.self) {
            self = .number(number)
        } else if let flag = try value(Bool.self) {
            self = .bool(flag)
        } else if let elements = try value([JSONValue].self) {
            self = .array(elements)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }
}
