// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanModel
import ScanTestSupport
import Testing
import Tracking

private let ean = "4006381333931"

/// Each timeline tells one rule, and tells another story without that rule.
@Suite struct BarcodeTimelines {
    // MARK: - Appearing

    @Test func oneReadingOfAQRCodeIsEnough() {
        var player = TimelinePlayer(["A": .barcode(.qr, "hello", x: 0.5, y: 0.5)])
        #expect(player.play("A: ..#..") == "2 +A1")
    }

    @Test func anEAN13NeedsTwoGoodFrames() {
        var player = TimelinePlayer(["A": .barcode(.ean13, ean, x: 0.5, y: 0.5)])
        #expect(player.play("A: .#.....") == "")
        #expect(player.play("A: ##") == "8 +A1")
    }

    @Test func aWeakReadingRepeatedProvesNothing() {
        // A camera that stands sees the same misread in each frame: 45 lines, with a valid check digit, for two seconds.
        var player = TimelinePlayer([
            "A": .barcode(.ean13, ean, x: 0.2, y: 0.5), "B": .barcode(.upcE, "01234565", x: 0.5, y: 0.5),
            "C": .barcode(.code128, "4001599", x: 0.8, y: 0.5),
        ])
        let many = String(repeating: "9", count: 60)
        let few = String(repeating: "2", count: 60)
        #expect(player.play("A: \(many)\nB: \(many)\nC: \(few)") == "")
    }

    @Test func theSecondEnginesWordMakesUpForLines() {
        var label = TimelineLabel.barcode(.ean13, ean, x: 0.5, y: 0.5)
        label.isConfirmed = true
        var player = TimelinePlayer(["A": label])
        #expect(player.play("A: 11") == "1 +A1")
    }

    @Test func anEANAtTheEdgeNeedsTheSecondEngine() {
        var label = TimelineLabel.barcode(.ean13, ean, x: 0.5, y: 0.5)
        label.touchesEdge = true
        var alone = TimelinePlayer(["A": label])
        #expect(alone.play("A: " + String(repeating: "#", count: 30)) == "")
        label.isConfirmed = true
        var confirmed = TimelinePlayer(["A": label])
        #expect(confirmed.play("A: ##") == "1 +A1")
    }

    @Test func readingsOfFewLinesNeedMoreFrames() {
        // Five lines of twelve count less than a half: eight frames, not three.
        var player = TimelinePlayer(["A": .barcode(.code39, "LOT7731", x: 0.5, y: 0.5)])
        #expect(player.play("A: 1111111111") == "7 +A1")
    }

    @Test func readingsInOneFrameCountOnce() {
        var player = TimelinePlayer([
            "A": .barcode(.ean13, ean, x: 0.5, y: 0.5), "B": .barcode(.ean13, ean, x: 0.501, y: 0.5),
        ])
        player.framesPerLook = 0
        #expect(player.play("A: ####\nB: ####") == "")
        player.skip(frames: 1)
        #expect(player.play("A: #\nB: #") == "4 +A1")
    }

    @Test(
        arguments: [
            (Symbology.ean8, "48512343"), (.upcE, "01234565"), (.i2of5, "0829220875"), (.itf14, "00012345678905"),
            (.code39, "MOROVIA"), (.codabar, "A1234B"), (.gs1DataBar, "0100012345678905"),
        ])
    func codesThatPassTheirOwnChecksTooEasilyNeedThreeFrames(symbology: Symbology, payload: String) {
        var player = TimelinePlayer(["A": .barcode(symbology, payload, x: 0.5, y: 0.5)])
        #expect(player.play("A: ######") == "2 +A1")
    }

    @Test(arguments: Symbology.allCases)
    func twelveFramesOfAStillPictureSuffice(symbology: Symbology) {
        let payload = symbology == .ean2 ? "12" : "A12345678905B"
        var player = TimelinePlayer(["A": .barcode(symbology, payload, x: 0.5, y: 0.5)])
        #expect(player.play("A: ####").contains("+A1"))
    }

