// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// How a payload's bytes are to be read as characters; the raw value is the name on the wire.
public enum PayloadEncoding: String, Sendable, Hashable {
    case ascii = "ASCII"
    case utf8 = "UTF-8"
    case latin1 = "ISO-8859-1"
}

/// What a barcode says: bytes first, text only where the bytes are valid in a named encoding.
public struct Payload: Sendable, Hashable {
    /// Exactly what the symbol encodes, NUL and 0x1D (the GS1 separator) among it.
    public let bytes: [UInt8]
    /// The encoding in which `string` reads the bytes; `nil` where none is known to fit.
    public let encoding: PayloadEncoding?

    /// Takes the bytes and names the first of ASCII and UTF-8 that they are valid in.
    public init(bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.allSatisfy({ $0 < 0x80 }) {
            encoding = .ascii
        } else {
            encoding = String(validating: bytes, as: UTF8.self) == nil ? nil : .utf8
        }
    }

    /// The bytes as text; `nil` where no encoding is named.
    public var string: String? {
        switch encoding {
        case .ascii, .utf8: String(validating: bytes, as: UTF8.self)
        case .latin1: String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        case nil: nil
        }
    }
}
