// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanModel
import ScanProtocol
import Testing

/// The exact bytes of every message. A change here is a change of the protocol.
@Suite struct GoldenLineTests {
    private let bounds =
        #""bounds":{"bottomLeft":[0,1],"bottomRight":[0.19,0.23457],"topLeft":[0.08,0.14],"topRight":[0.19,0.15]}"#
    private let frame =
        #""frame":{"monotonic":84121967000123,"sequence":59,"time":"2026-11-30T09:26:36.087Z"}"#
    private let barcodeID = "0198c5a1-0000-7abc-8123-456789abcdef"
    private let textID = "0198c5a1-0001-7abc-8123-456789abcdef"
    private let seen = #""sequence":7,"time":"2026-11-30T09:26:36.087Z""#

    private var barcode: String {
        "{" + bounds + #","confidence":0.98,"firstSeen":"2026-11-30T09:26:34.120Z","gtin":"04006381333931","#
            + #""id":"\#(barcodeID)","kind":"barcode","lastSeen":"2026-11-30T09:26:36.087Z","#
            + #""payload":{"base64":"NDAwNjM4MTMzMzkzMQ==","encoding":"ASCII","string":"4006381333931"},"#
            + #""symbology":"EAN13","symbologyIdentifier":"]E0"}"#
    }

    private func text(reason: String = "") -> String {
        "{" + bounds + #","confidence":0.94,"firstSeen":"2026-11-30T09:26:34.120Z","id":"\#(textID)","kind":"text","#
            + #""languages":["eng"],"lastSeen":"2026-11-30T09:26:36.087Z",\#(reason)"transcript":"LOT A88994"}"#
    }

