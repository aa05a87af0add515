// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// What a barcode says: bytes first, text only where the bytes are valid in a named encoding.
public struct Payload: Sendable, Hashable {
    /// Exactly what the symbol encodes, NUL and 0x1D (the GS1 separator) among it.
    public let bytes: [UInt8]
    /// The encoding in which `string` reads the bytes; `nil` where none is known to fit.
    public let encoding: PayloadEncoding?
    /// Whether the symbol says nothing of the encoding, and its symbology's own is taken to be it.
    public let isEncodingGuessed: Bool
    /// The text by a character set that is not read here, as whoever reads it gave it.
    private let convertedText: String?

    /// Takes the bytes and names the first of ASCII and UTF-8 that they are valid in.
    public init(bytes: [UInt8]) {
        self.init(bytes: bytes, encoding: Self.plainEncoding(of: bytes))
    }

    /// Takes the bytes with what is known of their encoding.
    ///
    /// - Parameter convertedText: the text, where the encoding is one that is not read here.
    public init(
        bytes: [UInt8], encoding: PayloadEncoding?, isEncodingGuessed: Bool = false, convertedText: String? = nil
    ) {
        self.bytes = bytes
        self.isEncodingGuessed = isEncodingGuessed && encoding != nil
        self.convertedText = encoding?.isReadHere == false ? convertedText : nil
        // An encoding without its text says less than none.
        self.encoding = encoding?.isReadHere == false && convertedText == nil ? nil : encoding
    }

    /// Takes the bytes with what their symbol says of them.
    ///
    /// Valid ASCII and UTF-8 are that, whatever the symbol says: labels name ISO 8859-1 and hold UTF-8. Otherwise the
    /// character set that the symbol names counts, and no other. A symbol that names none is taken to be ISO 8859-1, the
    /// default of all symbologies here (ISO/IEC 15417, 4.3.1; 16022, 5.2.1; 18004, 7.3.5), where every byte is a character
    /// or a separator of it; that is a guess.
    ///
    /// - Parameters:
    ///   - eci: the number of an Extended Channel Interpretation, as AIM assigns them.
    ///   - convertedText: the text by `eci`, where a reader gave it.
    public init(bytes: [UInt8], eci: Int?, symbology: Symbology, convertedText: String? = nil) {
        if let plain = Self.plainEncoding(of: bytes) {
            self.init(bytes: bytes, encoding: plain)
        } else if let eci {
            let named = PayloadEncoding(eci: eci)
            let isWhole = named != .utf16 || bytes.count.isMultiple(of: 2)
            let fits = named != .utf8 && named != .ascii && isWhole
            self.init(bytes: bytes, encoding: fits ? named : nil, convertedText: convertedText)
        } else {
            let isText = symbology.isLinear || bytes.allSatisfy(Self.isPrinted)
            self.init(bytes: bytes, encoding: isText ? .latin1 : nil, isEncodingGuessed: isText)
        }
    }

    private static func plainEncoding(of bytes: [UInt8]) -> PayloadEncoding? {
        if bytes.allSatisfy({ $0 < 0x80 }) { return .ascii }
        return String(validating: bytes, as: UTF8.self) == nil ? nil : .utf8
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
        default: convertedText
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
