// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanProtocol
import Testing

@Suite struct AnalysisLineTests {
    private let bounds =
        #""bounds":{"bottomLeft":[0,1],"bottomRight":[0.19,0.23457],"topLeft":[0.08,0.14],"topRight":[0.19,0.15]}"#

    @Test func itemsHaveTheWiresShapeWithoutIdentityAndTime() {
        let line = AnalysisLine(
            file: "shelf \"1\".jpg", width: 1280, height: 720, milliseconds: 41.257,
            items: [Example.ean, Example.line])
        #expect(
            String(decoding: line.encoded, as: UTF8.self)
                == #"{"file":"shelf \"1\".jpg","height":720,"items":[{\#(bounds),"confidence":0.98,"#
                + #""gtin":"04006381333931","kind":"barcode","#
                + #""payload":{"base64":"NDAwNjM4MTMzMzkzMQ==","encoding":"ASCII","string":"4006381333931"},"#
                + #""symbology":"EAN13","symbologyIdentifier":"]E0"},{\#(bounds),"confidence":0.94,"kind":"text","#
                + #""languages":["eng"],"transcript":"LOT A88994"}],"milliseconds":41.26,"width":1280}"# + "\n")
    }

    @Test func aPictureThatCanNotBeReadHasAnErrorAndNoItems() {
        let line = AnalysisLine(file: "a\nb.png", error: "the file is empty")
        #expect(
            String(decoding: line.encoded, as: UTF8.self)
                == #"{"error":"the file is empty","file":"a\nb.png","items":[]}"# + "\n")
    }
}
