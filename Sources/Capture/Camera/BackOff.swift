// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ScanModel

/// How long a camera is left alone between two openings: longer with each two, until it gives frames for a while again.
///
/// Each pause comes twice. Faults come in pairs (a stream breaks, and the opening after it fails once), and doubling each
/// time, three such pairs within seconds would make a camera wait for longer than the 5 s that its return may take.
struct BackOff {
    static let first = Duration.milliseconds(500)
    static let longest = Duration.seconds(10)

    private var pause = BackOff.first
    private var isSecond = false

    /// The wait before the next opening, at most `limit`.
    mutating func step(limit: Duration = BackOff.longest) -> Duration {
        defer {
            if isSecond { pause = min(pause * 2, BackOff.longest) }
            isSecond.toggle()
        }
        return min(pause, limit)
    }

    mutating func reset() { self = BackOff() }
}
