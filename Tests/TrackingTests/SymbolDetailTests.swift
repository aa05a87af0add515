// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanModel
import ScanTestSupport
import Testing
import Tracking

/// What a symbol says beside its payload, from readings to items.
@Suite struct SymbolDetailTests {
    private static let magazine = Array("9771234567898".utf8)
    private let place = Quad(Rect(x: 0.4, y: 0.4, width: 0.19, height: 0.15))

    /// A reader's readings frame by frame, and the item as it was told last, with the number of updates.
    private struct Shelf {
        var tracker = ItemTracker(settings: TrackerSettings(), random: SeededGenerator(seed: 1))
        var frame: UInt64 = 0
        var item: RecognizedItem.Barcode?
        var items = 0
        var updates = 0

        mutating func show(_ observations: [Observation]) {
            let stamp = ManualClock(frameRate: 30).stamp(frame)
            frame += 3
            let look = Look(
                frame: stamp, subject: .barcodes, searched: [Rect(x: 0, y: 0, width: 1, height: 1)], aspectRatio: 1,
                observations: observations)
            for event in tracker.process(look, newest: stamp) {
                switch event {
                case .didAdd(let added, _, _):
                    items += added.count
                    take(added)
                case .didUpdate(let updated, _, _):
                    updates += 1
                    take(updated)
                default: break
                }
            }
        }

        private mutating func take(_ told: [RecognizedItem]) {
            if case .barcode(let barcode)? = told.last { item = barcode }
        }
    }

    private func ean(_ supplement: String?, confidence: Double = 0.97) -> Observation {
        Observation(
            bounds: place,
            content: .barcode(
                BarcodeReading(
                    symbology: .ean13, payload: Self.magazine, quality: 40, isConfirmed: true, confidence: confidence,
                    supplement: supplement.map { Array($0.utf8) })))
    }

    private func addOn(
        _ symbology: Symbology, _ digits: String, x: Double, y: Double = 0.43, width: Double = 0.04, lines: Int = 40
    ) -> Observation {
        Observation(
            bounds: Quad(Rect(x: x, y: y, width: width, height: 0.12)),
            content: .barcode(BarcodeReading(symbology: symbology, payload: Array(digits.utf8), quality: lines)))
    }

    // MARK: - Add-ons

    @Test func anAddOnThatIsReadLaterIsAnUpdateAndStays() {
        var shelf = Shelf()
        for _ in 0..<3 { shelf.show([ean(nil)]) }
        #expect(shelf.items == 1 && shelf.item?.supplement == nil)
        shelf.show([ean("05")])
        #expect(shelf.item?.supplement == "05" && shelf.updates == 1)
        for _ in 0..<5 { shelf.show([ean(nil)]) }
        #expect(shelf.item?.supplement == "05" && shelf.updates == 1 && shelf.items == 1)
    }

    @Test func oneOtherReadingOfAnAddOnIsNotBelievedAndTwoAre() {
        var shelf = Shelf()
        for supplement in ["05", "05", "06", "05", "06"] { shelf.show([ean(supplement)]) }
        #expect(shelf.item?.supplement == "05" && shelf.updates == 0)
        shelf.show([ean("06")])
        #expect(shelf.item?.supplement == "06" && shelf.updates == 1)
    }

    /// The gap is 7 to 12 modules of 95; here one is 0.002 wide.
    @Test func anAddOnSeenBesideItsCodeIsItsSupplement() {
        for (symbology, digits, x) in [(Symbology.ean2, "05", 0.606), (.ean5, "59990", 0.612)] {
            var shelf = Shelf()
            for _ in 0..<6 { shelf.show([ean(nil), addOn(symbology, digits, x: x)]) }
            #expect(shelf.items == 1 && shelf.item?.supplement == digits)
            #expect(shelf.item?.payload.bytes == Self.magazine)
        }
    }

