// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ScanModel

extension Wire.Item {
    /// The item as the program's own value; `nil` where a newer server sent what this version has no name for.
    public var recognizedItem: RecognizedItem? {
        guard let id = ItemID(id), let bounds = bounds.quad, let first = WallTime(rfc3339: firstSeen),
            let last = WallTime(rfc3339: lastSeen)
        else { return nil }
        switch kind {
        case "barcode":
            guard let symbology = symbology.flatMap(Symbology.init(rawValue:)),
                let payload = payload?.value
            else { return nil }
            return .barcode(
                .init(
                    id: id, bounds: bounds, symbology: symbology, payload: payload,
                    symbologyIdentifier: symbologyIdentifier, isGS1: isGS1 ?? false, gtin: gtin, gs1: gs1Content,
                    supplement: supplement, part: part.map(\.value), isInverted: inverted ?? false,
                    isMirrored: mirrored ?? false, isReaderProgramming: readerProgramming ?? false,
                    confidence: confidence, firstSeen: first, lastSeen: last))
        case "text":
            guard let transcript else { return nil }
            return .text(
                .init(
                    id: id, bounds: bounds, transcript: transcript, languages: languages ?? [],
                    confidence: confidence, firstSeen: first, lastSeen: last))
        default:
            return nil
        }
    }
}

extension Wire.Item {
    /// What its element strings say; `nil` where it has none.
    private var gs1Content: GS1Content? {
        guard gs1 != nil || gs1Error != nil else { return nil }
        var content = GS1Content()
        content.elements = (gs1 ?? [:]).sorted { $0.key < $1.key }.map { GS1Content.Element($0.key, $0.value) }
        content.error = gs1Error
        content.sscc = sscc
        let dates: [(GS1Content.DateKind, String?)] = [
            (.productionDate, productionDate), (.dueDate, dueDate), (.packagingDate, packagingDate),
            (.bestBeforeDate, bestBeforeDate), (.sellByDate, sellByDate), (.expiryDate, expiryDate),
        ]
        for (kind, text) in dates { content.dates[kind] = text.flatMap { CalendarDate(rfc3339: $0) } }
        return content
    }
}

extension Wire.Payload {
    /// The payload's bytes; `nil` when the base64 is not valid.
    public var bytes: [UInt8]? { decodeBase64(base64) }

    /// The payload with the text that the server made of it; `nil` when the base64 is not valid.
    var value: ScanModel.Payload? {
        bytes.map { bytes in
            guard let encoding = encoding.flatMap(PayloadEncoding.init(rawValue:)) else {
                return ScanModel.Payload(bytes: bytes, encoding: nil)
            }
            return ScanModel.Payload(
                bytes: bytes, encoding: encoding, isEncodingGuessed: encodingGuessed ?? false, convertedText: string)
        }
    }
}

extension Wire.Part {
    var value: SymbolPart { SymbolPart(index: index, count: count, identifier: identifier ?? "") }
}

extension Wire.Bounds {
    /// The corners as points; `nil` where a corner is not two numbers.
    public var quad: Quad? {
        let corners = [topLeft, topRight, bottomRight, bottomLeft]
        guard corners.allSatisfy({ $0.count == 2 }) else { return nil }
        let points = corners.map { Point(x: $0[0], y: $0[1]) }
        return Quad(topLeft: points[0], topRight: points[1], bottomRight: points[2], bottomLeft: points[3])
    }
}

/// Reads padded base64 (RFC 4648); `nil` for anything else.
private func decodeBase64(_ text: String) -> [UInt8]? {
    let digits = Array(text.utf8)
    guard digits.count.isMultiple(of: 4) else { return nil }
    let padding = digits.reversed().prefix(2).prefix { $0 == UInt8(ascii: "=") }.count
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 4 * 3)
    var bits: UInt32 = 0
    for (index, digit) in digits.enumerated() {
        let value: UInt8
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = digit - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): value = digit - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): value = 62
        case UInt8(ascii: "/"): value = 63
        case UInt8(ascii: "=") where index >= digits.count - padding: value = 0
        default: return nil
        }
        bits = bits << 6 | UInt32(value)
        if index % 4 == 3 {
            bytes.append(UInt8(truncatingIfNeeded: bits >> 16))
            bytes.append(UInt8(truncatingIfNeeded: bits >> 8))
            bytes.append(UInt8(truncatingIfNeeded: bits))
            bits = 0
        }
    }
    bytes.removeLast(padding)
    return bytes
}

extension WallTime {
    /// Reads the form that `rfc3339` writes, in UTC with milliseconds; `nil` for anything else.
    public init?(rfc3339 text: String) {
        let bytes = Array(text.utf8)
        let separators: [Int: Unicode.Scalar] = [4: "-", 7: "-", 10: "T", 13: ":", 16: ":", 19: ".", 23: "Z"]
        guard bytes.count == 24 else { return nil }
        var fields: [Int64] = [0]
        for (index, byte) in bytes.enumerated() {
            if let separator = separators[index] {
                guard byte == UInt8(ascii: separator) else { return nil }
                fields.append(0)
            } else {
                guard (0x30...0x39).contains(byte) else { return nil }
                fields[fields.count - 1] = fields[fields.count - 1] * 10 + Int64(byte - 0x30)
            }
        }
        let (year, month, day) = (fields[0], fields[1], fields[2])
        guard (1...12).contains(month), (1...31).contains(day), fields[3] < 24, fields[4] < 60, fields[5] < 60 else {
            return nil
        }
        // Days since 1970-01-01, with years that start in March so that the leap day is the last of its year.
        let shifted = year - (month <= 2 ? 1 : 0)
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
        self.init(
            milliseconds: ((days * 24 + fields[3]) * 60 + fields[4]) * 60_000 + fields[5] * 1000 + fields[6])
    }
}
