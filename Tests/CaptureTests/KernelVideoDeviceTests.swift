// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Glibc
import LinuxSystem
import ScanModel
import ScanTestSupport
import Testing

@testable import Capture

@Suite struct VideoNodeTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func refusal(_ path: String, converting: Bool = false) -> SystemError? {
        do throws(SystemError) {
            _ = try KernelVideoDevice.open(path, converting: converting)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [false, true]) func whatIsNoVideoDeviceIsNamedAndNotOpened(_ converting: Bool) throws {
        let file = try directory.write("file", [1, 2, 3])
        let fifo = directory.path + "/fifo"
        #expect(mkfifo(fifo, 0o600) == 0)
        let link = directory.path + "/link"
        #expect(symlink(fifo, link) == 0)
        for (path, words) in [
            (file, "a file"), (directory.path, "a directory"), (fifo, "a pipe"),
            (link, "a pipe"), ("/dev/null", "a device of another kind"),
            ("/dev/tty", "a device of another kind"), ("/dev/ptmx", "a device of another kind"),
        ] {
            let error = refusal(path, converting: converting)
            #expect(error == SystemError("open", code: ENOTTY, subject: "\(path) (\(words))"))
            #expect(VideoNode.otherKind(at: path) == words)
            #expect(VideoNode.number(of: path) == nil)
        }
    }

    @Test func whatIsMissingIsSaidToBeMissing() {
        let path = directory.path + "/video0"
        #expect(refusal(path) == SystemError("open", code: ENOENT, subject: path))
        #expect(VideoNode.otherKind(at: path) == nil)
        #expect(refusal(directory.path + "/none/video0")?.code == ENOENT)
    }

    @Test func theLibraryKeepsItsComplaintsToItself() throws {
        let log = directory.path + "/stderr"
        let file = open(log, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        let null = open("/dev/null", O_RDWR | O_CLOEXEC)
        let kept = dup(2)
        dup2(file, 2)
        // It would say that it can not get the capabilities of this.
        let isAttached = VideoCalls.attachLibrary(to: null)
        dup2(kept, 2)
        for descriptor in [file, null, kept] { close(descriptor) }
        #expect(!isAttached)
        let text = try #require(CurrentProcess.readSmallFile(log))
        // What others had to say in this moment is not lost.
        try writeAll(Array(text.utf8), to: 2)
        #expect(!text.contains("libv4l2"))
    }

    /// Only root may make nodes, and not in every container.
    private static let canMakeNodes: Bool = {
        guard let directory = try? TemporaryDirectory() else { return false }
        return mknod(directory.path + "/video63", S_IFCHR | 0o600, dev_t(81 << 8 | 63)) == 0
    }()

    @Test(.enabled(if: canMakeNodes, "mknod(2) is refused here"))
    func aNodeWithoutADriverIsOpenedAndFailsInWords() {
        // A number of video4linux's where no camera is: the kernel has nobody to ask.
        let path = directory.path + "/video63"
        #expect(mknod(path, S_IFCHR | 0o600, dev_t(81 << 8 | 63)) == 0)
        let error = refusal(path)
        #expect(error?.operation == "open" && error?.subject == path)
        #expect(error.map { [ENODEV, ENXIO, EPERM, EACCES].contains($0.code) } == true)
        #expect(VideoNode.number(of: path) == UInt(81 << 8 | 63))
    }
}

@Suite struct VideoOffersTests {
    private let driver: ScriptedDriver

    init() throws { driver = try ScriptedDriver() }

