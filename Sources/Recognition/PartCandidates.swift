// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ImageKernels
internal import ScanModel

/// The parts of structured appends that ZBar saw, to be read one by one.
///
/// ZBar joins the parts of a message to one symbol with all their bytes, or, where one is not in the picture, to one with a
/// NUL in its place: neither is what is printed. zxing-cpp says of each part which it is.
enum PartCandidates {
    /// Where the parts of a symbol of ZBar's are, in pixels of the region.
    static func candidates(_ symbol: ZBarSymbol, pass: BarcodePass, part: PixelRect) -> [CodeCandidate] {
        // A missing part has no corners.
        symbol.parts.filter { $0.count == 4 }.map { points in
            // ZBar gives top-left, bottom-left, bottom-right, top-right as the symbol is printed.
            let corners = points.map { pass.toRegion(Point(x: Double($0.x), y: Double($0.y)), part: part) }
            return CodeCandidate(
                kind: .qr,
                quad: Quad(
                    topLeft: corners[0], topRight: corners[3], bottomRight: corners[2], bottomLeft: corners[1]),
                moduleSize: nil, isInverted: pass.isInverted, score: 1)
        }
    }

    /// Reads those that are not read yet; the number of those that could not be read.
    static func read(
        _ candidates: [CodeCandidate], by reader: CropReader, in picture: LumaView,
        adding symbols: inout [DecodedSymbol]
    ) -> Int {
        var unread: [Quad] = []
        for candidate in candidates {
            let area = candidate.quad.signedArea.magnitude
            func isAt(_ quad: Quad) -> Bool { quad.sharedArea(with: candidate.quad) > 0.5 * area }
            if symbols.contains(where: { $0.symbology == .qr && isAt($0.quad) }) { continue }
            let read = reader.read(candidate, in: picture, symbologies: [.qr], effort: .look)
            symbols += read
            if !read.isEmpty { unread.removeAll(where: isAt) }
            if read.isEmpty, !unread.contains(where: isAt) { unread.append(candidate.quad) }
        }
        return unread.count
    }
}

/// What a job asks for, as each engine is to be asked for it.
struct AskedSymbologies {
    /// All that can be read.
    let all: Set<Symbology>
    /// What a sweep of the whole picture looks for.
    let swept: Set<Symbology>
    /// Whether there is nothing to read but add-ons.
    let areAddOnsAlone: Bool

    /// An add-on has hardly a check of its own: where its EAN or UPC is read, it is looked for beside that and nowhere else.
    init(_ symbologies: Set<Symbology>) {
        all = symbologies.intersection(BarcodeReader.supportedSymbologies)
        let hasMain = all.contains(where: \.mayHaveAddOn)
        swept = hasMain ? all.filter { !$0.isAddOn } : all
        areAddOnsAlone = !all.isEmpty && all.allSatisfy(\.isAddOn)
    }
}
