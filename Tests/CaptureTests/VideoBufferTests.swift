// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Glibc
import LinuxSystem
import ScanModel
import Testing

@testable import Capture

@Suite struct VideoBufferTests {
    private let driver: ScriptedDriver

    init() throws {
        driver = try ScriptedDriver()
        for request: Request in [.queue, .start, .stop] { driver.on(request) { _ in 0 } }
        driver.on(.requestBuffers) { _ in 0 }
        driver.on(.queryBuffer) { argument in
            argument[72] = 4096
            return 0
        }
    }

    /// A device with two mapped buffers that are queued, and an answer to the next dequeuing.
    private func device(_ answer: @escaping ScriptedDriver.Answer) throws -> KernelVideoDevice {
        driver.on(.dequeue, answer)
        let device = driver.open()
        for index in 0..<(try device.requestBuffers(2)) {
            try device.mapBuffer(index)
            try device.queueBuffer(index)
        }
        return device
    }

    @Test func aFrameIsWhatTheDriverSays() throws {
        let device = try device { argument in
            argument[0] = 1
            argument[8] = 1234
            argument[12] = 0x2000
            argument.set(24, 77)
            argument.set(32, 500_000)
            argument[56] = .max
            return 0
        }
        let frame = try #require(try device.dequeueBuffer())
        #expect(
            frame
                == DequeuedBuffer(
                    index: 1, bytesUsed: 1234, isDamaged: false, timestamp: MonotonicTime(nanoseconds: 77_500_000_000),
                    sequence: .max))
        #expect(device.bytes(ofBuffer: 1).count == 4096)
    }

    @Test func noneYetIsNoError() throws {
        #expect(try device { _ in EAGAIN }.dequeueBuffer() == nil)
        #expect(failure { try device { _ in ENODEV }.dequeueBuffer() } == "VIDIOC_DQBUF \(ENODEV)")
    }

    @Test(arguments: [2, 31, 99, UInt32.max]) func aBufferThatThereIsNotIsAFault(_ index: UInt32) throws {
        let device = try device { argument in
            argument[0] = index
            return 0
        }
        #expect(failure { try device.dequeueBuffer() } == "VIDIOC_DQBUF \(EPROTO)")
    }

    @Test func theSameBufferTwiceIsAFaultUnlessItWasQueuedAgain() throws {
        let device = try device { _ in 0 }
        #expect(try device.dequeueBuffer()?.index == 0)
        try device.queueBuffer(0)
        #expect(try device.dequeueBuffer()?.index == 0)
        #expect(failure { try device.dequeueBuffer() } == "VIDIOC_DQBUF \(EPROTO)")
    }

    @Test func aBufferOfBeforeTheStopIsAFault() throws {
        let device = try device { _ in 0 }
        try device.stopStreaming()
        #expect(failure { try device.dequeueBuffer() } == "VIDIOC_DQBUF \(EPROTO)")
    }

    @Test func aBufferThatIsNotMappedIsAFault() throws {
        driver.on(.dequeue) { _ in 0 }
        let device = driver.open()
        #expect(try device.requestBuffers(2) == 2)
        try device.queueBuffer(0)
        #expect(failure { try device.dequeueBuffer() } == "VIDIOC_DQBUF \(EPROTO)")
        #expect(device.bytes(ofBuffer: 0).isEmpty)
        #expect(device.bytes(ofBuffer: -1).isEmpty)
        #expect(device.bytes(ofBuffer: 7).isEmpty)
    }

    @Test(arguments: [(4096 as UInt32, 4096, false), (4097, 4096, true), (.max, 4096, true), (0, 0, false)])
    func noFrameIsLongerThanItsBuffer(_ used: UInt32, _ bytes: Int, _ isDamaged: Bool) throws {
        let device = try device { argument in
            argument[8] = used
            return 0
        }
        let frame = try #require(try device.dequeueBuffer())
        #expect(frame.bytesUsed == bytes && frame.isDamaged == isDamaged)
    }

    @Test func theDriversMarkOfABadFrameIsKept() throws {
        let device = try device { argument in
            argument[12] = 0x2040
            return 0
        }
        #expect(try device.dequeueBuffer()?.isDamaged == true)
    }

    @Test(arguments: [
        (0x2000 as UInt32, 5 as Int64, 7 as Int64, 5_000_007_000 as Int64?), (0x4000, 5, 7, nil), (0, 5, 7, nil),
        (0x2000, .max, 0, nil), (0x2000, 5, 1_000_000, nil), (0x2000, 5, -1, nil), (0x2000, -5, 0, -5_000_000_000),
        (0x2000, 9_223_372_036, 854_775, 9_223_372_036_854_775_000), (0x2000, 9_223_372_036, 999_999, nil),
    ])
    func onlyMonotonicTimesCount(_ flags: UInt32, _ seconds: Int64, _ microseconds: Int64, _ expected: Int64?) throws {
        let device = try device { argument in
            argument[12] = flags
            argument.set(24, seconds)
            argument.set(32, microseconds)
            return 0
        }
        #expect(try device.dequeueBuffer()?.timestamp?.nanoseconds == expected)
    }

    @Test func memoryIsMappedOnceAndGoesWithTheBuffers() throws {
        let device = try device { _ in 0 }
        try device.mapBuffer(0)
        #expect(driver.mapped == 2)
        #expect(failure { try device.mapBuffer(2) } == "mmap \(EINVAL)")
        #expect(failure { try device.queueBuffer(-1) } == "VIDIOC_QBUF \(EINVAL)")
        driver.on(.requestBuffers) { argument in
            argument[0] = 1000
            return 0
        }
        #expect(try device.requestBuffers(4) == 32)
        #expect(driver.mapped == 0)
        try device.mapBuffer(31)
        device.close()
        device.close()
        #expect(driver.mapped == 0 && driver.closed == 1)
        #expect(device.bytes(ofBuffer: 31).isEmpty)
    }

    @Test(arguments: [0 as UInt32, 1 << 28 + 1, .max]) func aBufferOfNoSizeIsNotMapped(_ length: UInt32) throws {
        driver.on(.queryBuffer) { argument in
            argument[72] = length
            return 0
        }
        let device = driver.open()
        _ = try device.requestBuffers(1)
        #expect(failure { try device.mapBuffer(0) } == "VIDIOC_QUERYBUF \(EMSGSIZE)")
        #expect(driver.mapped == 0)
    }

    @Test func aDeviceThatIsForgottenIsClosed() throws {
        _ = try device { _ in 0 }
        #expect(driver.closed == 1 && driver.mapped == 0)
    }

    @Test func whoeverWatchesTheNodeIsRoundTheClosing() throws {
        let device = driver.open()
        var order: [String] = []
        device.surroundClose = { [driver] close in
            order.append("before \(driver.closed)")
            close()
            order.append("after \(driver.closed)")
        }
        device.close()
        device.close()
        #expect(order == ["before 0", "after 1"])
    }
}

