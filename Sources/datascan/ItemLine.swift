// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanProtocol

/// Items and events in words, a line each.
enum ItemLine {
    /// Characters of a payload or transcript that are shown.
    private static let maximumLength = 72

    /// Kind, content and what else is known, without the end of the line.
    static func describe(_ item: Wire.Item) -> String {
        let kind = item.symbology ?? item.kind
        var line = kind.padded(to: 10)
        // The last digits of a UUID of version 7 are random, its first are the time.
        line += item.id.suffix(8) + "  " + content(item) + addition(item.supplement)
        if let gtin = item.gtin, gtin != item.payload?.string { line += "  GTIN \(gtin)" }
        if item.isGS1 == true { line += "  GS1" }
        if let part = item.part { line += "  " + words(part.index, of: part.count) }
        if item.readerProgramming == true { line += "  (sets up a reader)" }
        return line
    }

    /// An event's line.
    static func event(_ verb: String, _ item: Wire.Item, time: String) -> String {
        let reason = item.reason.map { "  (\(words($0)))" } ?? ""
        return clock(time) + "  " + verb.padded(to: 9) + describe(item) + reason + "\n"
    }

    /// A line about the stream itself.
    static func note(_ text: String, time: String) -> String { clock(time) + "  " + printable(text) + "\n" }

    /// The time of the day of an RFC 3339 time, in UTC as the daemon gives it.
    private static func clock(_ time: String) -> String {
        guard let day = time.firstIndex(of: "T") else { return time }
        return String(time[time.index(after: day)...].dropLast())
    }

    private static func content(_ item: Wire.Item) -> String {
        if let transcript = item.transcript { return "\"" + shortened(transcript) + "\"" }
        if let text = item.payload?.string { return shortened(text) }
        return "base64:" + shortened(item.payload?.base64 ?? "")
    }

    /// The add-on of an EAN or UPC, as it is written behind it.
    static func addition(_ supplement: String?) -> String { supplement.map { " +" + printable($0) } ?? "" }

    /// Which part of a message, counted from 1 as people do.
    static func words(_ index: Int, of count: Int?) -> String {
        count.map { "\(index &+ 1) of \($0)" } ?? "part \(index &+ 1)"
    }

    private static func words(_ reason: String) -> String {
        switch reason {
        case "outOfView": "out of view"
        case "sourceLost": "source lost"
        case "regionChanged": "region changed"
        default: reason
        }
    }

    static func shortened(_ text: String) -> String {
        let shown = printable(text)
        return shown.count > maximumLength ? shown.prefix(maximumLength - 1) + "…" : shown
    }

    /// Payloads are data: what would steer a terminal is shown instead of sent.
    static func printable(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x1D: result += "<GS>"
            case ..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069:
                result += "<" + String(scalar.value, radix: 16) + ">"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

extension String {
    func padded(to width: Int) -> String { self + String(repeating: " ", count: Swift.max(1, width - count)) }
}
