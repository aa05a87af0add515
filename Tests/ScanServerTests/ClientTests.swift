// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Glibc
import LinuxSystem
import ScanClient
import ScanModel
import ScanProtocol
import ScanServer
import ScanTestSupport
import Testing

extension ServerTests {
    /// The client library's own promises.
    @Suite struct Clients {
        @Test func aStreamGivesAllMessagesAndEnds() async throws {
            let fixture = try Fixture()
            let stream = try fixture.client.events()
            #expect(fixture.server.waitForSubscriber(until: .now + .seconds(5)))
            let publisher = NamedThread("publisher") { [server = fixture.server] in
                for number in 1...200 { server.publish(Shelf.update([2], frame: number)) }
                server.finish(within: .seconds(10))
            }
            var messages = 0
            var last: UInt64 = 0
            for try await message in stream {
                messages += 1
                last = message.sequence ?? 0
            }
            publisher.join()
            #expect(last == 200 && messages == 202 && fixture.server.statistics.clientsGivenUp == 0)
        }

        @Test func aStreamThatIsNotReadLeavesTheConnectionUnread() async throws {
            let fixture = try Fixture { $0.limits.queuedBytesPerClient = 1 << 20 }
            let stream = try fixture.client.events()
            #expect(fixture.server.waitForSubscriber(until: .now + .seconds(5)))
            for number in 1...600 {
                fixture.server.publish(Shelf.update(Array(1...12), frame: number))
                usleep(300)
            }
            // The stream holds 64 messages; the rest fills the kernel's queue and then the server's.
            #expect(fixture.waitUntil { $0.slowClientsDropped == 1 })
            var messages = 0
            do {
                for try await _ in stream { messages += 1 }
            } catch let error as ClientError {
                // Its end came in the middle of a line.
                #expect(error == .closed(fixture.client.eventsPath))
            }
            #expect(messages > 0 && messages < 590)
        }

        @Test func cancellingDisconnects() async throws {
            let fixture = try Fixture()
            let stream = try fixture.client.events()
            let task = Task {
                var messages = 0
                for try await _ in stream { messages += 1 }
                return messages
            }
            #expect(fixture.server.waitForSubscriber(until: .now + .seconds(5)))
            try await Task.sleep(for: .milliseconds(50))
            task.cancel()
            // hello and snapshot, as far as they came before the end.
            #expect(try await task.value <= 2)
            #expect(fixture.waitUntil { $0.clients == 0 })
        }

        @Test func lettingGoDisconnects() throws {
            let fixture = try Fixture()
            do {
                let stream = try fixture.client.events()
                #expect(fixture.waitUntil { $0.clients == 1 })
                _ = stream.makeAsyncIterator()
            }
            #expect(fixture.waitUntil { $0.clients == 0 })
        }

        @Test func errorsSayWhatToDo() throws {
            let directory = try TemporaryDirectory()
            let client = ScanClient(directory: directory.path)
            #expect(throws: ClientError.noSocket(client.eventsPath)) { try client.eventReader() }
            #expect(throws: ClientError.noSocket(client.eventsPath)) { try client.events() }
            do {
                _ = try UnixSocket.listen(path: client.controlPath, mode: 0o600)
            }
            #expect(throws: ClientError.notRunning(client.controlPath)) { try client.control() }
            #expect("\(ClientError.noSocket("/x"))".contains("is datascand running"))
            #expect("\(ClientError.permissionDenied("/x", group: "datascan"))".contains("usermod -aG datascan"))
        }

        @Test func aServerThatSaysNothingTimesOut() throws {
            let directory = try TemporaryDirectory()
            let client = ScanClient(directory: directory.path)
            let listener = try UnixSocket.listen(path: client.controlPath, mode: 0o600)
            let control = try client.control(timeout: .milliseconds(100))
            do {
                _ = try control.status()
                Issue.record("a status without a server")
            } catch {
                #expect(error == .timeout("getStatus at \(client.controlPath)", .milliseconds(100)))
            }
            withExtendedLifetime(listener) {}
        }

        @Test func aCallAfterTheServersEndIsClosed() throws {
            let fixture = try Fixture()
            let control = try fixture.client.control()
            _ = try control.status()
            fixture.server.finish(within: .seconds(1))
            #expect(throws: ClientError.closed(fixture.client.controlPath)) { try control.status() }
        }

        @Test func linesComeAsTheyWereSent() throws {
            let fixture = try Fixture()
            let reader = try fixture.client.eventReader()
            _ = try reader.nextLine()
            let snapshot = try #require(try reader.nextLine())
            #expect(String(decoding: snapshot, as: UTF8.self).hasPrefix(#"{"jsonrpc":"2.0","method":"snapshot","#))
            #expect(snapshot.last == 0x0A)
            #expect(throws: ClientError.self) { try reader.nextLine(until: .now + .milliseconds(20)) }
            fixture.server.finish(within: .seconds(1))
            #expect(try reader.nextLine() == nil)
        }
    }
}
