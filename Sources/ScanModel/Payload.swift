// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// How a payload's bytes are to be read as characters; the raw value is the name on the wire.
public enum PayloadEncoding: String, Sendable, Hashable {
    case ascii = "ASCII"
    case utf8 = "UTF-8"
    case latin1 = "ISO-8859-1"
    case windows1252 = "windows-1252"
    case utf16 = "UTF-16BE"
}

/// What a barcode says: bytes first, text only where the bytes are valid in a named encoding.
public struct Payload: Sendable, Hashable {
    /// Exactly what the symbol encodes, NUL and 0x1D (the GS1 separator) among it.
    public let bytes: [UInt8]
    /// The encoding in which `string` reads the bytes; `nil` where none is known to fit.
    public let encoding: PayloadEncoding?
    /// Whether the symbol says nothing of the encoding, and its symbology's own is taken to be it.
    public let isEncodingGuessed: Bool

    /// Takes the bytes and names the first of ASCII and UTF-8 that they are valid in.
    public init(bytes: [UInt8]) {
        self.bytes = bytes
        isEncodingGuessed = false
        if bytes.allSatisfy({ $0 < 0x80 }) {
            encoding = .ascii
        } else {
            encoding = String(validating: bytes, as: UTF8.self) == nil ? nil : .utf8
        }
    }

    /// Takes the bytes with what their symbol says of them.
    ///
    /// Valid ASCII and UTF-8 are that, whatever the symbol says: labels name ISO 8859-1 and hold UTF-8. Otherwise the
    /// character set that the symbol names counts, where it is one of `PayloadEncoding`, and is no other. A symbol that
    /// names none is taken to be ISO 8859-1, the default of all symbologies here (ISO/IEC 15417, 4.3.1; 16022, 5.2.1;
    /// 18004, 7.3.5), where every byte is a character or a separator of it; that is a guess.
    ///
    /// - Parameter eci: the number of an Extended Channel Interpretation, as AIM assigns them.
    public init(bytes: [UInt8], eci: Int?, symbology: Symbology) {
        let plain = Payload(bytes: bytes)
        let named = eci.map(PayloadEncoding.init(eci:)) ?? nil
        let isText = symbology.isLinear || bytes.allSatisfy(Self.isPrinted)
        self.bytes = bytes
        if let encoding = plain.encoding {
            self.encoding = encoding
            isEncodingGuessed = false
        } else if eci != nil {
            let isWhole = named != .utf16 || bytes.count.isMultiple(of: 2)
            encoding = named == .utf8 || named == .ascii || !isWhole ? nil : named
            isEncodingGuessed = false
        } else {
            encoding = isText ? .latin1 : nil
            isEncodingGuessed = isText
        }
    }

    /// A character of ISO 8859-1, or a control that text and element strings have: tab, line ends, and the separators.
    private static func isPrinted(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x20...0x7E, 0xA0...0xFF, 0x04, 0x09, 0x0A, 0x0D, 0x1C...0x1F: true
        default: false
        }
    }

    /// The bytes as text; `nil` where no encoding is named.
    public var string: String? {
        switch encoding {
        case .ascii, .utf8: String(validating: bytes, as: UTF8.self)
        case .latin1: String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        case .windows1252: String(String.UnicodeScalarView(bytes.map(Self.windows1252)))
        case .utf16:
            String(
                validating: stride(from: 0, to: bytes.count - 1, by: 2).map {
                    UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
                }, as: UTF16.self)
        case nil: nil
        }
    }

    /// The characters that windows-1252 has where ISO 8859-1 has controls, from 0x80 on; those that it leaves out stay.
    private static let windowsCharacters = Array(
        ("\u{20AC}\u{81}\u{201A}\u{192}\u{201E}\u{2026}\u{2020}\u{2021}\u{2C6}\u{2030}\u{160}\u{2039}\u{152}\u{8D}\u{17D}\u{8F}"
            + "\u{90}\u{2018}\u{2019}\u{201C}\u{201D}\u{2022}\u{2013}\u{2014}\u{2DC}\u{2122}\u{161}\u{203A}\u{153}\u{9D}\u{17E}\u{178}")
            .unicodeScalars)

    private static func windows1252(_ byte: UInt8) -> Unicode.Scalar {
        (0x80...0x9F).contains(byte) ? windowsCharacters[Int(byte) - 0x80] : Unicode.Scalar(byte)
    }
}

extension PayloadEncoding {
    /// The encoding that an Extended Channel Interpretation stands for; `nil` for one that is not read here.
    fileprivate init?(eci: Int) {
        switch eci {
        case 1, 3: self = .latin1
        case 23: self = .windows1252
        case 25: self = .utf16
        case 26: self = .utf8
        case 27, 170: self = .ascii
        default: return nil
        }
    }
}
