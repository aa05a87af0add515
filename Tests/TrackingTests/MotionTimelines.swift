// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanModel
import ScanTestSupport
import Testing
import Tracking

/// Items that are followed between readings: pans, hands, labels that leave the picture.
@Suite struct MotionTimelines {
    /// A tracker that gets the picture's motion frame by frame, and looks where a test says so.
    private struct Scene {
        var tracker: ItemTracker
        var frame: UInt64 = 0
        var live: [ItemID: RecognizedItem] = [:]
        var added: [ItemID] = []
        var removed: [(id: ItemID, reason: RemovalReason)] = []
        private let clock = ManualClock(frameRate: 30)

        init(_ change: (inout TrackerSettings) -> Void = { _ in }) {
            var settings = TrackerSettings()
            change(&settings)
            tracker = ItemTracker(settings: settings, random: SeededGenerator(seed: 7))
        }

        mutating func take(_ events: [ScanEvent]) {
            for event in events {
                switch event {
                case .didAdd(let items, _, _):
                    for item in items { live[item.id] = item }
                    added += items.map(\.id)
                case .didUpdate(let items, _, _): for item in items { live[item.id] = item }
                case .didRemove(let items, _, _):
                    for item in items { live[item.item.id] = nil }
                    removed += items.map { ($0.item.id, $0.reason) }
                default: break
                }
            }
        }

        /// Goes on by a frame in which the picture moved by `x`; what the places look like is the test's to say.
        mutating func step(
            x: Double = 0, speed: Double = 0, likeness: Double? = 0.95, changes: UInt8 = 0, own: Double = 0
        ) {
            frame += 1
            let places = tracker.places.map { place in
                PlaceMotion(
                    key: place.key, bounds: place.bounds.mapped { Point(x: $0.x + x + own, y: $0.y) },
                    likeness: likeness, isFollowed: true)
            }
            let map = ChangeMap(columns: 30, rows: 17, cells: [UInt8](repeating: changes, count: 510))
            take(
                tracker.advance(
                    to: clock.stamp(frame),
                    motion: FrameMotion(
                        plane: .shift(x: x, y: 0), certainty: .followed, speed: speed, places: places, changes: map)))
        }

        /// Looks at the whole of a frame and sees codes at these places; `ago` frames before the newest.
        mutating func look(_ seen: [(payload: String, x: Double)], ago: UInt64 = 0) {
            let look = Look(
                frame: clock.stamp(frame - ago), subject: .barcodes, searched: [Rect(x: 0, y: 0, width: 1, height: 1)],
                aspectRatio: 16.0 / 9,
                observations: seen.map { code in
                    Observation(
                        bounds: Quad(Rect(x: code.x - 0.03, y: 0.45, width: 0.06, height: 0.1)),
                        content: .barcode(BarcodeReading(symbology: .qr, payload: Array(code.payload.utf8))))
                })
            take(tracker.process(look, newest: clock.stamp(frame)))
        }

        var centers: [Double] { live.values.map(\.bounds.center.x).sorted() }
    }

    private func near(_ a: Double?, _ b: Double) -> Bool { a.map { ($0 - b).magnitude < 0.003 } ?? false }

    @Test func anItemMovesWithThePictureBetweenReadings() {
        var scene = Scene()
        scene.look([("one", 0.3)])
        for _ in 0..<20 { scene.step(x: 0.01) }
        #expect(near(scene.centers.first, 0.5))
        #expect(scene.added.count == 1 && scene.removed.isEmpty)
    }

    @Test func withoutHighFrameRateTrackingOnlyAReadingMovesIt() {
        var scene = Scene { $0.isHighFrameRateTrackingEnabled = false }
        scene.look([("one", 0.3)])
        for _ in 0..<20 { scene.step(x: 0.01) }
        #expect(near(scene.centers.first, 0.3))
        scene.look([("one", 0.5)])
        #expect(near(scene.centers.first, 0.5))
        #expect(scene.added.count == 1)
    }

    @Test func itsOwnMotionCountsAndNotThePlanes() {
        var scene = Scene()
        scene.look([("one", 0.3)])
        for _ in 0..<20 { scene.step(x: 0.01, own: 0.002) }
        #expect(near(scene.centers.first, 0.54))
    }

    @Test func aReadingOfAnOlderFrameIsCarriedToNow() {
        var scene = Scene()
        scene.look([("one", 0.2)])
        for _ in 0..<30 { scene.step(x: 0.02) }
        // Half a second late, when it was three sizes of its own to the left.
        scene.look([("one", 0.5), ("two", 0.2)], ago: 15)
        #expect(scene.added.count == 2)
        #expect(near(scene.centers.first, 0.5) && near(scene.centers.last, 0.8))
    }

