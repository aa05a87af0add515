// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import DataDetection
import ScanModel
import Testing

@Suite struct GTINTests {
    @Test(
        arguments: [
            (Symbology.ean13, "4006381333931", "04006381333931"), (.ean13, "0036000291452", "00036000291452"),
            (.ean8, "73513537", "00000073513537"), (.upcA, "036000291452", "00036000291452"),
            (.upcA, "0036000291452", "00036000291452"), (.upcE, "01234565", "00012345000065"),
            (.upcE, "04252614", "00042100005264"), (.itf14, "10614141000415", "10614141000415"),
            (.gs1DataBar, "0112345678901231", "12345678901231"), (.gs1DataBar, "12345678901231", "12345678901231"),
            (.gs1DataBarLimited, "0112345678901231", "12345678901231"),
            (.gs1DataBarExpanded, "01906141410000153202000150", "90614141000015"),
        ])
    func numbersThatAreGTINs(symbology: Symbology, payload: String, gtin: String) {
        #expect(GTIN.canonical14(symbology: symbology, payload: Array(payload.utf8)) == gtin)
    }

    @Test(
        arguments: [
            (Symbology.ean13, "4006381333932"), (.ean13, "400638133393"), (.ean13, ""), (.ean8, "73513536"),
            (.upcA, "036000291453"), (.upcE, "01234566"), (.upcE, "21234565"), (.upcE, "0123456"),
            (.itf14, "10614141000416"), (.i2of5, "10614141000415"), (.code128, "4006381333931"),
            (.gs1DataBar, "0212345678901231"), (.gs1DataBar, "01123456789012310"), (.gs1DataBarExpanded, "3202000150"),
            (.qr, "0112345678901231"), (.ean5, "59990"),
        ])
    func numbersThatAreNot(symbology: Symbology, payload: String) {
        #expect(GTIN.canonical14(symbology: symbology, payload: Array(payload.utf8)) == nil)
    }

    @Test(arguments: [Symbology.code128, .dataMatrix, .qr])
    func elementStringsThatStartWithAGTIN(symbology: Symbology) {
        let payload = Array("01080328254985802112345\u{1D}11090101".utf8)
        #expect(GTIN.canonical14(symbology: symbology, payload: payload, isGS1: true) == "08032825498580")
        let wrong = Array("01080328254985812112345".utf8)
        #expect(GTIN.canonical14(symbology: symbology, payload: wrong, isGS1: true) == nil)
        let valid = Array("01040063813339312112345\u{1D}11090101".utf8)
        #expect(GTIN.canonical14(symbology: symbology, payload: valid, isGS1: true) == "04006381333931")
        #expect(GTIN.canonical14(symbology: symbology, payload: valid, isGS1: false) == nil)
        let later = Array("11090101".utf8) + valid
        #expect(GTIN.canonical14(symbology: symbology, payload: later, isGS1: true) == nil)
    }
}
