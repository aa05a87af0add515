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
    @Suite struct Greeting {
        @Test func helloThenSnapshotThenEvents() throws {
            let fixture = try Fixture()
            let reader = try fixture.client.eventReader()
            let hello = try reader.expectHello()
            #expect(hello.protocolVersion == "1.0" && hello.server == "1.2.3" && hello.camera == "shelf")
            #expect(hello.session == "session-1" && hello.sequence == 0 && hello.limits == ProtocolLimits())
            let snapshot = try reader.expectSnapshot()
            #expect(snapshot.items.isEmpty && snapshot.sequence == 0 && snapshot.unavailable == nil)
            #expect(fixture.server.waitForSubscriber(until: .now + .seconds(5)))

            fixture.server.publish(Shelf.add([1, 2], all: [2, 1]))
            fixture.server.publish(Shelf.update([2], frame: 1))
            fixture.server.publish(Shelf.remove([1], all: [2], frame: 2))
            guard case .didAdd(let added) = try reader.expectNext(),
                case .didUpdate(let updated) = try reader.expectNext(),
                case .didRemove(let removed) = try reader.expectNext()
            else { throw UnexpectedMessage() }
            #expect([added.sequence, updated.sequence, removed.sequence] == [1, 2, 3])
            #expect(added.allItems == [Shelf.id(2), Shelf.id(1)].map(\.description))
            #expect(updated.items.map(\.id) == [Shelf.id(2).description] && updated.allItems == nil)
            #expect(removed.items.map(\.reason) == ["gone"] && removed.frame.sequence == 2)
        }

        @Test func lateClientStartsFromTheState() throws {
            let fixture = try Fixture()
            fixture.server.publish(Shelf.add([1, 2, 3], all: [3, 1, 2]))
            fixture.server.publish(Shelf.update([2], frame: 1, text: "BEST BEFORE"))
            fixture.server.publish(Shelf.remove([1], all: [3, 2], frame: 2))
            fixture.server.publish(.becameUnavailable(.cameraLost, message: "unplugged"))
            #expect(fixture.waitUntil { $0.sequence == 4 })

            let late = try fixture.client.eventReader()
            #expect(try late.expectHello().sequence == 4)
            let snapshot = try late.expectSnapshot()
            #expect(snapshot.sequence == 4)
            #expect(snapshot.items.compactMap(\.recognizedItem) == [Shelf.item(3), Shelf.item(2, text: "BEST BEFORE")])
            #expect(snapshot.unavailable == Wire.Reason(code: "cameraLost", message: "unplugged"))
            #expect(try fixture.client.query().items().items == snapshot.items)

            fixture.server.publish(.becameAvailable)
            #expect(try late.expectNext().sequence == 5)
            let later = try fixture.client.eventReader()
            _ = try later.expectHello()
            #expect(try later.expectSnapshot().unavailable == nil)
        }

        @Test func clientsThatComeWhileEventsFlowMissNothing() throws {
            let fixture = try Fixture()
            let publisher = NamedThread("publisher") { [server = fixture.server] in
                for number in 1...500 {
                    server.publish(Shelf.update([2], frame: number))
                    usleep(200)
                }
            }
            var readers: [EventReader] = []
            for _ in 0..<10 { readers.append(try fixture.client.eventReader()) }
            publisher.join()
            for reader in readers {
                let start = try reader.expectHello().sequence
                #expect(try reader.expectSnapshot().sequence == start)
                var last = start
                while last < 500 {
                    let sequence = try #require(try reader.expectNext().sequence)
                    try #require(sequence == last + 1)
                    last = sequence
                }
            }
        }

        @Test func controlSocketSaysHelloAndNoEvents() throws {
            let fixture = try Fixture()
            let client = try RawClient(fixture.client.controlPath)
            #expect(try client.lines(1).count == 1)
            fixture.server.publish(Shelf.add([1], all: [1]))
            #expect(fixture.waitUntil { $0.sequence == 1 })
            try client.send(#"{"jsonrpc":"2.0","id":1,"method":"supportedSymbologies"}"# + "\n")
            let lines = try client.lines(2)
            #expect(lines.count == 2 && lines[1] == #"{"id":1,"jsonrpc":"2.0","result":["EAN13","QR"]}"#)
            #expect(!fixture.server.waitForSubscriber(until: .now))
        }

        @Test func heartbeatWhenNothingElseIsSent() throws {
            let fixture = try Fixture { $0.limits.heartbeatSeconds = 0.2 }
            let reader = try fixture.client.eventReader()
            _ = try reader.expectSnapshotAfterHello()
            let start = MonotonicTime.now
            fixture.server.publish(Shelf.add([1], all: [1]))
            _ = try reader.expectNext()
            for _ in 0..<2 {
                guard case .heartbeat(let moment) = try reader.expectNext() else { throw UnexpectedMessage() }
                #expect(moment.sequence == 1)
            }
            let elapsed = MonotonicTime.now - start
            #expect(elapsed >= .milliseconds(390) && elapsed < .seconds(3))
        }

        @Test func publishSaysWhenTheServerIsGone() throws {
            let fixture = try Fixture()
            #expect(fixture.server.publish(.becameAvailable))
            fixture.server.finish(within: .seconds(1))
            fixture.server.finish(within: .seconds(1))
            #expect(!fixture.server.publish(.becameAvailable))
            #expect(!fixture.server.waitForSubscriber())
        }

        @Test func anEventTooLongForALineIsCounted() throws {
            let fixture = try Fixture { $0.limits.serverLineBytes = 4000 }
            let reader = try fixture.client.eventReader()
            _ = try reader.expectSnapshotAfterHello()
            fixture.server.publish(Shelf.add([2], all: [2], text: String(repeating: "x", count: 5000)))
            fixture.server.publish(Shelf.add(Array(10..<30), all: Array(10..<30)))
            var items = 0
            var sequence: UInt64 = 0
            while items < 20, case .didAdd(let change) = try reader.expectNext() {
                items += change.items.count
                #expect(change.sequence == sequence + 1)
                sequence = change.sequence
            }
            #expect(items == 20 && sequence > 1)
            #expect(try fixture.client.query().status().eventsTooLong == 1)
            #expect(fixture.logged("longer than a line").count == 1)
        }
    }
}

extension EventReader {
    func expectSnapshotAfterHello() throws -> Wire.Snapshot {
        _ = try expectHello()
        return try expectSnapshot()
    }
}