    @Test(
        arguments: [
            (Symbology.i2of5, "1234"), (.code39, "34"), (.codabar, "A1B"), (.ean13, "123"), (.code128, ""),
        ])
    func payloadsThatAreTooShortArePhantoms(symbology: Symbology, payload: String) {
        var player = TimelinePlayer(["A": .barcode(symbology, payload, x: 0.5, y: 0.5)])
        #expect(player.play("A: ####################") == "")
    }

    @Test(arguments: [Symbology.i2of5, .code39, .codabar])
    func aSymbolThatTouchesTheEdgeMayBeCut(symbology: Symbology) {
        var label = TimelineLabel.barcode(symbology, "30126273", x: 0.95, y: 0.5)
        label.touchesEdge = true
        var player = TimelinePlayer(["A": label])
        #expect(player.play("A: ##########") == "")
        label.touchesEdge = false
        player.labels["A"] = label
        #expect(player.play("A: ###") == "12 +A1")
    }

    @Test func aRarePhantomNeverAddsUp() {
        var player = TimelinePlayer(["A": .barcode(.i2of5, "99608551", x: 0.5, y: 0.5)])
        let once = "A: " + String(repeating: "2.........", count: 200)
        #expect(player.play(once) == "")
    }

    @Test func readingsFarApartInTimeDoNotAgree() {
        var player = TimelinePlayer(["A": .barcode(.ean13, ean, x: 0.5, y: 0.5)])
        #expect(player.play("A: #") == "")
        player.skip(frames: 330)
        #expect(player.play("A: #") == "")
    }

    // MARK: - Misreads

    @Test func contradictionsAtEqualWeightAnnounceNothing() {
        var player = TimelinePlayer([
            "A": .barcode(.ean13, ean, x: 0.5, y: 0.5), "B": .barcode(.ean13, "4006321333938", x: 0.5, y: 0.5),
        ])
        #expect(player.play("A: #.#.#.#.#.#.\nB: .#.#.#.#.#.#") == "")
    }

    @Test func theLeaderNeedsAClearMargin() {
        var player = TimelinePlayer([
            "A": .barcode(.ean13, ean, x: 0.5, y: 0.5), "B": .barcode(.ean13, "4006321333938", x: 0.5, y: 0.5),
        ])
        #expect(player.play("A: #.###\nB: .#...") == "3 +A1")
    }

    @Test func anotherFamilyAtThePlaceContradictsToo() {
        var player = TimelinePlayer([
            "A": .barcode(.code128, "4001599", x: 0.5, y: 0.5), "B": .barcode(.upcE, "18112146", x: 0.5, y: 0.5),
        ])
        #expect(player.play("A: #.#.###\nB: .#.#...") == "5 +A1")
    }

    @Test func aValueCloseToACertainOneIsAMisreadOfIt() {
        // B is read alone for half a second, which would do for a new label, and A is not removed for it.
        var player = TimelinePlayer([
            "A": .barcode(.code128, "A88994", x: 0.5, y: 0.5), "B": .barcode(.code128, "A88984", x: 0.5, y: 0.5),
        ])
        #expect(player.play("A: ##.......##\nB: ..2222222..") == "1 +A1")
    }

    @Test func aNewLabelThatIsLikeTheOldOneIsAnnouncedInTheEnd() {
        var player = TimelinePlayer([
            "A": .barcode(.code128, "A88994", x: 0.5, y: 0.5), "B": .barcode(.code128, "A88995", x: 0.5, y: 0.5),
        ])
        #expect(player.play("A: ##........\nB: ..########") == "1 +A1 7 -A1:gone +B1")
    }

    @Test func aDifferentLabelAtThePlaceReplacesTheOldOne() {
        // The next picture of a slide show: within four looks, sooner than an empty place is believed.
        var player = TimelinePlayer([
            "A": .barcode(.ean13, ean, x: 0.5, y: 0.5), "B": .barcode(.ean13, "9780804816632", x: 0.5, y: 0.5),
        ])
        #expect(player.play("A: ####....\nB: ....####") == "1 +A1 5 -A1:gone +B1")
    }

