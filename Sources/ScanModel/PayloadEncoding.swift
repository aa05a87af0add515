// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// How a payload's bytes are to be read as characters; the raw value is IANA's name, and the one on the wire.
public enum PayloadEncoding: String, Sendable, Hashable, CaseIterable {
    case ascii = "ASCII"
    case utf8 = "UTF-8"
    case latin1 = "ISO-8859-1"
    case windows1252 = "windows-1252"
    case utf16 = "UTF-16BE"
    // Known by name: whoever reads the symbol converts them.
    case cp437 = "IBM437"
    case latin2 = "ISO-8859-2"
    case latin3 = "ISO-8859-3"
    case latin4 = "ISO-8859-4"
    case cyrillic = "ISO-8859-5"
    case arabic = "ISO-8859-6"
    case greek = "ISO-8859-7"
    case hebrew = "ISO-8859-8"
    case latin5 = "ISO-8859-9"
    case latin6 = "ISO-8859-10"
    case thai = "ISO-8859-11"
    case latin7 = "ISO-8859-13"
    case latin8 = "ISO-8859-14"
    case latin9 = "ISO-8859-15"
    case latin10 = "ISO-8859-16"
    case shiftJIS = "Shift_JIS"
    case windows1250 = "windows-1250"
    case windows1251 = "windows-1251"
    case windows1256 = "windows-1256"
    case big5 = "Big5"
    case gb2312 = "GB2312"
    case eucKR = "EUC-KR"
    case gbk = "GBK"
    case gb18030 = "GB18030"
    case utf16LittleEndian = "UTF-16LE"
    case utf32 = "UTF-32BE"
    case utf32LittleEndian = "UTF-32LE"

    /// Whether `Payload` makes the text from the bytes by itself.
    public var isReadHere: Bool {
        switch self {
        case .ascii, .utf8, .latin1, .windows1252, .utf16: true
        default: false
        }
    }

    /// The encoding that an Extended Channel Interpretation stands for (AIM ITS/04-023); `nil` for one that is not of text.
    public init?(eci: Int) {
        switch eci {
        case 0, 2: self = .cp437
        case 1, 3: self = .latin1
        case 4: self = .latin2
        case 5: self = .latin3
        case 6: self = .latin4
        case 7: self = .cyrillic
        case 8: self = .arabic
        case 9: self = .greek
        case 10: self = .hebrew
        case 11: self = .latin5
        case 12: self = .latin6
        case 13: self = .thai
        case 15: self = .latin7
        case 16: self = .latin8
        case 17: self = .latin9
        case 18: self = .latin10
        case 20: self = .shiftJIS
        case 21: self = .windows1250
        case 22: self = .windows1251
        case 23: self = .windows1252
        case 24: self = .windows1256
        case 25: self = .utf16
        case 26: self = .utf8
        case 27, 170: self = .ascii
        case 28: self = .big5
        case 29: self = .gb2312
        case 30: self = .eucKR
        case 31: self = .gbk
        case 32: self = .gb18030
        case 33: self = .utf16LittleEndian
        case 34: self = .utf32
        case 35: self = .utf32LittleEndian
        default: return nil
        }
    }
}
