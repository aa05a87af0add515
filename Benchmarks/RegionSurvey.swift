// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ImageKernels
import LinuxSystem
import Recognition
import ScanModel
import ServiceSupport

/// Prints the regions that are found in pictures, a line a picture, for a program that judges them.
///
/// A line holds the path, the CPU milliseconds, the candidates and the milliseconds of ZBar for every fourth line of the
/// same picture, separated by tabs; a candidate is
/// `kind:x,y,x,y,x,y,x,y:module:inverted:score:promise`, candidates are separated by semicolons.
enum RegionSurvey {
    static func run(_ arguments: [String]) throws {
        let level = arguments.first.flatMap { QualityLevel(rawValue: $0) } ?? .balanced
        let jpeg = try JPEGDecoder()
        let finder = RegionFinder(kinds: [.linear, .qr, .matrix, .bullseye, .stacked])
        let output = StandardOutput(logger: Logger(program: "benchmarks", threshold: .error))
        for path in arguments.dropFirst() {
            let mapping = try ReadOnlyMapping(of: try OwnedDescriptor.openForReading(path), subject: path)
            guard let picture = try? PictureFile(mapping.bytes, jpeg: jpeg).luma(jpeg: jpeg) else { continue }
            let start = processCPUTime()
            let found = picture.withView { finder.candidates(in: $0, level: level, limit: 200) }
            let spent = (processCPUTime() - start).inSeconds * 1000
            let scanStart = processCPUTime()
            _ = PlainScan.symbolCount(in: picture, density: 4)
            let scan = (processCPUTime() - scanStart).inSeconds * 1000
            output.print("\(path)\t\(spent)\t" + found.map(text).joined(separator: ";") + "\t\(scan)\n")
        }
    }

    /// Prints what the readers make of the candidates, a line a candidate, tabs between the path, the candidate, and for
    /// each effort that was needed `MILLISECONDS=SYMBOLOGY:CONFIDENCE:BASE16,...`.
    static func read(_ arguments: [String]) throws {
        let level = arguments.first.flatMap { QualityLevel(rawValue: $0) } ?? .balanced
        let thoroughly = arguments.contains("--thorough")
        let jpeg = try JPEGDecoder()
        let output = StandardOutput(logger: Logger(program: "benchmarks", threshold: .error))
        for path in arguments.dropFirst() where path != "--thorough" {
            let mapping = try ReadOnlyMapping(of: try OwnedDescriptor.openForReading(path), subject: path)
            guard let picture = try? PictureFile(mapping.bytes, jpeg: jpeg).luma(jpeg: jpeg) else { continue }
            let outcomes = picture.withView {
                CandidateSurvey.outcomes(in: $0, level: level, limit: 200, thoroughly: thoroughly)
            }
            for outcome in outcomes {
                let looks = outcome.looks.map { look in
                    let readings = look.readings.map { reading in
                        let hex = reading.payload.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
                        return "\(reading.symbology.rawValue):\(reading.confidence):\(hex)"
                    }
                    return "\(look.milliseconds)=" + readings.joined(separator: ",")
                }
                output.print(([path, text(outcome.candidate)] + looks).joined(separator: "\t") + "\n")
            }
        }
    }

    private static func text(_ candidate: CodeCandidate) -> String {
        let corners = candidate.quad.corners.map { "\($0.x),\($0.y)" }.joined(separator: ",")
        let inverted = candidate.isInverted.map { $0 ? "1" : "0" } ?? "-1"
        return
            "\(candidate.kind):\(corners):\(candidate.moduleSize ?? 0):\(inverted):\(candidate.score):\(candidate.promise)"
    }
}
