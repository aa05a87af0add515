// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ImageKernels
import Motion
import ScanModel
import ScanTestSupport
import Testing

private let scene = DrawnScene(seed: 4)

private func place(_ key: UInt64, _ rect: Rect, readIn: UInt64 = 0) -> FollowedPlace {
    FollowedPlace(key: PlaceKey(key), bounds: Quad(rect), readIn: readIn, readAt: Quad(rect))
}

/// A part of another scene, as a label before this one.
private let label: LumaBuffer = {
    let picture = DrawnScene(seed: 9).picture()
    guard let part = PixelRect(x: 200, y: 100, width: 80, height: 46),
        let label = picture.withView({ $0.cropped(to: part) })
    else { preconditionFailure("the part is in the picture") }
    // With a margin, as labels have.
    var whole = LumaBuffer(width: 90, height: 56, filledWith: 240)
    whole.paste(label, x: 5, y: 5)
    return whole
}()

private func rect(x: Double, y: Double) -> Rect { Rect(x: x / 480, y: y / 270, width: 90.0 / 480, height: 56.0 / 270) }

@Test func aPlaceIsFollowedOffThePlane() {
    var estimator = MotionEstimator()
    var (first, second) = (scene.picture(noise: 1), scene.picture(noise: 2, DrawnMotion.shift(6, 0).source))
    first.paste(label, x: 150, y: 100)
    // The scene moves by 6, the label by 8 and up by 1: 8 and 4 pixels of 1080p off the plane.
    second.paste(label, x: 158, y: 99)
    _ = first.withView { estimator.follow($0, sequence: 0, places: []) }
    let found = second.withView { estimator.follow($0, sequence: 1, places: [place(7, rect(x: 150, y: 100))]) }
    #expect(found.certainty == .followed)
    #expect(DrawnMotion.shift(6, 0).error(of: found.plane) < 0.3)
    #expect(found.places[0].isFollowed)
    for (a, b) in zip(found.places[0].bounds.corners, Quad(rect(x: 158, y: 99)).corners) {
        #expect(DrawnMotion.pixel(a).distance(to: DrawnMotion.pixel(b)) < 0.3)
    }
    #expect((found.places[0].likeness ?? 0) > 0.9)
}

@Test func aPlaceDoesNotDrift() {
    var estimator = MotionEstimator()
    var bounds = Quad(rect(x: 100, y: 100))
    for number in 0..<30 {
        // The label moves by 3 pixels a frame and the scene behind it by more.
        let (x, y) = (100 + 3 * number, 100 + number / 3)
        var picture = scene.picture(noise: UInt64(number), DrawnMotion.shift(3.1 * Double(number), 0).source)
        picture.paste(label, x: x, y: y)
        let asked = FollowedPlace(key: PlaceKey(1), bounds: bounds, readIn: 0, readAt: Quad(rect(x: 100, y: 100)))
        let found = picture.withView {
            estimator.follow($0, sequence: UInt64(number), places: number == 0 ? [] : [asked])
        }
        guard number > 0 else { continue }
        bounds = found.places[0].bounds
        #expect(found.places[0].isFollowed)
    }
    for (a, b) in zip(bounds.corners, Quad(rect(x: 187, y: 109)).corners) {
        #expect(DrawnMotion.pixel(a).distance(to: DrawnMotion.pixel(b)) < 0.75)
    }
}

@Test func aPlaceWithoutPointsStaysWithThePlane() {
    var estimator = MotionEstimator()
    let blank = LumaBuffer(width: 120, height: 80, filledWith: 200)
    var (first, second) = (scene.picture(), scene.picture(DrawnMotion.shift(5, 2).source))
    first.paste(blank, x: 150, y: 100)
    second.paste(blank, x: 155, y: 102)
    _ = first.withView { estimator.follow($0, sequence: 0, places: []) }
    let inside = Rect(x: 180.0 / 480, y: 125.0 / 270, width: 50.0 / 480, height: 25.0 / 270)
    let found = second.withView { estimator.follow($0, sequence: 1, places: [place(1, inside)]) }
    #expect(!found.places[0].isFollowed)
    #expect(found.places[0].bounds == Quad(inside).mapped { found.plane($0) })
    #expect(found.places[0].likeness == nil, "a place of one brightness has no look")
}

