// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanModel
import ScanProtocol

/// Values that the tests of this target share.
enum Example {
    static let time = WallTime(milliseconds: 1_796_030_796_087)
    static let frame = FrameStamp(
        sequence: 59, monotonic: MonotonicTime(nanoseconds: 84_121_967_000_123), time: time)
    static let barcodeID = ItemID(high: 0x0198_c5a1_0000_7abc, low: 0x8123_4567_89ab_cdef)
    static let textID = ItemID(high: 0x0198_c5a1_0001_7abc, low: 0x8123_4567_89ab_cdef)
    static let bounds = Quad(
        topLeft: Point(x: 0.08, y: 0.14), topRight: Point(x: 0.190004, y: 0.15),
        bottomRight: Point(x: 0.19, y: 0.234567), bottomLeft: Point(x: 0, y: 1))

    static func barcode(_ payload: [UInt8], id: ItemID = barcodeID, isGS1: Bool = false) -> RecognizedItem {
        .barcode(
            .init(
                id: id, bounds: bounds, symbology: .ean13, payload: Payload(bytes: payload),
                symbologyIdentifier: "]E0", isGS1: isGS1, gtin: "04006381333931", confidence: 0.984,
                firstSeen: WallTime(milliseconds: time.milliseconds - 1967), lastSeen: time))
    }

    /// A pallet's label with element strings and every date that has a name.
    static var pallet: RecognizedItem {
        var content = GS1Content()
        content.elements = [
            .init("00", "006141411234567890"), .init("17", "261130"), .init("01", "04006381333931"),
            .init("10", "A\"1"),
        ]
        content.sscc = "006141411234567890"
        for (index, kind) in GS1Content.DateKind.allCases.enumerated() {
            content.dates[kind] = CalendarDate(year: 2026, month: 1 + index, day: 28)
        }
        return .barcode(
            .init(
                id: barcodeID, bounds: bounds, symbology: .code128, payload: Payload(bytes: [0x30, 0x1D]),
                symbologyIdentifier: "]C1", isGS1: true, gtin: "04006381333931", gs1: content, confidence: 0.984,
                firstSeen: WallTime(milliseconds: time.milliseconds - 1967), lastSeen: time))
    }

    static func text(_ transcript: String, id: ItemID = textID) -> RecognizedItem {
        .text(
            .init(
                id: id, bounds: bounds, transcript: transcript, languages: ["eng"], confidence: 0.94,
                firstSeen: WallTime(milliseconds: time.milliseconds - 1967), lastSeen: time))
    }

    static let ean = barcode(Array("4006381333931".utf8))
    static let line = text("LOT A88994")

    static func event(_ event: ScanEvent, sequence: UInt64 = 7, limit: Int = 4 << 20) -> [String] {
        MessageEncoder.lines(for: event, sequence: sequence, time: time, limit: limit).map {
            String(decoding: $0, as: UTF8.self)
        }
    }
}