    @Test func whatStandsElsewhereIsNoSupplement() {
        for (x, y) in [(0.60, 0.43), (0.65, 0.43), (0.606, 0.6), (0.3, 0.43)] {
            var shelf = Shelf()
            for _ in 0..<6 { shelf.show([ean(nil), addOn(.ean2, "05", x: x, y: y)]) }
            #expect(shelf.tracker.items.count == 2, "\(x), \(y)")
            #expect(
                shelf.tracker.items.allSatisfy { item in
                    if case .barcode(let barcode) = item { barcode.supplement == nil } else { false }
                })
        }
    }

    @Test func anAddOnOfFewLinesIsNeitherSupplementNorItem() {
        var shelf = Shelf()
        for _ in 0..<6 { shelf.show([ean(nil), addOn(.ean2, "05", x: 0.606, lines: 2)]) }
        #expect(shelf.items == 1 && shelf.item?.supplement == nil)
    }

    // MARK: - The others

    @Test func aPartIsAnItemThatSaysWhichItIs() {
        var shelf = Shelf()
        let reading = BarcodeReading(
            symbology: .qr, payload: Array("half".utf8), isInverted: true, isMirrored: true, isReaderProgramming: true,
            part: SymbolPart(index: 1, count: 2, identifier: "74"))
        shelf.show([Observation(bounds: place, content: .barcode(reading))])
        #expect(shelf.item?.part == SymbolPart(index: 1, count: 2, identifier: "74"))
        #expect(shelf.item?.payload.bytes == Array("half".utf8))
        #expect(shelf.item?.isInverted == true && shelf.item?.isMirrored == true)
        #expect(shelf.item?.isReaderProgramming == true)
    }

    @Test func anECIThatIsReadLaterNamesTheEncoding() {
        var shelf = Shelf()
        var reading = BarcodeReading(symbology: .qr, payload: [0x89, 0xEF])
        shelf.show([Observation(bounds: place, content: .barcode(reading))])
        #expect(shelf.item?.payload.string == nil)
        (reading.eci, reading.text) = (20, "会")
        shelf.show([Observation(bounds: place, content: .barcode(reading))])
        #expect(shelf.item?.payload.string == "会" && shelf.item?.payload.encoding == .shiftJIS)
        #expect(shelf.updates == 1)
        (reading.eci, reading.text) = (nil, nil)
        shelf.show([Observation(bounds: place, content: .barcode(reading))])
        #expect(shelf.updates == 1)
    }

    @Test func confidenceStartsAtTheReadingsAndRisesBelowOne() throws {
        var shelf = Shelf()
        for _ in 0..<2 { shelf.show([ean(nil, confidence: 0.93)]) }
        let first = try #require(shelf.item?.confidence)
        #expect(first >= 0.93 && first < 0.99)
        var last = first
        for _ in 0..<10 {
            shelf.show([ean(nil, confidence: 0.93)])
            guard case .barcode(let now)? = shelf.tracker.items.first else { continue }
            #expect(now.confidence >= last)
            last = now.confidence
        }
        // It is no reason for an update by itself: a move tells it.
        #expect(shelf.updates == 0)
        var moved = ean(nil)
        moved.bounds = Quad(Rect(x: 0.45, y: 0.4, width: 0.19, height: 0.15))
        for _ in 0..<3 { shelf.show([moved]) }
        #expect(shelf.item?.confidence == 0.99)
    }

    @Test func aStillItemIsAsSureAsItsReading() {
        func confidence(_ reading: BarcodeReading) -> Double? {
            var random = SeededGenerator(seed: 1)
            let items = StillPictureRule(qualityLevel: .balanced).items(
                in: [Observation(bounds: place, content: .barcode(reading))], aspectRatio: 1,
                at: WallTime(milliseconds: 0), using: &random)
            return items.first?.confidence
        }
        func ean(_ confidence: Double, lines: Int = 100, confirmed: Bool) -> BarcodeReading {
            BarcodeReading(
                symbology: .ean13, payload: Self.magazine, quality: lines, isConfirmed: confirmed,
                confidence: confidence)
        }
        #expect(confidence(ean(0.93, confirmed: true)) == 0.93)
        #expect(confidence(BarcodeReading(symbology: .qr, payload: [0x41], confidence: 0.98)) == 0.98)
        // So many lines as no wrong value had.
        #expect(confidence(ean(0.4, confirmed: false)) == 0.95)
        // Contradicted at its place, or not what its bars are: no lines make up for that.
        #expect(confidence(ean(0.3, confirmed: false)) == nil)
        #expect(confidence(ean(0.2, confirmed: false)) == nil)
    }
}
