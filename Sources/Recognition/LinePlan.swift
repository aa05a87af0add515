// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ScanModel

/// Which of the lines that were found are read.
struct LinePlan {
    /// Those whose turn it is; largest first, among equals those near the middle.
    var toRead: [LineCandidate] = []
    /// Known ones, and those that are too many.
    var unread: [LineCandidate] = []

    init(candidates: [LineCandidate], known: [Quad], maximumLines: Int, turn: Int, center: Point) {
        var fresh: [LineCandidate] = []
        for candidate in candidates {
            if known.contains(where: { Self.isSame(candidate.quad, $0) }) {
                unread.append(candidate)
            } else {
                fresh.append(candidate)
            }
        }
        fresh.sort { a, b in
            // Steps of a fifth: prints of one size differ by a pixel or two.
            let (sizeA, sizeB) = (Self.sizeStep(a), Self.sizeStep(b))
            if sizeA != sizeB { return sizeA > sizeB }
            return a.quad.center.distance(to: center) < b.quad.center.distance(to: center)
        }
        guard maximumLines > 0, fresh.count > maximumLines else {
            toRead = maximumLines > 0 ? fresh : []
            unread += maximumLines > 0 ? [] : fresh
            return
        }
        // A remainder of a product that can not overflow: the turn comes from outside.
        let first = (turn % fresh.count) * maximumLines % fresh.count
        let inTurn = fresh[first...] + fresh[..<first]
        toRead = Array(inTurn.prefix(maximumLines))
        unread += inTurn.dropFirst(maximumLines)
    }

    private static func sizeStep(_ candidate: LineCandidate) -> Int {
        var (step, limit) = (0, 8.0)
        while limit < candidate.height, step < 40 {
            limit *= 1.2
            step += 1
        }
        return step
    }

    private static func isSame(_ candidate: Quad, _ known: Quad) -> Bool {
        if candidate.overlap(with: known) > 0.5 { return true }
        let ratio = candidate.height / max(1, known.height)
        return ratio > 0.6 && ratio < 1.7 && known.contains(candidate.center)
    }
}
