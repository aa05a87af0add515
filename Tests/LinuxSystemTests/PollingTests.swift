// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Glibc
import LinuxSystem
import ScanModel
import Testing

@Suite struct EventDescriptorTests {
    @Test func itIsReadableWhileSignalled() throws {
        let event = try EventDescriptor()
        let wanted = [(descriptor: event.raw, events: Readiness.readable)]
        #expect(try pollDescriptors(wanted, until: .now) == [[]])
        event.signal()
        event.signal()
        #expect(try pollDescriptors(wanted, until: .now) == [.readable])
        #expect(try pollDescriptors(wanted, until: nil) == [.readable])
        event.clear()
        #expect(try pollDescriptors(wanted, until: .now) == [[]])
        event.clear()
    }

    @Test func anotherThreadWakesThePoll() throws {
        let event = try EventDescriptor()
        let thread = NamedThread("waker") {
            usleep(20_000)
            event.signal()
        }
        #expect(try pollDescriptors([(event.raw, .readable)], until: .now + .seconds(10)) == [.readable])
        thread.join()
    }
}

@Suite struct PollingTests {
    @Test func eachDescriptorHasItsOwnAnswer() throws {
        let quiet = try EventDescriptor()
        let loud = try EventDescriptor()
        loud.signal()
        #expect(
            try pollDescriptors([(quiet.raw, .readable), (loud.raw, .readable), (quiet.raw, .writable)], until: nil)
                == [[], .readable, .writable])
    }

    @Test func theDeadlineIsKept() throws {
        let event = try EventDescriptor()
        let began = MonotonicTime.now
        #expect(try pollDescriptors([(event.raw, .readable)], until: began + .milliseconds(40)) == [[]])
        #expect(MonotonicTime.now - began >= .milliseconds(40))
    }

    @Test func aClosedEndIsAHangUp() throws {
        let ends = try UnixSocket.messagePair()
        let own = OwnedDescriptor(owning: ends.0)
        close(ends.1)
        let ready = try pollDescriptors([(own.raw, .readable)], until: .now)
        #expect(ready.first?.contains(.hangUp) == true)
    }

    @Test func epollTellsWhoIsReady() throws {
        let epoll = try Epoll()
        let first = try EventDescriptor()
        let second = try EventDescriptor()
        try epoll.add(first.raw, events: .readable, token: 1)
        try epoll.add(second.raw, events: .readable, token: .max)
        #expect(try epoll.wait(until: .now).isEmpty)
        second.signal()
        var events = try epoll.wait(until: nil)
        #expect(events.map(\.token) == [.max])
        #expect(events.map(\.events) == [.readable])
        try epoll.modify(second.raw, events: [.readable, .writable], token: 5)
        events = try epoll.wait(until: nil)
        #expect(events.map(\.token) == [5])
        #expect(events.map(\.events) == [[.readable, .writable]])
        epoll.remove(second.raw)
        epoll.remove(second.raw)
        let began = MonotonicTime.now
        #expect(try epoll.wait(until: began + .milliseconds(30)).isEmpty)
        #expect(MonotonicTime.now - began >= .milliseconds(30))
        #expect(throws: SystemError.self) { try epoll.add(-1, events: .readable, token: 0) }
    }
}

@Suite struct DescriptorTests {
    @Test func aMissingFileIsNamed() {
        #expect {
            let file = try OwnedDescriptor.openForReading("/nonexistent/file")
            _ = file.raw
        } throws: { error in
            "\(error)" == "open /nonexistent/file: No such file or directory"
        }
    }

    @Test func readsTellEndAndWouldBlockApart() throws {
        let pipe = try OwnedDescriptor.makePipe()
        let reading = OwnedDescriptor(owning: pipe.reading)
        try reading.setNonBlocking()
        var buffer = [UInt8](repeating: 0, count: 10)
        #expect(try buffer.withUnsafeMutableBytes { try reading.read(into: $0) } == nil)
        _ = write(pipe.writing, [1, 2, 3] as [UInt8], 3)
        #expect(try buffer.withUnsafeMutableBytes { try reading.read(into: $0) } == 3)
        close(pipe.writing)
        #expect(try buffer.withUnsafeMutableBytes { try reading.read(into: $0) } == 0)
        #expect(buffer[..<3] == [1, 2, 3])
    }

    @Test func aDuplicateOutlivesItsOriginal() throws {
        let pipe = try OwnedDescriptor.makePipe()
        let reading = OwnedDescriptor(owning: pipe.reading)
        let copy = try OwnedDescriptor(owning: pipe.writing).duplicate()
        #expect(fcntl(copy.raw, F_GETFD) == FD_CLOEXEC)
        _ = write(copy.raw, [9] as [UInt8], 1)
        var byte = [UInt8](repeating: 0, count: 1)
        #expect(try byte.withUnsafeMutableBytes { try reading.read(into: $0) } == 1)
        #expect(byte == [9])
    }
}
