// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Glibc
import LinuxSystem
import ScanModel
import Testing

@testable import Capture

/// Numbers at which sums, products and conversions go over an edge.
private let extremes: [UInt32] = [
    0, 1, 2, 3, 0x7FFF, 0x8000, 0xFFFF, 0x1_0000, 0x0098_08FF, 0x0098_0900, 0x00AF_FFFF, 0x0FFF_FFFF, 0x1000_0000,
    0x7FFF_FFFE, 0x7FFF_FFFF, 0x8000_0000, 0xFFFE_FFFF, 0xFFFF_0000, 0xFFFF_FFFE, 0xFFFF_FFFF,
]
private let wideExtremes: [Int64] = [
    .min, .min + 1, Int64(Int32.min) - 1, Int64(Int32.min), -1, 0, 1, Int64(Int32.max), Int64(UInt32.max),
    Int64(UInt32.max) + 1, .max / 1_000_000_000, .max / 1_000_000_000 + 1, .max - 1, .max,
]

/// A driver that says whatever number it likes must not stop the daemon: an overflow is a trap.
@Suite struct ExtremeNumberTests {
    @Test func idsOfControlsEndTheListWhereNothingCanBeBehindThem() {
        for id in extremes {
            for code in [EPIPE, EIO, EINVAL, ETIMEDOUT] {
                var enumeration = ControlEnumeration()
                let isTaken = enumeration.take(id)
                #expect(isTaken == (id > 0 && id <= 0x0FFF_FFFF), "\(id)")
                var steps = 0
                while enumeration.last != nil, steps < 1000 {
                    _ = enumeration.fail(code)
                    steps += 1
                }
                #expect(steps <= 65, "\(id)")
            }
        }
    }

    @Test func aDriverWithExtremeIdsIsListedToItsEnd() throws {
        for id in extremes {
            let driver = try ScriptedDriver()
            let isFirst = Monitor(true)
            driver.on(.queryControl) { argument in
                let isNow = isFirst.withLock { first in
                    defer { first = false }
                    return first
                }
                if !isNow { return EIO }
                argument[0] = id
                argument[4] = 1
                argument.set(8, Array("Gain".utf8))
                return 0
            }
            let device = driver.open()
            _ = try? device.controls()
            #expect(driver.count(of: .queryControl) <= 70, "\(id)")
        }
    }

    @Test func rangesOfControlsAreTakenAsTheyAre() throws {
        for type: UInt32 in [1, 2, 3, 4, 5, 8, 9, .max] {
            for minimum in wideExtremes {
                for maximum in wideExtremes {
                    let driver = try ScriptedDriver()
                    driver.on(.queryControl) { argument in
                        if argument[0] & 0x0FFF_FFFF != 0 { return EINVAL }
                        argument[0] = 0x0098_0900
                        argument[4] = type
                        argument.set(8, Array("Gain".utf8))
                        argument.set(40, minimum)
                        argument.set(48, maximum)
                        argument.set(56, minimum)
                        argument.set(64, maximum)
                        return 0
                    }
                    driver.on(.queryMenu) { _ in EINVAL }
                    let device = driver.open()
                    let control = try #require(try device.controls().first)
                    #expect(driver.count(of: .queryMenu) <= 1024)
                    for value in wideExtremes {
                        if let taken = try? control.value(written: "\(value)") {
                            _ = failure { try device.setControl(control.id, to: taken) }
                        }
                    }
                    #expect(!control.allowedValues.isEmpty)
                }
            }
        }
    }

