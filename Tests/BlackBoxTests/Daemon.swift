// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Foundation
import LinuxSystem
import ScanModel
import ScanTestSupport

/// The built programs, beside the test bundle.
enum Programs {
    static let folder: String = {
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        // XCTest's runner on Linux is the bundle itself, in the folder of the products.
        return (own as NSString).deletingLastPathComponent
    }()
    static var datascand: String { folder + "/datascand" }
    static var datascan: String { folder + "/datascan" }
}

/// How a program that ran to its end did.
struct Finished {
    let status: Int32
    let output: String
    let errors: String
}

/// Runs a shell's line to its end, for what only a shell can set up: descriptors that are closed, `/dev/full`.
func shell(_ line: String, limit: Double = 60) throws -> Finished { try run("/bin/sh", ["-c", line], limit: limit) }

/// Runs a program to its end, at most `limit` seconds; -1 as status when it had to be killed.
func run(_ program: String, _ arguments: [String], input: [UInt8]? = nil, limit: Double = 120) throws -> Finished {
    let folder = try TemporaryDirectory()
    func file(_ name: String) throws -> OwnedDescriptor {
        let path = folder.path + "/" + name
        let raw = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        if raw < 0 { throw SystemError.last("open", path) }
        return OwnedDescriptor(owning: raw)
    }
    let output = try file("out")
    let errors = try file("err")
    let stdin = try file("in")
    if let input { _ = input.withUnsafeBytes { pwrite(stdin.raw, $0.baseAddress, $0.count, 0) } }
    var child = try ChildProcess(
        executable: program, arguments: arguments, environment: testEnvironment,
        descriptors: [0: stdin.raw, 1: output.raw, 2: errors.raw])
    let status = try end(of: &child, within: limit)
    func text(_ name: String) -> String {
        String(decoding: FileManager.default.contents(atPath: folder.path + "/" + name) ?? Data(), as: UTF8.self)
    }
    return Finished(status: status, output: text("out"), errors: text("err"))
}

/// The environment of the programs under test: the sanitizers' settings come through, nothing else.
let testEnvironment: [String] = {
    let kept = ["PATH", "ASAN_OPTIONS", "TSAN_OPTIONS", "LSAN_OPTIONS", "LD_LIBRARY_PATH"]
    return kept.compactMap { name in ProcessInfo.processInfo.environment[name].map { "\(name)=\($0)" } }
}()

private func end(of child: inout ChildProcess, within seconds: Double) throws -> Int32 {
    let ready = try pollDescriptors([(child.endDescriptor, .readable)], until: .now + .seconds(seconds))
    if ready[0].isEmpty {
        child.kill()
        _ = child.wait()
        return -1
    }
    switch child.wait() {
    case .exited(let status): return status
    case .killed(let signal): return -signal
    }
}

/// A running `datascand` with its sockets in a folder of its own.
///
/// Confined to one test; it is killed when the test forgets it.
final class Daemon {
    let folder: TemporaryDirectory
    private var child: ChildProcess
    var pid: Int32 { child.pid }
    var eventsPath: String { folder.path + "/events.sock" }
    var controlPath: String { folder.path + "/control.sock" }

    /// Starts it and waits until both sockets are there.
    init(_ arguments: [String], in folder: TemporaryDirectory? = nil, input: Int32? = nil) throws {
        let folder = try folder ?? TemporaryDirectory()
        self.folder = folder
        let log = open(folder.path + "/log", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        if log < 0 { throw SystemError.last("open", folder.path + "/log") }
        let errors = OwnedDescriptor(owning: log)
        var descriptors: [Int32: Int32] = [2: errors.raw]
        if let input { descriptors[0] = input }
        child = try ChildProcess(
            executable: Programs.datascand, arguments: arguments + ["--socket-dir", folder.path],
            environment: testEnvironment, descriptors: descriptors)
        let limit = MonotonicTime.now + .seconds(20)
        // A socket that a dead process left is a file as well: only a connection tells.
        while (try? UnixSocket.connect(path: controlPath)) == nil || (try? UnixSocket.connect(path: eventsPath)) == nil
        {
            if case .ended = child.condition() { throw DaemonError("datascand ended at its start: \(self.log)") }
            if MonotonicTime.now > limit { throw DaemonError("no sockets within 20 s: \(self.log)") }
            usleep(5000)
        }
    }

    /// What it logged so far.
    var log: String {
        String(decoding: FileManager.default.contents(atPath: folder.path + "/log") ?? Data(), as: UTF8.self)
    }

    var isRunning: Bool { child.condition() == .running }

    func send(_ signal: Int32) { kill(pid, signal) }

    /// Waits for its end; -1 when it had to be killed.
    func wait(within seconds: Double = 60) throws -> Int32 { try end(of: &child, within: seconds) }

    /// The answer's `result` to one request on the control socket.
    func request(_ method: String, socket: String? = nil) throws -> [String: Any] {
        let answer = try exchange("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\(method)\"}", socket: socket)
        guard let result = answer["result"] as? [String: Any] else { throw DaemonError("no result: \(answer)") }
        return result
    }

    /// The whole answer to one line on the control socket.
    func exchange(_ line: String, socket: String? = nil) throws -> [String: Any] {
        let subscriber = try Subscriber(path: socket ?? controlPath)
        try subscriber.send(line + "\n")
        guard let answer = subscriber.waitForMessage(within: 10, where: { $0["result"] != nil || $0["error"] != nil })
        else { throw DaemonError("no answer to \(line)") }
        return answer
    }

    func status() throws -> [String: Any] { try request("getStatus") }

    /// Waits until the status fits.
    func waitForStatus(within seconds: Double, _ fits: ([String: Any]) -> Bool) throws -> [String: Any] {
        let limit = MonotonicTime.now + .seconds(seconds)
        while true {
            let status = try status()
            if fits(status) { return status }
            if MonotonicTime.now > limit { throw DaemonError("the status did not come about: \(status)") }
            usleep(20_000)
        }
    }
}

struct DaemonError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// A client that keeps every line it gets.
final class Subscriber: Sendable {
    private struct State {
        var lines: [String] = []
        var ended = false
    }

