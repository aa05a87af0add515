// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanModel

/// Writes JSON into a byte buffer, one line, with nothing that could break the line or upset a terminal.
struct JSONWriter {
    var bytes: [UInt8] = []
    private var latestTime: (time: WallTime, text: [UInt8])?

    private static let hexDigits = Array("0123456789abcdef".utf8)
    private static let base64Digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// Appends text that needs no escaping.
    mutating func raw(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func comma() { bytes.append(UInt8(ascii: ",")) }

    /// Appends a string with its quotes.
    ///
    /// Beyond what RFC 8259 asks for, DEL, the C1 controls (U+009B starts a terminal's escape sequence) and
    /// U+2028/2029 (line ends to JavaScript) are escaped; slashes are not.
    mutating func string(_ text: String) {
        var text = text
        bytes.append(UInt8(ascii: "\""))
        text.withUTF8 { utf8 in
            var index = 0
            while index < utf8.count {
                let byte = utf8[index]
                switch byte {
                case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                    bytes.append(UInt8(ascii: "\\"))
                    bytes.append(byte)
                case 0x0A: raw("\\n")
                case 0x0D: raw("\\r")
                case 0x09: raw("\\t")
                case 0..<0x20, 0x7F: escape(UInt16(byte))
                case 0xC2 where utf8[index + 1] < 0xA0:
                    escape(UInt16(utf8[index + 1]))
                    index += 1
                case 0xE2 where utf8[index + 1] == 0x80 && utf8[index + 2] & 0xFE == 0xA8:
                    escape(0x2000 | UInt16(utf8[index + 2] & 0x3F))
                    index += 2
                default: bytes.append(byte)
                }
                index += 1
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func escape(_ unit: UInt16) {
        raw("\\u")
        for shift in [12, 8, 4, 0] { bytes.append(JSONWriter.hexDigits[Int(unit >> UInt16(shift) & 15)]) }
    }

    mutating func integer(_ value: Int64) {
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        integer(value.magnitude)
    }

    // By hand, without a `String` for each of an item's eight coordinates.
    mutating func integer(_ value: UInt64) {
        var divisor: UInt64 = 1
        while value / divisor >= 10 { divisor *= 10 }
        while divisor > 0 {
            bytes.append(0x30 + UInt8(value / divisor % 10))
            divisor /= 10
        }
    }

    /// Appends a number rounded to so many decimals, without trailing zeros; what is not finite becomes 0.
    mutating func fixed(_ value: Double, decimals: Int) {
        var scale: Int64 = 1
        for _ in 0..<decimals { scale *= 10 }
        let limit = 1e12
        let finite = value.isFinite ? min(max(value, -limit), limit) : 0
        let scaled = Int64((finite * Double(scale)).rounded())
        if scaled < 0 { bytes.append(UInt8(ascii: "-")) }
        let magnitude = Int64(scaled.magnitude)
        integer(magnitude / scale)
        var fraction = magnitude % scale
        guard fraction > 0 else { return }
        bytes.append(UInt8(ascii: "."))
        while fraction > 0 {
            scale /= 10
            bytes.append(0x30 + UInt8(fraction / scale))
            fraction %= scale
        }
    }

    /// Appends a UUID with its quotes.
    mutating func identity(_ id: ItemID) {
        bytes.append(UInt8(ascii: "\""))
        for position in 0..<32 {
            if position == 8 || position == 12 || position == 16 || position == 20 { bytes.append(UInt8(ascii: "-")) }
            let half = position < 16 ? id.high : id.low
            bytes.append(JSONWriter.hexDigits[Int(half >> UInt64(60 - position % 16 * 4) & 15)])
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Appends RFC 3339 with milliseconds, with its quotes.
    ///
    /// Most items of an event were last seen in its frame, so the latest text is kept.
    mutating func time(_ time: WallTime) {
        if latestTime?.time != time { latestTime = (time, Array("\"\(time.rfc3339)\"".utf8)) }
        if let latestTime { bytes.append(contentsOf: latestTime.text) }
    }

    /// Appends base64 (RFC 4648, padded) with its quotes.
    mutating func base64(_ data: [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        var index = 0
        while index < data.count {
            let count = min(3, data.count - index)
            var group = UInt32(data[index]) << 16
            if count > 1 { group |= UInt32(data[index + 1]) << 8 }
            if count > 2 { group |= UInt32(data[index + 2]) }
            for digit in 0..<4 {
                bytes.append(
                    digit <= count
                        ? JSONWriter.base64Digits[Int(group >> UInt32(18 - 6 * digit) & 63)] : UInt8(ascii: "="))
            }
            index += 3
        }
        bytes.append(UInt8(ascii: "\""))
    }

    mutating func value(_ value: JSONValue) {
        switch value {
        case .null: raw("null")
        case .bool(let flag): if flag { raw("true") } else { raw("false") }
        case .integer(let integer): self.integer(integer)
        case .number(let number):
            if !number.isFinite {
                raw("0")
            } else if let whole = Int64(exactly: number) {
                integer(whole)
            } else {
                bytes.append(contentsOf: number.description.utf8)
            }
        case .string(let text): string(text)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { comma() }
                self.value(element)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
                if index > 0 { comma() }
                string(member.key)
                bytes.append(UInt8(ascii: ":"))
                self.value(member.value)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }
}
