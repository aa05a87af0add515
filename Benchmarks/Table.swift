// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import LinuxSystem
import ScanModel
import ServiceSupport

/// Rows of CPU times, printed with their ratios to the first.
struct Table {
    private var rows: [(name: String, milliseconds: Double, worst: Double, note: String)] = []

    /// Runs `body` over all inputs and keeps the median and the worst time.
    mutating func measure<Input>(_ name: String, over inputs: [Input], _ body: (Input) throws -> Void) rethrows {
        var times: [Double] = []
        for input in inputs {
            let start = processCPUTime()
            try body(input)
            times.append((processCPUTime() - start).inSeconds * 1000)
        }
        times.sort()
        rows.append((name, times.isEmpty ? 0 : times[times.count / 2], times.last ?? 0, ""))
    }

    /// Says something about the newest row.
    mutating func note(_ text: String) { if let last = rows.indices.last { rows[last].note = text } }

    func print() {
        let unit = rows.first?.milliseconds ?? 1
        var text = Table.line("CPU ms of one thread", "median", "worst", "x " + (rows.first?.name ?? ""), "")
        for row in rows {
            text += Table.line(
                row.name, Table.number(row.milliseconds), Table.number(row.worst),
                Table.number(row.milliseconds / unit), row.note)
        }
        StandardOutput(logger: Logger(program: "benchmarks", threshold: .error)).print(text)
    }

    private static func line(_ name: String, _ median: String, _ worst: String, _ ratio: String, _ note: String)
        -> String
    {
        func right(_ text: String, _ width: Int) -> String {
            String(repeating: " ", count: max(1, width - text.count)) + text
        }
        let name = name + String(repeating: " ", count: max(1, 30 - name.count))
        return name + right(median, 9) + right(worst, 9) + right(ratio, 16) + (note.isEmpty ? "" : "   \(note)") + "\n"
    }

    private static func number(_ value: Double) -> String {
        let thousandths = Int((value * 1000).rounded())
        let fraction = String(thousandths % 1000)
        return "\(thousandths / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
    }
}
