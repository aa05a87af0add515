// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Glibc
import LinuxSystem
import ScanModel
import ScanTestSupport
import Testing

@testable import Capture

/// A directory in the place of `/dev`, with a plain file in the place of a node.
private final class FakeDev {
    let directory: TemporaryDirectory
    let node: String
    let never: EventDescriptor
    let watcher: DeviceWatcher

    init() throws {
        directory = try TemporaryDirectory()
        node = try directory.write("video0", [0])
        never = try EventDescriptor()
        watcher = DeviceWatcher(root: directory.path, udev: { nil })
    }

    /// What a wait gives; one that is expected to end with a change has all the time of a busy machine.
    func wait(_ limit: Duration = .seconds(30)) -> DeviceWait {
        watcher.wait(until: .now + limit, cancellation: never)
    }

    /// Waits no longer than it takes to see what happened already.
    func look() -> DeviceWait { wait(.milliseconds(1)) }

    func open() throws -> Int32 {
        let raw = Glibc.open(node, O_RDWR | O_CLOEXEC)
        guard raw >= 0 else { throw SystemError.last("open", node) }
        return raw
    }

    func make(_ folder: String) { #expect(mkdir(directory.path + "/" + folder, 0o755) == 0) }
}

@Suite struct DeviceWatcherTests {
    private let dev: FakeDev

    init() throws { dev = try FakeDev() }

    @Test func nothingChangesUntilSomethingDoes() throws {
        let began = MonotonicTime.now
        #expect(dev.wait(.milliseconds(40)) == .deadline)
        #expect(MonotonicTime.now - began >= .milliseconds(40))
        #expect(dev.wait(.milliseconds(-40)) == .deadline)
    }

    @Test func aCancellationEndsTheWait() throws {
        dev.never.signal()
        #expect(dev.wait() == .cancelled)
        try dev.directory.write("video1", [])
        #expect(dev.wait() == .cancelled)
    }

    @Test func aNodeThatComesIsAChangeAndAnotherFileIsNone() throws {
        try dev.directory.write("tty7", [])
        #expect(dev.look() == .deadline)
        try dev.directory.write("video1", [])
        #expect(dev.wait() == .changed)
        #expect(dev.look() == .deadline)
        #expect(unlink(dev.node) == 0)
        #expect(dev.wait() == .changed)
        #expect(dev.look() == .deadline)
    }

    @Test func aChangeBeforeTheWaitCounts() throws {
        try dev.directory.write("video1", [])
        #expect(unlink(dev.directory.path + "/video1") == 0)
        #expect(dev.look() == .changed)
        #expect(dev.look() == .deadline)
    }

    @Test func manyChangesAreToldOnce() throws {
        for number in 1...50 { try dev.directory.write("video\(number)", []) }
        #expect(dev.wait() == .changed)
        #expect(dev.look() == .deadline)
    }

    @Test func unrestIsNotWaitedForWithoutEnd() throws {
        let stop = Monitor(false)
        let path = dev.directory.path + "/video1"
        let thread = NamedThread("unrest") {
            while !stop.withLock({ $0 }) {
                close(Glibc.open(path, O_CREAT | O_CLOEXEC, 0o600))
                unlink(path)
                usleep(2000)
            }
        }
        let began = MonotonicTime.now
        #expect(dev.wait() == .changed)
        #expect(MonotonicTime.now - began < .seconds(20))
        stop.withLock { $0 = true }
        thread.join()
    }

    @Test func linksAreSeenInDirectoriesThatComeLater() throws {
        for folder in ["v4l", "v4l/by-id", "v4l/by-path"] {
            dev.make(folder)
            #expect(dev.wait() == .changed)
        }
        for link in ["by-id/usb-camera", "by-path/pci-usb-0"] {
            #expect(symlink("../../video0", dev.directory.path + "/v4l/" + link) == 0)
            #expect(dev.wait() == .changed)
            #expect(unlink(dev.directory.path + "/v4l/" + link) == 0)
            #expect(dev.wait() == .changed)
        }
        #expect(dev.look() == .deadline)
    }

