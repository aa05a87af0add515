// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import DataDetection
import ScanModel
import Testing

@Suite struct BarcodeDetailsTests {
    private func completed(
        _ payload: String, _ symbology: Symbology = .code128, isGS1: Bool = true
    ) -> RecognizedItem.Barcode {
        // 2026-11-30.
        let now = WallTime(milliseconds: 1_796_030_796_087)
        var barcode = RecognizedItem.Barcode(
            id: ItemID(high: 0, low: 0), bounds: Quad(Rect(x: 0, y: 0, width: 1, height: 1)), symbology: symbology,
            payload: Payload(bytes: payload.utf8.map { $0 == UInt8(ascii: "|") ? 0x1D : $0 }), isGS1: isGS1,
            confidence: 1, firstSeen: now, lastSeen: now)
        BarcodeDetails.complete(&barcode)
        return barcode
    }

    @Test func aPalletLabelGivesItsPlainFields() throws {
        let barcode = completed("00006141411234567890" + "11261101" + "15270200" + "10LOT7|0104006381333931")
        let content = try #require(barcode.gs1)
        #expect(content.error == nil)
        #expect(content.sscc == "006141411234567890")
        #expect(barcode.gtin == "04006381333931")
        #expect(content["10"] == "LOT7" && content["17"] == nil)
        #expect(content.dates[.productionDate]?.description == "2026-11-01")
        #expect(content.dates[.bestBeforeDate]?.description == "2027-02-28")
    }

    @Test(
        arguments: [
            ("17261130", "2026-11-30"), ("17261100", "2026-11-30"), ("17280200", "2028-02-29"),
            ("17760101", "2076-01-01"), ("17770101", "1977-01-01"), ("17991231", "1999-12-31"),
            ("17000101", "2000-01-01"), ("70032611301530", "2026-11-30"), ("7003261130153017270131", nil),
            ("70032611301530|17270131", "2027-01-31"),
        ])
    func expiryDatesHaveTheirCentury(payload: String, expected: String?) {
        #expect(completed(payload).gs1?.dates[.expiryDate]?.description == expected)
    }

    @Test(arguments: [
        (1950, "1999-01-01"), (1949, "1999-01-01"), (1948, "1899-01-01"), (2048, "1999-01-01"), (2049, "2099-01-01"),
    ])
    func theCenturyGoesWithTheYear(year: Int, expected: String) {
        #expect(
            BarcodeDetails.content(of: Array("11990101".utf8), currentYear: year).dates[.productionDate]?.description
                == expected)
    }

    @Test func whatDoesNotParseIsNamedAndKeepsTheLeadingGTIN() throws {
        let barcode = completed("010400638133393117261301")
        let content = try #require(barcode.gs1)
        #expect(content.error == "(17) at byte 16: there is no month 13")
        #expect(content.elements.isEmpty && content.dates.isEmpty)
        #expect(barcode.gtin == "04006381333931")
    }

    @Test func onlyMarkedSymbolsAreElementStrings() {
        #expect(completed("0104006381333931", .code128, isGS1: false).gs1 == nil)
        #expect(completed("4006381333931", .ean13, isGS1: false).gs1 == nil)
        #expect(completed("0104006381333931", .qr).gs1?["01"] == "04006381333931")
    }

    @Test func dataBarIsAlwaysGS1() {
        #expect(completed("0104006381333931", .gs1DataBar, isGS1: false).gs1?["01"] == "04006381333931")
        #expect(completed("04006381333931", .gs1DataBarLimited, isGS1: false).gs1?["01"] == "04006381333931")
        #expect(
            completed("01906141410000153202000150", .gs1DataBarExpanded, isGS1: false).gs1?["3202"] == "000150")
    }
}