    @Test func theNodesOwnCapabilitiesCount() throws {
        driver.on(.queryCapability) { argument in
            argument.set(0, Array("uvcvideo\0junk".utf8))
            argument.set(16, [0x43, 0x61, 0x6D, 0xFF, 0x21] + [UInt8](repeating: 0x78, count: 27))
            argument.set(48, Array("usb-1".utf8))
            // The device is a camera, the node has its metadata.
            argument[84] = 0x8420_0001
            argument[88] = 0x0480_0000
            return 0
        }
        let device = driver.open()
        let found = try device.capability()
        #expect(found.driver == "uvcvideo")
        #expect(found.name == "Cam\u{FFFD}!" + String(repeating: "x", count: 27))
        #expect(found.bus == "usb-1")
        #expect(!found.isCapture && found.isStreaming && !found.isMultiPlanar)
    }

    @Test(arguments: [
        (0x0420_0001 as UInt32, true, true, false), (0x0420_0000, false, true, false), (0x0400_1000, false, true, true),
        (0x0020_0001, true, false, false), (0x1420_0001, false, true, false), (0x0420_0002, false, true, false),
    ])
    func anOldDriverHasOnlyTheDevices(_ bits: UInt32, _ capture: Bool, _ streaming: Bool, _ planes: Bool) throws {
        driver.on(.queryCapability) { argument in
            argument[84] = bits
            return 0
        }
        let found = try driver.open().capability()
        #expect(found.isCapture == capture && found.isStreaming == streaming && found.isMultiPlanar == planes)
    }

    @Test func listsThatNeverEndAreCut() throws {
        driver.on(.listFormats) { argument in
            argument[44] = 0x3030_3030 + argument[0]
            return 0
        }
        driver.on(.listSizes) { argument in
            argument[8] = 1
            argument[12] = 16 + argument[0]
            argument[16] = 16
            return 0
        }
        driver.on(.listIntervals) { argument in
            argument[16] = 1
            argument[20] = 1
            argument[24] = 1 + argument[0]
            return 0
        }
        driver.on(.queryControl) { argument in
            argument[0] = 0x0098_0900 + (argument[0] & 0x0FFF_FFFF == 0 ? 0 : argument[0] & 0xFFFF)
            argument[0] += 1
            argument[4] = 3
            argument.set(48, .max)
            return 0
        }
        driver.on(.queryMenu) { _ in 0 }
        let device = driver.open()
        #expect(try device.formats().count == 256)
        #expect(discrete(try device.sizes(of: .yuyv))?.count == 1024)
        #expect(discrete(try device.intervals(of: .yuyv, VideoSize(width: 16, height: 16)))?.count == 256)
        #expect(try device.controls().count <= 1024)
    }

    @Test func whatIsListedTwiceIsThereOnceAndWhatIsNoSizeIsNotThere() throws {
        driver.on(.listFormats) { argument in
            if argument[0] > 3 { return EINVAL }
            argument[44] = argument[0] < 2 ? FourCC.yuyv.rawValue : FourCC.mjpg.rawValue
            argument[8] = argument[0] < 2 ? 0 : 2
            return 0
        }
        driver.on(.listSizes) { argument in
            if argument[0] > 3 { return EINVAL }
            argument[8] = 1
            argument[12] = argument[0] == 0 ? 0 : 640
            argument[16] = argument[0] == 1 ? 0 : 480
            return 0
        }
        driver.on(.listIntervals) { argument in
            if argument[0] > 2 { return ENODATA }
            argument[16] = 1
            argument[20] = argument[0] == 0 ? 0 : 1
            argument[24] = argument[0] == 0 ? 0 : 30
            return 0
        }
        let device = driver.open()
        #expect(try device.formats().map(\.code) == [.yuyv, .mjpg])
        #expect(try device.formats().map(\.isEmulated) == [false, true])
        #expect(discrete(try device.sizes(of: .yuyv)) == [VideoSize(width: 640, height: 480)])
        #expect(
            discrete(try device.intervals(of: .yuyv, VideoSize(width: 640, height: 480)))
                == [FrameInterval(1, 30)].compactMap { $0 })
    }

