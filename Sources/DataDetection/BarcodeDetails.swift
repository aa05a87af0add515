// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ScanModel

/// What the payload of a barcode says beyond its characters.
public enum BarcodeDetails {
    private static let dateKinds: [(identifier: String, kind: GS1Content.DateKind)] = [
        ("11", .productionDate), ("12", .dueDate), ("13", .packagingDate), ("15", .bestBeforeDate),
        ("16", .sellByDate), ("17", .expiryDate),
        // With a time behind the date; only where there is no 17.
        ("7003", .expiryDate),
    ]

    /// Fills in the GTIN and what GS1 element strings say; the centuries of dates are taken as of `firstSeen`.
    public static func complete(_ barcode: inout RecognizedItem.Barcode) {
        let bytes = barcode.payload.bytes
        barcode.gtin = GTIN.canonical14(symbology: barcode.symbology, payload: bytes, isGS1: barcode.isGS1)
        guard let strings = elementStrings(barcode) else { return }
        let content = content(of: strings, currentYear: barcode.firstSeen.date?.year ?? 1970)
        barcode.gs1 = content
        barcode.gtin = barcode.gtin ?? content["01"]
    }

    /// What element strings say, or why they do not parse, in a year whose century the dates are near to.
    public static func content(of bytes: [UInt8], currentYear: Int) -> GS1Content {
        var content = GS1Content()
        do throws(GS1Error) {
            content.elements = try GS1ElementString.parse(bytes)
        } catch {
            content.error = error.description
            return content
        }
        content.sscc = content["00"]
        for (identifier, kind) in dateKinds where content.dates[kind] == nil {
            guard let value = content[identifier] else { continue }
            content.dates[kind] = GS1Dates.date(sixDigits: value.utf8.prefix(6), currentYear: currentYear)
        }
        return content
    }

    /// The element strings of a symbol that is marked as GS1, or of a symbology that can be nothing else.
    private static func elementStrings(_ barcode: RecognizedItem.Barcode) -> [UInt8]? {
        let bytes = barcode.payload.bytes
        switch barcode.symbology {
        // Some readers give the bare GTIN that these hold.
        case .gs1DataBar, .gs1DataBarLimited: return bytes.count == 14 ? Array("01".utf8) + bytes : bytes
        case .gs1DataBarExpanded: return bytes
        default: return barcode.isGS1 ? bytes : nil
        }
    }
}
