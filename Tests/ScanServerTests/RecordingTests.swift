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

/// A recording that a test reads on a thread of its own, as its first answer comes with the first frame.
private final class Reading: Sendable {
    struct State {
        var started: Wire.RecordingStarted?
        var frames: [(Wire.RecordedFrame, [UInt8])] = []
        var ended: Wire.RecordingEnded?
        var failure: ClientError?
        var isOver: Bool { ended != nil || failure != nil }
    }

    private let state = Monitor(State())

    init(_ client: ScanClient, _ request: Wire.RecordingRequest = .init()) {
        _ = NamedThread("recorder") { [state] in
            do throws(ClientError) {
                let reader = try client.recording(request)
                state.signal { $0.started = reader.started }
                while true {
                    switch try reader.next(until: .now + .seconds(20)) {
                    case .frame(let frame, let bytes): state.signal { $0.frames.append((frame, bytes)) }
                    case .ended(let ended):
                        state.signal { $0.ended = ended }
                        return
                    case .cancelled: return
                    }
                }
            } catch {
                state.signal { $0.failure = error }
            }
        }
    }

    func wait(_ condition: @escaping (State) -> Bool) -> State? {
        state.wait(until: .now + .seconds(20)) { condition($0) ? $0 : nil }
    }

    func waitForEnd() throws -> State { try #require(wait(\.isOver)) }
}

extension ServerTests {
    @Suite struct Recordings {
        private func waitForRecordings(_ count: Int, _ fixture: Fixture) throws -> Bool {
            let control = try fixture.client.control()
            let deadline = MonotonicTime.now + .seconds(10)
            while try control.status().recordings != count {
                if MonotonicTime.now > deadline { return false }
                usleep(2000)
            }
            return true
        }

        @Test func framesComeByteForByteUpToTheLimit() throws {
            let camera = PlayedCamera()
            let fixture = try Fixture(frames: camera)
            let reading = Reading(fixture.client, .init(frames: 3))
            #expect(camera.waitForObserver())
            for number in 5...9 { camera.give(number, size: 3000 + number) }
            let state = try reading.waitForEnd()
            #expect(
                state.started?.format == "MJPG" && state.started?.width == 640 && state.started?.bytesPerLine == 0)
            #expect(state.started?.capture?.name == "Played Camera")
            #expect(state.frames.map(\.0.sequence) == [5, 6, 7])
            for (frame, bytes) in state.frames {
                let isWhole = bytes == PlayedCamera.bytes(Int(frame.sequence), size: 3000 + Int(frame.sequence))
                #expect(isWhole && frame.byteCount == bytes.count && frame.dropped == 0)
            }
            #expect(state.ended == .init(frames: 3, dropped: 0, reason: "frames"))
            // Nobody wants frames any more, and the connection is closed.
            #expect(camera.waitForObserver(false))
            #expect(fixture.waitUntil { $0.clients == 0 })
            #expect(fixture.logged("recordFrames by uid").count == 2)
        }

        @Test func itEndsByBytesAndBySecondsAlsoWithoutAFrame() throws {
            let camera = PlayedCamera()
            let fixture = try Fixture(frames: camera)
            let bytes = Reading(fixture.client, .init(bytes: 2500))
            #expect(camera.waitForObserver())
            for number in 0...3 { camera.give(number) }
            #expect(try bytes.waitForEnd().ended == .init(frames: 2, dropped: 0, reason: "bytes"))

            #expect(camera.waitForObserver(false))
            let seconds = Reading(fixture.client, .init(seconds: 0.2))
            #expect(camera.waitForObserver())
            camera.give(0)
            #expect(try seconds.waitForEnd().ended == .init(frames: 1, dropped: 0, reason: "seconds"))
        }

