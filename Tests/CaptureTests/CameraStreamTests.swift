// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Glibc
import LinuxSystem
import ScanModel
import Testing

@testable import Capture

/// What goes wrong with cameras in the field: streams that give rubbish, and drivers that break their own rules.
@Suite struct CameraStreamTests {
    @Test func a08EIOIsPassedOverThreeTimesInARow() throws {
        let camera = ScriptedCamera()
        let play = try CameraPlay(camera)
        play.system.at(2) { _ in camera.fail(.dequeueBuffer, EIO, times: 3) }
        play.until(5)
        #expect(play.codes.isEmpty && play.counts.damagedFrames == 3 && play.system.openings.count == 1)
        play.system.at(6) { _ in camera.fail(.dequeueBuffer, EIO, times: 4) }
        play.until(9)
        #expect(play.codes == [.cameraLost] && play.system.openings.count == 2)
        #expect(play.faults() == [])
    }

    @Test func a09DamagedBuffersAreSkippedAndCounted() throws {
        let camera = ScriptedCamera()
        camera.picture = { index in
            var picture = PlayedPicture(UInt8(100 + index % 100))
            picture.isDamaged = index % 4 == 3
            return picture
        }
        let play = try CameraPlay(camera)
        play.until(10)
        #expect(play.counts.damagedFrames == 12)
        // The first of a stream are forgiven.
        #expect(play.skipped.count == 11 && play.skipped.allSatisfy { $0.contains("marked it as damaged") })
        #expect(play.codes.isEmpty)
        #expect(play.faults() == [])
    }

    @Test(arguments: [0, 1, 124, 191, 193, -5])
    func a10BuffersOfTheWrongSizeAreNoFrames(_ bytesUsed: Int) throws {
        let camera = ScriptedCamera()
        camera.adjust = { code, size in
            NegotiatedFormat(width: 16, height: 12, code: code, bytesPerLine: 16, sizeImage: 192)
        }
        camera.picture = { index in
            var picture = PlayedPicture(UInt8(100 + index % 100))
            if index % 2 == 1 { picture.bytesUsed = bytesUsed }
            return picture
        }
        let play = try CameraPlay(camera)
        play.until(5)
        #expect(play.frames().count == 13 && play.counts.damagedFrames == 12)
        #expect(play.codes.isEmpty && play.faults() == [])
    }

    @Test func a10PaddedRowsCount() throws {
        let camera = ScriptedCamera()
        camera.adjust = { code, size in
            NegotiatedFormat(width: 16, height: 12, code: code, bytesPerLine: 64, sizeImage: 64 * 12)
        }
        camera.picture = { _ in
            var picture = PlayedPicture(100)
            picture.bytesUsed = 64 * 11 + 15
            return picture
        }
        let play = try CameraPlay(camera)
        play.until(5)
        #expect(play.frames().isEmpty && play.codes == [.noFrames])
        #expect(play.unavailable[0].message.contains("nothing but damaged frames"))
    }

    @Test func a11ATruncatedJPEGIsSkippedAndTheNextOneTaken() throws {
        let camera = ScriptedCamera(formats: [PlayedFormat(.mjpg, [(32, 16)], [5])])
        let pictures = try (0..<20).map { try jpeg(UInt8(100 + $0)) }
        camera.picture = { index in
            var picture = PlayedPicture(0)
            let whole = pictures[index % 20]
            picture.jpeg = index % 5 == 4 || index == 0 ? Array(whole.prefix(whole.count * 2 / 3)) : whole
            return picture
        }
        let play = try CameraPlay(camera)
        play.until(10)
        // That of the start is forgiven, but counted.
        #expect(play.counts.damagedFrames == 11 && play.skipped.count == 9)
        #expect(play.frames().count == 39 && play.codes.isEmpty)
        #expect(play.faults() == [])
    }

