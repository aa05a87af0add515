// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanModel
import ScanTestSupport
import Testing
import Tracking

@Suite struct TextTimelines {
    private func player(_ labels: [String: TimelineLabel]) -> TimelinePlayer {
        var player = TimelinePlayer(labels)
        player.framesPerLook = 10
        return player
    }

    // MARK: - Appearing

    @Test func twoAgreeingReadingsAnnounceALine() {
        var player = player(["T": .text("LOT A88994", x: 0.5, y: 0.5)])
        #expect(player.play("T: .a.a") == "3 +T1")
    }

    @Test func readingsThatDisagreeAnnounceNothing() {
        var player = player(["T": .text("LOT A88994", "LOT A88984", "L0T A88994", x: 0.5, y: 0.5)])
        #expect(player.play("T: abcabcbac") == "")
    }

    @Test func aLineIsAnnouncedByALeadOfTwoReadings() {
        var player = player(["T": .text("LOT A88994", "LOT A88984", x: 0.5, y: 0.5)])
        #expect(player.play("T: abaa") == "3 +T1")
    }

    @Test func unsureReadingsAreNotEnough() {
        var player = player(["T": .text("LOT A88994", x: 0.5, y: 0.5, confidence: 0.6)])
        #expect(player.play("T: aaaaaaaa") == "")
    }

    @Test func shortLinesNeedThreeGoodReadings() {
        var player = player(["T": .text("A4", x: 0.5, y: 0.5)])
        #expect(player.play("T: aaaa") == "2 +T1")
        var unsure = self.player(["T": .text("A4", x: 0.5, y: 0.5, confidence: 0.8)])
        #expect(unsure.play("T: aaaaaaaa") == "")
    }

    @Test(arguments: ["---", "|| _ ~~", "..a..", "—", " "])
    func junkIsNoText(transcript: String) {
        var player = player(["T": .text(transcript, x: 0.5, y: 0.5)])
        #expect(player.play("T: aaaaaaaa") == "")
    }

    @Test(arguments: ["육각볼트 M8x40", "בורג משושה", "₪ 12.90"])
    func otherScriptsAreText(transcript: String) {
        var player = player(["T": .text(transcript, x: 0.5, y: 0.5)])
        #expect(player.play("T: aa") == "1 +T1")
    }

    @Test func aLineThatIsCutOffIsNotRead() {
        var player = player(["T": .text("LOT A889", x: 0.91, y: 0.5)])
        #expect(player.play("T: aaaaaaaa") == "")
    }

    @Test func textInsideABarcodeIsItsBars() {
        var player = player([
            "A": .barcode(.qr, "hello", x: 0.5, y: 0.5, width: 0.3, height: 0.3),
            "T": .text("IIIIII", x: 0.5, y: 0.55), "U": .text("BELOW IT", x: 0.5, y: 0.7),
        ])
        #expect(player.play("A: ####\nT: aaaa\nU: aaaa") == "0 +A1 1 +U1")
    }

    @Test func textThatWasReadOutOfABarcodeGoesWithIt() {
        var player = player([
            "A": .barcode(.qr, "hello", x: 0.5, y: 0.5, width: 0.3, height: 0.3),
            "T": .text("IIIIII", x: 0.5, y: 0.55),
        ])
        #expect(player.play("A: ..#\nT: aa.") == "1 +T1 2 -T1:gone +A1")
    }

    // MARK: - Changing

    @Test func flickerChangesNothing() {
        var player = player(["T": .text("LOT O1", "LOT 01", x: 0.5, y: 0.5)])
        #expect(player.play("T: aa" + String(repeating: "babbaabab", count: 10)) == "1 +T1")
    }

    @Test func aTranscriptThatClearlyWonReplacesTheOld() {
        var player = player(["T": .text("LOT O1", "LOT 01", x: 0.5, y: 0.5)])
        #expect(player.play("T: aabbbb") == "1 +T1 5 ~T1=b")
    }

    @Test func theLastReadingsMustAgreeOnAChange() {
        var player = player(["T": .text("LOT O1", "LOT 01", x: 0.5, y: 0.5)])
        #expect(player.play("T: aabbbabb") == "1 +T1")
        #expect(player.play("T: b") == "8 ~T1=b")
    }

