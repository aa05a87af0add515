// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ImageKernels
internal import ScanModel

/// Finds and reads the codes of a picture: candidates first, each cut out and read, the cheap looks before the dear.
struct CodeScan {
    let finder: RegionFinder
    let reader: CropReader
    let quarantine: CropQuarantine

    /// - Parameter buffer: the same picture, for engines that take tight rows.
    func symbols(
        in picture: LumaView, of buffer: LumaBuffer, symbologies: Set<Symbology>, level: QualityLevel
    ) -> [DecodedSymbol] {
        let plan = CodeScanPlan(level: level)
        var found = whole(buffer, symbologies: symbologies, plan: plan)
        var open = finder.candidates(in: picture, level: level, limit: plan.maximumCandidates)
        for (effort, limit) in plan.rounds {
            var unread: [CodeCandidate] = []
            for candidate in open.prefix(limit) where !Self.isCovered(candidate, by: found) {
                let symbols = reader.read(candidate, in: picture, symbologies: symbologies, effort: effort)
                if symbols.isEmpty { unread.append(candidate) }
                found += symbols
            }
            open = unread
        }
        return found
    }

    private func whole(_ picture: LumaBuffer, symbologies: Set<Symbology>, plan: CodeScanPlan) -> [DecodedSymbol] {
        let reading = WholePictureReading(
            picture: picture, asked: symbologies, quarantine: quarantine, triesHarder: plan.triesHarderOnWhole)
        let linear = reading.linear()
        guard linear.isEmpty, picture.width * picture.height <= plan.maximumWholePixels else { return linear }
        return reading.matrix()
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
    /// Pixels up to which two-dimensional symbols are looked for in the whole picture.
    var maximumWholePixels = 600_000
    var triesHarderOnWhole = false
    /// Whether the whole picture is scanned by ZBar as well.
    var sweeps = false
    /// One after the other over what is left unread, each for so many candidates at most.
    var rounds: [(effort: ReadingEffort, limit: Int)]

    init(level: QualityLevel) {
        switch level {
        case .fast: (maximumCandidates, rounds) = (24, [(.glance, 24)])
        case .balanced: (maximumCandidates, rounds) = (64, [(.glance, 64), (.look, 24)])
        case .accurate: (maximumCandidates, rounds) = (160, [(.glance, 160), (.look, 160), (.thorough, 160)])
            (maximumWholePixels, triesHarderOnWhole, sweeps) = (.max, true, true)
        }
    }
}