    @Test func whatIsCoveredIsNotGone() {
        var scene = Scene()
        scene.look([("one", 0.3)])
        // A hand that moves in front of it for 8 s; looks see nothing.
        for _ in 0..<240 {
            scene.step(likeness: 0.1, changes: 40)
            scene.look([])
        }
        #expect(scene.removed.isEmpty)
        scene.look([("one", 0.3)])
        #expect(scene.added.count == 1)
    }

    @Test func whatStaysCoveredIsGoneAfterTheLimit() {
        var scene = Scene()
        scene.look([("one", 0.3)])
        for _ in 0..<330 { scene.step(likeness: 0.1, changes: 40) }
        #expect(scene.removed.map(\.reason) == [.gone])
    }

    @Test func aPlaceThatIsSeenWithoutItMeansThatItIsGone() {
        var scene = Scene()
        scene.look([("one", 0.3)])
        scene.step(likeness: 0.1, changes: 40)
        var frames = 0
        while scene.removed.isEmpty, frames < 300 {
            scene.step(likeness: 0.1)
            scene.look([])
            frames += 1
        }
        #expect(scene.removed.map(\.reason) == [.gone])
        // Half a second until it counts as uncovered, and half a second of looks; not as long as 60 frames.
        #expect((15..<60).contains(frames))
    }

    @Test func aPlaceThatLooksAsBeforeIsNotMissed() {
        var scene = Scene()
        scene.look([("one", 0.3)])
        for _ in 0..<150 {
            scene.step(likeness: 0.8)
            scene.look([])
        }
        #expect(scene.removed.isEmpty)
    }

    @Test func anotherLabelThatLooksAlikeDoesNotKeepIt() {
        var scene = Scene()
        scene.look([("one", 0.3)])
        for _ in 0..<45 {
            scene.step(likeness: 0.8)
            scene.look([("two", 0.3)])
        }
        #expect(scene.removed.map(\.reason) == [.gone])
        #expect(scene.live.count == 1)
    }

    @Test func labelsThatChangePlacesKeepTheirIDs() {
        var scene = Scene()
        scene.look([("one", 0.3), ("two", 0.7)])
        let before = scene.live
        scene.step(likeness: 0.8)
        for _ in 0..<30 {
            scene.look([("two", 0.3), ("one", 0.7)])
            scene.step(likeness: 0.8)
        }
        #expect(scene.added.count == 2 && scene.removed.isEmpty)
        for (id, item) in before {
            #expect(near(scene.live[id]?.bounds.center.x, item.bounds.center.x < 0.5 ? 0.7 : 0.3))
        }
    }

    @Test func missesOfABlurredPictureSayNothing() {
        var scene = Scene()
        scene.look([("one", 0.3)])
        for index in 0..<90 {
            scene.step(x: index % 2 == 0 ? 0.02 : -0.02, speed: 0.04, likeness: nil)
            scene.look([])
        }
        #expect(scene.removed.isEmpty)
    }

    @Test func whatLeavesThePictureIsRemovedAtOnceAndComesBackAsItself() {
        var scene = Scene()
        scene.look([("one", 0.9), ("one", 0.7)])
        scene.step()
        scene.look([("one", 0.9), ("one", 0.7)])
        scene.step()
        scene.look([("one", 0.9), ("one", 0.7)])
        #expect(scene.added.count == 2)
        let right = scene.live.values.max { $0.bounds.center.x < $1.bounds.center.x }?.id
        for _ in 0..<12 { scene.step(x: 0.01) }
        #expect(scene.removed.map(\.reason) == [.outOfView] && scene.removed.first?.id == right)
        // Twins go by place alone, and the place was followed outside of the picture.
        for _ in 0..<30 { scene.step(x: 0.005) }
        for _ in 0..<27 { scene.step(x: -0.01) }
        scene.look([("one", 0.9), ("one", 0.7)])
        scene.step()
        scene.look([("one", 0.9), ("one", 0.7)])
        scene.step()
        scene.look([("one", 0.9), ("one", 0.7)])
        #expect(Set(scene.added).count == 2)
        #expect(scene.live.values.max { $0.bounds.center.x < $1.bounds.center.x }?.id == right)
    }

    @Test func noMoreThanSoManyPlacesAreFollowed() {
        var scene = Scene()
        scene.look((0..<200).map { ("code \($0)", 0.03 + 0.0045 * Double($0)) })
        #expect(scene.tracker.places.count <= TrackerLimits.maximumFollowed)
        #expect(Set(scene.tracker.places.map(\.key)).count == scene.tracker.places.count)
    }
}