    @Test func aTranscriptChangesAtMostOnceInFiveSeconds() {
        var player = player(["T": .text("LOT O1", "LOT 01", x: 0.5, y: 0.5)])
        let story = player.play("T: aa" + String(repeating: "bbbbbbaaaaaa", count: 5))
        let changes = story.split(separator: "~").count - 1
        // 62 looks a third of a second apart: 20 s.
        #expect(changes <= 5 && changes >= 2)
    }

    @Test func anotherLineAtThePlaceIsAnotherItem() {
        var player = player(["T": .text("LOT A88994", x: 0.5, y: 0.5), "U": .text("GREEN TEA 500ML", x: 0.5, y: 0.5)])
        #expect(player.play("T: aaa...\nU: ...aaa") == "1 +T1 5 -T1:gone +U1")
    }

    @Test func anotherNumberOnALabelOfTheSameKindIsAnotherItem() {
        var player = player(["T": .text("LOT K35062", x: 0.5, y: 0.5), "U": .text("LOT C25357", x: 0.5, y: 0.5)])
        #expect(player.play("T: aaa...\nU: ...aaa") == "1 +T1 5 -T1:gone +U1")
    }

    @Test func garbledReadingsKeepALineAlive() {
        var player = player([
            "T": .text("LOT A88994", x: 0.5, y: 0.5),
            "U": .text("10I R8B?9A", "L0r 4BB9", "iOJ ABBG5", x: 0.5, y: 0.5),
        ])
        #expect(player.play("T: aaa.........\nU: ...abcabcabc") == "1 +T1")
    }

    @Test func aWordOfALineIsNoLine() {
        var player = player([
            "T": .text("HEX BOLT M8", x: 0.5, y: 0.5, width: 0.3), "U": .text("BOLT", x: 0.5, y: 0.5, width: 0.05),
        ])
        #expect(player.play("T: aaa....aa\nU: ...aaaa..") == "1 +T1")
    }

    // MARK: - Leaving and moving

    @Test func aFoundLineThatIsNotReadStaysAlive() {
        var player = player(["T": .text("LOT A88994", x: 0.5, y: 0.5)])
        #expect(player.play("T: aauuuuuuuuuuuuuuuuuuuu") == "1 +T1")
        #expect(player.play("T: ......").hasSuffix("-T1:gone"))
    }

    @Test func longLinesOfAParagraphAreNotInOneAnothersWay() {
        // 1.4 heights of the frame wide, 0.02 high, 0.025 apart; the second is missed now and then, the fourth leaves.
        func line(_ n: Int, _ text: String) -> TimelineLabel {
            .text(text, x: 0.5, y: 0.4 + 0.025 * Double(n), width: 0.8, height: 0.02)
        }
        var player = player([
            "a": line(0, "STORE IN A COOL AND DRY PLACE"), "b": line(1, "STORE IN A COOL AND DRY PLACE"),
            "c": line(2, "DO NOT STACK MORE THAN TEN"), "d": line(3, "DO NOT STACK MORE THAN SIX"),
        ])
        #expect(player.play("a: aa\nb: aa\nc: aa\nd: aa") == "1 +a1 +b1 +c1 +d1")
        #expect(player.play("a: aaaaaaaaa\nb: a.a.a.a.a\nc: aaaaaaaaa\nd: .........") == "5 -d1:gone")
        #expect(player.metrics.idSwitches == 0)
    }

    @Test func anUnreadLineIsNeverAnnounced() {
        var player = player(["T": .text("LOT A88994", x: 0.5, y: 0.5)])
        #expect(player.play("T: uuuuuuuuuu") == "")
        #expect(player.tracker.attention(now: player.stamp.monotonic).lines.isEmpty)
    }

    @Test func removedAfterASecondAndReturnsWithItsID() {
        var player = player(["T": .text("LOT A88994", x: 0.5, y: 0.5)])
        #expect(player.play("T: aaa....") == "1 +T1 6 -T1:gone")
        #expect(player.play("T: aa") == "8 +T1")
    }

