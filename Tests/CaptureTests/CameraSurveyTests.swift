// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Glibc
import LinuxSystem
import Testing

@testable import Capture

/// A driver that answers as a webcam does, by its requests.
private func webcam(capabilities: UInt32 = 0x0420_0001, buffers: Int32 = 0) throws -> ScriptedDriver {
    let driver = try ScriptedDriver()
    driver.on(.queryCapability) { argument in
        argument.set(0, Array("uvcvideo".utf8))
        argument.set(16, Array("Shelf Camera".utf8))
        argument.set(48, Array("usb-0000:00:14.0-1".utf8))
        argument[84] = capabilities
        return 0
    }
    driver.on(.listFormats) { argument in
        if argument[0] > 0 { return EINVAL }
        argument[44] = FourCC.mjpg.rawValue
        return 0
    }
    driver.on(.listSizes) { argument in
        if argument[0] > 1 { return EINVAL }
        argument[8] = 1
        argument[12] = argument[0] == 0 ? 1920 : 640
        argument[16] = argument[0] == 0 ? 1080 : 480
        return 0
    }
    driver.on(.listIntervals) { argument in
        if argument[0] > 2 { return EINVAL }
        argument[16] = 1
        argument[20] = argument[0] == 2 ? 1001 : 1
        argument[24] = argument[0] == 2 ? 30_000 : 5 + 10 * argument[0]
        return 0
    }
    driver.on(.requestBuffers) { _ in buffers }
    return driver
}

@Suite struct CameraSurveyTests {
    private let byId = VideoNodeEntry.byId + "usb-shelf"
    private let byPath = VideoNodeEntry.byPath + "pci-usb-1"

    /// What a survey of one node tells, with the errno that opening it gives or a driver behind it.
    private func survey(
        _ driver: ScriptedDriver? = nil, error: Int32 = EIO, capabilities: String? = ":capture:", index: Int? = 0
    ) -> [CameraDescription] {
        let entry = VideoNodeEntry(
            node: "/dev/video2", links: [byId, byPath], capabilities: capabilities, title: "By its driver", index: index
        )
        let survey = CameraSurvey(
            list: VideoNodeList([entry]), target: { _ in "/dev/video2" },
            holders: { _ in [DeviceHolder(pid: 7, name: "other")] },
            open: { (node) throws(SystemError) in
                guard let driver else { throw SystemError("open", code: error, subject: node) }
                return driver.open()
            })
        return survey.cameras()
    }

    @Test func aCameraIsToldWithItsModesAndLinks() throws {
        let driver = try webcam()
        let rates = [30_000.0 / 1001, 15, 5]
        #expect(
            survey(driver) == [
                CameraDescription(
                    device: "/dev/video2", stablePath: byId, byId: byId, byPath: byPath, name: "Shelf Camera",
                    bus: "usb-0000:00:14.0-1", driver: "uvcvideo",
                    modes: [
                        .init(format: .mjpg, width: 1920, height: 1080, rates: rates),
                        .init(format: .mjpg, width: 640, height: 480, rates: rates),
                    ], isBusy: false, holders: [DeviceHolder(pid: 7, name: "other")], problem: nil)
            ])
        #expect(driver.closed == 1)
    }

    @Test func oneThatStreamsElsewhereIsBusy() throws {
        let driver = try webcam(buffers: EBUSY)
        let camera = try #require(survey(driver).first)
        #expect(camera.isBusy && camera.modes.count == 2 && camera.problem == nil)
        #expect(survey(error: EBUSY).first?.isBusy == true)
        #expect(driver.closed == 1)
    }

    @Test func theBufferThatWasAskedForIsGivenBack() throws {
        let driver = try webcam()
        let counts = Monitor<[UInt32]>([])
        driver.on(.requestBuffers) { argument in
            counts.withLock { $0.append(argument[0]) }
            return 0
        }
        #expect(survey(driver).count == 1)
        #expect(counts.withLock { $0 } == [1, 0])
    }

    @Test func oneThatMayNotBeOpenedIsToldWithWhatToDo() {
        for (code, words) in [
            (EACCES, "group video"), (EPERM, "DeviceAllow"), (EIO, "open /dev/video2: Input/output error"),
        ] {
            let camera = survey(error: code).first
            #expect(camera?.problem?.contains(words) == true && camera?.name == "By its driver" && camera?.modes == [])
        }
        // A metadata node that may not be opened is no camera for that.
        #expect(survey(error: EACCES, capabilities: nil, index: 1).isEmpty)
        #expect(survey(error: EACCES, capabilities: nil, index: 0).count == 1)
        #expect(survey(error: EACCES, capabilities: nil, index: nil).count == 1)
    }

    @Test func oneThatDoesNotMapItsFramesIsToldSo() throws {
        #expect(survey(try webcam(buffers: EINVAL)).first?.problem?.contains("memory mapping") == true)
    }

    @Test(arguments: [0x0480_0000 as UInt32, 0x0420_0002, 0x0400_1000, 0x0120_0001])
    func whatIsNoCameraIsNotListed(_ capabilities: UInt32) throws {
        #expect(survey(try webcam(capabilities: capabilities)).isEmpty)
    }

    @Test func whatUdevKnowsToBeNoCameraIsNotEvenOpened() throws {
        let driver = try webcam()
        #expect(survey(driver, capabilities: ":").isEmpty)
        #expect(driver.count(of: .queryCapability) == 0)
    }

    @Test(arguments: [ENOENT, ENODEV, ENXIO, ENOTTY]) func oneThatIsGoneMeanwhileIsNotListed(_ code: Int32) {
        #expect(survey(error: code).isEmpty)
    }
}

@Suite struct CameraModesTests {
    private func size(_ width: Int, _ height: Int) -> VideoSize { VideoSize(width: width, height: height) }

    @Test func aRangeOfSizesIsToldByTheUsualOnesAndItsLargest() {
        let sizes = CameraModes.sizes(
            .stepwise(minimum: size(320, 240), maximum: size(1300, 1000), step: size(2, 2)))
        #expect(sizes.first == size(320, 240) && sizes.last == size(1300, 1000))
        #expect(sizes.contains(size(1280, 720)) && !sizes.contains(size(1920, 1080)))
        #expect(!sizes.contains(size(320, 180)))
    }

    @Test func sizesThatFallBetweenTheStepsAreNone() {
        #expect(
            CameraModes.sizes(.stepwise(minimum: size(16, 16), maximum: size(1936, 1936), step: size(640, 240)))
                == [size(1936, 1936)])
        #expect(
            CameraModes.sizes(.stepwise(minimum: size(640, 480), maximum: size(640, 480), step: size(1, 1)))
                == [size(640, 480)])
    }

    @Test func aRangeOfRatesIsToldByTheUsualOnesAndItsHighest() throws {
        let (fastest, slowest) = (try #require(FrameInterval(10, 331)), try #require(FrameInterval(1, 5)))
        #expect(
            CameraModes.rates(.stepwise(minimum: fastest, maximum: slowest, step: fastest))
                == [33.1, 30, 25, 24, 20, 15, 10, 7.5, 5])
        #expect(CameraModes.rates(.stepwise(minimum: slowest, maximum: slowest, step: slowest)) == [5])
        #expect(CameraModes.rates(.discrete([slowest, fastest, slowest])) == [33.1, 5])
        #expect(CameraModes.rates(.discrete([])).isEmpty)
    }
}