    @Test func permissionsOfANodeAreAChange() throws {
        #expect(chmod(dev.node, 0) == 0)
        #expect(dev.wait() == .changed)
    }

    @Test func anothersClosingIsAChangeOfTheWatchedNodeOnly() throws {
        let first = try dev.open()
        close(first)
        #expect(dev.look() == .deadline)

        dev.watcher.watch(dev.node)
        let second = try dev.open()
        #expect(dev.look() == .deadline)
        close(second)
        #expect(dev.wait() == .changed)
        #expect(dev.look() == .deadline)

        dev.watcher.watch(nil)
        close(try dev.open())
        #expect(dev.look() == .deadline)
    }

    @Test func theOwnClosingIsNone() throws {
        dev.watcher.watch(dev.node)
        for _ in 0..<100 {
            let own = try dev.open()
            dev.watcher.closeUnnoticed { close(own) }
        }
        #expect(dev.look() == .deadline)
    }

    @Test func theOwnClosingHidesNoOther() throws {
        dev.watcher.watch(dev.node)
        let (own, other, third) = (try dev.open(), try dev.open(), try dev.open())
        close(other)
        dev.watcher.closeUnnoticed { close(own) }
        #expect(dev.wait() == .changed)
        #expect(dev.look() == .deadline)
        close(third)
        #expect(dev.wait() == .changed)
        #expect(dev.look() == .deadline)
    }

    @Test func aChangeOfPermissionsInTheMiddleOfTheOwnClosingIsSeen() throws {
        dev.watcher.watch(dev.node)
        let own = try dev.open()
        dev.watcher.closeUnnoticed {
            close(own)
            chmod(dev.node, 0o600)
        }
        #expect(dev.look() == .changed)
    }

    @Test func aNodeThatCameBackIsWatchedAgain() throws {
        dev.watcher.watch(dev.node)
        #expect(unlink(dev.node) == 0)
        #expect(dev.wait() == .changed)
        try dev.directory.write("video0", [1])
        #expect(dev.wait() == .changed)
        // Its own closing by the writer may come with it or behind it.
        while dev.look() == .changed {}
        close(try dev.open())
        #expect(dev.wait() == .changed)
    }

    @Test func aLinkIsWatchedWhereItLeads() throws {
        let link = dev.directory.path + "/camera"
        #expect(symlink("video0", link) == 0)
        dev.watcher.watch(link)
        close(try dev.open())
        #expect(dev.wait() == .changed)
    }

    @Test func whatChangedAtTheOldNodeIsNotLostWithIt() throws {
        dev.watcher.watch(dev.node)
        close(try dev.open())
        dev.watcher.watch(nil)
        #expect(dev.look() == .changed)
    }

    @Test func aRootThatIsNotThereIsNoFault() throws {
        let watcher = DeviceWatcher(root: dev.directory.path + "/none", udev: { nil })
        watcher.watch("/nowhere/video0")
        #expect(watcher.wait(until: .now + .milliseconds(10), cancellation: dev.never) == .deadline)
    }

    @Test func whatUdevTellsIsAChange() throws {
        let source = try EventSource()
        let watcher = DeviceWatcher(root: dev.directory.path) { source }
        #expect(watcher.wait(until: .now + .milliseconds(1), cancellation: dev.never) == .deadline)
        source.event.signal()
        #expect(watcher.wait(until: .now + .seconds(30), cancellation: dev.never) == .changed)
        #expect(watcher.wait(until: .now + .milliseconds(1), cancellation: dev.never) == .deadline)
    }

    @Test func udevIsListenedToWhetherItRunsOrNot() throws {
        let monitor = try #require(UdevMonitor())
        #expect(monitor.drain() == .nothing)
        // Bound to the group of udev's own events: 1 is the kernel's, before any rule has run.
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let answer = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(monitor.descriptor, $0, &length) }
        }
        // struct sockaddr_nl has its groups behind the family, two bytes and the port.
        let groups = withUnsafeBytes(of: address) { $0.loadUnaligned(fromByteOffset: 8, as: UInt32.self) }
        #expect(answer == 0 && Int32(address.ss_family) == AF_NETLINK && groups == 2)
    }
}

