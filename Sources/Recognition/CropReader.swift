// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ImageKernels
internal import ScanModel

/// Reads one candidate: cuts it out, turns it upright, and gives it to the engines, prepared as each likes it.
///
/// Passes go from the cheap and likely to the dear and unlikely, and end as soon as the reading is as sure as its kind
/// can be. How many there are is the effort's.
///
/// - Important: Confined to one thread. zxing-cpp may end the process on hostile pictures: use it in a worker.
struct CropReader {
    /// What the engines read.
    static let supportedSymbologies = ZBarSymbology.supported.union(ZXingReader.supported)

    /// The share of a candidate's upright box that lies in the picture at the least.
    private static let leastInside = 0.25

    let quarantine: CropQuarantine

    init(quarantine: CropQuarantine = CropQuarantine()) { self.quarantine = quarantine }

    /// Usually one symbol or none; several where labels stand so close that they are one candidate.
    func read(
        _ candidate: CodeCandidate, in picture: LumaView, symbologies: Set<Symbology>, effort: ReadingEffort
    ) -> [DecodedSymbol] {
        let symbologies = symbologies.intersection(Self.supportedSymbologies)
        guard !symbologies.isEmpty, isPlausible(candidate.quad, in: picture) else { return [] }
        if candidate.kind == .linear {
            return LinearReading(
                candidate: candidate, picture: picture, asked: symbologies, effort: effort, quarantine: quarantine
            ).symbols()
        }
        let matrix = MatrixReading(
            candidate: candidate, picture: picture, asked: symbologies, effort: effort, quarantine: quarantine
        ).symbol()
        return matrix.map { [$0] } ?? []
    }

    /// Whether it is of a size that can be read, and in the picture for the most part.
    private func isPlausible(_ quad: Quad, in picture: LumaView) -> Bool {
        guard quad.isFinite, quad.width >= 4, quad.height >= 2 else { return false }
        let box = quad.boundingRect
        let whole = Rect(x: 0, y: 0, width: Double(picture.width), height: Double(picture.height))
        guard let inside = box.intersection(whole) else { return false }
        return inside.area >= Self.leastInside * box.area
    }
}
