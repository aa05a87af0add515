// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import FoundationEssentials
import ScanModel
import ScanProtocol
import Testing

/// What a barcode or a line of text says must not break the line, the JSON or the terminal (report B60).
@Suite struct PayloadTests {
    // Foundation's decoder is the independent judge of what our encoder writes.
    private struct Message: Decodable {
        struct Params: Decodable { var items: [Item] }
        struct Item: Decodable {
            var payload: Payload?
            var transcript: String?
        }
        struct Payload: Decodable {
            var base64: String
            var string: String?
            var encoding: String?
        }
        var params: Params
    }

    static let texts = [
        "]]>", "line1\nline2\t\"q\"\\x", "\u{2028}a\u{2029}", "\u{1B}[2J\u{1B}]0;title\u{7}", "a\u{0}b", "\r\n",
        "\u{9B}31m\u{85}\u{7F}", "'); DROP TABLE user; --", "<img src/onerror=prompt(8)>", "e\u{301}", "שלום \u{200F}",
        "안녕", "😀\u{FFFF}", "\u{E0}\u{2027}\u{202A}\u{C0}", "/a/b", "",
    ]

    @Test(arguments: texts) func isOneInertLine(_ text: String) throws {
        let items = [Example.barcode(Array(text.utf8)), Example.text(text)]
        let lines = Example.event(.didAdd(items, allItems: [], frame: Example.frame))
        let line = try #require(lines.first)
        #expect(line.utf8.count { $0 == 0x0A } == 1 && line.utf8.last == 0x0A)
        let unsafe = line.unicodeScalars.dropLast().filter {
            $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) || $0.value == 0x2028 || $0.value == 0x2029
        }
        #expect(unsafe.isEmpty)
        #expect(!line.contains(#"\/"#))

        let judged = try JSONDecoder().decode(Message.self, from: Data(line.utf8)).params.items
        #expect(judged[0].payload.flatMap { Data(base64Encoded: $0.base64) } == Data(text.utf8))
        #expect(judged[0].payload?.string.map { Array($0.utf8) } == Array(text.utf8))
        #expect(judged[1].transcript.map { Array($0.utf8) } == Array(text.utf8))

