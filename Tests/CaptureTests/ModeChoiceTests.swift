// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanModel
import Testing

@testable import Capture

/// The lists of real cameras, as `v4l2-ctl --list-formats-ext` shows them.
enum RealCameras {
    /// Logitech C270: YUYV of its larger sizes only at rates that USB 2.0 carries.
    static let c270 =
        list(
            .yuyv,
            [
                (640, 480, [30, 25, 20, 15, 10, 5]), (160, 120, [30, 15]), (320, 240, [30, 15]), (352, 288, [30, 15]),
                (800, 600, [20, 15, 10, 5]), (960, 720, [10, 5]), (1280, 720, [7.5, 5]), (1280, 960, [7.5, 5]),
            ])
        + list(
            .mjpg,
            [
                (640, 480, [30, 25, 20, 15, 10, 5]), (320, 240, [30, 15]), (800, 600, [30, 25, 20, 15, 10, 5]),
                (960, 720, [30, 25, 20, 15, 10, 5]), (1280, 720, [30, 25, 20, 15, 10, 5]),
                (1280, 960, [30, 25, 20, 15, 10, 5]),
            ])

    /// Logitech C920: also 2304x1536 as YUYV, at 2 frames a second.
    static let c920 =
        list(
            .yuyv,
            [
                (640, 480, [30, 24, 20, 15, 10, 7.5, 5]), (800, 600, [24, 20, 15, 10, 7.5, 5]),
                (1280, 720, [10, 7.5, 5]), (1600, 896, [7.5, 5]), (1920, 1080, [5]), (2304, 1296, [2]),
                (2304, 1536, [2]),
            ])
        + list(
            .mjpg,
            [
                (640, 480, [30, 24, 20, 15, 10, 7.5, 5]), (800, 600, [30, 24, 20, 15, 10, 7.5, 5]),
                (1280, 720, [30, 24, 20, 15, 10, 7.5, 5]), (1600, 896, [30, 24, 20, 15, 10, 7.5, 5]),
                (1920, 1080, [30, 24, 20, 15, 10, 7.5, 5]),
            ])

    /// A machine-vision camera with a global shutter on USB 3: luma only.
    static let grey = list(
        .grey, [(1280, 800, [120, 60, 30]), (1280, 720, [120, 60, 30]), (640, 400, [240, 120])])

    /// A camera of 60 frames a second at full HD, which a list of rates says in other fractions.
    static let sixty = [
        OfferedMode(
            format: .mjpg, size: VideoSize(width: 1920, height: 1080),
            intervals: .discrete(
                [FrameInterval(1001, 60000), FrameInterval(1001, 30000), FrameInterval(1, 15)].compactMap { $0 })
        )
    ]

    /// An industrial camera that is slow and large.
    static let slow = list(.yuyv, [(2592, 1944, [3, 2]), (1280, 960, [8, 4]), (640, 480, [12])])

    static func list(_ format: FourCC, _ sizes: [(Int, Int, [Double])]) -> [OfferedMode] {
        sizes.map { width, height, rates in
            OfferedMode(
                format: format, size: VideoSize(width: width, height: height),
                intervals: .discrete(rates.compactMap { FrameInterval(framesPerSecond: $0) }))
        }
    }
}

@Suite struct ModeChoiceTests {
    private func best(_ modes: [OfferedMode], _ wish: ModeWish) -> String {
        ModeChoice(modes, wish: wish).ladder.first.map(\.description) ?? "none"
    }

    @Test(arguments: [
        ("C270", RealCameras.c270, "1280x720 MJPG at 30/s", "1280x960 MJPG at 30/s", "1280x960 MJPG at 30/s"),
        ("C920", RealCameras.c920, "1280x720 MJPG at 30/s", "1920x1080 MJPG at 30/s", "1920x1080 MJPG at 30/s"),
        ("grey", RealCameras.grey, "640x400 GREY at 240/s", "1280x800 GREY at 30/s", "1280x800 GREY at 30/s"),
        (
            "sixty", RealCameras.sixty, "1920x1080 MJPG at 59.94/s", "1920x1080 MJPG at 29.97/s",
            "1920x1080 MJPG at 29.97/s"
        ),
        ("slow", RealCameras.slow, "640x480 YUYV at 12/s", "640x480 YUYV at 12/s", "1280x960 YUYV at 8/s"),
    ])
    func eachLevelGetsItsMode(
        _ camera: String, _ modes: [OfferedMode], _ fast: String, _ balanced: String, _ accurate: String
    ) {
        #expect(best(modes, ModeWish(level: .fast)) == fast)
        #expect(best(modes, ModeWish(level: .balanced)) == balanced)
        #expect(best(modes, ModeWish(level: .accurate)) == accurate)
    }

