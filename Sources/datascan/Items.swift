// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Configuration
import ScanClient
import ScanProtocol
import ServiceSupport

/// `datascan items`: what is in view now, in reading order.
enum Items {
    static func run(_ session: Session) throws(ClientError) {
        let client = session.client
        let connection = try session.connect { () throws(ClientError) in try client.query() }
        guard session.format == .text else {
            let result = try connection.call(.getItems)
            session.output.print(String(decoding: result.encoded, as: UTF8.self) + "\n")
            return
        }
        let snapshot = try connection.items()
        if let reason = snapshot.unavailable {
            session.output.print("unavailable (\(reason.code)): \(reason.message)\n")
        }
        if snapshot.items.isEmpty { session.output.print("nothing in view\n") }
        for item in snapshot.items { session.output.print(ItemLine.describe(item) + "\n") }
    }
}
