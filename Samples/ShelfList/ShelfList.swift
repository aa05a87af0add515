// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Capture
import DataScanner

/// Prints what is on a shelf each time the list changes: a complete user of the library.
@main
struct ShelfList {
    static func main() async throws {
        let path = CommandLine.arguments.dropFirst().first ?? "Samples/shelf.mjpeg"
        let source = try ReplaySource(path: path, options: ReplayOptions())
        let scanner = try DataScanner(
            recognizedDataTypes: [.barcode(), .text(languages: ["eng"])], qualityLevel: .balanced,
            recognizesMultipleItems: true, source: source)
        let lists = scanner.recognizedItems
        try scanner.startScanning()
        for await items in lists {
            print("\(items.count) in view")
            for item in items {
                switch item {
                case .barcode(let barcode):
                    print("  \(barcode.symbology.rawValue) \(barcode.payload.string ?? "(bytes)")")
                case .text(let text): print("  \"\(text.transcript)\"")
                }
            }
        }
    }
}
