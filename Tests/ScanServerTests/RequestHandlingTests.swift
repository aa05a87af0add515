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
    /// Faults A67 and A70: what clients may send, and what comes of it.
    @Suite struct Requests {
        private let getStatus = #"{"jsonrpc":"2.0","id":1,"method":"getStatus"}"#

        @Test func bothSocketsAnswerWhatOnlyReads() throws {
            let fixture = try Fixture()
            fixture.server.publish(Shelf.add([1, 2], all: [2, 1]))
            for connection in [try fixture.client.query(), try fixture.client.control()] {
                let status = try connection.status()
                #expect(status.version == "9.9" && status.session == "session-1" && status.clientsServed >= 1)
                #expect(try connection.items().items.compactMap(\.recognizedItem) == [Shelf.item(2), Shelf.item(1)])
                #expect(try connection.supportedSymbologies() == ["EAN13", "QR"])
                #expect(try connection.symbologyEngines() == fixture.handler.symbologyEngines)
                #expect(try connection.supportedTextRecognitionLanguages() == ["eng", "kor"])
            }
        }

        @Test func controlSocketChangesTheScannerAndLogsWho() throws {
            let fixture = try Fixture()
            let control = try fixture.client.control()
            try control.startScanning()
            try control.stopScanning()
            #expect(fixture.handler.calls.withLock { $0 } == ["start", "stop"])
            #expect(fixture.logged("stopScanning by uid \(getuid()), pid \(getpid()): done").count == 1)
        }

        @Test func eventsSocketNamesTheRightOne() throws {
            let fixture = try Fixture()
            let query = try fixture.client.query()
            do {
                try query.stopScanning()
                Issue.record("events.sock stopped the scanner")
            } catch {
                guard case .failed(let failure) = error else { throw error }
                #expect(failure.code == -32002 && failure.message.contains(fixture.client.controlPath))
            }
            #expect(fixture.handler.calls.withLock { $0 }.isEmpty)
            #expect(try query.status().requestsRefused == 1)
        }

        @Test func aFailureIsToldAndLogged() throws {
            let fixture = try Fixture(handler: CountingHandler(failure: RequestFailure("the camera is busy")))
            let control = try fixture.client.control()
            #expect(throws: ClientError.failed(.failed("the camera is busy"))) { try control.startScanning() }
            #expect(fixture.logged("the camera is busy").count == 1)
        }

        @Test func aNotificationIsCarriedOutWithoutAnAnswer() throws {
            let fixture = try Fixture()
            let client = try RawClient(fixture.client.controlPath)
            try client.send(#"{"jsonrpc":"2.0","method":"stopScanning"}"# + "\n" + getStatus + "\n")
            let lines = try client.lines(2)
            #expect(lines.count == 2 && lines[1].contains(#""id":1"#))
            #expect(fixture.handler.calls.withLock { $0 } == ["stop"])
        }

        @Test func aByteAtATime() throws {
            let fixture = try Fixture()
            let client = try RawClient(fixture.client.controlPath)
            for character in getStatus + "\r\n" { try client.send(String(character)) }
            #expect(try client.lines(2).last?.contains(#""version":"9.9""#) == true)
        }

        @Test func aLastLineWithoutNewlineCounts() throws {
            let fixture = try Fixture()
            let client = try RawClient(fixture.client.controlPath)
            try client.send("\n \r\n" + getStatus)
            client.endOutput()
            // A client of control.sock that has said all is answered and let go.
            let lines = try client.lines()
            #expect(lines.count == 2 && lines[1].contains(#""version":"9.9""#))
            #expect(fixture.waitUntil { $0.clients == 0 })
        }

        @Test func aSubscriberThatEndsItsOutputStillGetsEvents() throws {
            let fixture = try Fixture()
            let client = try RawClient(fixture.client.eventsPath)
            client.endOutput()
            #expect(try client.lines(2).count == 2)
            fixture.server.publish(.becameAvailable)
            #expect(try client.lines(3).count == 3)
        }

        @Test func goneAfterARequestItIsStillCarriedOut() throws {
            let fixture = try Fixture()
            do {
                let client = try RawClient(fixture.client.controlPath)
                try client.send(#"{"jsonrpc":"2.0","id":1,"method":"stopScanning"}"# + "\n")
            }
            #expect(fixture.handler.calls.wait(until: .now + .seconds(5)) { $0.isEmpty ? nil : $0 } == ["stop"])
            #expect(fixture.waitUntil { $0.clients == 0 })
        }

        @Test func aNotificationIsNeverAnsweredButCounted() throws {
            let fixture = try Fixture { $0.limits.malformedRequests = 3 }
            let client = try RawClient(fixture.client.controlPath)
            try client.send(#"{"jsonrpc":"2.0","method":"fly"}"# + "\n")
            try client.send(#"{"jsonrpc":"2.0","method":"getItems","params":[7]}"# + "\n")
            try client.send(#"{"jsonrpc":"2.0","id":7,"method":"supportedSymbologies"}"# + "\n")
            // The third malformed one ends the connection; it is no request, and is told without an ID.
            try client.send(#"{"jsonrpc":"2.0"}"# + "\n")
            let lines = try client.lines().dropFirst()
            #expect(lines.count == 2, "\(lines)")
            #expect(lines.first?.contains(#""id":7"#) == true && lines.last?.contains("-32600") == true, "\(lines)")
            #expect(fixture.waitUntil { $0.requestsRefused == 3 && $0.clients == 0 })
        }

        @Test func aMegabyteWithoutNewlineEndsTheConnection() throws {
            let fixture = try Fixture()
            let client = try RawClient(fixture.client.eventsPath)
            do {
                for _ in 0..<16 { try client.send(String(repeating: "x", count: 65_536)) }
            } catch let error as SystemError {
                #expect(error.code == EPIPE || error.code == ECONNRESET)
            }
            let lines = try client.lines()
            #expect(lines.count == 3)
            #expect(lines.last?.contains("longer than 65536 bytes") == true)
            #expect(fixture.waitUntil { $0.clients == 0 })
        }

        @Test func deepNestingIsAnErrorAndNoCrash() throws {
            let fixture = try Fixture { $0.limits.requestLineBytes = 1 << 20 }
            let client = try RawClient(fixture.client.eventsPath)
            try client.send(String(repeating: "[", count: 100_000) + "\n" + getStatus + "\n")
            let lines = try client.lines(4)
            #expect(lines[2].contains("-32700") && lines[2].contains("nested deeper"))
            #expect(lines[3].contains(#""version":"9.9""#))
        }

        @Test func noiseIsAnsweredAndEndsAtTheHundredth() throws {
            let fixture = try Fixture()
            let client = try RawClient(fixture.client.eventsPath)
            try client.send(String(repeating: "\u{0}\u{1}noise\n", count: 99) + getStatus + "\n")
            #expect(try client.lines(102).last?.contains(#""requestsRefused":99"#) == true)
            try client.send("\u{80}\n" + getStatus + "\n")
            let lines = try client.lines()
            #expect(lines.count == 103 && lines.last?.contains("-32700") == true)
            #expect(fixture.logged("100 malformed").count == 1)
        }

        @Test func aThousandAtOnceMeetTheRate() throws {
            let fixture = try Fixture()
            let client = try RawClient(fixture.client.eventsPath)
            let others = try fixture.client.query()
            let request = #"{"jsonrpc":"2.0","id":7,"method":"supportedSymbologies"}"# + "\n"
            let sender = NamedThread("sender") { [raw = client.descriptor.raw] in
                let bytes = Array(String(repeating: request, count: 1000).utf8)
                var sent = 0
                while sent < bytes.count {
                    let count = bytes.withUnsafeBytes {
                        try? UnixSocket.send(UnsafeRawBufferPointer(rebasing: $0[sent...]), to: raw, waiting: true)
                    }
                    guard let count else { return }
                    sent += count
                }
            }
            #expect(try others.status().version == "9.9")
            let lines = try client.lines(1002)
            sender.join()
            let refused = lines.count { $0.contains("-32001") }
            #expect(lines.count == 1002)
            // 50 at once, and 50 more for each second that it took.
            #expect(refused >= 800 && refused <= 950)
            #expect(fixture.server.statistics.requestsRefused == UInt64(refused))
        }

        @Test func aFloodIsHeldUpInItsOwnSocket() throws {
            let fixture = try Fixture { $0.limits.requestsPerSecond = 10 }
            let client = try RawClient(fixture.client.controlPath)
            let request = #"{"jsonrpc":"2.0","id":7,"method":"getStatus"}"# + "\n"
            // 10 are answered and 200 refused, then the next wait for a second.
            try client.send(String(repeating: request, count: 230))
            usleep(400_000)
            let refused = fixture.server.statistics.requestsRefused
            #expect(refused >= 190 && refused <= 200)
            #expect(try client.lines(231).count == 231)
        }

        @Test func anUnfinishedLineEndsTheConnection() throws {
            let fixture = try Fixture { $0.limits.partialLineSeconds = 0.3 }
            let client = try RawClient(fixture.client.controlPath)
            let patient = try RawClient(fixture.client.controlPath)
            try client.send(#"{"jsonrpc":"#)
            let lines = try client.lines()
            #expect(lines.count == 2 && lines.last?.contains("not complete after 0.3 s") == true)
            // One that has said nothing has nothing to finish.
            try patient.send(getStatus + "\n")
            #expect(try patient.lines(2).count == 2)
        }

        @Test func anAnswerTooLongForALineSaysSo() throws {
            let fixture = try Fixture { $0.limits.serverLineBytes = 3000 }
            fixture.server.publish(Shelf.add(Array(1...20), all: Array(1...20)))
            let client = try RawClient(fixture.client.controlPath)
            try client.send(#"{"jsonrpc":"2.0","id":1,"method":"getItems"}"# + "\n")
            #expect(try client.lines(2).last?.contains("-32005") == true)
        }
    }
}
