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
        let density = ScanDensity(rows: max(1, crop.height / pass.lines), columns: 0)
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
                x: strip.share(of: point.x), y: (point.y + 0.5) / Double(crop.height), isForward: isForward)
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

    /// DataBar has a call of its own: the second line of a DataBar ends the process where zxing-cpp compares it with the
    /// first (Result.cpp: lineCount() == 1), so that its first line has to do.
    private func firstSymbol(_ crop: LumaBuffer) -> ZXingSymbol? {
        let dataBar = asked.filter(\.isDataBar)
        if let symbol = ZXingReader(symbologies: asked.subtracting(dataBar), quarantine: quarantine).read(crop) {
            return symbol
        }
        return ZXingReader(symbologies: dataBar, minimumLines: 1, quarantine: quarantine).read(crop)
    }
}