    @Test func sizesAndRatesLeadToALadderThatEnds() throws {
        let wishes = [
            ModeWish(level: .fast), ModeWish(level: .accurate, size: VideoSize(width: .max, height: 1), rate: 1e-9),
            ModeWish(level: .balanced, size: VideoSize(width: 1, height: .max), rate: .nan),
            ModeWish(level: .balanced, size: VideoSize(width: .min, height: 0), rate: .infinity),
        ]
        var random = SystemRandomNumberGenerator()
        for round in 0..<600 {
            let numbers = (0..<12).map { _ in extremes.randomElement(using: &random) ?? 0 }
            let type = UInt32(round % 4)
            let driver = try ScriptedDriver()
            driver.on(.listFormats) { argument in
                if argument[0] > 0 { return EINVAL }
                argument[44] = FourCC.yuyv.rawValue
                return 0
            }
            driver.on(.listSizes) { argument in
                if argument[0] > 0 { return EINVAL }
                argument[8] = type
                for index in 0..<6 { argument[12 + 4 * index] = numbers[index] }
                return 0
            }
            driver.on(.listIntervals) { argument in
                if argument[0] > 0 { return EINVAL }
                argument[16] = type
                for index in 0..<6 { argument[20 + 4 * index] = numbers[6 + index] }
                return 0
            }
            let device = driver.open()
            for wish in wishes {
                let offer = try CameraOffer(of: device, read: [.yuyv], wish: wish)
                let choice = ModeChoice(offer.modes, wish: wish)
                #expect(choice.ladder.count <= ModeChoice.longestLadder, "\(numbers)")
                for mode in choice.ladder {
                    #expect(LevelLimits.fitsPool(VideoSize(width: mode.width, height: mode.height)), "\(numbers)")
                    _ = StallWatch(interval: mode.interval, start: .now).deadline(isSlowStartTold: true)
                }
            }
            #expect(try CameraModes.all(of: device).count <= 2048)
        }
    }

    @Test func formatsAreRefusedOrHaveALength() throws {
        let some: [UInt32] = [0, 1, 16, 0x7FFF, 0x8000, 0x1_0000, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF]
        for width in some {
            for height in some {
                for line in some {
                    let camera = ScriptedCamera(formats: [PlayedFormat(.grey, [(16, 12)], [5])])
                    camera.adjust = { code, _ in
                        NegotiatedFormat(
                            width: Int(width), height: Int(height), code: code, bytesPerLine: Int(line), sizeImage: 192)
                    }
                    let play = try CameraPlay(camera)
                    play.until(0.4)
                    #expect(play.frames().isEmpty || Int(width) * Int(height) <= 192)
                }
            }
        }
    }

    @Test func buffersAndTheirTimesAreBelievedWithinReason() throws {
        for number in extremes {
            for seconds in wideExtremes {
                for fraction in wideExtremes {
                    let driver = try ScriptedDriver()
                    for request: Request in [.queue, .requestBuffers] { driver.on(request) { _ in 0 } }
                    driver.on(.queryBuffer) { argument in
                        argument[72] = 4096
                        return 0
                    }
                    driver.on(.dequeue) { argument in
                        argument[8] = number
                        argument[12] = 0x2000
                        argument.set(24, seconds)
                        argument.set(32, fraction)
                        argument[56] = number
                        return 0
                    }
                    let device = driver.open()
                    for index in 0..<(try device.requestBuffers(2)) {
                        try device.mapBuffer(index)
                        try device.queueBuffer(index)
                    }
                    let buffer = try #require(try device.dequeueBuffer())
                    #expect(buffer.bytesUsed <= 4096)
                    var ledger = FrameLedger()
                    let now = MonotonicTime.now
                    let entry = ledger.enter(buffer, now: now)
                    #expect(ledger.stamp(entry, now: now, wall: .now).monotonic <= now)
                }
            }
        }
    }

    @Test func streamsWithExtremeNumbersGoOn() throws {
        for sequence in extremes {
            for time in wideExtremes {
                let camera = ScriptedCamera()
                camera.picture = { index in
                    var picture = PlayedPicture(UInt8(100 + index % 100))
                    picture.sequence = index % 2 == 0 ? sequence : UInt32(index)
                    picture.stamp = MonotonicTime(nanoseconds: time)
                    return picture
                }
                let play = try CameraPlay(camera)
                play.until(2)
                #expect(play.frames().count > 5 && play.faults() == [])
            }
        }
    }

    @Test(arguments: [Double.nan, -1, 0, .infinity, -.infinity, 1e300, 1e-300, 4_294_967_295])
    func aRateThatIsNoneIsPutIntoWords(_ rate: Double) {
        #expect(inWords(rate) == (rate > 1e6 ? "1000000" : "0"))
        _ = FrameInterval(framesPerSecond: rate)
    }
}
