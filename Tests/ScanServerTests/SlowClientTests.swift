// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Glibc
import LinuxSystem
import ScanClient
import ScanModel
import ScanProtocol
import ScanServer
import Testing

extension ServerTests {
    /// Faults A62, A63, A68 and A69: nobody waits for anybody.
    @Suite struct SlowClients {
        @Test func oneThatNeverReadsIsDroppedAtItsLimit() throws {
            let fixture = try Fixture { $0.limits.queuedBytesPerClient = 1 << 20 }
            let stuck = try RawClient(fixture.client.eventsPath)
            let reader = try fixture.client.eventReader()
            _ = try reader.expectSnapshotAfterHello()
            var mostQueued = 0
            var slowest = Duration.zero
            for number in 1...1000 {
                let start = MonotonicTime.now
                fixture.server.publish(Shelf.update(Array(1...12), frame: number))
                try #require(try reader.expectNext().sequence == UInt64(number))
                slowest = max(slowest, MonotonicTime.now - start)
                mostQueued = max(mostQueued, fixture.server.statistics.queuedBytes)
            }
            #expect(fixture.waitUntil { $0.slowClientsDropped == 1 && $0.subscribers == 1 && $0.queuedBytes == 0 })
            // The slow client's limit, and the line that the other one is about to read.
            #expect(mostQueued > 1 << 19 && mostQueued <= (1 << 20) + (1 << 13))
            #expect(slowest < .seconds(2))
            #expect(fixture.logged("disconnected").count == 1)

            // What it was sent are whole lines from the first on, and then the end.
            let lines = try stuck.lines()
            for line in lines.dropLast() { _ = try ServerMessage(parsing: Array(line.utf8)) }
            #expect(lines.count > 3 && lines.count < 900)
            // It connects again and gets the state.
            let again = try fixture.client.eventReader()
            #expect(try again.expectSnapshotAfterHello().sequence == 1000)
        }

        @Test func theLimitForAllDropsTheSlowestOnly() throws {
            let fixture = try Fixture { limits in
                limits.limits.queuedBytesPerClient = 8 << 20
                limits.limits.queuedBytesTotal = 1 << 20
            }
            let stuck = try RawClient(fixture.client.eventsPath)
            #expect(try stuck.lines(2).count == 2)
            let reader = try fixture.client.eventReader()
            _ = try reader.expectSnapshotAfterHello()
            for number in 1...1000 {
                fixture.server.publish(Shelf.update(Array(1...12), frame: number))
                try #require(try reader.expectNext().sequence == UInt64(number))
            }
            #expect(fixture.server.statistics.slowClientsDropped == 1)
            #expect(fixture.logged("for all clients").count == 1)
        }

        @Test(arguments: [1, 7, 4096]) func partialWritesGoOnAtTheRightByte(_ bytesAtATime: Int) throws {
            let fixture = try Fixture()
            let client = try RawClient(fixture.client.eventsPath)
            var size: Int32 = 2304
            setsockopt(client.descriptor.raw, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
            #expect(try client.lines(2).count == 2)
            // Longer than the kernel's queue, so that a line leaves in several pieces.
            let long = String(repeating: "0123456789", count: 60_000)
            for number in 1...3 {
                fixture.server.publish(Shelf.update([2], frame: number, text: bytesAtATime > 100 ? long : "LOT"))
            }
            var ends = client.received.count { $0 == 0x0A }
            var seen = client.received.count
            while ends < 5, try client.read(atMost: bytesAtATime) {
                ends += client.received[seen...].count { $0 == 0x0A }
                seen = client.received.count
            }
            let lines = try client.lines(5)
            #expect(lines.count == 5)
            for (index, line) in lines.suffix(3).enumerated() {
                guard case .didUpdate(let change) = try ServerMessage(parsing: Array(line.utf8)) else {
                    throw UnexpectedMessage()
                }
                #expect(change.sequence == UInt64(index + 1))
                #expect(change.items[0].transcript == (bytesAtATime > 100 ? long : "LOT") + " 2")
            }
        }

        @Test func finishDeliversToASlowReader() throws {
            let fixture = try Fixture()
            let client = try RawClient(fixture.client.eventsPath)
            #expect(try client.lines(2).count == 2)
            for number in 1...1000 { fixture.server.publish(Shelf.update(Array(1...12), frame: number)) }
            let ending = NamedThread("ending") { [server = fixture.server] in server.finish(within: .seconds(60)) }
            // Takes about 2 s, far longer than the patience of 0.5 s with a client that takes nothing.
            while try client.read(atMost: 1 << 15) { usleep(10_000) }
            ending.join()
            let lines = try client.lines()
            #expect(lines.count == 1002)
            #expect(try ServerMessage(parsing: Array(try #require(lines.last).utf8)).sequence == 1000)
            #expect(fixture.server.statistics.clientsGivenUp == 0)
            #expect(access(fixture.client.eventsPath, F_OK) != 0 && access(fixture.client.controlPath, F_OK) != 0)
        }

        @Test func finishGivesUpOneThatNeverReads() throws {
            let fixture = try Fixture()
            let stuck = try RawClient(fixture.client.eventsPath)
            #expect(fixture.server.waitForSubscriber(until: .now + .seconds(5)))
            for number in 1...200 { fixture.server.publish(Shelf.update(Array(1...12), frame: number)) }
            let start = MonotonicTime.now
            fixture.server.finish(within: .seconds(30))
            let elapsed = MonotonicTime.now - start
            #expect(elapsed >= .milliseconds(500) && elapsed < .seconds(5))
            #expect(fixture.server.statistics.clientsGivenUp == 1)
            #expect(try stuck.lines().count > 2)
            #expect(access(fixture.client.eventsPath, F_OK) != 0)
        }

        @Test func finishEndsAtItsLimit() throws {
            let fixture = try Fixture { $0.finishPatience = .seconds(60) }
            let stuck = try RawClient(fixture.client.eventsPath)
            for number in 1...200 { fixture.server.publish(Shelf.update(Array(1...12), frame: number)) }
            let start = MonotonicTime.now
            fixture.server.finish(within: .milliseconds(300))
            #expect(MonotonicTime.now - start < .seconds(3))
            _ = try stuck.lines()
        }
    }
}