    @Test func aDriverThatListsNothingIsNoError() throws {
        let device = driver.open()
        #expect(try device.formats().isEmpty)
        #expect(discrete(try device.sizes(of: .grey)) == [])
        #expect(discrete(try device.intervals(of: .grey, VideoSize(width: 1, height: 1))) == [])
        #expect(try device.controls().isEmpty)
        #expect(try device.interval() == nil)
        #expect(try device.setInterval(try #require(FrameInterval(1, 30))) == nil)
    }

    @Test func rangesAreTakenAsTheyAreAndBrokenOnesAreNone() throws {
        driver.on(.listSizes) { argument in
            argument[8] = 3
            for (offset, value) in zip(stride(from: 12, to: 36, by: 4), [16, 1920, 8, 16, 1080, 0] as [UInt32]) {
                argument[offset] = value
            }
            if argument[4] == FourCC.grey.rawValue { argument[16] = 8 }
            return argument[0] == 0 ? 0 : EINVAL
        }
        driver.on(.listIntervals) { argument in
            argument[16] = 2
            for (offset, value) in zip(stride(from: 20, to: 44, by: 4), [1, 60, 1, 1, 0, 0] as [UInt32]) {
                argument[offset] = value
            }
            if argument[4] == FourCC.grey.rawValue { argument[24] = 0 }
            return argument[0] == 0 ? 0 : EINVAL
        }
        let device = driver.open()
        let size = VideoSize(width: 16, height: 16)
        #expect(
            try device.sizes(of: .yuyv)
                == .stepwise(
                    minimum: size, maximum: VideoSize(width: 1920, height: 1080), step: VideoSize(width: 8, height: 1)))
        #expect(discrete(try device.sizes(of: .grey)) == [])
        let (sixty, one) = (try #require(FrameInterval(1, 60)), try #require(FrameInterval(1, 1)))
        #expect(try device.intervals(of: .yuyv, size) == .stepwise(minimum: sixty, maximum: one, step: sixty))
        #expect(discrete(try device.intervals(of: .grey, size)) == [])
        #expect(driver.count(of: .listSizes) == 2)
    }

    @Test(arguments: [ENODEV, EIO, EBUSY]) func anErrorCarriesTheRequestsName(_ code: Int32) {
        for request: Request in [.queryCapability, .listFormats, .listSizes, .listIntervals, .queryControl] {
            driver.on(request) { _ in code }
        }
        let device = driver.open()
        #expect(failure { try device.capability() } == "VIDIOC_QUERYCAP \(code)")
        #expect(failure { try device.formats() } == "VIDIOC_ENUM_FMT \(code)")
        #expect(failure { try device.sizes(of: .yuyv) } == "VIDIOC_ENUM_FRAMESIZES \(code)")
        #expect(
            failure { try device.intervals(of: .yuyv, VideoSize(width: 1, height: 1)) }
                == "VIDIOC_ENUM_FRAMEINTERVALS \(code)")
    }

    @Test func aSignalIsNotSeen() throws {
        let interruptions = Monitor(3)
        driver.on(.queryCapability) { _ in
            interruptions.withLock { left in
                left -= 1
                return left >= 0 ? EINTR : 0
            }
        }
        _ = try driver.open().capability()
        #expect(driver.count(of: .queryCapability) == 4)
    }
}

private func discrete<Value>(_ range: VideoRange<Value>) -> [Value]? {
    if case .discrete(let values) = range { values } else { nil }
}

@Suite struct CameraNameTests {
    @Test(arguments: [
        ("HD Webcam C525: HD Webcam C525", "HD Webcam C525"), ("Scripted Camera: Scripted Camer", "Scripted Camera"),
        ("Integrated Camera: IR Camera", "Integrated Camera: IR Camera"), ("vivid", "vivid"), ("Cam:", "Cam:"),
        ("USB: 2.0 Camera", "USB: 2.0 Camera"), ("", ""),
    ])
    func theFunctionIsNamedWhereItIsAnother(card: String, name: String) { #expect(cameraName(card) == name) }
}
