// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import LinuxSystem
import ScanModel

/// What is measured on.
enum Clip {
    /// The JPEGs of an MJPEG file that holds nothing else, such as the sample.
    static func frames(of path: String) throws -> [[UInt8]] {
        let mapping = try ReadOnlyMapping(of: try OwnedDescriptor.openForReading(path), subject: path)
        let bytes = [UInt8](mapping.bytes)
        var starts: [Int] = []
        // A start of image behind an end of image; inside a scan 0xFF is followed by 0 or a restart marker.
        for index in bytes.indices.dropLast() where bytes[index] == 0xFF && bytes[index + 1] == 0xD8 {
            if index == 0 || (index > 1 && bytes[index - 2] == 0xFF && bytes[index - 1] == 0xD9) {
                starts.append(index)
            }
        }
        return zip(starts, starts.dropFirst() + [bytes.count]).map { Array(bytes[$0..<$1]) }
    }

    /// An update of so many barcodes.
    static func event(items count: Int) -> ScanEvent {
        let items = (0..<count).map { index in
            let place = Rect(x: 0.07 * Double(index % 10), y: 0.3, width: 0.05, height: 0.08)
            return RecognizedItem.barcode(
                .init(
                    id: ItemID(high: 0x0198_C5A1_0000_7000, low: UInt64(index)), bounds: Quad(place),
                    symbology: .ean13, payload: Payload(bytes: Array("4006381333931".utf8)),
                    symbologyIdentifier: "]E0", gtin: "04006381333931", confidence: 0.98,
                    firstSeen: WallTime(milliseconds: 0), lastSeen: WallTime(milliseconds: 1000)))
        }
        let stamp = FrameStamp(
            sequence: 1, monotonic: MonotonicTime(nanoseconds: 1), time: WallTime(milliseconds: 1000))
        return .didUpdate(items, allItems: nil, frame: stamp)
    }
}
