// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanModel
import ScanTestSupport
import Testing
import Tracking

@Suite struct LateDetailTests {
    private func look(_ frame: UInt64, isGS1: Bool) -> Look {
        let stamp = ManualClock(frameRate: 30).stamp(frame)
        let reading = BarcodeReading(symbology: .qr, payload: Array("0104006381333931".utf8), isGS1: isGS1)
        return Look(
            frame: stamp, subject: .barcodes, searched: [Rect(x: 0, y: 0, width: 1, height: 1)], aspectRatio: 16.0 / 9,
            observations: [
                Observation(bounds: Quad(Rect(x: 0.4, y: 0.4, width: 0.1, height: 0.15)), content: .barcode(reading))
            ])
    }

    @Test func whatOnlyALaterReadingSaysCompletesTheItem() throws {
        var settings = TrackerSettings()
        settings.annotate = { $0.gtin = $0.isGS1 ? "04006381333931" : nil }
        var tracker = ItemTracker(settings: settings, random: SeededGenerator(seed: 1))
        let first = look(0, isGS1: false)
        guard case .didAdd(let added, _, _)? = tracker.process(first, newest: first.frame).first,
            case .barcode(let bare)? = added.first
        else {
            Issue.record("not added")
            return
        }
        #expect(bare.gtin == nil)
        let second = look(3, isGS1: true)
        guard case .didUpdate(let updated, _, _)? = tracker.process(second, newest: second.frame).first,
            case .barcode(let complete)? = updated.first
        else {
            Issue.record("not updated")
            return
        }
        #expect(complete.id == bare.id && complete.isGS1 && complete.gtin == "04006381333931")
        #expect(complete.firstSeen == bare.firstSeen)
        let third = look(6, isGS1: false)
        #expect(tracker.process(third, newest: third.frame).isEmpty)
    }
}
