// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanModel

extension Payload {
    /// What a reading says, in the encoding that its symbol names.
    init(_ reading: BarcodeReading) {
        self.init(
            bytes: reading.payload, eci: reading.eci, symbology: reading.symbology, convertedText: reading.text)
    }
}

extension RecognizedItem.Barcode {
    /// Takes over what a reading of the item says beside where it is and how sure it is; what it does not say stays.
    mutating func take(_ reading: BarcodeReading) {
        isGS1 = isGS1 || reading.isGS1
        // A reading that knows of GS1 knows the variant.
        if reading.isGS1 || symbologyIdentifier == nil { symbologyIdentifier = reading.symbologyIdentifier }
        supplement = reading.supplement.flatMap { String(validating: $0, as: UTF8.self) } ?? supplement
        part = reading.part ?? part
        isInverted = isInverted || reading.isInverted
        isMirrored = isMirrored || reading.isMirrored
        isReaderProgramming = isReaderProgramming || reading.isReaderProgramming
        // One label may be read under two names, with bytes of their own: those that were told stay.
        if payload.encoding == nil || payload.isEncodingGuessed, payload.bytes == reading.payload {
            let read = Payload(reading)
            if read.encoding != nil, !read.isEncodingGuessed || payload.encoding == nil { payload = read }
        }
    }
}

extension [BarcodeSighting] {
    /// The sightings with each add-on as the supplement of the EAN or UPC that it stands beside.
    ///
    /// One that stands alone stays what it is: it was asked for alone, or its symbol is not readable.
    func withAddOnsJoined() -> [BarcodeSighting] {
        var joined = filter { !$0.reading.symbology.isAddOn }
        for addOn in self where addOn.reading.symbology.isAddOn {
            guard let main = joined.firstIndex(where: { $0.hasAddOn(addOn) }) else {
                joined.append(addOn)
                continue
            }
            guard joined[main].reading.supplement == nil, addOn.weight > 0 else { continue }
            joined[main].reading.supplement = addOn.reading.payload
        }
        return joined
    }
}

extension BarcodeSighting {
    /// Whether the bars of an add-on stand where those of this symbol's stand: 7 to 12 modules to the right of its last bar
    /// (ISO/IEC 15420) and beside its bars. Corners are found to about a module and a half.
    fileprivate func hasAddOn(_ addOn: BarcodeSighting) -> Bool {
        guard reading.symbology.mayHaveAddOn else { return false }
        let modules = reading.symbology == .upcE ? 51.0 : 95
        let (quad, other) = (shape.quad, addOn.shape.quad)
        let across = Point(x: quad.bottomLeft.x - quad.topLeft.x, y: quad.bottomLeft.y - quad.topLeft.y)
        let along = Point(x: quad.topRight.x - quad.topLeft.x, y: quad.topRight.y - quad.topLeft.y)
        /// A corner in shares of the symbol's width and height.
        func share(_ point: Point, _ axis: Point) -> Double {
            let length = axis.x * axis.x + axis.y * axis.y
            let offset = Point(x: point.x - quad.topLeft.x, y: point.y - quad.topLeft.y)
            return length > 0 ? (offset.x * axis.x + offset.y * axis.y) / length : .infinity
        }
        let gap = (other.corners.reduce(.infinity) { Swift.min($0, share($1, along)) } - 1) * modules
        return (5.5...13.5).contains(gap) && (0.1...1).contains(share(other.center, across))
    }
}
