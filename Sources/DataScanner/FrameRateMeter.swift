// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ScanModel

/// Frames a second that a source really gives: what came within the last two seconds, by the clock on the wall.
///
/// The frames' own stamps would tell what the source promises: a paced replay stamps a frame when it was due, however
/// late it is, and one that has stopped keeps its last rate for ever.
struct FrameRateMeter: Sendable, Hashable {
    /// How far back frames count. A source slower than that is measured by its last two frames.
    private static let window = Duration.seconds(2)
    /// Counts nearer than this are one, so that 1,000 frames a second need no more memory than 20.
    private static let spacing = Duration.milliseconds(50)

    private struct Count: Sendable, Hashable {
        var time: MonotonicTime
        var delivered: Int
    }

    /// Oldest first; at most `window / spacing` and three more.
    private var counts: [Count] = []

    /// How many frames were delivered in all at `now`.
    mutating func note(delivered: Int, now: MonotonicTime) {
        let count = Count(time: now, delivered: delivered)
        if counts.count > 1, counts[counts.count - 1].time - counts[counts.count - 2].time < FrameRateMeter.spacing {
            counts[counts.count - 1] = count
        } else {
            counts.append(count)
        }
        counts.removeFirst(firstInWindow(at: now))
    }

    /// To a tenth; 0 before the second frame. It falls while none comes.
    func framesPerSecond(at now: MonotonicTime) -> Double {
        guard counts.count > 1 else { return 0 }
        let first = counts[firstInWindow(at: now)]
        let last = counts[counts.count - 1]
        let frames = Double(last.delivered - first.delivered)
        let elapsed = (last.time - first.time).inSeconds
        guard frames > 0, elapsed > 0 else { return 0 }
        // Up to one interval of silence belongs to every rhythm; what is beyond it is time without frames.
        let late = max(0, (now - last.time).inSeconds - elapsed / frames)
        return (frames / (elapsed + late) * 10).rounded() / 10
    }

    /// The newest count that is a whole window old, or the one before the last.
    private func firstInWindow(at now: MonotonicTime) -> Int {
        guard counts.count > 1 else { return 0 }
        let old = counts.lastIndex { now - $0.time >= FrameRateMeter.window } ?? 0
        return min(old, counts.count - 2)
    }
}
