// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ImageKernels
import Motion
import ScanModel
import ScanTestSupport
import Testing

private let scene = DrawnScene(seed: 1)

/// Shows pictures one after the other; answers what was said of each.
private func motions(_ pictures: [LumaBuffer], places: [FollowedPlace] = []) -> [FrameMotion] {
    var estimator = MotionEstimator()
    return pictures.enumerated().map { number, picture in
        picture.withView { estimator.follow($0, sequence: UInt64(number), places: number == 0 ? [] : places) }
    }
}

@Test func aFrameOf1080pIsFollowedAtAQuarter() {
    let size = MotionEstimator.pictureSize(width: 1920, height: 1080)
    #expect(size == (480, 270))
}

@Test(arguments: [
    DrawnMotion.shift(0.3, -0.2), .shift(2.6, 1.4), .shift(-11.3, 0.5), .shift(24.2, -13.7), .turn(by: 0.01),
    .turn(by: -0.04), .turn(by: 0.02, growth: 1.03), .turn(by: 0, growth: 0.97, tilt: 0.02),
    .turn(by: 0.015, growth: 1.01, tilt: -0.03),
])
func aPlaneIsFoundToAThirdOfAPixel(motion: DrawnMotion) {
    let found = motions([scene.picture(noise: 1), scene.picture(noise: 2, motion.source)])[1]
    #expect(found.certainty == .followed)
    #expect(motion.error(of: found.plane) < 0.3)
    #expect(found.changes.cells.count { $0 > 8 } <= found.changes.cells.count / 50)
}

@Test func aBlurredPictureIsFollowed() {
    let motion = DrawnMotion.shift(7.4, 1.2)
    let found = motions([
        scene.picture(noise: 1).blurredSideways(by: 2), scene.picture(noise: 2, motion.source).blurredSideways(by: 4),
    ])
    #expect(found[1].certainty == .followed)
    #expect(motion.error(of: found[1].plane) < 0.5)
    #expect(found[1].light.sharpness < 0.6)
    let sharp = motions([scene.picture(noise: 1)])[0].light.sharpness
    #expect(sharp > found[0].light.sharpness && found[0].light.sharpness > found[1].light.sharpness)
}

@Test func speedIsInFrameHeights() {
    let found = motions([scene.picture(), scene.picture(DrawnMotion.shift(0, 13.5).source)])[1]
    #expect((found.speed - 0.05).magnitude < 0.002)
}

@Test func aStandingCameraIsStillThoughThePictureIsNoisy() {
    let found = motions((0..<5).map { scene.picture(noise: UInt64($0)) })
    for motion in found.dropFirst() {
        #expect(motion.certainty == .still)
        #expect(motion.plane == .identity && motion.speed == 0)
        #expect(!motion.changes.isEmpty && motion.changes.cells.allSatisfy { $0 == 0 })
    }
}

@Test func aVerySlowPanAddsUp() {
    // A fiftieth of a pixel a frame, which no two frames show.
    let found = motions(
        (0..<40).map { number in
            scene.picture(noise: UInt64(number), DrawnMotion.shift(0.02 * Double(number), 0).source)
        })
    #expect(found.contains { $0.certainty == .still })
    let all = found.dropFirst().reduce(PlaneMotion.identity) { $0.then($1.plane) }
    #expect(DrawnMotion.shift(0.78, 0).error(of: all) < 0.2)
}

@Test func changedLightIsNoMotion() {
    var bright = scene.picture(noise: 2)
    for index in bright.pixels.indices { bright.pixels[index] = UInt8(min(255, Int(bright.pixels[index]) + 6)) }
    #expect(motions([scene.picture(noise: 1), bright])[1].plane == .identity)
}

@Test func whatMovesBeforeTheSceneShowsAndDoesNotPullIt() {
    let motion = DrawnMotion.shift(5.2, -2.3)
    // As large as a hand, a twelfth of the picture, moving the other way.
    var random = SeededGenerator(seed: 5)
    var hand = LumaBuffer(width: 100, height: 110)
    for index in hand.pixels.indices {
        hand.pixels[index] = UInt8((index / 800 + index % 100 / 9) % 5 * 40 + Int(random.next() % 8))
    }
    var (first, second) = (scene.picture(noise: 1), scene.picture(noise: 2, motion.source))
    first.paste(hand, x: 200, y: 90)
    second.paste(hand, x: 191, y: 99)
    let found = motions([first, second])[1]
    #expect(found.certainty == .followed)
    #expect(motion.error(of: found.plane) < 0.3)
    var (inside, outside) = (0, 0)
    for row in 0..<found.changes.rows {
        for column in 0..<found.changes.columns where found.changes.cells[row * found.changes.columns + column] > 8 {
            let middle = found.changes.rect(column: column, row: row).center
            let isNear = (0.37...0.66).contains(middle.x) && (0.28...0.82).contains(middle.y)
            if isNear { inside += 1 } else { outside += 1 }
        }
    }
    #expect(inside >= 12)
    #expect(outside <= 3)
}

@Test func whatComesIntoViewIsNoChange() {
    let found = motions([scene.picture(), scene.picture(DrawnMotion.shift(28, 0).source)])[1]
    #expect(found.certainty == .followed)
    for row in 0..<found.changes.rows { #expect(found.changes.cells[row * found.changes.columns] == 0) }
}

@Test func anotherSceneIsUnknown() {
    let found = motions([scene.picture(), DrawnScene(seed: 2).picture(), DrawnScene(seed: 3).picture()])
    for motion in found {
        #expect(motion.certainty == .unknown)
        #expect(motion.plane == .identity && motion.changes.isEmpty)
    }
}

@Test func theSamePicturesGiveTheSameAnswers() {
    let place = FollowedPlace(
        key: PlaceKey(1), bounds: Quad(Rect(x: 0.3, y: 0.3, width: 0.2, height: 0.2)), readIn: 0,
        readAt: Quad(Rect(x: 0.3, y: 0.3, width: 0.2, height: 0.2)))
    let pictures = (0..<4).map { scene.picture(noise: UInt64($0), DrawnMotion.turn(by: 0.01 * Double($0)).source) }
    #expect(motions(pictures, places: [place]) == motions(pictures, places: [place]))
}

@Test func afterForgettingNothingIsKnown() {
    var estimator = MotionEstimator()
    let picture = scene.picture()
    _ = picture.withView { estimator.follow($0, sequence: 0, places: []) }
    estimator.forget()
    #expect(picture.withView { estimator.follow($0, sequence: 1, places: []) }.certainty == .unknown)
    #expect(picture.withView { estimator.follow($0, sequence: 2, places: []) }.certainty == .still)
}

extension LumaBuffer {
    /// Each pixel is the mean of itself and so many on both sides.
    fileprivate func blurredSideways(by reach: Int) -> LumaBuffer {
        var result = self
        for row in 0..<height {
            for column in 0..<width {
                let sum = (-reach...reach).reduce(0) {
                    $0 + Int(pixels[row * width + max(0, min(width - 1, column + $1))])
                }
                result.pixels[row * width + column] = UInt8(sum / (2 * reach + 1))
            }
        }
        return result
    }
}
