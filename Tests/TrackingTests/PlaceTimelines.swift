// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanModel
import ScanTestSupport
import Testing
import Tracking

/// Equal payloads, moves, regions.
@Suite struct PlaceTimelines {
    @Test(arguments: [true, false])
    func threeEqualLabelsAreThreeItems(sideBySide: Bool) {
        func label(_ n: Double) -> TimelineLabel {
            .barcode(
                .ean13, "4006381333931", x: sideBySide ? 0.2 + 0.11 * n : 0.5, y: sideBySide ? 0.5 : 0.3 + 0.09 * n)
        }
        var player = TimelinePlayer(["A": label(0), "B": label(1), "C": label(2)])
        #expect(player.play("A: ####\nB: ####\nC: ####") == "1 +A1 +B1 +C1")
        // Missed by turns, they never exchange their IDs.
        let turns = "A: .##.##.##.##.##\nB: #.##.##.##.##.#\nC: ##.##.##.##.##."
        #expect(player.play(turns) == "")
        #expect(player.metrics.idSwitches == 0 && player.metrics.duplicates == 0)
    }

    @Test func theTwinThatLeavesIsTheOneThatIsRemoved() {
        var player = TimelinePlayer([
            "A": .barcode(.ean13, "4006381333931", x: 0.2, y: 0.5),
            "B": .barcode(.ean13, "4006381333931", x: 0.32, y: 0.5),
        ])
        #expect(player.play("A: ####\nB: ####") == "1 +A1 +B1")
        #expect(player.play("A: ........\nB: ########") == "9 -A1:gone")
        #expect(player.metrics.idSwitches == 0)
    }

    @Test func twinsStayApartUnderASlowCamera() {
        var player = TimelinePlayer([
            "A": .barcode(.ean13, "4006381333931", x: 0.2, y: 0.5),
            "B": .barcode(.ean13, "4006381333931", x: 0.32, y: 0.5),
        ])
        var story = ""
        for _ in 0..<20 {
            story += player.play("A: #\nB: #")
            player.labels["A"]?.center.x += 0.02
            player.labels["B"]?.center.x += 0.02
        }
        #expect(player.metrics.idSwitches == 0 && player.metrics.duplicates == 0)
        #expect(story.filter { $0 == "+" }.count == 2)
    }

    @Test func aTwinIsOneOnlyWhenSeenBesideTheOther() {
        // Read here and there, never both in one look: one label that jumps, not two.
        var player = TimelinePlayer([
            "A": .barcode(.qr, "hello", x: 0.2, y: 0.5), "B": .barcode(.qr, "hello", x: 0.8, y: 0.5),
        ])
        #expect(player.play("A: ##.#.#\nB: ..#.#.") == "0 +A1")
        #expect(player.play("A: ##\nB: ##") == "7 +B1")
    }

    @Test func aTwinThatAppearsBesideAMissedLabelDoesNotTakeItsID() {
        var player = TimelinePlayer([
            "A": .barcode(.qr, "hello", x: 0.2, y: 0.5), "B": .barcode(.qr, "hello", x: 0.31, y: 0.5),
        ])
        #expect(player.play("A: ##.#.##\nB: ..#.###") == "0 +A1 6 +B1")
    }

    @Test func aUniquePayloadThatMovesKeepsItsID() {
        var player = TimelinePlayer(["A": .barcode(.qr, "hello", x: 0.2, y: 0.2)])
        #expect(player.play("A: ###") == "0 +A1")
        player.labels["A"]?.center = Point(x: 0.8, y: 0.8)
        #expect(player.play("A: ####") == "5 ~A1")
        // It is known to move now, and is followed at once.
        player.labels["A"]?.center = Point(x: 0.5, y: 0.2)
        #expect(player.play("A: #") == "7 ~A1")
    }

    @Test func labelsThatExchangeTheirPlacesKeepTheirIDs() {
        let left = Point(x: 0.2, y: 0.5)
        let right = Point(x: 0.6, y: 0.5)
        var player = TimelinePlayer([
            "A": .barcode(.ean13, "4006381333931", x: 0.2, y: 0.5),
            "B": .barcode(.ean13, "9780804816632", x: 0.6, y: 0.5),
        ])
        #expect(player.play("A: ####\nB: ####") == "1 +A1 +B1")
        player.labels["A"]?.center = right
        player.labels["B"]?.center = left
        let story = player.play("A: ######\nB: ######")
        #expect(!story.contains("+") && !story.contains("-"))
        #expect(player.tracker.items.map(\.bounds.center.x).map { ($0 * 10).rounded() } == [2, 6])
        #expect(player.metrics.idSwitches == 0)
    }

