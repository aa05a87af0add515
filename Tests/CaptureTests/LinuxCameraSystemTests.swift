// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Glibc
import LinuxSystem
import ScanModel
import ScanTestSupport
import Testing

@testable import Capture

private let byId = "/dev/v4l/by-id/"
private let byPath = "/dev/v4l/by-path/"

@Suite struct VideoNodeListTests {
    @Test func theLinkByIdIsTheStableOne() {
        let list = VideoNodeList([VideoNodeEntry(node: "/dev/video0", links: [byPath + "p0", byId + "i0"])])
        let links = list.stableLinks(of: "/dev/video0") { _ in "/dev/video0" }
        #expect(links.byId == byId + "i0" && links.byPath == byPath + "p0" && links.stable == byId + "i0")
    }

    @Test func aLinkThatIsNotThereOrLeadsElsewhereIsNone() {
        let list = VideoNodeList([VideoNodeEntry(node: "/dev/video0", links: [byPath + "p0", byId + "i0"])])
        #expect(list.stableLinks(of: "/dev/video0") { _ in nil }.stable == nil)
        #expect(
            list.stableLinks(of: "/dev/video0") { $0.hasPrefix(byId) ? "/dev/video3" : "/dev/video0" }.stable == byPath
                + "p0")
        #expect(list.stableLinks(of: "/dev/video9") { _ in "/dev/video9" }.stable == nil)
    }

    @Test func twinsGoByTheirPath() {
        let list = VideoNodeList([
            VideoNodeEntry(node: "/dev/video2", links: [byPath + "p2", byId + "twin"]),
            VideoNodeEntry(node: "/dev/video0", links: [byPath + "p0", byId + "twin"]),
        ])
        // udev gives the link to one of them.
        func target(_ link: String) -> String? {
            [byId + "twin": "/dev/video2", byPath + "p0": "/dev/video0", byPath + "p2": "/dev/video2"][link]
        }
        #expect(list.stableLinks(of: "/dev/video0", target: target).stable == byPath + "p0")
        let second = list.stableLinks(of: "/dev/video2", target: target)
        #expect(second.stable == byPath + "p2" && second.byId == byId + "twin")
        #expect(list.isWantedTwice(byId + "twin") && !list.isWantedTwice(byPath + "p0"))
    }

    @Test func twinsWithoutPathsKeepWhatThereIs() {
        let list = VideoNodeList([
            VideoNodeEntry(node: "/dev/video0", links: [byId + "twin"]),
            VideoNodeEntry(node: "/dev/video2", links: [byId + "twin"]),
        ])
        #expect(list.stableLinks(of: "/dev/video2") { _ in "/dev/video2" }.stable == byId + "twin")
    }

    @Test(arguments: [
        ("/dev/video0", 0 as Int?), ("video17", 17), ("/dev/video", nil), ("/dev/video0x", nil),
        ("/dev/v4l-subdev0", nil),
        ("/dev/radio0", nil), ("/dev/video-1", nil), ("/dev/video99999999999", nil), ("", nil),
    ])
    func aNodeIsKnownByItsName(_ path: String, _ number: Int?) {
        #expect(VideoNodeEntry.number(of: path) == number)
    }

    @Test func nodesAreInTheOrderOfTheirNumbers() {
        let list = VideoNodeList(["/dev/video10", "/dev/video9", "/dev/video0"].map { VideoNodeEntry(node: $0) })
        #expect(list.entries.map(\.number) == [0, 9, 10])
    }

    @Test func aNodeThatMayNotBeOpenedIsJudgedByItsName() {
        #expect(VideoNodeEntry(node: "/dev/video0", capabilities: ":capture:", index: 3).isCaptureByName == true)
        #expect(VideoNodeEntry(node: "/dev/video0", capabilities: ":", index: 0).isCaptureByName == false)
        #expect(VideoNodeEntry(node: "/dev/video0", capabilities: ":video_output:").isCaptureByName == false)
        #expect(VideoNodeEntry(node: "/dev/video0", index: 0).isCaptureByName == true)
        #expect(VideoNodeEntry(node: "/dev/video1", index: 1).isCaptureByName == false)
        #expect(VideoNodeEntry(node: "/dev/video1").isCaptureByName == nil)
    }

    @Test func theListIsWhatUdevKnowsAndWhatIsInTheDirectoryBesides() throws {
        let directory = try TemporaryDirectory()
        for name in ["video10", "video2", "video3", "video", "video1x", "vbi0", "radio0"] {
            try directory.write(name, [])
        }
        func node(_ name: String) -> String { directory.path + "/" + name }
        let known = [
            VideoNodeEntry(node: node("video10"), links: ["/dev/v4l/by-id/a"], index: 0),
            VideoNodeEntry(node: node("video11")),
        ]
        let list = VideoNodeList(from: known, root: directory.path) {
            $0 != node("video3") && access($0, F_OK) == 0
        }
        #expect(list.entries == [VideoNodeEntry(node: node("video2")), known[0]])
        #expect(VideoNodeList(from: [], root: node("none")) { _ in true }.entries.isEmpty)
    }

    @Test func theMachinesOwnListIsThatOfItsVideoDevices() {
        let nodes = (0..<64).map { "/dev/video\($0)" }.filter { VideoNode.number(of: $0) != nil }
        #expect(VideoNodeList.current().entries.filter { $0.number < 64 }.map(\.node) == nodes)
    }
}

