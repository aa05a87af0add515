// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Configuration
import ScanClient
import ScanProtocol
import ServiceSupport

/// `datascan status`: how the daemon is doing.
enum Status {
    static func run(_ session: Session) throws(ClientError) {
        let client = session.client
        let connection = try session.connect { () throws(ClientError) in try client.query() }
        guard session.format == .text else {
            let result = try connection.call(.getStatus)
            session.output.print(String(decoding: result.encoded, as: UTF8.self) + "\n")
            return
        }
        let status = try connection.status()
        // An older daemon does not know the request.
        let engines = try? connection.symbologyEngines()
        session.output.print(text(status) + (engines.map(reads) ?? ""))
    }

    /// What the daemon can read, by what reads it.
    private static func reads(_ symbologies: [Wire.SymbologyEngines]) -> String {
        Dictionary(grouping: symbologies) { $0.engines.joined(separator: " and ") }
            .sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
            .map { engines, named in row("reads", named.map(\.symbology).joined(separator: " ") + " (\(engines))") }
            .joined()
    }

    private static func row(_ name: String, _ text: String) -> String {
        (name + ":").padded(to: 14) + ItemLine.printable(text) + "\n"
    }

    private static func text(_ status: StatusReport) -> String {
        var rows: [(String, String)] = [
            ("datascand", "\(status.version), pid \(status.pid), up \(status.uptimeSeconds) s"),
            ("source", status.source + (status.isScanning ? "" : " (not scanning)")),
            ("looks for", status.recognizedDataTypes.joined(separator: ", ") + " (\(status.qualityLevel))"),
            (
                "frames",
                "\(status.frameWidth)x\(status.frameHeight) at \(status.frameRate)/s: \(status.framesDelivered) delivered, "
                    + "\(status.framesProcessed) processed, \(status.framesDropped) dropped, \(status.framesSkipped) skipped"
            ),
            ("looks", "\(status.barcodeLooks) at barcodes, \(status.textLooks) at text"),
            ("items", "\(status.items) in view"),
            (
                "workers",
                "\(status.workerPids.count) running, \(status.workerRestarts) restarted, \(status.lostJobs) jobs lost"
            ),
            (
                "clients",
                "\(status.subscribers) subscribed, \(status.clientsServed) served, \(status.clientsRefused) refused, "
                    + "\(status.slowClientsDropped) too slow"
            ),
            ("cost", "\(status.residentBytes >> 20) MiB, \(status.cpuSeconds) s of CPU (workers not counted)"),
        ]
        if let capture = status.capture { rows += CaptureRows.rows(capture) }
        if let reason = status.sourceUnavailable { rows.append(("unavailable", "\(reason.code): \(reason.message)")) }
        if let reason = status.textUnavailable { rows.append(("text is off", reason)) }
        if let reason = status.barcodesUnavailable { rows.append(("barcodes off", reason)) }
        if let skipped = status.lastSkipped { rows.append(("last skipped", "\(skipped.name): \(skipped.reason)")) }
        return rows.map(row).joined()
    }
}
