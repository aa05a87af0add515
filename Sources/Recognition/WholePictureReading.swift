// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ImageKernels
internal import ScanModel

/// Gives the whole picture to zxing-cpp, which reads one symbol of it at the most.
///
/// Of a small picture with one label this is the cheapest look there is: of 1,595 codes of public pictures it reads half at
/// 0.9 ms a picture, and bars alone at 0.1 ms. What it misses is small, tilted or one of several; that is the finder's.
struct WholePictureReading {
    /// The height that a line of a linear symbol stands for at first, as a share of its length; the bars are followed from
    /// there. EAN-8 and UPC-E are 18.2 by 22.1 and 22.9 by 16.8 mm (ISO/IEC 15420, 4.6, without the light margins).
    private static func likelyHeight(_ symbology: Symbology) -> Double {
        switch symbology {
        case .upcE: 1.4
        case .ean8: 0.85
        default: 0.5
        }
    }
    private static let linesScanned = 40

    let picture: LumaBuffer
    let asked: Set<Symbology>
    let quarantine: CropQuarantine
    var triesHarder = false
    var isInverted = false

    /// The linear symbol that is found first.
    func linear() -> [DecodedSymbol] {
        // The second line of a DataBar ends the process where zxing-cpp compares it with the first.
        let lines = asked.filter { $0.isLinear && !$0.isAddOn && !$0.isDataBar }
        let symbol =
            reader(lines, minimumLines: 2).read(picture)
            ?? reader(asked.filter(\.isDataBar), minimumLines: 1).read(picture)
        guard let symbol, symbol.symbology.isLinear, let ends = symbol.quad else { return [] }
        let name = LinearNaming.named(symbol, asked: asked)
        guard asked.contains(name.symbology) else { return [] }
        return placed(symbol, name: name, from: ends.topLeft, to: ends.topRight)
    }

    /// The two-dimensional symbol that is found first.
    func matrix() -> [DecodedSymbol] {
        let matrices = asked.filter { !$0.isLinear && $0 != .maxiCode }
        guard let symbol = reader(matrices, minimumLines: 1).read(picture), let quad = symbol.quad else { return [] }
        return [
            DecodedSymbol(
                symbology: symbol.symbology, payload: symbol.payload, quad: quad, witnesses: [Self.witness],
                quality: 1, isGS1: symbol.isGS1, identifier: symbol.identifier, eci: symbol.eci,
                text: symbol.eci == nil ? nil : symbol.text, isInverted: isInverted, isMirrored: symbol.isMirrored,
                isReaderProgramming: symbol.isReaderProgramming, part: symbol.part,
                confidence: ReadingTrust.errorCorrected)
        ]
    }

    private static let witness = DecodedSymbol.Witness(engine: .zxing, preparation: .plain)

    private func reader(_ symbologies: Set<Symbology>, minimumLines: UInt8) -> ZXingReader {
        var reader = ZXingReader(symbologies: symbologies, minimumLines: minimumLines, quarantine: quarantine)
        reader.triesHarder = triesHarder
        reader.triesRotated = triesHarder
        return reader
    }

    /// The bar area around a line that was read.
    private func placed(
        _ symbol: ZXingSymbol, name: (symbology: Symbology, payload: [UInt8]), from start: Point, to end: Point
    ) -> [DecodedSymbol] {
        let length = start.distance(to: end)
        guard length >= 10 else { return [] }
        let axis = (end - start).normalized
        let candidate = CodeCandidate(
            kind: .linear,
            quad: Quad(
                center: (start + end) * 0.5, axis: axis, length: length,
                height: max(8, Self.likelyHeight(name.symbology) * length)),
            moduleSize: nil, isInverted: isInverted, score: 1)
        let ends = [0.0, 1.0].map { share in
            LinearRead.LineEnd(
                x: (share * length + Self.margin * length) / (length * (1 + 2 * Self.margin)), y: 0.5,
                isForward: share == 1)
        }
        let read = LinearRead(
            symbology: name.symbology, payload: name.payload, witness: Self.witness,
            isGS1: symbol.isGS1 || name.symbology.isDataBar, identifier: symbol.identifier, isInverted: isInverted,
            isReaderProgramming: symbol.isReaderProgramming, lines: max(1, symbol.lines),
            linesScanned: Self.linesScanned, ends: ends, isForward: true, shape: .lines)
        var votes = LinearVotes()
        votes.add(read)
        return picture.withView { view in
            let placing = LinearPlacing(candidate: candidate, picture: view, margin: Self.margin)
            let supplement = LinearSupplement(picture: view)
            return votes.winners.flatMap { placing.symbols(of: $0.ballot, confidence: $0.confidence) }.map { symbol in
                var symbol = symbol.proved(in: view, needsProof: Self.needsProof(symbol))
                symbol.supplement = supplement.digits(beside: symbol, asked: asked)
                return symbol
            }
        }
    }

    private static let margin = 0.04

    /// Whether two lines of one engine are too little: any even stripes are a 2 of 5, any few of two widths a Codabar, and
    /// the check of a UPC-E is one of ten.
    private static func needsProof(_ symbol: DecodedSymbol) -> Bool {
        switch symbol.symbology {
        case .i2of5, .itf14, .codabar, .upcE: true
        case .code39: symbol.payload.count < shortest
        default: false
        }
    }

    /// Characters of a Code 39 that stripes do not make up.
    private static let shortest = 4
}