    @Test func theCheapestFormatWinsAtTheSameSizeAndRate() {
        var formats = ModeChoice.nativeFormats
        while let cheapest = formats.first {
            let modes = formats.reversed().flatMap { RealCameras.list($0, [(1280, 720, [30])]) }
            #expect(best(modes, ModeWish(level: .balanced)) == "1280x720 \(cheapest) at 30/s")
            formats.removeFirst()
        }
    }

    @Test func aSmallPictureIsNotTakenForItsRate() {
        let modes = RealCameras.list(.yuyv, [(640, 480, [60, 30]), (320, 240, [187, 125])])
        #expect(best(modes, ModeWish(level: .fast)) == "640x480 YUYV at 60/s")
        // Unless there is no other.
        #expect(best([modes[1]], ModeWish(level: .fast)) == "320x240 YUYV at 187/s")
    }

    @Test func anUprightSensorCountsLikeOneThatLies() {
        let modes = RealCameras.list(.mjpg, [(1080, 1920, [30]), (720, 1280, [30])])
        #expect(best(modes, ModeWish(level: .balanced)) == "1080x1920 MJPG at 30/s")
        #expect(best(modes, ModeWish(level: .fast)) == "720x1280 MJPG at 30/s")
    }

    @Test func picturesThatFitNoSlotAreNotChosen() {
        let modes = RealCameras.list(.mjpg, [(16384, 16384, [30]), (640, 480, [30])])
        #expect(best(modes, ModeWish(level: .accurate)) == "640x480 MJPG at 30/s")
        #expect(best(Array(modes.prefix(1)), ModeWish(level: .accurate)) == "none")
        #expect(best([], ModeWish(level: .balanced)) == "none")
    }

    @Test func whatIsForcedIsTaken() {
        func forced(_ size: (Int, Int)?, _ rate: Double?, _ format: FourCC?) -> ModeChoice {
            ModeChoice(
                RealCameras.c920,
                wish: ModeWish(
                    level: .balanced, size: size.map { VideoSize(width: $0.0, height: $0.1) }, rate: rate,
                    format: format))
        }
        func first(_ choice: ModeChoice) -> String? { choice.ladder.first?.description }
        let small = forced((640, 480), nil, nil)
        #expect(first(small) == "640x480 YUYV at 30/s" && small.note == nil)
        let yuyv = forced((1920, 1080), nil, .yuyv)
        #expect(first(yuyv) == "1920x1080 YUYV at 5/s" && yuyv.note == nil)
        // No other mode is tried: each part of it was forced, or has no other value.
        #expect(yuyv.ladder.count == 1)
        let slow = forced(nil, 10, nil)
        #expect(first(slow) == "1920x1080 MJPG at 10/s" && slow.note == nil)
        let both = forced((1280, 720), 10, nil)
        #expect(first(both) == "1280x720 YUYV at 10/s" && both.note == nil)
    }

