// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// The numbers of a camera's frames: they follow the driver's, and never go back, whatever it counts and however often it
/// is opened.
struct FrameNumbers {
    /// A larger jump of the driver's number is a reset of its counter, not that many lost frames: 5 minutes at 30/s.
    static let largestJump: UInt32 = 10_000

    /// The number of the next frame that follows without a gap.
    private var next: UInt64 = 0
    private var driver: UInt32?
    private var excusesGap = false

    mutating func beginStream() {
        driver = nil
        excusesGap = false
    }

    /// The gap before the next frame is no loss of the driver's: nobody had asked for frames.
    mutating func excuseGap() { excusesGap = true }

    /// The number of a buffer that was dequeued, and how many frames before it never came.
    mutating func take(_ sequence: UInt32) -> (number: UInt64, dropped: UInt64) {
        var skipped: UInt64 = 0
        if let driver {
            // The driver's 32 bits wrap after 4.5 years at 30/s; a camera that was opened anew begins with 0 again.
            let step = sequence &- driver
            if (1...FrameNumbers.largestJump).contains(step) { skipped = UInt64(step - 1) }
        }
        driver = sequence
        let number = next + skipped
        next = number + 1
        defer { excusesGap = false }
        return (number, excusesGap ? 0 : skipped)
    }
}
