// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanModel
import ScanTestSupport
import Testing
import Tracking

/// Whatever recognisers say, the events keep their promises.
@Suite struct ProtocolProperties {
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func randomLooksKeepTheProtocol(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var settings = TrackerSettings()
        settings.recognizesMultipleItems = seed != 4
        var tracker = ItemTracker(settings: settings, random: SeededGenerator(seed: seed))
        var checker = EventChecker()
        let clock = ManualClock()
        var frame: UInt64 = 0
        var additions = 0
        for _ in 0..<2500 {
            frame += .random(in: 0...4, using: &random)
            // Looks may be of older frames than the newest, and out of order.
            let age = UInt64.random(in: 0...6, using: &random)
            let seen = clock.stamp(frame - Swift.min(age, frame))
            var events: [ScanEvent]
            switch Int.random(in: 0..<200, using: &random) {
            case 0: events = tracker.removeAll(.sourceLost, at: clock.stamp(frame))
            case 1:
                let rect = Rect(x: 0, y: 0, width: .random(in: 0.3...1, using: &random), height: 1)
                events = tracker.setRegion(try #require(RegionOfInterest(rect)), at: clock.stamp(frame))
            case 2...10: events = tracker.advance(to: seen)
            default:
                let subject: Look.Subject = Bool.random(using: &random) ? .barcodes : .text
                let look = Look(
                    frame: seen, subject: subject,
                    searched: [Rect(x: 0, y: 0, width: .random(in: 0.2...1, using: &random), height: 1)],
                    aspectRatio: Int.random(in: 0..<50, using: &random) == 0 ? .nan : 16.0 / 9,
                    observations: (0..<Int.random(in: 0...12, using: &random)).map { _ in observation(&random) })
                events = tracker.process(look, newest: clock.stamp(frame))
            }
            checker.take(events)
            for case .didAdd(let items, _, _) in events { additions += items.count }
            #expect(checker.live.count == tracker.items.count)
            if !checker.violations.isEmpty { break }
        }
        #expect(checker.violations == [])
        // The run is one of real life, not of silence.
        #expect(additions > 50)
    }

    private func observation(_ random: inout SeededGenerator) -> Observation {
        func number(_ range: ClosedRange<Double>) -> Double {
            Int.random(in: 0..<200, using: &random) == 0 ? .nan : .random(in: range, using: &random)
        }
        let column = Double(Int.random(in: 0..<5, using: &random))
        let x = column * 0.22 + number(-0.03...0.03)
        let y = Double(Int.random(in: 0..<4, using: &random)) * 0.25 + number(-0.02...0.02)
        var bounds = Quad(Rect(x: x, y: y, width: number(-0.02...0.2), height: number(0...0.1)))
        bounds.topLeft.x += number(-0.05...0.05)
        let payload = Array("400638133393\(Int.random(in: 0..<5, using: &random))".utf8)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: return Observation(bounds: bounds, content: .unreadLine)
        case 1, 2:
            let transcript = ["LOT A1", "LOT A2", "QTY 12", "", "~~", "סוללות"][Int.random(in: 0..<6, using: &random)]
            return Observation(
                bounds: bounds,
                content: .text(
                    TextReading(transcript: transcript, confidence: number(0...1), languages: [], words: [])))
        default:
            let symbology = Symbology.allCases[Int.random(in: 0..<Symbology.allCases.count, using: &random)]
            return Observation(
                bounds: bounds,
                content: .barcode(
                    BarcodeReading(
                        symbology: symbology, payload: payload, quality: .random(in: -5...200, using: &random))))
        }
    }

    @Test func aCrowdStaysWithinItsLimit() {
        var tracker = ItemTracker(settings: TrackerSettings(), random: SeededGenerator(seed: 1))
        let clock = ManualClock()
        for frame in 0..<8 as Range<UInt64> {
            let observations = (0..<100).map { number in
                let code = Int(frame) * 100 + number
                let rect = Rect(x: Double(number) * 0.0095, y: 0.1 * Double(frame), width: 0.005, height: 0.05)
                return Observation(
                    bounds: Quad(rect),
                    content: .barcode(BarcodeReading(symbology: .qr, payload: Array("\(code)".utf8))))
            }
            _ = tracker.process(
                Look(
                    frame: clock.stamp(frame), subject: .barcodes,
                    searched: [Rect(x: 0, y: 0.1 * Double(frame), width: 1, height: 0.1)], aspectRatio: 1.5,
                    observations: observations),
                newest: clock.stamp(frame))
        }
        #expect(tracker.items.count == TrackerLimits.maximumTracks)
        #expect(tracker.omittedObservations == 800 - TrackerLimits.maximumTracks)
    }

    @Test func theFrameOfEventsNeverGoesBack() {
        var tracker = ItemTracker(settings: TrackerSettings(), random: SeededGenerator(seed: 1))
        let clock = ManualClock()
        _ = tracker.advance(to: clock.stamp(40))
        let look = Look(
            frame: clock.stamp(10), subject: .barcodes, searched: [Rect(x: 0, y: 0, width: 1, height: 1)],
            aspectRatio: 1.5,
            observations: [
                Observation(
                    bounds: Quad(Rect(x: 0.4, y: 0.4, width: 0.1, height: 0.1)),
                    content: .barcode(BarcodeReading(symbology: .qr, payload: [65])))
            ])
        guard case .didAdd(let items, let allItems, let frame)? = tracker.process(look, newest: clock.stamp(12)).first
        else {
            Issue.record("nothing was added")
            return
        }
        #expect(frame.sequence == 40)
        #expect(allItems == items.map(\.id))
    }
}
