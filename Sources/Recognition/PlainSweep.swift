// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ImageKernels
internal import ScanModel

/// Scans the whole picture with ZBar, so that nothing is lost that a plain scan finds.
struct PlainSweep {
    let asked: AskedSymbologies
    let level: QualityLevel

    /// What was seen: labels in pixels of the region, parts of structured appends that are to be read one by one, and how
    /// much was left out.
    struct Result {
        var labels: [FoundBarcode] = []
        var parts: [CodeCandidate] = []
        var omitted = 0
    }

    func scan(_ picture: LumaBuffer) -> Result {
        var result = Result()
        let types = ZBarSymbology.decoders(for: asked.swept)
        guard !types.isEmpty else { return result }
        for pass in BarcodePass.plan(level: level, width: picture.width, height: picture.height) {
            for part in pass.parts(ofWidth: picture.width, height: picture.height) {
                let prepared = pass.prepare(picture, part: part)
                guard let scanner = ZBarScanner(types: types, density: pass.density) else { continue }
                for symbol in scanner.scan(prepared) {
                    if ZBarSymbology.isPartial(symbol) {
                        result.parts += PartCandidates.candidates(symbol, pass: pass, part: part)
                    } else if symbol.data.count > RecognitionLimits.maximumPayloadBytes {
                        result.omitted += 1
                    } else if let name = ZBarSymbology.name(symbol, among: asked.swept) {
                        result.labels += labels(of: symbol, named: name, in: prepared, pass: pass, part: part)
                    }
                }
            }
        }
        return result
    }

    /// The labels of one symbol of ZBar, in pixels of the region.
    private func labels(
        of symbol: ZBarSymbol, named name: (symbology: Symbology, payload: [UInt8]), in picture: LumaBuffer,
        pass: BarcodePass, part: PixelRect
    ) -> [FoundBarcode] {
        func found(_ quad: Quad, quality: Int) -> FoundBarcode {
            let inRegion = quad.mapped { pass.toRegion($0, part: part) }
            return FoundBarcode(
                quad: inRegion, symbology: name.symbology, payload: name.payload, quality: quality,
                identifier: ZBarSymbology.identifier(
                    of: name.symbology, isGS1: symbol.isGS1, isAIM: symbol.isAIM),
                isGS1: symbol.isGS1 || name.symbology.isDataBar,
                isInverted: pass.isInverted)
        }
        if name.symbology == .qr {
            guard symbol.points.count == 4 else { return [] }
            // ZBar gives top-left, bottom-left, bottom-right, top-right as the symbol is printed.
            let corners = symbol.points.map { Point(x: Double($0.x), y: Double($0.y)) }
            let quad = Quad(
                topLeft: corners[0], topRight: corners[3], bottomRight: corners[2], bottomLeft: corners[1])
            return [found(quad, quality: 1)]
        }
        let hits = ScanHit.hits(
            of: symbol.points, density: pass.density, width: picture.width, height: picture.height)
        let reading = readingDirection(of: symbol)
        return picture.withView { view in
            LinearSymbolLocator(
                picture: view, density: pass.density, barCount: ZBarSymbology.barCount(of: name.symbology)
            ).labels(from: hits).map { label in
                let along = label.quad.topRight - label.quad.topLeft
                let isReversed = along.dot(reading) < -0.2 * along.length
                return found(
                    label.quad.turned(quarters: isReversed ? 2 : 0), quality: pass.quality(of: label.hits))
            }
        }
    }

    /// Which way the symbol is read; ZBar knows it of the first line that decoded.
    private func readingDirection(of symbol: ZBarSymbol) -> Point {
        switch symbol.orientation {
        case 1: Point(x: 0, y: 1)
        case 2: Point(x: -1, y: 0)
        case 3: Point(x: 0, y: -1)
        default: Point(x: 1, y: 0)
        }
    }
}
