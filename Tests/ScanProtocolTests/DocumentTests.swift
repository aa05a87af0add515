// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Foundation
import ScanModel
import ScanProtocol
import Testing

/// `docs/protocol.md` is the reference, so its examples have to be true.
@Suite struct DocumentTests {
    private let text: String
    private let cameras: String

    init() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        text = try String(contentsOf: root.appending(path: "docs/protocol.md"), encoding: .utf8)
        cameras = try String(contentsOf: root.appending(path: "docs/cameras.md"), encoding: .utf8)
    }

    /// The lines of all blocks that are marked as JSON.
    private var examples: [String] {
        var lines: [String] = []
        var inside = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") { inside = line == "```json" } else if inside { lines.append(String(line)) }
        }
        return lines
    }

    @Test func everyMessageHasAnExampleThatParses() throws {
        var told: Set<String> = []
        var asked: Set<RequestMethod> = []
        var errors: Set<Int> = []
        for example in examples {
            let value = try JSONLine.decode(JSONValue.self, from: Array(example.utf8))
            #expect(String(decoding: value.encoded, as: UTF8.self) == example, "not as it is on the wire")
            if value["id"] != nil, value["method"] != nil {
                let request = try Request(parsing: Array(example.utf8))
                #expect(String(decoding: request.line.dropLast(), as: UTF8.self) == example)
                asked.insert(request.method)
                continue
            }
            switch try ServerMessage(parsing: Array(example.utf8)) {
            case .response(let response):
                if case .failure(let error) = response.result { errors.insert(error.code) }
            case .other(let method): Issue.record("\(method) is not known")
            case .snapshot(let snapshot): #expect(snapshot.items.allSatisfy { $0.recognizedItem != nil })
            case .didAdd(let change), .didUpdate(let change), .didRemove(let change):
                #expect(!change.items.isEmpty && change.items.allSatisfy { $0.recognizedItem != nil })
            case .hello(let hello): #expect(hello.protocolVersion == Wire.version && hello.limits == ProtocolLimits())
            case .recordingEnded(let ended): #expect(RecordingEndReason(rawValue: ended.reason) != nil)
            case .guidance(let change): #expect(Guidance(rawValue: change.guidance) != nil)
            case .becameUnavailable, .becameAvailable, .heartbeat, .frame: break
            }
            if let method = value["method"]?.string { told.insert(method) }
        }
        #expect(
            told == [
                "hello", "snapshot", "didAdd", "didUpdate", "didRemove", "becameUnavailable", "becameAvailable",
                "guidance", "heartbeat", "frame", "recordingEnded",
            ])
        #expect(asked == Set(RequestMethod.allCases))
        #expect(errors.count == 3)
    }

    @Test func allNamesAreExplained() throws {
        var report = StatusReport()
        report.lastSkipped = .init(name: "", reason: "")
        report.sourceUnavailable = .init(code: "", message: "")
        report.barcodesUnavailable = ""
        report.textUnavailable = ""
        let mode = StatusReport.Capture.Mode(width: 0, height: 0, rate: 0, format: "")
        var capture = StatusReport.Capture()
        for text in [\StatusReport.Capture.device, \.stablePath, \.name, \.bus, \.driver, \.lastStepDown, \.note] {
            capture[keyPath: text] = ""
        }
        (capture.mode, capture.newestFrameAge) = (mode, 0)
        report.capture = capture
        guard case .object(let members) = try report.json, case .object(let inner) = members["capture"] else {
            Issue.record("no object")
            return
        }
        #expect(inner.count == 19)
        for name in Array(members.keys) + Array(inner.keys) {
            #expect(text.contains("`\(name)`"), "\(name) is not explained")
        }
        for name in Symbology.allCases.map(\.rawValue) + UnavailabilityCode.allCases.map(\.rawValue)
            + RemovalReason.allCases.map(\.rawValue) + RecordingEndReason.allCases.map(\.rawValue)
        { #expect(text.contains(name), "\(name) is not named") }
        for code in [-32700, -32600, -32601, -32602, -32001, -32002, -32003, -32004, -32005, -32006] {
            #expect(text.contains("| \(code) |"), "\(code) is not explained")
        }
    }

    @Test func theCamerasPageSaysWhatEachCodeMeans() {
        for code in UnavailabilityCode.allCases {
            #expect(cameras.contains("\n| `\(code.rawValue)` |"), "\(code.rawValue) is not explained")
        }
    }

    @Test func theAnswerToARecordingIsWhole() throws {
        let example = try #require(examples.first { $0.contains(#""result":{"bytesPerLine""#) })
        guard case .response(let response) = try ServerMessage(parsing: Array(example.utf8)) else {
            Issue.record("no response")
            return
        }
        let started = try response.result.get().decoded(as: Wire.RecordingStarted.self)
        #expect(try started.json.encoded == response.result.get().encoded)
        #expect(started.format == "MJPG" && started.capture?.mode?.width == started.width)
    }

    @Test func theStatusExampleIsWhole() throws {
        let example = try #require(examples.first { $0.contains("framesDelivered") })
        guard case .response(let response) = try ServerMessage(parsing: Array(example.utf8)) else {
            Issue.record("no response")
            return
        }
        let report = try response.result.get().decoded(as: StatusReport.self)
        #expect(try report.json.encoded == response.result.get().encoded)
    }
}
