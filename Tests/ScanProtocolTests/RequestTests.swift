// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanModel
import ScanProtocol
import Testing

@Suite struct RequestTests {
    static let refused: [(line: String, code: Int, says: String)] = [
        ("", -32700, "not valid JSON"),
        ("hello", -32700, "not valid JSON"),
        (#"{"jsonrpc":"2.0","#, -32700, "ends inside an array or object at byte 17"),
        (#"{"jsonrpc":"2.0" "method":"getItems"}"#, -32700, "not valid JSON"),
        (#"{"jsonrpc":"2.0","id":"\ud800"}"#, -32700, "not valid JSON"),
        (#"{"jsonrpc":"2.0","id":"\udc00\ud800"}"#, -32700, "not valid JSON"),
        (#"{"jsonrpc":"2.0","method":"\x"}"#, -32700, "not valid JSON"),
        (#"{"jsonrpc":"2.0","method":"\ud800\u0041"}"#, -32700, "not valid JSON"),
        (#"{"jsonrpc":"2.0,"method":"getItems","id":"#, -32700, "string is not closed at byte 39"),
        (#"{"a":"\"}"#, -32700, "string is not closed at byte 5"),
        ("{\"a\":\"\u{1}\"}", -32700, "control character that is not escaped at byte 6"),
        ("{\"a\":\"\t\"}", -32700, "control character that is not escaped at byte 6"),
        ("\u{0}", -32700, "control character that is not escaped at byte 0"),
        ("{\u{0}}\u{0}", -32700, "control character that is not escaped at byte 1"),
        (#"{"a":1} {}"#, -32700, "not valid JSON"),
        (#"{"a":tru}"#, -32700, "not valid JSON"),
        (#"{"a":[1}}"#, -32700, "not valid JSON"),
        ("]", -32700, "not valid JSON"),
        (String(repeating: "[", count: 100_000), -32700, "nested deeper than 64 levels at byte 64"),
        (String(repeating: #"{"a":"#, count: 100_000), -32700, "nested deeper than 64 levels"),
        (String(repeating: "]", count: 200) + String(repeating: "[", count: 200), -32700, "not valid JSON"),
        ("[]", -32600, "one a line"),
        ("3", -32600, "is an object"),
        (#"{"method":"getItems","id":1}"#, -32600, "jsonrpc"),
        (#"{"jsonrpc":"1.0","method":"getItems","id":1}"#, -32600, "jsonrpc"),
        (#"{"jsonrpc":2.0,"method":"getItems","id":1}"#, -32600, "jsonrpc"),
        (#"{"jsonrpc":"2.0","id":1}"#, -32600, "method"),
        (#"{"jsonrpc":"2.0","method":7,"id":1}"#, -32600, "method"),
        (#"{"jsonrpc":"2.0","method":"getItems","id":{}}"#, -32600, "id: a string of at most"),
        (#"{"jsonrpc":"2.0","method":"getItems","id":null}"#, -32600, "id: a string of at most"),
        (#"{"jsonrpc":"2.0","method":"getItems","id":1.5}"#, -32600, "or a whole number"),
        (#"{"jsonrpc":"2.0","method":"getItems","id":1e400}"#, -32600, "or a whole number"),
        (#"{"jsonrpc":"2.0","method":"getItems","id":9223372036854775808}"#, -32600, "or a whole number"),
        (#"{"jsonrpc":"2.0","method":"getItems","id":"\#(String(repeating: "x", count: 257))"}"#, -32600, "256 bytes"),
        (#"{"jsonrpc":"2.0","method":"getitems","id":1}"#, -32601, "getItems, getStatus, recordFrames, startScanning"),
        (#"{"jsonrpc":"2.0","method":"getItems","id":1,"params":7}"#, -32602, "an object is expected"),
        (#"{"jsonrpc":"2.0","method":"getItems","id":1,"params":[7]}"#, -32602, "positional"),
        (
            #"{"jsonrpc":"2.0","method":"recordFrames","id":1,"params":{"seconds":0}}"#, -32602,
            "params.seconds: a number"
        ),
        (#"{"jsonrpc":"2.0","method":"recordFrames","id":1,"params":{"seconds":86401}}"#, -32602, "up to 86400"),
        (#"{"jsonrpc":"2.0","method":"recordFrames","id":1,"params":{"seconds":"9"}}"#, -32602, "params.seconds"),
        (#"{"jsonrpc":"2.0","method":"recordFrames","id":1,"params":{"frames":0}}"#, -32602, "params.frames: a whole"),
        (#"{"jsonrpc":"2.0","method":"recordFrames","id":1,"params":{"bytes":1.5}}"#, -32602, "params.bytes: a whole"),
        (#"{"jsonrpc":"2.0","method":"recordFrames","id":1,"params":{"bytes":null}}"#, -32602, "params.bytes"),
    ]

    @Test func aRecordingsLimitsAreReadAndHaveValuesWithoutBeingNamed() throws {
        let start = #"{"jsonrpc":"2.0","id":1,"method":"recordFrames""#
        for (params, expected) in [
            ("", Wire.RecordingRequest()), (#","params":{}"#, Wire.RecordingRequest(seconds: 60, bytes: 1 << 30)),
            (#","params":[]"#, Wire.RecordingRequest()),
            (#","params":{"seconds":0.5,"frames":3,"bytes":9,"new":1}"#, .init(seconds: 0.5, frames: 3, bytes: 9)),
        ] {
            let request = try Request(parsing: Array((start + params + "}").utf8))
            #expect(request.recording == expected)
            #expect(try Request(parsing: request.line) == request)
        }
    }

    @Test(arguments: refused) func isRefusedWithTheReason(_ line: String, code: Int, says: String) {
        do {
            _ = try Request(parsing: Array(line.utf8))
            Issue.record("accepted: \(line.prefix(80))")
        } catch {
            #expect(error.error.code == code)
            #expect(error.error.message.contains(says), "\(error.error.message)")
            // The id is given back wherever it could be read.
            #expect(error.id == (line.contains(#""id":1,"#) || line.contains(#""id":1}"#) ? .number(1) : nil))
        }
    }

    @Test func invalidUTF8IsNamed() {
        // An unfinished sequence, a surrogate half, and UTF-16 with its mark.
        for bytes: [UInt8] in [[0xC3, 0x28], [0xED, 0xA0, 0x80], [0xFF, 0xFE]] {
            do {
                _ = try Request(parsing: Array("{\"a\":\"".utf8) + bytes + Array("\"}".utf8))
                Issue.record("accepted")
            } catch {
                #expect(error.error.code == -32700 && error.error.message.contains("UTF-8 at byte 6"))
            }
        }
    }

    @Test func isUnderstood() throws {
        let plain = try Request(parsing: Array(#"{"jsonrpc":"2.0","id":"x","method":"getItems"}"#.utf8))
        #expect(plain == Request(id: .string("x"), method: .getItems))
        // Members that this version does not know are passed over; CR of a CRLF is white space.
        let roomy = try Request(
            parsing: Array(#" {"method" : "getStatus", "jsonrpc":"2.0", "new":[1], "params":{"a":1}}"#.utf8) + [0x0D])
        #expect(roomy == Request(id: nil, method: .getStatus))
        #expect(try Request(parsing: plain.line) == plain)
        let deep = String(repeating: "[", count: 63) + String(repeating: "]", count: 63)
        let inside = #"{"jsonrpc":"2.0","id":"[{\"\\","method":"stopScanning","params":[],"x":\#(deep)}"#
        #expect(try Request(parsing: Array(inside.utf8)).id == .string(#"[{"\"#))
    }

    @Test(arguments: [0, -5, 9_007_199_254_740_993, Int64.max, Int64.min])
    func wholeNumbersAsIDsComeBackExactly(_ number: Int64) throws {
        let request = try Request(parsing: Array(#"{"jsonrpc":"2.0","id":\#(number),"method":"getItems"}"#.utf8))
        #expect(request.id == .number(number))
        let answer = MessageEncoder.response(to: .number(number), result: .null)
        #expect(String(decoding: answer, as: UTF8.self) == #"{"id":\#(number),"jsonrpc":"2.0","result":null}"# + "\n")
        #expect(try ServerMessage(parsing: answer) == .response(Response(id: request.id, result: .success(.null))))
    }

    @Test func valuesComeBackAsTheyWere() throws {
        let text = #"{"a":[1,-0.5,1e-7,true,false,null,9223372036854775807],"b":"\ud83d\ude00\u00e9\b\f","c":{}}"#
        let value = try JSONLine.decode(JSONValue.self, from: Array(text.utf8))
        #expect(value["b"] == "😀é\u{8}\u{C}")
        #expect(try JSONLine.decode(JSONValue.self, from: value.encoded) == value)
        let elements: [JSONValue] = [
            .integer(1), .number(-0.5), .number(1e-7), .bool(true), .bool(false), .null, .integer(.max),
        ]
        #expect(value["a"] == .array(elements))
        #expect(value["c"] == .object([:]))
        for text in ["[1e999]", "[01]", #"["\ud800"]"#, #"{"a":["\x"]}"#, "[1,-]"] {
            #expect(throws: DecodingError.self) { try JSONLine.decode(JSONValue.self, from: Array(text.utf8)) }
        }
    }

    @Test func statusComesBackAsItWas() throws {
        var report = StatusReport()
        report.version = "0.1.0"
        report.framesDelivered = 12
        report.lastSkipped = .init(name: "a.png", reason: "truncated")
        report.regionOfInterest = [0.1, 0, 0.5, 1]
        report.regionPolygons = [[[0.1, 0], [0.6, 0], [0.3, 1]]]
        report.workerPids = [17, 18]
        report.frameRate = 29.97
        report.cpuSeconds = .nan
        let line = MessageEncoder.response(to: .number(1), result: try report.json)
        guard case .response(let response) = try ServerMessage(parsing: line) else {
            Issue.record("not a response")
            return
        }
        report.cpuSeconds = 0
        #expect(try response.result.get().decoded(as: StatusReport.self) == report)
        // What does not apply is absent.
        #expect(try report.json["textUnavailable"] == nil && report.json["sourceUnavailable"] == nil)
    }

    @Test func wrongMessagesAreNamed() throws {
        for (line, says) in [
            (#"{"method":"didAdd","params":{"items":[{}]}}"#, "params.items.[0].id is missing"),
            (#"{"method":"heartbeat"}"#, "params is missing"),
            (#"{"method":"heartbeat","params":{"sequence":"x","time":""}}"#, "params.sequence: Expected to decode"),
            (#"{"method":"heartbeat","params":{"sequence":-1,"time":""}}"#, "a number out of range"),
            (#"{"id":1,"error":{"code":"x","message":""}}"#, "error.code: Expected to decode Int"),
            ("HTTP/1.1 400 Bad Request\r\n", "not valid JSON"),
            ("7", "the message: Expected"),
            ("{}", "neither method nor result nor error"),
        ] {
            do {
                _ = try ServerMessage(parsing: Array(line.utf8))
                Issue.record("accepted: \(line)")
            } catch {
                #expect("\(error)".contains(says), "\(error)")
            }
        }
        let newer = try ServerMessage(parsing: Array(#"{"method":"didNotice","params":{}}"#.utf8))
        #expect(newer == .other(method: "didNotice"))
    }

    @Test func timesComeBackAsTheyWere() {
        for milliseconds: Int64 in [0, 951_782_399_999, 951_868_800_000, 1_796_030_796_087, 4_102_444_799_999, -1] {
            let time = WallTime(milliseconds: milliseconds)
            #expect(WallTime(rfc3339: time.rfc3339) == time)
        }
        for text in ["", "2026-11-30T09:26:36Z", "2026-13-30T09:26:36.087Z", "2026-11-30 09:26:36.087Z"] {
            #expect(WallTime(rfc3339: text) == nil)
        }
    }
}
