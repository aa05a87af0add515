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

/// Everything here blocks the thread that it runs on, so one test runs at a time.
@Suite(.serialized, .timeLimit(.minutes(2))) enum ServerTests {}

/// A handler that counts.
final class CountingHandler: ScanRequestHandler {
    let calls = Monitor([String]())
    let failure: RequestFailure?

    init(failure: RequestFailure? = nil) { self.failure = failure }

    func status() -> StatusReport {
        var report = StatusReport()
        report.version = "9.9"
        report.pid = getpid()
        return report
    }

    private func note(_ call: String) -> Result<Void, RequestFailure> {
        calls.signal { $0.append(call) }
        return failure.map { .failure($0) } ?? .success(())
    }

    func startScanning() -> Result<Void, RequestFailure> { note("start") }
    func stopScanning() -> Result<Void, RequestFailure> { note("stop") }
    var symbologyEngines: [Wire.SymbologyEngines] {
        [.init(symbology: "EAN13", engines: ["ZBar", "zxing-cpp"]), .init(symbology: "QR", engines: ["zxing-cpp"])]
    }
    var supportedTextRecognitionLanguages: [String] { ["eng", "kor"] }
}

/// A running server in a directory of its own.
final class Fixture {
    let directory: TemporaryDirectory
    let server: ScanServer
    let handler: CountingHandler
    let log = Monitor([String]())
    let client: ScanClient

    init(
        in directory: TemporaryDirectory? = nil, handler: CountingHandler = CountingHandler(),
        frames: (any FrameProvider)? = nil, _ change: (inout ServerConfiguration) -> Void = { _ in }
    ) throws {
        self.directory = try directory ?? TemporaryDirectory()
        self.handler = handler
        var configuration = ServerConfiguration(
            directory: self.directory.path, camera: "shelf", version: "1.2.3", session: "session-1")
        configuration.finishPatience = .milliseconds(500)
        change(&configuration)
        client = ScanClient(directory: self.directory.path)
        server = try ScanServer(configuration: configuration, handler: handler, frames: frames) { [log] _, message in
            log.signal { $0.append(message) }
        }
        try server.start()
    }

    deinit { server.finish(within: .milliseconds(200)) }

    /// Waits until the statistics say so.
    func waitUntil(within limit: Duration = .seconds(10), _ condition: (ServerStatistics) -> Bool) -> Bool {
        let deadline = MonotonicTime.now + limit
        while !condition(server.statistics) {
            if MonotonicTime.now >= deadline { return false }
            usleep(2000)
        }
        return true
    }

    /// Logged lines that contain a text.
    func logged(_ text: String) -> [String] { log.withLock { $0.filter { $0.contains(text) } } }
}

/// A client that sends and takes bytes as it is told.
final class RawClient {
    let descriptor: OwnedDescriptor
    private(set) var received: [UInt8] = []

    init(_ path: String) throws { descriptor = try UnixSocket.connect(path: path) }

    func send(_ text: String) throws {
        let bytes = Array(text.utf8)
        var sent = 0
        while sent < bytes.count {
            sent +=
                try bytes.withUnsafeBytes {
                    try UnixSocket.send(
                        UnsafeRawBufferPointer(rebasing: $0[sent...]), to: descriptor.raw, waiting: true)
                } ?? 0
        }
    }

    /// Reads at most so many bytes; false at the end or when nothing comes for 5 s.
    func read(atMost count: Int = 1 << 16) throws -> Bool {
        let ready = try pollDescriptors([(descriptor.raw, .readable)], until: .now + .seconds(5))
        guard !ready[0].isEmpty else { return false }
        var buffer = [UInt8](repeating: 0, count: count)
        do {
            guard
                let got = try buffer.withUnsafeMutableBytes({ try UnixSocket.receive(into: $0, from: descriptor.raw) }),
                got > 0
            else { return false }
            received += buffer[..<got]
            return true
        } catch let error as SystemError where error.code == ECONNRESET {
            return false
        }
    }

    /// All whole lines up to the end of the connection, or until there are so many.
    func lines(_ wanted: Int = .max) throws -> [String] {
        while received.count(where: { $0 == 0x0A }) < wanted, try read() {}
        return received.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
    }

    func endOutput() { shutdown(descriptor.raw, Int32(SHUT_WR)) }
}

enum Shelf {
    static func item(_ number: Int, text: String = "LOT") -> RecognizedItem {
        let rect = Rect(x: 0.25, y: 0.5, width: 0.25, height: 0.125)
        let time = WallTime(milliseconds: 1_796_030_796_087)
        if number.isMultiple(of: 2) {
            return .text(
                .init(
                    id: id(number), bounds: Quad(rect), transcript: "\(text) \(number)", languages: ["eng"],
                    confidence: 0.9, firstSeen: time, lastSeen: time))
        }
        return .barcode(
            .init(
                id: id(number), bounds: Quad(rect), symbology: .ean13,
                payload: Payload(bytes: Array("4006381333931".utf8)), symbologyIdentifier: "]E0",
                gtin: "04006381333931", confidence: 0.98, firstSeen: time, lastSeen: time))
    }

    static func id(_ number: Int) -> ItemID { ItemID(high: 7 << 12, low: 1 << 63 | UInt64(number)) }

    static func frame(_ number: Int) -> FrameStamp {
        FrameStamp(
            sequence: UInt64(number), monotonic: MonotonicTime(nanoseconds: Int64(number) * 33_000_000),
            time: WallTime(milliseconds: 1_796_030_796_087 + Int64(number) * 33))
    }

    static func add(_ numbers: [Int], all: [Int], frame number: Int = 0, text: String = "LOT") -> ScanEvent {
        .didAdd(numbers.map { item($0, text: text) }, allItems: all.map(id), frame: frame(number))
    }

    static func update(_ numbers: [Int], frame number: Int, text: String = "LOT") -> ScanEvent {
        .didUpdate(numbers.map { item($0, text: text) }, allItems: nil, frame: frame(number))
    }

    static func remove(_ numbers: [Int], all: [Int], frame number: Int) -> ScanEvent {
        .didRemove(
            numbers.map { RemovedItem(item: item($0), reason: .gone) }, allItems: all.map(id), frame: frame(number))
    }
}

extension ServerMessage {
    var sequence: UInt64? {
        switch self {
        case .hello(let hello): hello.sequence
        case .snapshot(let snapshot): snapshot.sequence
        case .didAdd(let change), .didUpdate(let change), .didRemove(let change): change.sequence
        case .becameUnavailable(let reason): reason.sequence
        case .guidance(let change): change.sequence
        case .becameAvailable(let moment), .heartbeat(let moment): moment.sequence
        case .response, .frame, .recordingEnded, .other: nil
        }
    }
}

extension EventReader {
    /// The next message, which has to come within 10 s.
    func expectNext() throws -> ServerMessage { try #require(try next(until: .now + .seconds(10))) }

    func expectSnapshot() throws -> Wire.Snapshot {
        guard case .snapshot(let snapshot) = try expectNext() else { throw UnexpectedMessage() }
        return snapshot
    }

    func expectHello() throws -> Wire.Hello {
        guard case .hello(let hello) = try expectNext() else { throw UnexpectedMessage() }
        return hello
    }
}

struct UnexpectedMessage: Error {}