/// Tells of a change for each signal.
private final class EventSource: ChangeSource {
    let event: EventDescriptor

    init() throws { event = try EventDescriptor() }

    var descriptor: Int32 { event.raw }

    func drain() -> ChangeReading {
        var entry = pollfd(fd: event.raw, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, 0) > 0 else { return .nothing }
        event.clear()
        return .changed
    }
}

@Suite struct InotifyEventTests {
    private func event(_ watch: UInt8, _ mask: UInt8, _ length: Int, _ name: [UInt8]) -> [UInt8] {
        [watch, 0, 0, 0, mask, 0, 0, 0, 9, 9, 9, 9, UInt8(length), 0, 0, 0] + name
    }

    @Test func eventsFollowEachOther() {
        let bytes =
            event(1, 8, 0, []) + event(2, 4, 8, Array("video0".utf8) + [0, 0]) + event(3, 2, 4, Array("abcd".utf8))
        let events = InotifyEvent.all(in: bytes[...])
        #expect(events.map(\.watch) == [1, 2, 3])
        #expect(events.map(\.mask) == [8, 4, 2])
        #expect(events.map(\.name) == ["", "video0", "abcd"])
    }

    @Test func whatIsCutOffIsNoEvent() {
        let whole = event(1, 8, 8, Array("video0".utf8) + [0, 0])
        for count in 0..<whole.count { #expect(InotifyEvent.all(in: whole.prefix(count)).isEmpty) }
        #expect(InotifyEvent.all(in: (whole + whole).dropFirst(whole.count)).count == 1)
    }
}

/// A source that says whatever a test wants.
private final class OddSource: ChangeSource {
    let descriptor: Int32 = -1
    var reading: ChangeReading

    init(_ reading: ChangeReading) { self.reading = reading }

    func drain() -> ChangeReading { reading }
}

@Suite struct RenewedSourceTests {
    private static let second: Int64 = 1_000_000_000

    /// What a number of readings give.
    private func read(
        _ source: inout RenewedSource<OddSource>, times: Int = 1, isReady: Bool = true, isBad: Bool = false
    ) -> Set<ChangeReading> {
        Set((0..<times).map { _ in source.drain(isReady: isReady, isBad: isBad, now: 7) })
    }

    @Test func oneThatIsReadableAndHasNothingIsLeft() {
        var source = RenewedSource { OddSource(.nothing) }
        let first = read(&source, times: 15)
        #expect(first == [.nothing] && source.source != nil)
        let last = read(&source)
        #expect(last == [.broken] && source.source == nil)
        let gone = read(&source)
        #expect(gone == [.nothing])
    }

    @Test func oneThatHasSomethingNowAndThenIsKept() {
        let odd = OddSource(.irrelevant)
        var source = RenewedSource { odd }
        for turn in 0..<1000 {
            odd.reading = turn % 10 == 0 ? .irrelevant : .nothing
            _ = read(&source)
        }
        #expect(source.source != nil)
        _ = read(&source, times: 1000, isReady: false)
        #expect(source.source != nil)
    }

    @Test func aBrokenOneIsMadeAnewAfterAWhile() {
        var made = 0
        var source = RenewedSource {
            made += 1
            return OddSource(.changed)
        }
        let broken = read(&source, isBad: true)
        #expect(broken == [.broken])
        let renewals = [7, 5 * Self.second, 7 + 5 * Self.second, 60 * Self.second].map { source.renew(now: $0) }
        #expect(renewals == [false, false, true, false] && made == 2)
        let again = read(&source)
        #expect(again == [.changed])
    }

    @Test func oneThatCanNotBeMadeIsTriedNowAndThen() {
        var made = 0
        var source = RenewedSource<OddSource> {
            made += 1
            return nil
        }
        let renewals = (0..<200).map { source.renew(now: $0 * Self.second / 10) }
        #expect(!renewals.contains(true) && made == 4)
        let nothing = read(&source, isBad: true)
        #expect(nothing == [.nothing])
    }
}
