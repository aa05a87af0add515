// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanModel

// Members are written in the order of their names, as everything on the wire is.
extension JSONWriter {
    mutating func identities(_ ids: [ItemID]) {
        bytes.reserveCapacity(bytes.count + ids.count * 39 + 2)
        raw("[")
        for (index, id) in ids.enumerated() {
            if index > 0 { comma() }
            identity(id)
        }
        raw("]")
    }

    /// The rest of an event with items, after `allItems`.
    mutating func change(
        _ items: [(RecognizedItem, RemovalReason?)], frame: FrameStamp, sequence: UInt64, time: WallTime
    ) {
        bytes.reserveCapacity(bytes.count + items.count * 520 + 160)
        if bytes.last != UInt8(ascii: "{") { comma() }
        self.frame(frame)
        raw(#","items":["#)
        for (index, (item, reason)) in items.enumerated() {
            if index > 0 { comma() }
            self.item(item, reason: reason)
        }
        raw(#"],"sequence":"#)
        integer(sequence)
        raw(#","time":"#)
        self.time(time)
        raw("}}\n")
    }

    /// The rest of a guidance, after `active`.
    mutating func guidance(_ guidance: Guidance, frame: FrameStamp, sequence: UInt64, time: WallTime) {
        comma()
        self.frame(frame)
        raw(#","guidance":"#)
        string(guidance.rawValue)
        raw(#","sequence":"#)
        integer(sequence)
        raw(#","time":"#)
        self.time(time)
        raw("}}\n")
    }

    private mutating func frame(_ frame: FrameStamp) {
        raw(#""frame":{"monotonic":"#)
        integer(frame.monotonic.nanoseconds)
        raw(#","sequence":"#)
        integer(frame.sequence)
        raw(#","time":"#)
        self.time(frame.time)
        raw("}")
    }

    mutating func snapshot(
        items: [RecognizedItem], unavailable: Wire.Reason?, sequence: UInt64, time: WallTime, more: Bool
    ) {
        raw(#"{"items":["#)
        for (index, item) in items.enumerated() {
            if index > 0 { comma() }
            self.item(item, reason: nil)
        }
        raw("]")
        if more { raw(#","more":true"#) }
        raw(#","sequence":"#)
        integer(sequence)
        raw(#","time":"#)
        self.time(time)
        if let unavailable {
            raw(#","unavailable":{"code":"#)
            string(unavailable.code)
            raw(#","message":"#)
            string(unavailable.message)
            raw("}")
        }
        raw("}")
    }

    /// An item; one of a still picture has neither an identity nor a time.
    mutating func item(_ item: RecognizedItem, reason: RemovalReason?, isStill: Bool = false) {
        raw("{")
        if case .barcode(let barcode) = item {
            date(.bestBeforeDate, of: barcode)
            if bytes.last != UInt8(ascii: "{") { comma() }
        }
        raw(#""bounds":{"bottomLeft":"#)
        corner(item.bounds.bottomLeft)
        raw(#","bottomRight":"#)
        corner(item.bounds.bottomRight)
        raw(#","topLeft":"#)
        corner(item.bounds.topLeft)
        raw(#","topRight":"#)
        corner(item.bounds.topRight)
        raw(#"},"confidence":"#)
        fixed(item.confidence, decimals: 2)
        switch item {
        case .barcode(let barcode): members(of: barcode, reason: reason, isStill: isStill)
        case .text(let text): members(of: text, reason: reason, isStill: isStill)
        }
        raw("}")
    }

    private mutating func members(of barcode: RecognizedItem.Barcode, reason: RemovalReason?, isStill: Bool) {
        date(.dueDate, of: barcode)
        date(.expiryDate, of: barcode)
        firstSeen(barcode.firstSeen, isStill: isStill)
        gs1(barcode.gs1)
        if let gtin = barcode.gtin {
            raw(#","gtin":"#)
            string(gtin)
        }
        id(barcode.id, isStill: isStill)
        if barcode.isInverted { raw(#","inverted":true"#) }
        if barcode.isGS1 { raw(#","isGS1":true"#) }
        raw(#","kind":"barcode""#)
        lastSeen(barcode.lastSeen, isStill: isStill)
        if barcode.isMirrored { raw(#","mirrored":true"#) }
        date(.packagingDate, of: barcode)
        part(barcode.part)
        payload(barcode.payload)
        date(.productionDate, of: barcode)
        if barcode.isReaderProgramming { raw(#","readerProgramming":true"#) }
        self.reason(reason)
        date(.sellByDate, of: barcode)
        if let sscc = barcode.gs1?.sscc {
            raw(#","sscc":"#)
            string(sscc)
        }
        if let supplement = barcode.supplement {
            raw(#","supplement":"#)
            string(supplement)
        }
        raw(#","symbology":"#)
        string(barcode.symbology.rawValue)
        if let identifier = barcode.symbologyIdentifier {
            raw(#","symbologyIdentifier":"#)
            string(identifier)
        }
    }

    private mutating func part(_ part: SymbolPart?) {
        guard let part else { return }
        raw(#","part":{"#)
        if let count = part.count {
            raw(#""count":"#)
            integer(Int64(count))
            comma()
        }
        if !part.identifier.isEmpty {
            raw(#""identifier":"#)
            string(part.identifier)
            comma()
        }
        raw(#""index":"#)
        integer(Int64(part.index))
        raw("}")
    }

    private mutating func payload(_ payload: Payload) {
        raw(#","payload":{"base64":"#)
        base64(payload.bytes)
        if let encoding = payload.encoding, let text = payload.string {
            raw(#","encoding":"#)
            string(encoding.rawValue)
            if payload.isEncodingGuessed { raw(#","encodingGuessed":true"#) }
            raw(#","string":"#)
            string(text)
        }
        raw("}")
    }

    private mutating func members(of text: RecognizedItem.Text, reason: RemovalReason?, isStill: Bool) {
        firstSeen(text.firstSeen, isStill: isStill)
        id(text.id, isStill: isStill)
        raw(#","kind":"text","languages":["#)
        for (index, language) in text.languages.enumerated() {
            if index > 0 { comma() }
            string(language)
        }
        raw("]")
        lastSeen(text.lastSeen, isStill: isStill)
        self.reason(reason)
        raw(#","transcript":"#)
        string(text.transcript)
    }

    private mutating func firstSeen(_ time: WallTime, isStill: Bool) {
        if isStill { return }
        raw(#","firstSeen":"#)
        self.time(time)
    }

    private mutating func id(_ id: ItemID, isStill: Bool) {
        if isStill { return }
        raw(#","id":"#)
        identity(id)
    }

    private mutating func lastSeen(_ time: WallTime, isStill: Bool) {
        if isStill { return }
        raw(#","lastSeen":"#)
        self.time(time)
    }

    private mutating func gs1(_ content: GS1Content?) {
        guard let content else { return }
        if let error = content.error {
            raw(#","gs1Error":"#)
            return string(error)
        }
        raw(#","gs1":{"#)
        for (index, element) in content.elements.sorted(by: { $0.identifier < $1.identifier }).enumerated() {
            if index > 0 { comma() }
            string(element.identifier)
            raw(":")
            string(element.value)
        }
        raw("}")
    }

    /// A date that a label's element strings name, after a comma unless it is the first member.
    private mutating func date(_ kind: GS1Content.DateKind, of barcode: RecognizedItem.Barcode) {
        guard let date = barcode.gs1?.dates[kind] else { return }
        if bytes.last != UInt8(ascii: "{") { comma() }
        string(kind.rawValue)
        raw(":")
        string(date.description)
    }

    private mutating func reason(_ reason: RemovalReason?) {
        guard let reason else { return }
        raw(#","reason":"#)
        string(reason.rawValue)
    }

    private mutating func corner(_ point: Point) {
        raw("[")
        fixed(point.x, decimals: 5)
        comma()
        fixed(point.y, decimals: 5)
        raw("]")
    }
}
