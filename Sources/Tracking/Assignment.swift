// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// Pairs observations with tracks, one to one.
enum Assignment {
    struct Candidate {
        var track: Int
        var observation: Int
        /// Smaller is better; only candidates within the gate are offered.
        var cost: Double
    }

    /// The nearest pairs first, none of the two ends used twice; ties go to the older track.
    ///
    /// With the gate at 0.6 of an item's size, labels that do not overlap compete for an observation only when they
    /// moved by half their distance between two looks; there the cheapest total (Hungarian) is as wrong as the
    /// nearest pair, so the simpler method is used.
    static func nearestFirst(_ candidates: [Candidate]) -> [Candidate] {
        var usedTracks: Set<Int> = []
        var usedObservations: Set<Int> = []
        var chosen: [Candidate] = []
        let sorted = candidates.sorted {
            ($0.cost, $0.track, $0.observation) < ($1.cost, $1.track, $1.observation)
        }
        for candidate in sorted
        where !usedTracks.contains(candidate.track) && !usedObservations.contains(candidate.observation) {
            usedTracks.insert(candidate.track)
            usedObservations.insert(candidate.observation)
            chosen.append(candidate)
        }
        return chosen
    }
}
