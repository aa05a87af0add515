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
    /// Faults A64 and A84: many clients, and what they leave behind.
    ///
    /// Descriptors and memory are the whole process's, so these run in processes of their own.
    @Suite struct Crowds {
        @Test func comingAndGoingLeavesNoDescriptors() async {
            await #expect(processExitsWith: .success) {
                let fixture = try Fixture()
                func visit(_ count: Int) throws {
                    for number in 0..<count {
                        let client = try RawClient(
                            number.isMultiple(of: 2) ? fixture.client.eventsPath : fixture.client.controlPath)
                        if number.isMultiple(of: 3) { try #require(try client.lines(1).count >= 1) }
                    }
                    try demand(fixture.waitUntil { $0.clients == 0 }, "all clients gone")
                }
                try visit(20)
                let before = openDescriptors()
                try visit(200)
                // The server tells its statistics at the end of a round and may close a little later, the first time too.
                try demand(fixture.waitUntil { _ in openDescriptors() <= before }, "no more descriptors than before")
                try demand(fixture.waitUntil { $0.clientsServed == 220 }, "220 clients served")
            }
        }

        @Test func aThousandSubscribers() async {
            await #expect(processExitsWith: .success) {
                try raiseDescriptorLimit(to: 4096)
                let fixture = try Fixture { $0.limits.heartbeatSeconds = 60 }
                var clients: [RawClient] = []
                for _ in 0..<1000 { clients.append(try RawClient(fixture.client.eventsPath)) }
                try demand(fixture.waitUntil { $0.subscribers == 1000 }, "\(fixture.server.statistics)")
                let before = try #require(CurrentProcess.residentBytes())
                // All wait with 10 lines of 6 kB unread.
                for number in 1...10 { fixture.server.publish(Shelf.update(Array(1...12), frame: number)) }
                try demand(
                    fixture.waitUntil(within: .seconds(30)) { $0.sequence == 10 && $0.queuedBytes == 0 },
                    "all sent: \(fixture.server.statistics)")
                let after = try #require(CurrentProcess.residentBytes())
                try demand(after - before < 64 << 20, "less memory than \(after - before) bytes")
                for client in clients {
                    let lines = try client.lines(12)
                    try demand(lines.count == 12, "12 lines, not \(lines.count)")
                    try demand(lines.last?.contains(#""sequence":10,"#) == true, "the last event last")
                }
                try demand(fixture.server.statistics.slowClientsDropped == 0, "no slow client")
                clients = []
                try demand(fixture.waitUntil { $0.clients == 0 }, "all clients gone")
            }
        }

        @Test func overTheLimitOneIsToldSo() throws {
            let fixture = try Fixture { configuration in
                configuration.limits.clients = 3
                configuration.limits.clientsReservedForControl = 1
            }
            let first = try RawClient(fixture.client.eventsPath)
            let second = try RawClient(fixture.client.eventsPath)
            #expect(fixture.waitUntil { $0.subscribers == 2 })
            let third = try fixture.client.eventReader()
            do {
                _ = try third.expectNext()
                Issue.record("a client too many was taken")
            } catch let error as ClientError {
                guard case .refused(let reason) = error else { throw error }
                #expect(reason.code == -32004 && reason.message.contains("limit is 2"))
            }
            // Subscribers do not lock out an administrator.
            _ = try fixture.client.control().status()
            #expect(fixture.waitUntil { $0.clientsRefused == 1 })
            #expect(try first.lines(2).count == 2 && second.lines(2).count == 2)
        }

        @Test func withoutDescriptorsOldClientsGoOn() async {
            await #expect(processExitsWith: .success) {
                let fixture = try Fixture()
                let old = try fixture.client.eventReader()
                _ = try old.expectSnapshotAfterHello()
                var limit = rlimit()
                getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
                limit.rlim_cur = 64
                setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
                // All are taken but one, which the client gets and the server lacks.
                var taken: [Int32] = []
                while let descriptor = try? OwnedDescriptor.openForReading("/dev/null") {
                    taken.append(descriptor.release())
                }
                close(taken.removeLast())
                let refused = try RawClient(fixture.client.eventsPath).lines()
                try demand(refused.count == 1 && refused[0].contains("LimitNOFILE="), "\(refused)")
                try demand(fixture.waitUntil { $0.clientsRefused == 1 }, "one client refused")
                fixture.server.publish(.becameAvailable)
                try demand(try old.expectNext().sequence == 1, "the old client goes on")
                for descriptor in taken { close(descriptor) }
                _ = try fixture.client.eventReader().expectHello()
            }
        }
    }
}

/// What a test in a process of its own expects; the process says on standard error what was not so.
private func demand(_ condition: Bool, _ detail: @autoclosure () -> String) throws {
    if condition { return }
    let message = Array("expected: \(detail())\n".utf8)
    _ = message.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
    throw UnexpectedMessage()
}

private func openDescriptors() -> Int {
    guard let directory = opendir("/proc/self/fd") else { return -1 }
    defer { closedir(directory) }
    var count = 0
    while readdir(directory) != nil { count += 1 }
    return count
}

private func raiseDescriptorLimit(to count: Int) throws {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    if limit.rlim_cur >= rlim_t(count) { return }
    limit.rlim_cur = rlim_t(count)
    limit.rlim_max = max(limit.rlim_max, limit.rlim_cur)
    if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) < 0 { throw SystemError.last("setrlimit") }
}
