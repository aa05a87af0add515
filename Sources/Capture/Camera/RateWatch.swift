// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ScanModel

/// Whether a camera gives far fewer frames than it agreed to.
///
/// Most webcams lengthen their exposure in low light and halve the rate, or worse, without a word: 16 and 5 frames a second
/// of 30 were seen in the field.
struct RateWatch {
    static let window = Duration.seconds(10)
    /// Of the rate agreed upon. A camera at 50 Hz light that gives 25 of 30 is well.
    static let share = 0.6

    private var start: MonotonicTime?
    private var frames: UInt64 = 0

    /// Counts frames that came; true where a whole window of them was too slow.
    mutating func saw(_ count: UInt64, agreed: FrameInterval?, at now: MonotonicTime) -> Bool {
        guard let agreed, let begin = start else {
            (start, frames) = (now, 0)
            return false
        }
        frames += count
        let length = now - begin
        guard length >= RateWatch.window else { return false }
        defer { (start, frames) = (now, 0) }
        return Double(frames) < length.inSeconds * agreed.framesPerSecond * RateWatch.share
    }

    /// Begins anew: with a stream, or after time in which nobody asked for frames.
    mutating func restart() { start = nil }
}