    @Test func theNearestIsTakenForWhatIsNotOfferedAndThatIsSaid() {
        let size = ModeChoice(
            RealCameras.c920, wish: ModeWish(level: .balanced, size: VideoSize(width: 1300, height: 700)))
        #expect(size.ladder.first?.description == "1280x720 MJPG at 30/s")
        #expect(size.note == "the size 1300x700 is not offered; the nearest is 1280x720 MJPG at 30/s")
        let rate = ModeChoice(RealCameras.c920, wish: ModeWish(level: .balanced, rate: 60))
        #expect(rate.note == "60 frames a second are not offered; the nearest is 1920x1080 MJPG at 30/s")
        let format = ModeChoice(RealCameras.c920, wish: ModeWish(level: .balanced, format: .grey))
        #expect(
            format.note
                == "the format GREY is not one of those that can be read of it (YUYV, MJPG); the nearest is 1920x1080 MJPG at 30/s"
        )
    }

    @Test func aRateInOtherFractionsIsTheSame() {
        let choice = ModeChoice(RealCameras.sixty, wish: ModeWish(level: .balanced, rate: 30))
        #expect(choice.note == nil)
        #expect(choice.ladder.first?.interval == FrameInterval(1001, 30000))
    }

    @Test func sizesInStepsAreAskedForAtTheUsualOnes() {
        let range = VideoRange.stepwise(
            minimum: VideoSize(width: 16, height: 16), maximum: VideoSize(width: 1920, height: 1200),
            step: VideoSize(width: 4, height: 4))
        let sizes = CameraOffer.candidates(
            range, wish: ModeWish(level: .balanced, size: VideoSize(width: 1001, height: 33)))
        #expect(sizes.first == VideoSize(width: 1000, height: 32))
        #expect(
            sizes.contains(VideoSize(width: 1920, height: 1080)) && sizes.contains(VideoSize(width: 640, height: 480)))
        #expect(sizes.last == VideoSize(width: 1920, height: 1200) && !sizes.contains { $0.width > 1920 })
        #expect(Set(sizes).count == sizes.count)
        let odd = VideoRange.stepwise(
            minimum: VideoSize(width: 100, height: 100), maximum: VideoSize(width: 700, height: 500),
            step: VideoSize(width: 0, height: 0))
        #expect(CameraOffer.candidates(odd, wish: ModeWish(level: .fast)).count == 2)
        #expect(CameraOffer.candidates(nil, wish: ModeWish(level: .fast)).count == CameraOffer.usualSizes.count)
    }

    @Test func ratesInStepsAreAskedForAtTheUsualOnes() throws {
        let shortest = try #require(FrameInterval(1, 90))
        let longest = try #require(FrameInterval(1, 2))
        let step = try #require(FrameInterval(1, 90))
        let modes = [
            OfferedMode(
                format: .grey, size: VideoSize(width: 1280, height: 720),
                intervals: .stepwise(minimum: shortest, maximum: longest, step: step))
        ]
        #expect(best(modes, ModeWish(level: .balanced)) == "1280x720 GREY at 30/s")
        #expect(best(modes, ModeWish(level: .fast)) == "1280x720 GREY at 90/s")
        #expect(best(modes, ModeWish(level: .balanced, rate: 12.5)) == "1280x720 GREY at 12.5/s")
        #expect(best(modes, ModeWish(level: .balanced, rate: 200)) == "1280x720 GREY at 90/s")
    }

    @Test func aCameraThatTellsNoRatesIsUsed() {
        let modes = [OfferedMode(format: .yuyv, size: VideoSize(width: 640, height: 480), intervals: nil)]
        #expect(best(modes, ModeWish(level: .balanced)) == "640x480 YUYV")
        #expect(best(modes, ModeWish(level: .balanced, rate: 15)) == "640x480 YUYV at 15/s")
    }

    @Test func theLadderGoesToLowerRatesThenMJPEGThenSmallerSizes() {
        let modes =
            RealCameras.list(.yuyv, [(1280, 720, [30, 15, 10]), (640, 480, [30, 15])])
            + RealCameras.list(.mjpg, [(1280, 720, [30]), (640, 480, [30])])
        let ladder = ModeChoice(modes, wish: ModeWish(level: .balanced)).ladder.map(\.description)
        #expect(
            ladder == [
                "1280x720 YUYV at 30/s", "1280x720 YUYV at 15/s", "1280x720 MJPG at 30/s", "640x480 YUYV at 30/s",
                "640x480 YUYV at 15/s", "640x480 MJPG at 30/s",
            ])
        let forced = ModeChoice(modes, wish: ModeWish(level: .balanced, size: VideoSize(width: 1280, height: 720)))
        #expect(forced.ladder.map(\.height) == [720, 720, 720])
    }

    @Test(arguments: QualityLevel.allCases)
    func noLadderIsLongOrRepeatsItself(level: QualityLevel) {
        for modes in [RealCameras.c270, RealCameras.c920, RealCameras.grey] {
            let ladder = ModeChoice(modes, wish: ModeWish(level: level)).ladder
            #expect(Set(ladder).count == ladder.count && (2...ModeChoice.longestLadder).contains(ladder.count))
            #expect(zip(ladder, ladder.dropFirst()).allSatisfy { $0.width * $0.height >= $1.width * $1.height })
        }
    }
}