    @Test func theLongestOfOverlappingReadsWins() {
        var player = TimelinePlayer([
            "A": .barcode(.i2of5, "3012627384", x: 0.5, y: 0.5),
            "B": .barcode(.i2of5, "30126273", x: 0.48, y: 0.5),
        ])
        #expect(player.play("A: ..##########\nB: ############") == "4 +A1")
    }

    @Test func theWholeReadReplacesAPartThatWasAnnounced() {
        var player = TimelinePlayer([
            "A": .barcode(.i2of5, "3012627384", x: 0.5, y: 0.5),
            "B": .barcode(.i2of5, "30126273", x: 0.48, y: 0.5),
        ])
        #expect(player.play("A: ....######\nB: ##########") == "2 +B1 6 -B1:gone +A1")
    }

    @Test func aLinearCodeInsideAQRCodeIsItsTexture() {
        var player = TimelinePlayer([
            "A": .barcode(.qr, "hello", x: 0.5, y: 0.5, width: 0.2, height: 0.3),
            "B": .barcode(.i2of5, "99608551", x: 0.5, y: 0.5, width: 0.05, height: 0.02),
        ])
        #expect(player.play("A: ##########\nB: ##########") == "0 +A1")
        // Not even where the QR code is read less often.
        player.framesPerLook = 1
        let seldom = String(repeating: ".........#", count: 5)
        #expect(player.play("A: \(seldom)\nB: " + String(repeating: "#", count: 50)) == "")
    }

    @Test func oneLabelUnderTwoNamesIsOneItem() {
        var player = TimelinePlayer([
            "A": .barcode(.ean13, "0027011006951", x: 0.5, y: 0.5),
            "B": .barcode(.upcA, "027011006951", x: 0.5, y: 0.5),
        ])
        #expect(player.play("A: #.#.#.\nB: .#.#.#").hasPrefix("1 +"))
        #expect(player.tracker.items.count == 1)
        var short = TimelinePlayer([
            "A": .barcode(.upcE, "01234565", x: 0.5, y: 0.5), "B": .barcode(.upcA, "012345000065", x: 0.5, y: 0.5),
        ])
        #expect(short.play("A: #.#.#.\nB: .#.#.#").contains("+"))
        #expect(short.tracker.items.count == 1)
    }

    @Test func everySlideOfAShowIsRead() {
        // Twelve frames a picture, a look at each third, all codes in the middle; some of them harder to read.
        let slides: [(Symbology, String, Character)] = [
            (.code128, "Code 128", "#"), (.code39, "MOROVIA", "#"), (.ean13, "3086126100326", "#"), (.qr, "hello", "#"),
            (.ean8, "48512343", "#"), (.i2of5, "0829220875", "#"), (.upcA, "027011006951", "#"),
            (.upcE, "01234565", "#"), (.codabar, "A12345B", "#"),
        ]
        var labels: [String: TimelineLabel] = [:]
        for (index, slide) in slides.enumerated() {
            labels["\(index)x"] = .barcode(slide.0, slide.1, x: 0.5 + 0.01 * Double(index % 3), y: 0.5)
        }
        var player = TimelinePlayer(labels)
        for (index, slide) in slides.enumerated() {
            #expect(player.play("\(index)x: " + String(repeating: slide.2, count: 4)).contains("+\(index)x1"))
        }
        #expect(player.checker.violations == [])
    }

    // MARK: - Leaving

    @Test func aFewMissedLooksAreNotALeave() {
        var player = TimelinePlayer(["A": .barcode(.qr, "hello", x: 0.5, y: 0.5)])
        #expect(player.play("A: ##....##....##") == "0 +A1")
    }

    @Test func removedAfterTheDelayAtAnEmptyPlace() {
        // Looks 0.1 s apart: missed from look 3 on, so gone at look 8, half a second later.
        var player = TimelinePlayer(["A": .barcode(.qr, "hello", x: 0.5, y: 0.5)])
        #expect(player.play("A: ###........") == "0 +A1 8 -A1:gone")
    }

    @Test func threeLooksAreNeededHoweverLongTheyTake() {
        var player = TimelinePlayer(["A": .barcode(.qr, "hello", x: 0.5, y: 0.5)])
        player.framesPerLook = 60
        #expect(player.play("A: ##....") == "0 +A1 4 -A1:gone")
    }

