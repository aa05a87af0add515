// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ScanModel

/// Puts candidates of several kinds into one order, each place once for each kind.
enum CandidateRanking {
    /// Shared area over the larger one's from which on two of a kind are one.
    private static let sameOverlap = 0.75

    static func best(_ found: [CodeCandidate], limit: Int) -> [CodeCandidate] {
        var queues = [CodeCandidate.Kind: [CodeCandidate]]()
        for candidate in found where candidate.quad.isFinite {
            queues[candidate.kind, default: []].append(candidate)
        }
        for kind in queues.keys { queues[kind] = distinct(queues[kind] ?? []) }
        queues[.linear]?.sort { $0.promise > $1.promise }
        // Scores of two kinds do not compare: they take turns.
        let order: [CodeCandidate.Kind] = [.bullseye, .linear, .matrix, .qr, .stacked]
        var result: [CodeCandidate] = []
        for round in 0..<(queues.values.map(\.count).max() ?? 0) {
            result += order.compactMap { kind in queues[kind].flatMap { round < $0.count ? $0[round] : nil } }
        }
        // What promises most first; among equals the order of turns stays.
        let ranks = result.indices.sorted { (result[$1].promise, $0) < (result[$0].promise, $1) }
        return ranks.prefix(limit).map { result[$0] }
    }

    private static func distinct(_ found: [CodeCandidate]) -> [CodeCandidate] {
        var kept: [CodeCandidate] = []
        for candidate in found.sorted(by: { $0.score > $1.score }) {
            let isDouble = kept.contains { other in
                let area = candidate.quad.signedArea.magnitude
                let shared = other.quad.sharedArea(with: candidate.quad)
                if shared > sameOverlap * max(area, other.quad.signedArea.magnitude) { return true }
                // Half of a code beside the whole.
                guard candidate.kind == .linear else { return false }
                let axis = (other.quad.topRight - other.quad.topLeft).normalized
                let own = (candidate.quad.topRight - candidate.quad.topLeft).normalized
                return axis.dot(own).magnitude > 0.966 && shared > 0.8 * area
            }
            if !isDouble { kept.append(candidate) }
        }
        return kept
    }
}

extension CodeCandidate {
    /// What is added to the score of a QR code whose finders and timing fit.
    static let certainQR = 10.0

    /// Whether it shows marks of a code, of which one in three at least can be read.
    var isLikely: Bool { promise >= 0.3 }
}
