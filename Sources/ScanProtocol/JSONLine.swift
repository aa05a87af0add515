// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import FoundationEssentials

/// Foundation's decoder behind a check of what it leaves unsaid or takes too lightly in the lines of strangers.
///
/// It says of a malformed text neither what nor where, takes one with NULs for UTF-16, does not look into the members
/// that nobody reads, and recurses 512 levels deep. One pass over the bytes is a fraction of what decoding costs.
package enum JSONLine {
    /// How deep arrays and objects may nest; the protocol's own messages need 6.
    ///
    /// So deep, a request takes under 64 KiB of stack and an answer's `JSONValue` up to 256 KiB (measured in debug builds);
    /// our threads have 1 MiB. Foundation's own limit of 512 would not fit.
    static let maximumDepth = 64

    /// Reads exactly one value, with white space (so a newline) around it at most.
    package static func decode<Value: Decodable>(
        _ type: Value.Type, from line: some Collection<UInt8>
    ) throws -> Value {
        let bytes = Array(line)
        try check(bytes)
        return try JSONDecoder().decode(type, from: Data(bytes))
    }

    private static func check(_ bytes: [UInt8]) throws(JSONSyntaxError) {
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: bytes.span)
        } catch {
            throw JSONSyntaxError(offset: error.byteOffsets.lowerBound, message: "the text is not valid UTF-8")
        }
        var depth = 0
        var openString: Int?
        var isEscaped = false
        for (offset, byte) in bytes.enumerated() {
            if byte < 0x20, openString != nil || (byte != 0x09 && byte != 0x0A && byte != 0x0D) {
                throw JSONSyntaxError(offset: offset, message: "a control character that is not escaped")
            }
            switch byte {
            case _ where isEscaped: isEscaped = false
            case UInt8(ascii: "\""): openString = openString == nil ? offset : nil
            case UInt8(ascii: "\\"): isEscaped = openString != nil
            case _ where openString != nil: break
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                if depth > maximumDepth {
                    throw JSONSyntaxError(offset: offset, message: "nested deeper than \(maximumDepth) levels")
                }
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            default: break
            }
        }
        if let openString { throw JSONSyntaxError(offset: openString, message: "the string is not closed") }
        if depth > 0 { throw JSONSyntaxError(offset: bytes.count, message: "the text ends inside an array or object") }
    }
}

/// Why a line is not JSON, and at which byte, counted from 0.
struct JSONSyntaxError: Error {
    let offset: Int
    let message: String
}

/// Says in one line which member of a message does not fit and why.
func describe(_ error: any Error) -> String {
    switch error {
    case let error as JSONSyntaxError:
        return "\(error.message) at byte \(error.offset)"
    case DecodingError.keyNotFound(let key, let context):
        return "\(path(context.codingPath + [key])) is missing"
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
        return "\(path(context.codingPath)): \(context.debugDescription)"
    case DecodingError.dataCorrupted:
        // All that Foundation tells on Linux, and of a number that does not fit its type as well.
        return "not valid JSON, or a number out of range"
    default:
        return "\(error)"
    }
}

private func path(_ keys: [any CodingKey]) -> String {
    keys.isEmpty ? "the message" : keys.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".")
}
