// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ImageKernels
internal import ScanModel

/// Finds and reads the codes of a picture: candidates first, each cut out and read, the cheap looks before the dear.
struct CodeScan {
    let finder: RegionFinder
    let reader: CropReader

    func symbols(in picture: LumaView, symbologies: Set<Symbology>, level: QualityLevel) -> [DecodedSymbol] {
        let plan = CodeScanPlan(level: level)
        var open = finder.candidates(in: picture, level: level, limit: plan.maximumCandidates)
        var found: [DecodedSymbol] = []
        for (effort, limit) in plan.rounds {
            var unread: [CodeCandidate] = []
            var left = limit
            for candidate in open where !Self.isCovered(candidate, by: found) {
                // The likely ones are few but where there are many codes.
                if !candidate.isLikely { left -= 1 }
                guard left >= 0 || candidate.isLikely else { continue }
                let symbols = reader.read(candidate, in: picture, symbologies: symbologies, effort: effort)
                if symbols.isEmpty { unread.append(candidate) }
                found += symbols
            }
            open = unread
        }
        return found
    }

    private static func isCovered(_ candidate: CodeCandidate, by found: [DecodedSymbol]) -> Bool {
        let area = candidate.quad.signedArea.magnitude
        return found.contains { symbol in
            symbol.isConfirmed && symbol.quad.sharedArea(with: candidate.quad) > 0.5 * area
        }
    }
}

/// What a level spends on the candidates of a picture.
struct CodeScanPlan {
    var maximumCandidates: Int
    /// One after the other over what is left unread, each for so many candidates at most beside the likely ones.
    var rounds: [(effort: ReadingEffort, limit: Int)]

    init(level: QualityLevel) {
        switch level {
        case .fast: (maximumCandidates, rounds) = (96, [(.glance, 24)])
        case .balanced: (maximumCandidates, rounds) = (128, [(.glance, 64), (.look, 24)])
        case .accurate: (maximumCandidates, rounds) = (160, [(.glance, 160), (.look, 160), (.thorough, 160)])
        }
    }
}