    private let state = Monitor(State())
    private let descriptor: OwnedDescriptor

    init(path: String, reads: Bool = true) throws {
        descriptor = try UnixSocket.connect(path: path)
        if reads { startReading() }
    }

    deinit { shutdown(descriptor.raw, Int32(SHUT_RDWR)) }

    private func startReading() {
        let copy = dup(descriptor.raw)
        let state = state
        _ = NamedThread("subscriber") {
            let socket = OwnedDescriptor(owning: copy)
            var pending: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while let count = try? buffer.withUnsafeMutableBytes({ try socket.read(into: $0) }), count > 0 {
                pending += buffer[..<count]
                while let end = pending.firstIndex(of: 10) {
                    let line = String(decoding: pending[..<end], as: UTF8.self)
                    pending.removeSubrange(...end)
                    state.signal { $0.lines.append(line) }
                }
            }
            state.signal { $0.ended = true }
        }
    }

    func send(_ text: String) throws {
        _ = try Array(text.utf8).withUnsafeBytes { try UnixSocket.send($0, to: descriptor.raw, waiting: true) }
    }

    var lines: [String] { state.withLock { $0.lines } }
    var hasEnded: Bool { state.withLock { $0.ended } }
    var messages: [[String: Any]] { lines.map(Subscriber.parse) }

    /// Waits for the end of the stream; false when it did not come.
    func waitForEnd(within seconds: Double) -> Bool {
        state.wait(until: .now + .seconds(seconds)) { $0.ended ? true : nil } ?? false
    }

    /// The first message that fits, waiting for it.
    func waitForMessage(within seconds: Double, where fits: ([String: Any]) -> Bool) -> [String: Any]? {
        let limit = MonotonicTime.now + .seconds(seconds)
        var seen = 0
        while true {
            let fresh = state.wait(until: limit) { state -> ArraySlice<String>? in
                state.lines.count > seen ? state.lines[seen...] : state.ended ? [] : nil
            }
            guard let fresh, !fresh.isEmpty else { return nil }
            seen += fresh.count
            for line in fresh {
                let message = Subscriber.parse(line)
                if fits(message) { return message }
            }
        }
    }

    /// The items of all messages of one method, in order.
    func items(of method: String) -> [[String: Any]] {
        messages.filter { $0["method"] as? String == method }.flatMap {
            ($0["params"] as? [String: Any])?["items"] as? [[String: Any]] ?? []
        }
    }

    /// The bytes of every barcode that was announced.
    var announcedPayloads: [[UInt8]] {
        items(of: "didAdd").compactMap { item in
            guard let text = (item["payload"] as? [String: Any])?["base64"] as? String else { return nil }
            return Data(base64Encoded: text).map(Array.init)
        }
    }

    static func parse(_ line: String) -> [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any] ?? [:]
    }
}

/// The folder of the package, and what may lie beside it.
enum Repository {
    static let root: String = {
        var path = #filePath as NSString
        for _ in 0..<3 { path = path.deletingLastPathComponent as NSString }
        return path as String
    }()
    static var shared: String? {
        let path = root + "/../shared"
        return FileManager.default.fileExists(atPath: path + "/data") ? path : nil
    }
}
