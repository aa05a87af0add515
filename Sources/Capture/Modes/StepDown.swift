// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ScanModel

/// Which mode comes after one that does not work: a lower rate, then MJPEG, then a smaller size.
struct StepDown {
    /// A lower rate has at most this part of the one before; another step would change too little.
    private static let rateStep = 0.7
    /// A smaller size has at most this part of the pixels.
    private static let sizeStep = 0.6
    /// Pixels of the smallest size that is stepped down to: labels can not be read in less, and a camera that gives nothing
    /// is noticed sooner than one that shows nothing.
    private static let fewestPixels = 320 * 240

    /// All modes, the best first.
    let candidates: [Candidate]
    let wish: ModeWish
    let isFormatForced: Bool
    private var used: Set<CameraMode> = []

    init(candidates: [Candidate], wish: ModeWish, isFormatForced: Bool) {
        self.candidates = candidates
        self.wish = wish
        self.isFormatForced = isFormatForced
    }

    mutating func ladder(from best: Candidate) -> [CameraMode] {
        var ladder = [best.mode]
        used = [best.mode]
        var last = best
        while ladder.count < ModeChoice.longestLadder, let next = next(after: last) {
            ladder.append(next.mode)
            used.insert(next.mode)
            last = next
        }
        return ladder
    }

    private func next(after last: Candidate) -> Candidate? {
        slower(than: last) ?? compressed(like: last) ?? smaller(than: last)
    }

    private func slower(than last: Candidate) -> Candidate? {
        guard wish.rate == nil, let rate = last.rate else { return nil }
        let slowest = LevelLimits(wish.level).slowest
        return candidates.filter { other in
            guard let own = other.rate, other.size == last.size, other.format == last.format else { return false }
            return own <= rate * StepDown.rateStep && (own >= slowest || isAbout(own, slowest))
        }.max { ($0.rate ?? 0) < ($1.rate ?? 0) }
    }

    private func compressed(like last: Candidate) -> Candidate? {
        guard !isFormatForced, !last.format.isJPEG else { return nil }
        return candidates.first { $0.size == last.size && $0.format.isJPEG && !used.contains($0.mode) }
    }

    private func smaller(than last: Candidate) -> Candidate? {
        guard wish.size == nil else { return nil }
        let most = Int(Double(last.pixels) * StepDown.sizeStep)
        // By the level's own order each time, but of the sizes that are small enough the largest.
        let pixels = candidates.map(\.pixels).filter { $0 <= most && $0 >= StepDown.fewestPixels }.max()
        guard let pixels else { return nil }
        return candidates.first { $0.pixels == pixels }
    }
}