    @Test func jitterSendsNoUpdates() {
        var player = TimelinePlayer(["A": .barcode(.ean13, "4006381333931", x: 0.5, y: 0.5)])
        var random = SeededGenerator(seed: 7)
        var story = ""
        for _ in 0..<300 {
            // Three pixels of 1080p in each direction, and the height as scan lines happen to agree.
            player.labels["A"]?.center = Point(
                x: 0.5 + .random(in: -0.0016...0.0016, using: &random),
                y: 0.5 + .random(in: -0.003...0.003, using: &random))
            player.labels["A"]?.height = .random(in: 0.072...0.08, using: &random)
            story += player.play("A: #")
        }
        #expect(story == "1 +A1")
    }

    @Test func aReadingUpsideDownNowAndThenIsNoTurn() {
        var player = TimelinePlayer(["A": .barcode(.ean13, "4006381333931", x: 0.5, y: 0.5)])
        var story = ""
        for look in 0..<40 {
            player.labels["A"]?.isUpsideDown = look % 4 == 3
            story += player.play("A: #")
        }
        #expect(story == "1 +A1")
        // But a label that was turned is.
        player.labels["A"]?.isUpsideDown = true
        #expect(player.play("A: ####").contains("~A1"))
        let bounds = player.tracker.items.first?.bounds
        #expect(bounds.map { $0.topLeft.x > $0.topRight.x } == true)
    }

    @Test func aReadingOfAPartOfTheBarsIsNoSmallerLabel() {
        var player = TimelinePlayer(["A": .barcode(.ean13, "4006381333931", x: 0.5, y: 0.5)])
        #expect(player.play("A: ####") == "1 +A1")
        player.labels["A"]?.height = 0.01
        #expect(player.play("A: ##") == "")
        // On one scan line, a quad without an area, it is still the same label.
        player.labels["A"]?.height = 0
        #expect(player.play("A: ##") == "")
    }

    @Test func aLabelSeenOnOneScanLineIsOneLabel() {
        var player = TimelinePlayer([
            "A": .barcode(.ean13, "4006381333931", x: 0.5, y: 0.5, height: 0),
            "B": .barcode(.ean13, "4006381333931", x: 0.2, y: 0.5),
        ])
        #expect(player.play("A: ####\nB: ####") == "1 +B1 +A1")
        player.labels["A"]?.center.y += 0.008
        #expect(!player.play("A: ####\nB: ####").contains("+"))
    }

    @Test func anItemIsToldAtMostOnceAFrame() {
        var player = TimelinePlayer(["A": .barcode(.qr, "hello", x: 0.2, y: 0.5)])
        #expect(player.play("A: #") == "0 +A1")
        player.labels["A"]?.center.x = 0.24
        // The look is of a newer frame, but the newest frame of the events is still that of the look before.
        let look = Look(
            frame: player.stamp, subject: .barcodes, searched: [player.region], aspectRatio: 16.0 / 9,
            observations: [
                Observation(
                    bounds: Quad(Rect(x: 0.19, y: 0.46, width: 0.1, height: 0.08)),
                    content: .barcode(BarcodeReading(symbology: .qr, payload: Array("hello".utf8))))
            ])
        let before = FrameStamp(sequence: 0, monotonic: look.frame.monotonic, time: look.frame.time)
        #expect(player.tell(player.tracker.process(look, newest: before)) == "")
        #expect(player.tell(player.tracker.advance(to: look.frame)) == "~A1")
    }

    @Test func aSlowMoveIsFollowed() {
        var player = TimelinePlayer(["A": .barcode(.ean13, "4006381333931", x: 0.2, y: 0.5)])
        _ = player.play("A: ##")
        for _ in 0..<40 {
            player.labels["A"]?.center.x += 0.01
            _ = player.play("A: #")
        }
        let truth = player.labels["A"]?.bounds
        let told = player.tracker.items.first?.bounds
        // A tenth of the width from look to look.
        #expect((truth.flatMap { told?.overlap(with: $0) } ?? 0) > 0.95)
    }

    @Test func theRegionOfInterestIsKept() throws {
        var settings = TrackerSettings()
        settings.region = try #require(RegionOfInterest(Rect(x: 0, y: 0, width: 0.5, height: 1)))
        var player = TimelinePlayer(
            [
                "A": .barcode(.qr, "in", x: 0.2, y: 0.5), "B": .barcode(.qr, "out", x: 0.8, y: 0.5),
                "C": .barcode(.qr, "across", x: 0.48, y: 0.2), "D": .barcode(.qr, "flat", x: 0.8, y: 0.8, height: 0),
            ], settings: settings)
        #expect(player.play("A: ##\nB: ##\nC: ##\nD: ##") == "0 +A1")
        let other = try #require(RegionOfInterest(Rect(x: 0.5, y: 0, width: 0.5, height: 1)))
        #expect(player.tell(player.tracker.setRegion(other, at: player.stamp)) == "-A1:regionChanged")
        #expect(player.play("A: ##\nB: ##") == "2 +B1")
    }

