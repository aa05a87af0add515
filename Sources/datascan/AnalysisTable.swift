// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanModel
import ScanProtocol

/// What a picture shows, for people: a line for the picture and one for each item in it.
enum AnalysisTable {
    static func text(_ line: AnalysisLine) -> String {
        var heading = ItemLine.printable(line.file)
        if let width = line.width, let height = line.height { heading += "  \(width)x\(height)" }
        if let milliseconds = line.milliseconds { heading += "  \(Int(milliseconds.rounded())) ms" }
        if let error = line.error { heading += "  " + ItemLine.printable(error) }
        if line.items.isEmpty, line.error == nil { heading += "  nothing found" }
        return heading + "\n" + line.items.map { "  " + describe($0) + "\n" }.joined()
    }

    private static func describe(_ item: RecognizedItem) -> String {
        switch item {
        case .text(let text): return "text".padded(to: kindWidth) + "\"" + ItemLine.shortened(text.transcript) + "\""
        case .barcode(let barcode):
            var line = barcode.symbology.rawValue.padded(to: kindWidth)
            if let gs1 = barcode.gs1, gs1.error == nil {
                line += gs1.elements.map { "(\($0.identifier))" + ItemLine.printable($0.value) }.joined()
            } else if let text = barcode.payload.string {
                line += ItemLine.shortened(text)
            } else {
                line += "\(barcode.payload.bytes.count) bytes"
            }
            line += ItemLine.addition(barcode.supplement)
            if let part = barcode.part { line += "  " + ItemLine.words(part.index, of: part.count) }
            if barcode.isReaderProgramming { line += "  (sets up a reader)" }
            if let gtin = barcode.gtin, gtin != barcode.payload.string { line += "  GTIN \(gtin)" }
            for kind in GS1Content.DateKind.allCases {
                if let date = barcode.gs1?.dates[kind] { line += "  \(words(kind)) \(date)" }
            }
            if let error = barcode.gs1?.error { line += "  no GS1 data: " + ItemLine.printable(error) }
            return line
        }
    }

    private static let kindWidth = 20

    private static func words(_ kind: GS1Content.DateKind) -> String {
        switch kind {
        case .productionDate: "produced"
        case .dueDate: "due"
        case .packagingDate: "packed"
        case .bestBeforeDate: "best before"
        case .sellByDate: "sell by"
        case .expiryDate: "expires"
        }
    }
}