@Test func likenessFallsWhereAPlaceIsCoveredAndComesBack() throws {
    var estimator = MotionEstimator()
    var first = scene.picture(noise: 1)
    first.paste(label, x: 150, y: 100)
    var covered = scene.picture(noise: 2)
    var random = SeededGenerator(seed: 3)
    var hand = LumaBuffer(width: 100, height: 70)
    for index in hand.pixels.indices { hand.pixels[index] = UInt8(90 + index / 100 + Int(random.next() % 10)) }
    covered.paste(hand, x: 145, y: 95)
    var likenesses: [Double] = []
    for (number, picture) in [first, first, covered, first].enumerated() {
        let found = picture.withView {
            estimator.follow($0, sequence: UInt64(number), places: [place(1, rect(x: 150, y: 100))])
        }
        if number > 0 { likenesses.append(try #require(found.places[0].likeness)) }
    }
    #expect(likenesses[0] > 0.95)
    #expect(likenesses[1] < 0.4)
    #expect(likenesses[2] > 0.95)
}

@Test func likenessIsNotKnownOutOfTheFrameOrOfAFrameLongAgo() {
    var estimator = MotionEstimator()
    let picture = scene.picture()
    func likeness(_ sequence: UInt64, _ place: FollowedPlace) -> Double? {
        picture.withView { estimator.follow($0, sequence: sequence, places: [place]) }.places[0].likeness
    }
    let middle = Rect(x: 0.4, y: 0.4, width: 0.2, height: 0.2)
    #expect(likeness(0, place(1, middle)) == nil, "the reading's frame was not shown")
    #expect((likeness(1, place(2, middle, readIn: 0)) ?? 0) > 0.95)
    var leaving = place(2, middle, readIn: 0)
    leaving.bounds = Quad(Rect(x: 0.9, y: 0.4, width: 0.2, height: 0.2))
    #expect(likeness(2, leaving) == nil, "half of it is out of the frame")
    leaving.bounds = Quad(Rect(x: 0.87, y: 0.4, width: 0.2, height: 0.2))
    #expect(likeness(3, leaving) != nil, "two thirds of it are in the frame")
    for sequence in 4..<30 as Range<UInt64> { _ = likeness(sequence, leaving) }
    #expect(likeness(30, place(3, middle, readIn: 5)) == nil, "25 frames ago")
    #expect((likeness(31, place(4, middle, readIn: 20)) ?? 0) > 0.95)
}

@Test(arguments: [(1, 1), (16, 16), (20, 20), (480, 3), (33, 270), (480, 270)])
func aFlatPictureIsUnknownOrStill(width: Int, height: Int) {
    var estimator = MotionEstimator()
    let picture = LumaBuffer(width: width, height: height, filledWith: 100)
    for sequence in 0..<3 as Range<UInt64> {
        let found = picture.withView {
            estimator.follow($0, sequence: sequence, places: [place(1, Rect(x: 0, y: 0, width: 1, height: 1))])
        }
        #expect(found.certainty == .unknown || found.certainty == .still)
        #expect(found.plane == .identity && found.places.count == 1)
        #expect(found.places[0].bounds == Quad(Rect(x: 0, y: 0, width: 1, height: 1)))
        #expect(found.changes.cells.allSatisfy { $0 == 0 })
        #expect((found.light.brightness - 100.0 / 255).magnitude < 0.001)
    }
}

@Test func placesThatAreNoneAndTooManyAreAnswered() {
    var estimator = MotionEstimator()
    var places = [Double.nan, .infinity, -.infinity, 1e300, -1e9].enumerated().map { index, number in
        place(UInt64(index), Rect(x: number, y: 0.5, width: 0.1, height: 0.1))
    }
    places.append(place(5, Rect(x: 0.5, y: 0.5, width: 0, height: 0)))
    places += (6..<3000 as Range<UInt64>).map { place($0, Rect(x: 0.4, y: 0.4, width: 0.1, height: 0.1)) }
    places.append(places[6])
    for (number, shift) in [0.0, 0, 4, 9].enumerated() {
        let picture = scene.picture(DrawnMotion.shift(shift, 0).source)
        let found = picture.withView { estimator.follow($0, sequence: UInt64(number), places: places) }
        #expect(found.places.map(\.key) == places.map(\.key))
        #expect(found.places.last.map(\.bounds.isFinite) == true)
        #expect(found.places[0..<6].allSatisfy { $0.likeness == nil && !$0.isFollowed })
    }
}

@Test func aPictureOfAnotherSizeBeginsAnew() {
    var estimator = MotionEstimator()
    let (large, small) = (scene.picture(), scene.picture().resized(width: 320, height: 180))
    for (number, picture) in [large, large, small, small, large].enumerated() {
        let found = picture.withView { estimator.follow($0, sequence: UInt64(number), places: []) }
        #expect(found.certainty == (number == 1 || number == 3 ? .still : .unknown))
    }
}