    @Test func nothingButDamagedFramesIsNoFrames() throws {
        let camera = ScriptedCamera()
        let play = try CameraPlay(camera)
        camera.picture = { index in
            var picture = PlayedPicture(UInt8(100 + index % 100))
            picture.isDamaged = (15..<40).contains(index)
            return picture
        }
        play.until(15)
        #expect(play.codes == [.noFrames])
        let told = try #require(play.unavailable.first)
        #expect(told.at > 4 && told.at < 5)
        #expect(told.message.contains("nothing but damaged frames") && told.message.contains("marked it as damaged"))
        // While that is known, they are counted in silence.
        #expect(play.skipped.count < 10 && play.counts.damagedFrames == 25)
        #expect(play.firstFrame(after: 5) != nil)
        #expect(play.faults() == [])
    }

    // MARK: - Drivers that break the rules

    @Test func a24StampsThatCanNotBeTrueAreReplaced() throws {
        let offsets: [Duration?] = [nil, .seconds(-3), .seconds(3600), .zero]
        let camera = ScriptedCamera()
        camera.picture = { index in
            var picture = PlayedPicture(UInt8(100 + index % 100))
            switch index % 5 {
            case 4: picture.stamp = MonotonicTime(nanoseconds: 0)
            case let kind: picture.stampOffset = offsets[kind]
            }
            return picture
        }
        let play = try CameraPlay(camera)
        play.until(10)
        #expect(play.frames().count == 50 && play.counts.timestampsReplaced == 40)
        for frame in play.frames() {
            let moment = try #require(frame.stamp?.monotonic)
            #expect(abs((moment - play.system.moment(frame.at)).inSeconds) < 0.01)
        }
        #expect(play.faults() == [])
    }

    @Test func a25GapsAndWrapsOfTheDriversNumbers() throws {
        let camera = ScriptedCamera()
        camera.picture = { index in
            var picture = PlayedPicture(UInt8(100 + index % 100))
            // Every third never came, and the counter wraps on the way.
            picture.sequence = UInt32.max - 10 &+ UInt32(index + index / 2)
            return picture
        }
        let play = try CameraPlay(camera)
        play.until(10)
        #expect(play.frames().count == 50 && play.counts.driverDrops == 24)
        #expect(play.frames().last?.stamp?.sequence == 73)
        #expect(play.faults() == [])
    }

    @Test(arguments: [99, -1])
    func a28AnIndexThatIsNoneIsAnOpening(_ index: Int) throws {
        let camera = ScriptedCamera()
        let play = try CameraPlay(camera)
        camera.picture = { number in
            var picture = PlayedPicture(UInt8(100 + number % 100))
            if (10..<12).contains(number) { picture.index = index }
            return picture
        }
        play.until(10)
        #expect(play.codes == [.cameraLost] && play.unavailable[0].message.contains("gave buffer \(index) of 4"))
        #expect(play.system.openings.count == 3 && play.frames(from: 5).count == 25)
    }

    @Test func a28ABufferThatIsGivenTwiceIsAnOpening() throws {
        let camera = ScriptedCamera()
        let play = try CameraPlay(camera)
        camera.picture = { number in
            var picture = PlayedPicture(UInt8(100 + number % 100))
            if (10..<14).contains(number) { picture.index = 0 }
            return picture
        }
        play.system.cancelAt = play.system.moment(10)
        // Two buffers wait each time.
        while play.step() { play.system.pass(.milliseconds(400)) }
        #expect(play.codes.first == .cameraLost && play.unavailable[0].message.contains("gave buffer 0 twice"))
        #expect(!play.frames(from: 6).isEmpty)
    }

    @Test func a29AFailureWithoutAReasonDoesNotSpin() throws {
        let camera = ScriptedCamera()
        let play = try CameraPlay(camera)
        play.system.at(3) { _ in
            camera.isHung = true
            camera.reportsPollError = true
        }
        play.until(30)
        #expect(play.codes == [.cameraLost] && play.unavailable[0].message.contains("POLLERR"))
        #expect(play.system.mostCallsInSecond < 100)
        #expect(play.faults() == [])
    }

    @Test func a29AFailureBesideFramesIsNone() throws {
        let camera = ScriptedCamera()
        camera.interval = .milliseconds(20)
        let play = try CameraPlay(camera)
        play.system.at(3) { _ in camera.reportsPollError = true }
        play.until(3.01)
        camera.reportsPollError = false
        play.until(6)
        #expect(play.codes.isEmpty && play.system.openings.count == 1)
    }
}