@Suite struct UdevPatienceTests {
    private func at(_ milliseconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: milliseconds * 1_000_000) }

    @Test func aNodeIsLeftToUdevForAWhile() {
        var patience = UdevPatience()
        var entry = VideoNodeEntry(node: "/dev/video0", isSettled: false)
        patience.look(at: [entry], now: at(0))
        #expect(!patience.isOver(for: entry, now: at(0)))
        patience.look(at: [entry], now: at(2999))
        #expect(!patience.isOver(for: entry, now: at(2999)))
        #expect(patience.isOver(for: entry, now: at(3000)))
        entry.isSettled = true
        #expect(patience.isOver(for: entry, now: at(1)))
    }

    @Test func aNodeThatComesBackIsLeftToUdevAnew() {
        var patience = UdevPatience()
        let entry = VideoNodeEntry(node: "/dev/video0", isSettled: false)
        patience.look(at: [entry], now: at(0))
        patience.look(at: [], now: at(5000))
        patience.look(at: [entry], now: at(6000))
        #expect(!patience.isOver(for: entry, now: at(8000)))
        #expect(patience.isOver(for: entry, now: at(9000)))
    }
}

@Suite struct LinuxCameraSystemTests {
    private let directory: TemporaryDirectory
    private let never: EventDescriptor

    init() throws {
        directory = try TemporaryDirectory()
        never = try EventDescriptor()
    }

    private func system(_ entries: [VideoNodeEntry] = []) -> LinuxCameraSystem {
        LinuxCameraSystem(watcher: DeviceWatcher(root: directory.path, udev: { nil })) { VideoNodeList(entries) }
    }

    @Test func whatIsNotThereIsNotFound() {
        #expect(system().locate(.automatic) == nil)
        #expect(system().locate(.path(directory.path + "/video0")) == nil)
        #expect(symlink("gone", directory.path + "/camera") == 0)
        #expect(system().locate(.path(directory.path + "/camera")) == nil)
    }

    @Test func whateverIsThereIsFoundAndOpeningItTellsWhatItIs() throws {
        let file = try directory.write("video0", [1])
        let system = system()
        #expect(system.locate(.path(file)) == LocatedCamera(node: resolvedPath(file) ?? "", stablePath: nil))
        #expect(failure { try system.open(file, converting: false) } == "open \(ENOTTY)")
        #expect(failure { try system.open(file, converting: true) } == "open \(ENOTTY)")
    }

    @Test func aLinkIsItsOwnStablePath() throws {
        let file = try #require(resolvedPath(try directory.write("video0", [1])))
        let link = directory.path + "/shelf"
        #expect(symlink("video0", link) == 0)
        #expect(system().locate(.path(link)) == LocatedCamera(node: file, stablePath: link))
        // Unless two cameras want to be it.
        let twins = [VideoNodeEntry(node: file, links: [link]), VideoNodeEntry(node: "/dev/video5", links: [link])]
        #expect(system(twins).locate(.path(link))?.stablePath == nil)
    }

