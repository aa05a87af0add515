// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ScanModel

/// How long a camera is left alone between two openings: longer each time, until it gives frames again.
struct BackOff {
    static let first = Duration.milliseconds(500)
    static let longest = Duration.seconds(10)

    private var next = BackOff.first

    /// The wait before the next opening, at most `limit`; the one after it will be twice as long.
    mutating func step(limit: Duration = BackOff.longest) -> Duration {
        defer { next = min(next * 2, BackOff.longest) }
        return min(next, limit)
    }

    mutating func reset() { next = BackOff.first }
}