        guard case .didAdd(let change) = try ServerMessage(parsing: Array(line.utf8)) else {
            Issue.record("not a didAdd")
            return
        }
        #expect(change.items[0].payload?.bytes == Array(text.utf8))
        #expect(change.items[1].transcript.map { Array($0.utf8) } == Array(text.utf8))
    }

    @Test func bytesThatAreNoTextComeAsBase64Only() throws {
        for bytes: [UInt8] in [[0xFF, 0x00, 0x80], [0xC3], [0xED, 0xA0, 0x80], Array(0...255)] {
            let line = try #require(
                Example.event(.didAdd([Example.barcode(bytes)], allItems: [], frame: Example.frame)).first)
            let payload = try #require(
                try JSONDecoder().decode(Message.self, from: Data(line.utf8)).params.items[0].payload)
            #expect(Data(base64Encoded: payload.base64) == Data(bytes))
            #expect(payload.string == nil && payload.encoding == nil)
        }
    }

    @Test func base64OfEveryLength() throws {
        for length in 0..<20 {
            let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 * 37 + 200) }
            let line = try #require(
                Example.event(.didAdd([Example.barcode(bytes)], allItems: [], frame: Example.frame)).first)
            guard case .didAdd(let change) = try ServerMessage(parsing: Array(line.utf8)) else { continue }
            #expect(change.items[0].payload?.base64 == Data(bytes).base64EncodedString())
            #expect(change.items[0].payload?.bytes == bytes)
        }
        for text in ["QQ=A", "QQ=", "Q\\nQ=", "Q===", "QQ!="] {
            let payload = try JSONLine.decode(Wire.Payload.self, from: Array(#"{"base64":"\#(text)"}"#.utf8))
            #expect(payload.bytes == nil)
        }
    }

    @Test func itemsComeBackAsTheyWere() throws {
        let items = [Example.barcode([1, 2, 255], isGS1: true), Example.line, Example.ean, Example.pallet]
        let line = try #require(Example.event(.didAdd(items, allItems: [], frame: Example.frame)).first)
        guard case .didAdd(let change) = try ServerMessage(parsing: Array(line.utf8)) else {
            Issue.record("not a didAdd")
            return
        }
        // What the wire rounds is rounded again in what it gave: a second trip changes nothing.
        let once = change.items.compactMap(\.recognizedItem)
        #expect(once.count == 4)
        let again = try #require(Example.event(.didAdd(once, allItems: [], frame: Example.frame)).first)
        #expect(again == line)
        guard case .barcode(let barcode) = once[0] else {
            Issue.record("not a barcode")
            return
        }
        #expect(barcode.isGS1 && barcode.payload.bytes == [1, 2, 255] && barcode.gtin == "04006381333931")
        #expect(barcode.firstSeen == WallTime(milliseconds: Example.time.milliseconds - 1967))
        guard case .barcode(let pallet) = once[3], case .barcode(let told) = Example.pallet else {
            Issue.record("not a barcode")
            return
        }
        #expect(pallet.gs1?.elements.map(\.identifier) == ["00", "01", "10", "17"])
        #expect(pallet.gs1?.sscc == told.gs1?.sscc && pallet.gs1?.dates == told.gs1?.dates)
    }

    @Test func numbersAreRoundedAndFinite() throws {
        let odd = Quad(
            topLeft: Point(x: .nan, y: .infinity), topRight: Point(x: -.infinity, y: -0.000001),
            bottomRight: Point(x: 1e300, y: -0.5), bottomLeft: Point(x: 0.123456789, y: 0.999999))
        var item = Example.line
        if case .text(var text) = item {
            text.bounds = odd
            text.confidence = .nan
            item = .text(text)
        }
        let line = try #require(Example.event(.didUpdate([item], allItems: nil, frame: Example.frame)).first)
        #expect(
            line.contains(
                #"{"bottomLeft":[0.12346,1],"bottomRight":[1000000000000,-0.5],"topLeft":[0,0],"topRight":[0,0]}"#))
        #expect(line.contains(#""confidence":0,"#))
        _ = try JSONDecoder().decode(Message.self, from: Data(line.utf8))
    }

    @Test func longEventsAreSplit() throws {
        let ids = (0..<10).map { ItemID(high: 7 << 12, low: UInt64($0)) }
        let items = ids.map { Example.text(String(repeating: "x", count: 500), id: $0) }
        let lines = Example.event(.didAdd(items, allItems: ids, frame: Example.frame), sequence: 41, limit: 3000)
        var seen: [String] = []
        for (index, line) in lines.enumerated() {
            #expect(line.utf8.count <= 3000)
            guard case .didAdd(let change) = try ServerMessage(parsing: Array(line.utf8)) else { continue }
            #expect(change.sequence == 41 + UInt64(index))
            #expect(change.allItems?.count == 10)
            seen += change.items.map(\.id)
        }
        #expect(lines.count > 1 && seen == ids.map(\.description))
        #expect(Example.event(.didAdd(items, allItems: ids, frame: Example.frame), limit: 600).isEmpty)

        let snapshots = MessageEncoder.snapshotLines(
            items: items, unavailable: nil, sequence: 41, time: Example.time, limit: 3000)
        var more: [Bool?] = []
        seen = []
        for line in snapshots {
            guard case .snapshot(let snapshot) = try ServerMessage(parsing: line) else { continue }
            more.append(snapshot.more)
            seen += snapshot.items.map(\.id)
        }
        #expect(seen == ids.map(\.description))
        #expect(more.count > 1 && more.last == .some(nil) && more.dropLast().allSatisfy { $0 == true })
    }
}
