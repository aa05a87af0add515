// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

package import ImageKernels
package import ScanModel

/// What each effort makes of each candidate of a picture, for whoever judges the finder and the readers.
package enum CandidateSurvey {
    package struct Outcome {
        package var candidate: CodeCandidate
        /// Milliseconds of CPU and what was read, by effort, up to the first that read something.
        package var looks:
            [(milliseconds: Double, readings: [(symbology: Symbology, payload: [UInt8], confidence: Double)])]
    }

    package static func outcomes(
        in picture: LumaView, level: QualityLevel, limit: Int, thoroughly: Bool
    ) -> [Outcome] {
        let finder = RegionFinder(kinds: [.linear, .qr, .matrix, .bullseye, .stacked])
        let reader = CropReader()
        let efforts: [ReadingEffort] = thoroughly ? [.glance, .look, .thorough] : [.glance]
        return finder.candidates(in: picture, level: level, limit: limit).map { candidate in
            var outcome = Outcome(candidate: candidate, looks: [])
            for effort in efforts {
                let start = threadCPUTime()
                let symbols = reader.read(
                    candidate, in: picture, symbologies: CropReader.supportedSymbologies, effort: effort)
                let spent = threadCPUTime() - start
                outcome.looks.append(
                    (
                        Double(spent.components.attoseconds) * 1e-15 + Double(spent.components.seconds) * 1000,
                        symbols.map { ($0.symbology, $0.payload, $0.confidence) }
                    ))
                if !symbols.isEmpty { break }
            }
            return outcome
        }
    }
}