    @Test func theFirstCameraIsNoFileAndNoMetadata() throws {
        let file = try directory.write("video0", [1])
        #expect(system([VideoNodeEntry(node: file, capabilities: ":capture:")]).locate(.automatic) == nil)
        #expect(system([VideoNodeEntry(node: directory.path + "/video7")]).locate(.automatic) == nil)
    }

    @Test func aNodeThatUdevIsAtIsNotThereYet() throws {
        let file = try #require(resolvedPath(try directory.write("video0", [1])))
        #expect(system([VideoNodeEntry(node: file, isSettled: false)]).locate(.path(file)) == nil)
        #expect(system([VideoNodeEntry(node: file)]).locate(.path(file)) != nil)
    }

    @Test func theOwnLooksAtANodeWakeNobody() throws {
        let node = try directory.write("video0", [1])
        let system = system()
        system.watch(node)
        let device = KernelVideoDevice(
            node: node, owning: open(node, O_RDWR | O_CLOEXEC), calls: .kernel)
        device.close()
        #expect(system.waitForChange(until: .now + .seconds(30), cancellation: never) == .changed)
        #expect(failure { try system.open(node, converting: false) } != nil)
        #expect(system.waitForChange(until: .now + .milliseconds(1), cancellation: never) == .deadline)
    }

    @Test(arguments: ["/dev/null", "/dev/tty", "/etc/passwd", "/dev"])
    func aCameraThatIsNoneIsSaidToBeUnsupported(_ path: String) throws {
        let camera = V4L2Camera(options: CameraOptions(selection: .path(path)))
        let pool = try FramePool(slotCount: 3, maximumPixels: 1 << 16)
        guard case .unavailable(let code, let message) = camera.next(into: pool, cancellation: never) else {
            Issue.record("it is available")
            return
        }
        #expect(code == .unsupported)
        #expect(message.contains(path) && message.contains("is no video device"), "\(message)")
    }

    @Test func aCameraThatIsMissingIsWaitedFor() throws {
        let camera = V4L2Camera(options: CameraOptions(selection: .path(directory.path + "/video0")))
        let pool = try FramePool(slotCount: 3, maximumPixels: 1 << 16)
        guard case .unavailable(.cameraLost, _) = camera.next(into: pool, cancellation: never) else {
            Issue.record("it is there")
            return
        }
        never.signal()
        guard case .cancelled = camera.next(into: pool, cancellation: never) else {
            Issue.record("it goes on")
            return
        }
    }

    @Test func whoHoldsAFileIsNamed() throws {
        let file = try directory.write("video0", [1])
        #expect(DeviceHolder.all(of: file).isEmpty)
        let own = open(file, O_RDWR | O_CLOEXEC)
        #expect(DeviceHolder.all(of: file).isEmpty)
        try withHolder(of: own) { pid in
            close(own)
            // The name is the program's once it runs.
            let limit = MonotonicTime.now + .seconds(30)
            var holders: [DeviceHolder] = []
            while holders.first?.name != "sleep", MonotonicTime.now < limit { holders = system().holders(of: file) }
            #expect(holders == [DeviceHolder(pid: pid, name: "sleep")])
            let link = directory.path + "/camera"
            #expect(symlink("video0", link) == 0)
            #expect(DeviceHolder.all(of: link).map(\.pid) == [pid])
        }
        #expect(DeviceHolder.all(of: file).isEmpty)
        #expect(DeviceHolder.all(of: directory.path + "/none").isEmpty)
    }

    /// Runs with another process that has the file open twice.
    private func withHolder(of descriptor: Int32, _ body: (Int32) -> Void) throws {
        let child = try ChildProcess(
            executable: "/bin/sleep", arguments: ["600"], environment: [],
            descriptors: [5: descriptor, 6: descriptor])
        body(child.pid)
    }
}
