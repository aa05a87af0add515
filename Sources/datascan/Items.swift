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
            writeAll(String(decoding: result.encoded, as: UTF8.self) + "\n", to: 1)
            return
        }
        let snapshot = try connection.items()
        if let reason = snapshot.unavailable { writeAll("unavailable (\(reason.code)): \(reason.message)\n", to: 1) }
        if snapshot.items.isEmpty { writeAll("nothing in view\n", to: 1) }
        for item in snapshot.items { guard writeAll(ItemLine.describe(item) + "\n", to: 1) else { return } }
    }
}
