// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ImageKernels
internal import ScanModel

/// A crop of a linear symbol as an engine gets it.
struct PreparedStrip {
    var pixels: LumaBuffer
    /// Pixels of white and grey that were put on each side.
    var padding: Int

    /// A place along the crop in 0...1 of what is of the picture.
    func share(of x: Double) -> Double {
        (x - Double(padding)) / Double(max(1, pixels.width - 2 * padding))
    }
}

/// Gives a prepared crop of a linear symbol to one engine.
struct LinearEngines {
    let asked: Set<Symbology>
    let quarantine: CropQuarantine

    func read(_ strip: PreparedStrip, pass: LinearPass) -> [LinearRead] {
        switch pass.engine {
        case .zbar: readByZBar(strip, pass: pass)
        case .zxing: readByZXing(strip, pass: pass)
        case .own: []
        }
    }

    private func readByZBar(_ strip: PreparedStrip, pass: LinearPass) -> [LinearRead] {
        let crop = strip.pixels
        let types = ZBarSymbology.decoders(for: asked)
        guard !types.isEmpty else { return [] }
        // Each second line: where ZBar takes every line, it wants four that agree of an EAN.
        let density = ScanDensity(rows: 2, columns: 0)
        guard let scanner = ZBarScanner(types: types, density: density) else { return [] }
        return scanner.scan(crop).compactMap { symbol in
            guard let name = ZBarSymbology.name(symbol, among: asked), name.symbology != .qr else { return nil }
            let hits = ScanHit.hits(of: symbol.points, density: density, width: crop.width, height: crop.height)
            return LinearRead(
                symbology: name.symbology, payload: name.payload,
                witness: DecodedSymbol.Witness(engine: .zbar, preparation: pass.preparation),
                isGS1: symbol.isGS1 || name.symbology.isDataBar,
                identifier: ZBarSymbology.identifier(of: name.symbology, isGS1: symbol.isGS1, isAIM: symbol.isAIM),
                isInverted: pass.isInverted, lines: hits.count, linesScanned: max(1, crop.height / density.rows),
                ends: hits.map {
                    LinearRead.LineEnd(
                        x: strip.share(of: Double($0.position) + 0.5), y: (Double($0.line) + 0.5) / Double(crop.height),
                        isForward: $0.isForward)
                }, isForward: symbol.orientation != 2, shape: pass.shape)
        }
    }

    private func readByZXing(_ strip: PreparedStrip, pass: LinearPass) -> [LinearRead] {
        let crop = strip.pixels
        guard let symbol = firstSymbol(crop), symbol.symbology.isLinear, let quad = symbol.quad else { return [] }
        let name = LinearNaming.named(symbol, asked: asked)
        guard asked.contains(name.symbology) else { return [] }
        func end(_ point: Point, isForward: Bool) -> LinearRead.LineEnd {
            LinearRead.LineEnd(
                x: strip.share(of: point.x), y: (2 * point.y + 1) / Double(crop.height), isForward: isForward)
        }
        let isForward = quad.topLeft.x <= quad.topRight.x
        let (left, right) = isForward ? (quad.topLeft, quad.topRight) : (quad.topRight, quad.topLeft)
        return [
            LinearRead(
                symbology: name.symbology, payload: name.payload,
                witness: DecodedSymbol.Witness(engine: .zxing, preparation: pass.preparation),
                isGS1: symbol.isGS1 || name.symbology.isDataBar, identifier: symbol.identifier,
                isInverted: pass.isInverted, isReaderProgramming: symbol.isReaderProgramming,
                lines: max(1, symbol.lines), linesScanned: crop.height,
                ends: [end(left, isForward: false), end(right, isForward: true)], isForward: isForward,
                shape: pass.shape)
        ]
    }

    /// What both halves of the lines say, each second line to a half.
    ///
    /// One line is enough for zxing-cpp in each of them: the second equal line of a DataBar ends the process (Result.cpp:
    /// lineCount() == 1), and the library's own demand for two equal lines took a second call without DataBar. Lines that
    /// say nothing, which is the rule, cost half this way.
    private func firstSymbol(_ crop: LumaBuffer) -> ZXingSymbol? {
        let halves = crop.interleaved()
        var wanted = asked
        for _ in 0..<Self.mostFormats {
            guard
                var symbol = ZXingReader(symbologies: wanted, minimumLines: 1, quarantine: quarantine).read(halves.even)
            else { return nil }
            let kind = Symbology.sameDecoder(as: symbol.symbology)
            let second = ZXingReader(symbologies: kind, minimumLines: 1, quarantine: quarantine).read(halves.odd)
            if let second, second.symbology == symbol.symbology, second.payload == symbol.payload {
                symbol.lines = 2
                return symbol
            }
            // A line through dirt is another symbology now and then.
            wanted.subtract(kind)
        }
        return nil
    }

    private static let mostFormats = 2
}

extension Symbology {
    /// The symbologies that zxing-cpp does not tell apart.
    fileprivate static func sameDecoder(as symbology: Symbology) -> Set<Symbology> {
        [.i2of5, .itf14].contains(symbology) ? [.i2of5, .itf14] : [symbology]
    }
}