        @Test func aSlowRecorderMissesFramesAndNobodyElseDoes() throws {
            let camera = PlayedCamera()
            let fixture = try Fixture(frames: camera) { $0.limits.queuedBytesPerRecording = 1 << 20 }
            let stuck = try RawClient(fixture.client.controlPath)
            try stuck.send(#"{"jsonrpc":"2.0","id":1,"method":"recordFrames"}"# + "\n")
            #expect(camera.waitForObserver())
            let quick = Reading(fixture.client)
            #expect(try waitForRecordings(2, fixture))
            let events = try fixture.client.eventReader()
            _ = try events.expectSnapshotAfterHello()
            let size = 100_000
            var slowest = Duration.zero
            for number in 0..<40 {
                let start = MonotonicTime.now
                camera.give(number, size: size)
                slowest = max(slowest, MonotonicTime.now - start)
                // The quick one has it before the next comes, and events come as ever.
                try #require(quick.wait { $0.frames.count > number || $0.isOver }?.isOver == false)
                fixture.server.publish(Shelf.update([1], frame: number))
                try #require(try events.expectNext().sequence == UInt64(number + 1))
            }
            #expect(slowest < .seconds(2))
            let status = try fixture.client.query().status()
            #expect(status.slowClientsDropped == 0 && status.recordings == 2)
            // A MiB waits for it, and its socket holds some 200 KiB.
            #expect(status.framesNotRecorded > 20 && status.framesNotRecorded < 35)
            #expect(status.queuedBytes < 1 << 20)

            // It gets what was kept for it, the count of what was not, and the end.
            camera.end(.unavailable, "cameraLost: unplugged")
            let ended = try quick.waitForEnd()
            #expect(ended.frames.count == 40 && ended.frames.allSatisfy { $0.0.dropped == 0 })
            #expect(ended.ended?.message == "cameraLost: unplugged")
            while try stuck.read() {}
            let (frames, end) = try RecordedBytes.parse(stuck.received)
            #expect(end?.frames == frames.count && end?.dropped == 40 - frames.count && end?.reason == "unavailable")
            #expect(end?.dropped == Int(status.framesNotRecorded))
            #expect(frames.allSatisfy { $0.1 == PlayedCamera.bytes(Int($0.0.sequence), size: size) })
        }

        @Test func twoMayRecordAtATime() throws {
            let camera = PlayedCamera()
            let fixture = try Fixture(frames: camera)
            let first = Reading(fixture.client)
            let second = Reading(fixture.client, .init(frames: 2))
            #expect(try waitForRecordings(2, fixture))
            guard case .failed(let refusal) = try Reading(fixture.client).waitForEnd().failure else {
                Issue.record("a third one was taken")
                return
            }
            #expect(refusal.code == -32006 && refusal.message.contains("no more than 2"))
            for number in 0..<3 { camera.give(number) }
            #expect(try second.waitForEnd().frames.count == 2)
            #expect(first.wait { $0.frames.count == 3 } != nil)
            // There is room again.
            let third = Reading(fixture.client, .init(frames: 1))
            #expect(try waitForRecordings(2, fixture))
            camera.give(3)
            #expect(try third.waitForEnd().ended?.reason == "frames")
        }

        @Test func aClientThatVanishesInAFrameLeavesNothingBehind() throws {
            let camera = PlayedCamera()
            let fixture = try Fixture(frames: camera)
            do {
                let client = try RawClient(fixture.client.controlPath)
                try client.send(#"{"jsonrpc":"2.0","id":1,"method":"recordFrames"}"# + "\n")
                #expect(camera.waitForObserver())
                // More than its socket takes, so that it is cut in the middle of a frame.
                for number in 0..<4 { camera.give(number, size: 500_000) }
                #expect(try client.read(atMost: 700_000))
            }
            #expect(camera.waitForObserver(false))
            #expect(fixture.waitUntil { $0.clients == 0 && $0.queuedBytes == 0 })
            camera.give(9)
            let again = Reading(fixture.client, .init(frames: 1))
            #expect(camera.waitForObserver())
            camera.give(10)
            #expect(try again.waitForEnd().frames.map(\.0.sequence) == [10])
        }

        @Test func oneThatOnlyEndsItsOwnWordsGoesOn() throws {
            let camera = PlayedCamera()
            let fixture = try Fixture(frames: camera)
            let client = try RawClient(fixture.client.controlPath)
            try client.send(#"{"jsonrpc":"2.0","id":1,"method":"recordFrames","params":{"frames":2}}"# + "\n")
            client.endOutput()
            #expect(camera.waitForObserver())
            for number in 0..<2 { camera.give(number) }
            while try client.read() {}
            let (frames, end) = try RecordedBytes.parse(client.received)
            #expect(frames.count == 2 && end?.reason == "frames")
        }

        @Test func requestsAreAnsweredBetweenTheFrames() throws {
            let camera = PlayedCamera()
            let fixture = try Fixture(frames: camera)
            let client = try RawClient(fixture.client.controlPath)
            try client.send(#"{"jsonrpc":"2.0","id":1,"method":"recordFrames","params":{"frames":2}}"# + "\n")
            #expect(camera.waitForObserver())
            camera.give(0)
            try client.send(#"{"jsonrpc":"2.0","id":2,"method":"supportedSymbologies"}"# + "\n")
            try client.send(#"{"jsonrpc":"2.0","id":3,"method":"recordFrames"}"# + "\n")
            while !String(decoding: client.received, as: UTF8.self).contains(#""id":3"#), try client.read() {}
            camera.give(1)
            while try client.read() {}
            let (frames, end) = try RecordedBytes.parse(client.received)
            #expect(frames.count == 2 && end?.frames == 2)
            let text = String(decoding: client.received, as: UTF8.self)
            #expect(text.contains(#""id":2,"jsonrpc":"2.0","result":["EAN13","QR"]"#))
            #expect(text.contains("this connection records already"))
        }

        @Test(arguments: [
            (RequestFailure("the source is a replay"), -32003),
            (RequestFailure("cameraBusy", isTemporary: true), -32006),
        ])
        func aCameraThatIsNoneIsSaidInWords(failure: RequestFailure, code: Int) throws {
            let fixture = try Fixture(frames: PlayedCamera(failure: failure))
            guard case .failed(let error) = try Reading(fixture.client).waitForEnd().failure else {
                Issue.record("no error")
                return
            }
            #expect(error == ResponseError(code: code, message: failure.message))
            #expect(try waitForRecordings(0, fixture))
        }

        @Test func aServerWithoutACameraSaysSoAndEventsSockDoesNotGivePictures() throws {
            let fixture = try Fixture()
            guard case .failed(let none) = try Reading(fixture.client).waitForEnd().failure else {
                Issue.record("no error")
                return
            }
            #expect(none.message.contains("no camera"))
            let client = try RawClient(fixture.client.eventsPath)
            try client.send(#"{"jsonrpc":"2.0","id":1,"method":"recordFrames"}"# + "\n")
            let answer = try #require(try client.lines(3).last)
            #expect(answer.contains("-32002") && answer.contains("gives pictures away"))
        }

        @Test func aFirstFrameThatDoesNotComeIsSaid() throws {
            let camera = PlayedCamera()
            let fixture = try Fixture(frames: camera) { $0.firstFramePatience = .milliseconds(100) }
            guard case .failed(let error) = try Reading(fixture.client).waitForEnd().failure else {
                Issue.record("no error")
                return
            }
            #expect(error.isTemporary && error.message.contains("no frame came within 0.1 s"))
            #expect(camera.waitForObserver(false))
            // So is a loss before it.
            let reading = Reading(fixture.client)
            #expect(camera.waitForObserver())
            camera.end(.unavailable, "cameraLost: unplugged")
            guard case .failed(let lost) = try reading.waitForEnd().failure else {
                Issue.record("no error")
                return
            }
            #expect(lost.isTemporary && lost.message == "cameraLost: unplugged")
        }

        @Test func anotherFormatIsAnEnd() throws {
            let camera = PlayedCamera()
            let fixture = try Fixture(frames: camera)
            let reading = Reading(fixture.client)
            #expect(camera.waitForObserver())
            camera.give(0)
            camera.give(1, width: 320)
            let expected = Wire.RecordingEnded(
                frames: 1, dropped: 0, reason: "formatChanged", message: "640x480 MJPG to 320x480 MJPG")
            #expect(try reading.waitForEnd().ended == expected)
        }

        @Test func aFrameThatCanNeverWaitIsRefused() throws {
            let camera = PlayedCamera()
            let fixture = try Fixture(frames: camera) { $0.limits.queuedBytesPerRecording = 10_000 }
            let reading = Reading(fixture.client)
            #expect(camera.waitForObserver())
            camera.give(0, size: 10_000)
            guard case .failed(let error) = try reading.waitForEnd().failure else {
                Issue.record("no error")
                return
            }
            #expect(error.code == -32003 && error.message.contains("10000"))
        }

        @Test func theServersEndIsTold() throws {
            let camera = PlayedCamera()
            let fixture = try Fixture(frames: camera)
            let reading = Reading(fixture.client)
            #expect(camera.waitForObserver())
            camera.give(0)
            #expect(reading.wait { $0.frames.count == 1 } != nil)
            fixture.server.finish(within: .seconds(5))
            #expect(try reading.waitForEnd().ended?.reason == "stopped")
            #expect(!camera.isObserved)
        }

        @Test func aCancelledReaderStops() throws {
            let camera = PlayedCamera()
            let fixture = try Fixture(frames: camera)
            let cancellation = try EventDescriptor()
            let steps = Monitor([String]())
            let client = fixture.client
            let thread = NamedThread("recorder") {
                guard let reader = try? client.recording(.init(), cancellation: cancellation) else { return }
                while let step = try? reader.next() {
                    steps.signal { $0.append("\(step)") }
                    if case .cancelled = step { return }
                }
            }
            #expect(camera.waitForObserver())
            camera.give(0)
            #expect(steps.wait(until: .now + .seconds(10)) { $0.isEmpty ? nil : true } == true)
            cancellation.signal()
            thread.join()
            #expect(steps.withLock { $0.count == 2 && $0[1] == "cancelled" })
            #expect(camera.waitForObserver(false))
        }
    }
}

/// What came on a recording's connection, taken apart byte by byte.
private enum RecordedBytes {
    static func parse(_ bytes: [UInt8]) throws -> (frames: [(Wire.RecordedFrame, [UInt8])], Wire.RecordingEnded?) {
        var frames: [(Wire.RecordedFrame, [UInt8])] = []
        var ended: Wire.RecordingEnded?
        var rest = bytes[...]
        while let end = rest.firstIndex(of: 0x0A) {
            let line = rest[..<end]
            rest = rest[(end + 1)...]
            switch try ServerMessage(parsing: line) {
            case .frame(let frame):
                try #require(rest.count > frame.byteCount)
                frames.append((frame, Array(rest.prefix(frame.byteCount))))
                try #require(rest[rest.startIndex + frame.byteCount] == 0x0A)
                rest = rest.dropFirst(frame.byteCount + 1)
            case .recordingEnded(let end): ended = end
            default: continue
            }
        }
        try #require(rest.isEmpty)
        return (frames, ended)
    }
}