    @Test func aLineThatCameOverAnotherOnesPlaceIsNoSignOfIt() {
        // The picture moved up by a line: T is where U was, and U left.
        var player = player(["T": .text("LOT A88994", x: 0.5, y: 0.5), "U": .text("QTY 1200", x: 0.5, y: 0.46)])
        #expect(player.play("T: aa\nU: aa") == "1 +U1 +T1")
        player.labels["T"]?.center.y = 0.46
        let story = player.play("T: aaaaaa\nU: ......")
        #expect(story.contains("-U1:gone") && !story.contains("-T1"))
    }

    @Test func aShortDropoutRemovesNothing() {
        var player = player(["T": .text("LOT A88994", x: 0.5, y: 0.5)])
        #expect(player.play("T: aa...aa...aa") == "1 +T1")
    }

    @Test func aDistinctLineIsFollowedUnderASlowCamera() {
        var player = player(["T": .text("LOT A88994", x: 0.3, y: 0.2), "U": .text("QTY 120", x: 0.3, y: 0.24)])
        var story = ""
        for _ in 0..<12 {
            story += player.play("T: a\nU: a")
            player.labels["T"]?.center.y += 0.05
            player.labels["U"]?.center.y += 0.05
        }
        #expect(story.filter { $0 == "+" }.count == 2 && !story.contains("-"))
        #expect(player.metrics.idSwitches == 0)
    }

    @Test func aLineThatIsFoundElsewhereIsTheSameLine() {
        var player = player(["T": .text("LOT A88994", x: 0.3, y: 0.2)])
        #expect(player.play("T: aa") == "1 +T1")
        player.labels["T"]?.center = Point(x: 0.6, y: 0.8)
        #expect(player.play("T: aaaaaa") == "3 ~T1")
    }

    // MARK: - Reading order

    @Test func linesReadFromTopToBottomAndInTheDirectionOfTheirScript() {
        var player = player([
            "a": .text("QTY 12", x: 0.7, y: 0.5), "b": .text("LOT A1", x: 0.3, y: 0.503),
            "c": .text("סוללות AA", x: 0.3, y: 0.8), "d": .text("כפפות בטיחות", x: 0.7, y: 0.803),
            "e": .barcode(.qr, "hello", x: 0.5, y: 0.2),
        ])
        #expect(player.play("a: aaa\nb: aaa\nc: aaa\nd: aaa\ne: ###") == "0 +e1 1 +b1 +a1 +d1 +c1")
    }

    @Test func theOrderChangesOnlyAfterAMoveOfHalfAHeight() {
        var player = player([
            "T": .text("LOT A88994", x: 0.7, y: 0.5), "U": .text("QTY 1200", x: 0.3, y: 0.51),
        ])
        #expect(player.play("T: aa\nU: aa") == "1 +U1 +T1")
        let row = player.tracker.items.map(\.id)
        // Told to be lower, and no longer in the row by its place alone.
        player.labels["U"]?.center.y = 0.522
        #expect(player.play("T: aaaaaa\nU: aaaaaa").contains("~U1"))
        #expect(player.tracker.items.map(\.id) == row)
        player.labels["U"]?.center.y = 0.535
        _ = player.play("T: aaaaaa\nU: aaaaaa")
        #expect(player.tracker.items.map(\.id) == row.reversed())
    }

    @Test func theOrderIsStableAgainstJitter() {
        // Two lines that are almost a row: half a height apart.
        var player = TimelinePlayer([
            "T": .text("LOT A88994", x: 0.7, y: 0.5), "U": .text("QTY 120", x: 0.3, y: 0.515),
        ])
        player.framesPerLook = 10
        _ = player.play("T: aa\nU: aa")
        let first = player.tracker.items.map(\.id)
        var random = SeededGenerator(seed: 3)
        for _ in 0..<100 {
            player.labels["T"]?.center.y = 0.5 + .random(in: -0.006...0.006, using: &random)
            player.labels["U"]?.center.y = 0.515 + .random(in: -0.006...0.006, using: &random)
            _ = player.play("T: a\nU: a")
            #expect(player.tracker.items.map(\.id) == first)
        }
    }
}