@Suite struct VideoModeTests {
    private let driver: ScriptedDriver

    init() throws { driver = try ScriptedDriver() }

    @Test func whatTheDriverMadeOfAFormatIsTold() throws {
        driver.on(.setFormat) { argument in
            guard argument[8] == 1980, argument[12] == 1080, argument[16] == FourCC.yuyv.rawValue else { return EINVAL }
            argument[8] = 1920
            argument[24] = 3968
            argument[28] = 3968 * 1080
            return 0
        }
        let format = try driver.open().setFormat(.yuyv, VideoSize(width: 1980, height: 1080))
        #expect(
            format
                == NegotiatedFormat(width: 1920, height: 1080, code: .yuyv, bytesPerLine: 3968, sizeImage: 3968 * 1080))
    }

    @Test func compressedFramesHaveNoRows() throws {
        driver.on(.getFormat) { argument in
            argument[16] = FourCC.mjpg.rawValue
            argument[24] = 1280
            argument[28] = 5000
            return 0
        }
        #expect(try driver.open().format().bytesPerLine == 0)
    }

    @Test func theRateIsTheDriversAnswer() throws {
        driver.on(.getParameters) { argument in
            argument[4] = 0x1000
            return 0
        }
        driver.on(.setParameters) { argument in
            argument[16] = argument[16] == 30 ? 15 : 0
            return 0
        }
        let device = driver.open()
        #expect(try device.setInterval(try #require(FrameInterval(1, 30))) == FrameInterval(1, 15))
        #expect(try device.setInterval(try #require(FrameInterval(1, 7))) == nil)
        #expect(try device.interval() == nil)
        driver.on(.setParameters) { _ in EBUSY }
        #expect(failure { try device.setInterval(try #require(FrameInterval(1, 30))) } == "VIDIOC_S_PARM \(EBUSY)")
    }

    @Test func aRateThatCanNotBeSetIsNotAskedFor() throws {
        driver.on(.getParameters) { argument in
            argument[12] = 1
            argument[16] = 30
            return 0
        }
        let device = driver.open()
        #expect(try device.setInterval(try #require(FrameInterval(1, 30))) == nil)
        #expect(try device.interval() == nil)
        #expect(driver.count(of: .setParameters) == 0)
    }

    @Test func onlyAChangeOfTheSourceIsOne() throws {
        let device = driver.open()
        #expect(failure { try device.subscribeToSourceChanges() } == "VIDIOC_SUBSCRIBE_EVENT \(ENOTTY)")
        for (type, changes, expected): (UInt32, UInt32, Bool) in [(5, 1, true), (5, 0, false), (3, 1, false)] {
            driver.on(.takeEvent) { argument in
                argument[0] = type
                argument[8] = changes
                return 0
            }
            #expect(try device.takeSourceChange() == expected)
        }
        driver.on(.takeEvent) { _ in ENOENT }
        #expect(try device.takeSourceChange() == false)
        driver.on(.takeEvent) { _ in ENODEV }
        #expect(failure { try device.takeSourceChange() } == "VIDIOC_DQEVENT \(ENODEV)")
    }

    @Test func waitingEndsWithWhatCame() throws {
        let never = try EventDescriptor()
        let device = driver.open()
        #expect(try device.wait(until: .now + .milliseconds(5), cancellation: never) == [])
        driver.readiness.signal()
        #expect(try device.wait(until: .now + .seconds(60), cancellation: never) == .frame)
        never.signal()
        #expect(try device.wait(until: .now + .seconds(60), cancellation: never) == [.frame, .cancelled])
        device.close()
        never.clear()
        // poll(2) passes over a negative descriptor.
        #expect(try device.wait(until: .now, cancellation: never) == [])
    }

    @Test func aDescriptorThatIsGoneIsAFailure() throws {
        let pipe = try Pipe()
        close(pipe.reader)
        close(pipe.writer)
        let device = KernelVideoDevice(
            node: "/dev/video9", owning: 9_999,
            calls: VideoCalls(
                control: { _, _, _ in -1 }, map: { _, _, _ in nil }, unmap: { _, _ in 0 }, close: { _ in 0 }))
        #expect(try device.wait(until: .now + .seconds(60), cancellation: try EventDescriptor()) == .failure)
    }
}