    @Test func aRegionOfPolygonsIsKept() throws {
        var settings = TrackerSettings()
        // Two triangles; the middle between them is in the bounding rectangle and not in the region.
        settings.region = try #require(
            RegionOfInterest(polygons: [
                [Point(x: 0, y: 0), Point(x: 0.45, y: 0.5), Point(x: 0, y: 1)],
                [Point(x: 1, y: 0), Point(x: 1, y: 1), Point(x: 0.55, y: 0.5)],
            ]))
        var player = TimelinePlayer(
            [
                "A": .barcode(.qr, "left", x: 0.12, y: 0.5), "B": .barcode(.qr, "between", x: 0.5, y: 0.15),
                "C": .barcode(.qr, "right", x: 0.88, y: 0.5), "D": .barcode(.qr, "edge", x: 0.42, y: 0.5),
            ], settings: settings)
        #expect(player.play("A: ##\nB: ##\nC: ##\nD: ##") == "0 +A1 +C1")
        let right = try #require(
            RegionOfInterest(polygons: [[Point(x: 1, y: 0), Point(x: 1, y: 1), Point(x: 0.55, y: 0.5)]]))
        #expect(player.tell(player.tracker.setRegion(right, at: player.stamp)) == "-A1:regionChanged")
    }

    @Test func theEndOfTheSourceRemovesAllAndKeepsTheIDs() {
        var player = TimelinePlayer(["A": .barcode(.qr, "hello", x: 0.5, y: 0.5)])
        #expect(player.play("A: #") == "0 +A1")
        #expect(player.tell(player.tracker.removeAll(.sourceLost, at: player.stamp)) == "-A1:sourceLost")
        #expect(player.tracker.items.isEmpty)
        // An answer of a worker to a frame from before comes late and is no news.
        #expect(player.play("A: #") == "")
        #expect(player.play("A: #") == "2 +A1")
        #expect(player.tell(player.tracker.removeAll(.stopped, at: player.stamp)) == "-A1:stopped")
        player.skip(frames: 3)
        #expect(player.play("A: #") == "3 +A2")
    }

    @Test func onlyTheItemNearestToThePointOfInterestWhereOneIsWanted() {
        var settings = TrackerSettings()
        settings.recognizesMultipleItems = false
        var player = TimelinePlayer(
            ["A": .barcode(.qr, "far", x: 0.1, y: 0.5), "B": .barcode(.qr, "near", x: 0.55, y: 0.5)],
            settings: settings)
        #expect(player.play("A: ##..\nB: ..##") == "0 +A1 2 -A1:regionChanged +B1")
        #expect(player.play("A: ........\nB: ........") == "9 -B1:gone")
    }

    @Test func theHookCompletesABarcodeOnce() {
        var settings = TrackerSettings()
        settings.annotate = { $0.gtin = ($0.gtin ?? "") + "0" + ($0.payload.string ?? "") }
        var player = TimelinePlayer(["A": .barcode(.ean13, "4006381333931", x: 0.5, y: 0.5)], settings: settings)
        _ = player.play("A: ####........####")
        guard case .barcode(let barcode)? = player.tracker.items.first else {
            Issue.record("the barcode was not announced")
            return
        }
        #expect(barcode.gtin == "04006381333931")
    }

    @Test func attentionNamesMasksAndUncertainCandidates() {
        var player = TimelinePlayer([
            "A": .barcode(.qr, "hello", x: 0.2, y: 0.2), "B": .barcode(.ean13, "4006381333931", x: 0.6, y: 0.6),
            "T": .text("LOT 123456", x: 0.5, y: 0.9),
        ])
        _ = player.play("A: #\nB: #\nT: a")
        var attention = player.tracker.attention(now: player.stamp.monotonic)
        #expect(attention.barcodes.count == 2 && attention.uncertainBarcodes == 1)
        #expect(attention.lines.map(\.isSettled) == [false])
        _ = player.play("A: ##\nB: ##\nT: aa")
        attention = player.tracker.attention(now: player.stamp.monotonic)
        #expect(attention.barcodes.count == 2 && attention.uncertainBarcodes == 0)
        #expect(attention.lines.map(\.isSettled) == [true])
        let lastRead = attention.lines[0].lastRead
        _ = player.play("T: uu")
        #expect(player.tracker.attention(now: player.stamp.monotonic).lines[0].lastRead == lastRead)
        _ = player.play("T: .")
        #expect(player.tracker.attention(now: player.stamp.monotonic).lines.map(\.isSettled) == [false])
    }
}