    @Test func added() {
        let lines = Example.event(
            .didAdd([Example.ean, Example.line], allItems: [Example.textID, Example.barcodeID], frame: Example.frame))
        #expect(
            lines == [
                #"{"jsonrpc":"2.0","method":"didAdd","params":{"allItems":["\#(textID)","\#(barcodeID)"],"#
                    + #"\#(frame),"items":[\#(barcode),\#(text())],\#(seen)}}"# + "\n"
            ])
    }

    private var pallet: String {
        #"{"bestBeforeDate":"2026-04-28",\#(bounds),"confidence":0.98,"dueDate":"2026-02-28","expiryDate":"2026-06-28","#
            + #""firstSeen":"2026-11-30T09:26:34.120Z","#
            + #""gs1":{"00":"006141411234567890","01":"04006381333931","10":"A\"1","17":"261130"},"#
            + #""gtin":"04006381333931","id":"\#(barcodeID)","isGS1":true,"kind":"barcode","#
            + #""lastSeen":"2026-11-30T09:26:36.087Z","packagingDate":"2026-03-28","#
            + #""payload":{"base64":"MB0=","encoding":"ASCII","string":"0\u001d"},"productionDate":"2026-01-28","#
            + #""sellByDate":"2026-05-28","sscc":"006141411234567890","symbology":"Code128","symbologyIdentifier":"]C1"}"#
    }

    @Test func elementStringsTakenApart() {
        #expect(
            Example.event(.didAdd([Example.pallet], allItems: [Example.barcodeID], frame: Example.frame)) == [
                #"{"jsonrpc":"2.0","method":"didAdd","params":{"allItems":["\#(barcodeID)"],"#
                    + #"\#(frame),"items":[\#(pallet)],\#(seen)}}"# + "\n"
            ])
    }

    /// What a barcode says beside its payload: there or absent, never `null` or false.
    @Test func whatASymbolSaysBesideItsPayload() throws {
        guard case .barcode(var barcode) = Example.barcode([0x47, 0xF6]) else { return }
        barcode.payload = Payload(bytes: [0x47, 0xF6], eci: nil, symbology: .code128)
        (barcode.supplement, barcode.gtin) = ("05", nil)
        barcode.part = SymbolPart(index: 0, count: 2, identifier: "7\"4")
        (barcode.isInverted, barcode.isMirrored, barcode.isReaderProgramming) = (true, true, true)
        let item = RecognizedItem.barcode(barcode)
        let line = try #require(Example.event(.didUpdate([item], allItems: nil, frame: Example.frame)).first)
        let expected =
            #""id":"\#(barcodeID)","inverted":true,"kind":"barcode","lastSeen":"2026-11-30T09:26:36.087Z","#
            + #""mirrored":true,"part":{"count":2,"identifier":"7\"4","index":0},"#
            + #""payload":{"base64":"R/Y=","encoding":"ISO-8859-1","encodingGuessed":true,"string":"Gö"},"#
            + #""readerProgramming":true,"supplement":"05","symbology":"EAN13","symbologyIdentifier":"]E0"}"#
        #expect(line.contains(expected), "\(line)")
        guard case .didUpdate(let change) = try ServerMessage(parsing: Array(line.utf8)) else {
            Issue.record("not a didUpdate")
            return
        }
        guard case .barcode(let read)? = change.items.first?.recognizedItem else {
            Issue.record("no barcode")
            return
        }
        #expect(read.payload == barcode.payload && read.part == barcode.part && read.supplement == "05")
        #expect(read.isInverted && read.isMirrored && read.isReaderProgramming)
        // A part that says little, and text that another one made.
        barcode.part = SymbolPart(index: 3)
        barcode.payload = Payload(bytes: [0x89, 0xEF], eci: 20, symbology: .qr, convertedText: "会")
        let other = try #require(
            Example.event(.didUpdate([.barcode(barcode)], allItems: nil, frame: Example.frame)).first)
        #expect(other.contains(#""part":{"index":3},"payload":{"base64":"ie8=","encoding":"Shift_JIS","string":"会"}"#))
        guard case .didUpdate(let again) = try ServerMessage(parsing: Array(other.utf8)),
            case .barcode(let converted)? = again.items.first?.recognizedItem
        else {
            Issue.record("not a didUpdate")
            return
        }
        #expect(converted.payload == barcode.payload && converted.part == barcode.part)
    }

    @Test func elementStringsThatDoNotParse() throws {
        guard case .barcode(var barcode) = Example.barcode([0x31], isGS1: true) else { return }
        var content = GS1Content()
        content.error = "(17) at byte 0: \"no\""
        barcode.gs1 = content
        let line = try #require(
            Example.event(.didUpdate([.barcode(barcode)], allItems: nil, frame: Example.frame)).first)
        #expect(line.contains(#","gs1Error":"(17) at byte 0: \"no\"","gtin":"#))
        #expect(!line.contains(#""gs1":"#))
    }

    @Test func updatedWithoutNewOrder() {
        let lines = Example.event(.didUpdate([Example.line], allItems: nil, frame: Example.frame))
        #expect(
            lines == [
                #"{"jsonrpc":"2.0","method":"didUpdate","params":{\#(frame),"items":[\#(text())],\#(seen)}}"# + "\n"
            ])
    }

    @Test func updatedWithNewOrder() {
        let lines = Example.event(.didUpdate([Example.line], allItems: [Example.textID], frame: Example.frame))
        #expect(
            lines == [
                #"{"jsonrpc":"2.0","method":"didUpdate","params":{"allItems":["\#(textID)"],\#(frame),"#
                    + #""items":[\#(text())],\#(seen)}}"# + "\n"
            ])
    }

    @Test func removedWithReason() {
        let removal = RemovedItem(item: Example.line, reason: .outOfView)
        let lines = Example.event(.didRemove([removal], allItems: [], frame: Example.frame))
        #expect(
            lines == [
                #"{"jsonrpc":"2.0","method":"didRemove","params":{"allItems":[],\#(frame),"#
                    + #""items":[\#(text(reason: #""reason":"outOfView","#))],\#(seen)}}"# + "\n"
            ])
    }

    @Test func availability() {
        #expect(
            Example.event(.becameUnavailable(.cameraLost, message: "unplugged")) == [
                #"{"jsonrpc":"2.0","method":"becameUnavailable","params":{"code":"cameraLost","#
                    + #""message":"unplugged",\#(seen)}}"# + "\n"
            ])
        #expect(
            Example.event(.becameAvailable) == [
                #"{"jsonrpc":"2.0","method":"becameAvailable","params":{\#(seen)}}"# + "\n"
            ])
    }

    @Test func guidance() throws {
        let lines = Example.event(.guidance(.slowDown, isActive: true, frame: Example.frame))
        #expect(
            lines == [
                #"{"jsonrpc":"2.0","method":"guidance","params":{"active":true,\#(frame),"guidance":"slowDown",\#(seen)}}"#
                    + "\n"
            ])
        guard case .guidance(let change) = try ServerMessage(parsing: Array(lines[0].utf8)) else {
            Issue.record("not a guidance")
            return
        }
        #expect(change.guidance == "slowDown" && change.isActive && change.sequence == 7 && change.frame.sequence == 59)
        #expect(Example.event(.guidance(.glare, isActive: false, frame: Example.frame))[0].contains(#""active":false"#))
    }

    @Test func heartbeat() {
        let line = MessageEncoder.heartbeat(sequence: 7, time: Example.time)
        #expect(
            String(decoding: line, as: UTF8.self) == #"{"jsonrpc":"2.0","method":"heartbeat","params":{\#(seen)}}"#
                + "\n")
    }

    @Test func hello() throws {
        let hello = Wire.Hello(
            server: "0.1.0", session: "s", camera: "shelf/1", sequence: 7, limits: ProtocolLimits())
        #expect(
            String(decoding: try MessageEncoder.hello(hello), as: UTF8.self)
                == #"{"jsonrpc":"2.0","method":"hello","params":{"camera":"shelf/1","limits":{"clients":1024,"#
                + #""clientsReservedForControl":16,"heartbeatSeconds":10,"malformedRequests":100,"#
                + #""partialLineSeconds":10,"queuedBytesPerClient":8388608,"queuedBytesPerRecording":33554432,"#
                + #""queuedBytesTotal":67108864,"recordings":2,"requestLineBytes":65536,"requestsPerSecond":50,"serverLineBytes":4194304},"#
                + #""protocol":"1.0","sequence":7,"server":"0.1.0","session":"s"}}"# + "\n")
    }

    @Test func snapshot() {
        let reason = Wire.Reason(code: "noFrames", message: "none for 2 s")
        let lines = MessageEncoder.snapshotLines(
            items: [Example.ean, Example.line], unavailable: reason, sequence: 7, time: Example.time, limit: 4 << 20)
        #expect(
            lines.map { String(decoding: $0, as: UTF8.self) } == [
                #"{"jsonrpc":"2.0","method":"snapshot","params":{"items":[\#(barcode),\#(text())],\#(seen),"#
                    + #""unavailable":{"code":"noFrames","message":"none for 2 s"}}}"# + "\n"
            ])
    }

    @Test func recording() {
        let frame = Wire.RecordedFrame(
            sequence: 903, time: Example.time.rfc3339, monotonic: 84_121_967_000_123, byteCount: 48213, dropped: 2)
        #expect(
            String(decoding: MessageEncoder.frame(frame), as: UTF8.self)
                == #"{"jsonrpc":"2.0","method":"frame","params":{"byteCount":48213,"dropped":2,"#
                + #""monotonic":84121967000123,"sequence":903,"time":"2026-11-30T09:26:36.087Z"}}"# + "\n")
        let ended = Wire.RecordingEnded(frames: 871, dropped: 2, reason: "unavailable", message: "gone")
        #expect(
            String(decoding: MessageEncoder.recordingEnded(ended), as: UTF8.self)
                == #"{"jsonrpc":"2.0","method":"recordingEnded","params":{"dropped":2,"frames":871,"#
                + #""message":"gone","reason":"unavailable"}}"# + "\n")
        let request = Request(
            id: .number(9), method: .recordFrames, recording: .init(seconds: 30, frames: 900, bytes: 5))
        #expect(
            String(decoding: request.line, as: UTF8.self)
                == #"{"id":9,"jsonrpc":"2.0","method":"recordFrames","params":{"bytes":5,"frames":900,"seconds":30}}"#
                + "\n")
    }

    @Test func answers() {
        let items = MessageEncoder.itemsResponse(
            to: .string("a"), items: [Example.line], unavailable: nil, sequence: 7, time: Example.time)
        #expect(
            String(decoding: items, as: UTF8.self)
                == #"{"id":"a","jsonrpc":"2.0","result":{"items":[\#(text())],\#(seen)}}"# + "\n")
        #expect(
            String(decoding: MessageEncoder.response(to: .number(3), result: .object([:])), as: UTF8.self)
                == #"{"id":3,"jsonrpc":"2.0","result":{}}"# + "\n")
        let error = MessageEncoder.response(to: nil, error: .parseError("parse error"))
        #expect(
            String(decoding: error, as: UTF8.self)
                == #"{"error":{"code":-32700,"message":"parse error"},"id":null,"jsonrpc":"2.0"}"#
                + "\n")
    }
}