    @Test func withoutLooksNothingIsRemoved() {
        var player = TimelinePlayer(["A": .barcode(.qr, "hello", x: 0.5, y: 0.5)])
        #expect(player.play("A: ##--------------------") == "0 +A1")
        player.skip(frames: 3000)
        #expect(player.tell(player.tracker.advance(to: player.stamp)) == "")
        #expect(player.play("A: #") == "")
    }

    @Test func looksForTextAndLooksElsewhereSayNothing() {
        var player = TimelinePlayer([
            "A": .barcode(.qr, "hello", x: 0.5, y: 0.5), "T": .text("LOT 123456", x: 0.5, y: 0.9),
        ])
        #expect(player.play("A: #") == "0 +A1")
        #expect(player.play("T: aaaaaaaaaaaaaaaaaaaa") == "2 +T1")
        player.region = Rect(x: 0, y: 0, width: 0.4, height: 1)
        #expect(player.play("A: ....................") == "")
    }

    @Test func aCodeThatIsSeldomReadIsWaitedForLonger() {
        var player = TimelinePlayer(["A": .barcode(.qr, "hello", x: 0.5, y: 0.5)])
        let seldom = String(repeating: "#...", count: 20)
        #expect(player.play("A: \(seldom)") == "0 +A1")
        #expect(player.play("A: ......#") == "")
        #expect(player.play("A: ...............").hasSuffix("-A1:gone"))
    }

    @Test func anItemAtTheEdgeWentOutOfView() {
        var player = TimelinePlayer(["A": .barcode(.qr, "hello", x: 0.05, y: 0.5)])
        #expect(player.play("A: ###........") == "0 +A1 8 -A1:outOfView")
    }

    @Test func anItemThatWasMovingOutWentOutOfView() {
        var player = TimelinePlayer(["A": .barcode(.qr, "hello", x: 0.5, y: 0.5)])
        for step in 0..<16 {
            player.labels["A"]?.center.x = 0.5 + 0.025 * Double(step)
            _ = player.play("A: #")
        }
        #expect(player.play("A: ........").hasSuffix("-A1:outOfView"))
        #expect(player.metrics.idSwitches == 0)
    }

    // MARK: - Returning

    @Test func returnsWithItsIDWithinTheWindow() {
        var player = TimelinePlayer(["A": .barcode(.qr, "hello", x: 0.5, y: 0.5)])
        #expect(player.play("A: ###........") == "0 +A1 8 -A1:gone")
        player.skip(frames: 240)
        #expect(player.play("A: #") == "11 +A1")
    }

    @Test func returnsWithANewIDAfterTheWindow() {
        var player = TimelinePlayer(["A": .barcode(.qr, "hello", x: 0.5, y: 0.5)])
        #expect(player.play("A: ###........") == "0 +A1 8 -A1:gone")
        player.skip(frames: 310)
        #expect(player.play("A: #") == "11 +A2")
    }

    @Test func aUniquePayloadReturnsAnywhereWithItsID() {
        var player = TimelinePlayer(["A": .barcode(.qr, "hello", x: 0.2, y: 0.2)])
        #expect(player.play("A: ###........") == "0 +A1 8 -A1:gone")
        player.labels["A"]?.center = Point(x: 0.8, y: 0.8)
        #expect(player.play("A: #") == "11 +A1")
    }

    @Test func twinsReturnByPlaceOnly() {
        var player = TimelinePlayer([
            "A": .barcode(.qr, "hello", x: 0.2, y: 0.2), "B": .barcode(.qr, "hello", x: 0.4, y: 0.2),
            "C": .barcode(.qr, "hello", x: 0.7, y: 0.8),
        ])
        #expect(player.play("A: ###........\nB: ###........") == "0 +A1 1 +B1 8 -A1:gone -B1:gone")
        // One of them somewhere else may be either, or a third one.
        #expect(player.play("C: ##") == "11 +C1")
        #expect(player.play("B: ####\nC: ####") == "14 +B1")
    }
}
