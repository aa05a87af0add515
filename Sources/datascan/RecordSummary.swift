// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Capture
import Configuration
import ScanModel
import ScanProtocol

/// What a recording came to, in its last line.
struct RecordSummary {
    private let writer: RecordingWriter
    private let conclusion: RecordConclusion

    init(_ writer: RecordingWriter, _ conclusion: RecordConclusion) {
        self.writer = writer
        self.conclusion = conclusion
    }

    func text(_ format: OutputFormat) -> String {
        format == .json ? String(decoding: json.encoded, as: UTF8.self) + "\n" : words
    }

    /// Such as `1800 frames, 60.0 s, 85.2 MiB, 0 dropped: shelf.mjpeg (60 s are over)`.
    private var words: String {
        let tally = writer.tally
        var parts = [
            "\(tally.frames) frames", "\(tally.duration.inTenths) s", "\(tenths(Double(tally.bytes) / 0x100000)) MiB",
            "\(conclusion.dropped) dropped",
        ]
        if let lost = conclusion.lostByDriver { parts.append("\(lost) lost by the driver") }
        if tally.damaged > 0 { parts.append("\(tally.damaged) damaged") }
        let path = ItemLine.printable(writer.destination.path)
        return parts.joined(separator: ", ") + ": \(path) (ended: \(conclusion.code))\n"
    }

    private var json: JSONValue {
        let tally = writer.tally
        var members: [String: JSONValue] = [
            "frames": .integer(Int64(tally.frames)), "seconds": .number(tally.duration.inTenths),
            "bytes": .integer(Int64(tally.bytes)), "dropped": .integer(Int64(conclusion.dropped)),
            "damaged": .integer(Int64(tally.damaged)), "path": .string(writer.destination.path),
            "ended": .string(conclusion.code),
        ]
        if let lost = conclusion.lostByDriver { members["lostByDriver"] = .integer(Int64(clamping: lost)) }
        if let message = conclusion.message { members["message"] = .string(message) }
        return .object(members)
    }
}

func tenths(_ value: Double) -> Double { (value * 10).rounded() / 10 }

extension Duration {
    var inTenths: Double { tenths(inSeconds) }
}
