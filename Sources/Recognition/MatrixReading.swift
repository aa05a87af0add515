// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ImageKernels
internal import ScanModel

/// One candidate for a symbol in two dimensions, from the first pass to the last.
struct MatrixReading {
    var candidate: CodeCandidate
    let picture: LumaView
    let asked: Set<Symbology>
    let effort: ReadingEffort
    let quarantine: CropQuarantine

    /// Bytes that fit a Data Matrix of 12 modules a side: five codewords of two digits each.
    private static let smallPayload = 10
    private static let leastBorder: Float = 0.6

    /// The first reading of the effort's passes.
    func symbol() -> DecodedSymbol? {
        let symbologies = asked.intersection(MatrixPass.symbologies(of: candidate.kind))
        guard !symbologies.isEmpty else { return nil }
        if candidate.kind == .stacked, candidate.moduleSize == nil { return symbolWithoutGuards(symbologies) }
        var last: (pass: MatrixPass, crop: CodeCrop)?
        for pass in MatrixPass.plan(for: candidate, effort: effort) {
            let crop: CodeCrop
            if let last, last.pass.frame == pass.frame, last.pass.isInverted == pass.isInverted {
                crop = last.crop
            } else {
                guard let cut = cut(pass) else { continue }
                last = (pass, cut)
                crop = cut
            }
            if let symbol = read(crop, pass: pass, symbologies: symbologies) { return symbol }
        }
        return nil
    }

    /// Rows without the guards of PDF417 hold one in a hundred times, and a look at them is the dearest of all: nothing
    /// for a glance, then the guards are looked for once more, and one pass in the end.
    private func symbolWithoutGuards(_ symbologies: Set<Symbology>) -> DecodedSymbol? {
        guard effort > .glance else { return nil }
        let quad = candidate.quad
        let axis = (quad.topRight - quad.topLeft + quad.bottomRight - quad.bottomLeft).normalized
        if let guards = StackedGuards(
            picture, center: quad.center, axis: axis, length: quad.width, height: quad.height)
        {
            var reading = self
            reading.candidate = CodeCandidate(guards: guards, strength: 1)
            return reading.symbol()
        }
        guard effort == .thorough, let pass = MatrixPass.plan(for: candidate, effort: effort).first,
            let crop = cut(pass)
        else { return nil }
        return read(crop, pass: pass, symbologies: symbologies)
    }

    private func cut(_ pass: MatrixPass) -> CodeCrop? {
        let (code, frame) = (candidate.quad, pass.frame)
        let share = frame.margin
        let scale = frame.scale(of: candidate)
        let place = code.extended(along: share, across: share).onWholePixels(scale: scale)
        let width = (place.width * scale).rounded()
        let height = (place.height * scale).rounded()
        guard width.isFinite, height.isFinite, width >= 8, height >= 8, width < 1e6, height < 1e6 else { return nil }
        // The picture's edge is as good as a quiet zone.
        let crop = CodeCrop(
            of: place, in: picture, width: Int(width), height: Int(height), outside: pass.isInverted ? 0 : 255)
        return pass.isInverted ? crop?.with { $0.inverted() } : crop
    }

    private func read(_ crop: CodeCrop, pass: MatrixPass, symbologies: Set<Symbology>) -> DecodedSymbol? {
        let module = pass.frame.pixelsPerModule
        let prepared = crop.with { pixels in
            switch pass.preparation {
            case .stretched: return pixels.locallyStretched(block: Int(5 * module))
            case .sharpened: return pixels.sharpened(sigma: module / 2, amount: 1)
            case .plain, .averaged, .redrawn, .templates: return pixels
            }
        }
        switch pass.engine {
        case .zxing: return readByZXing(prepared, pass: pass, symbologies: symbologies)
        case .zbar: return symbologies.contains(.qr) ? readByZBar(prepared, pass: pass) : nil
        case .own: return nil
        }
    }

    private func readByZXing(
        _ crop: CodeCrop, pass: MatrixPass, symbologies: Set<Symbology>
    ) -> DecodedSymbol? {
        var reader = ZXingReader(symbologies: symbologies, minimumLines: 1, quarantine: quarantine)
        reader.binarizer = pass.binarizer
        reader.triesHarder = true
        // A stacked symbol may stand on its side where the candidate's direction is a guess.
        reader.triesRotated = candidate.kind == .stacked && effort == .thorough
        guard let read = reader.read(crop.pixels) else { return nil }
        let name = LinearNaming.named(read, asked: asked)
        guard isBordered(read, in: crop) else { return nil }
        return DecodedSymbol(
            symbology: name.symbology, payload: name.payload,
            quad: read.quad.map { $0.mapped { crop.toPicture($0) } } ?? candidate.quad,
            witnesses: [DecodedSymbol.Witness(engine: .zxing, preparation: pass.preparation)], quality: 1,
            isGS1: read.isGS1 || name.symbology.isDataBar, identifier: read.identifier, eci: read.eci,
            text: read.eci == nil ? nil : read.text, isInverted: pass.isInverted, isMirrored: read.isMirrored,
            isReaderProgramming: read.isReaderProgramming, part: read.part,
            confidence: name.symbology.hasErrorCorrection ? ReadingTrust.errorCorrected : ReadingTrust.secondEngine)
    }

    /// Whether a small Data Matrix shows its border.
    ///
    /// Symbols of 10 and 12 modules a side have five and seven codewords for correction, and digits beside the bars of an
    /// EAN-13 were read as one. Larger ones have more, and may be damaged.
    private func isBordered(_ read: ZXingSymbol, in crop: CodeCrop) -> Bool {
        guard read.symbology == .dataMatrix, read.payload.count <= Self.smallPayload, let quad = read.quad else {
            return true
        }
        return crop.pixels.withView { SolidBorders($0, quad: quad)?.corner ?? 0 } >= Self.leastBorder
    }

    private func readByZBar(_ crop: CodeCrop, pass: MatrixPass) -> DecodedSymbol? {
        guard
            let scanner = ZBarScanner(
                types: ZBarSymbology.decoders(for: [.qr]), density: ScanDensity(rows: 1, columns: 1))
        else { return nil }
        for symbol in scanner.scan(crop.pixels) where !ZBarSymbology.isPartial(symbol) && symbol.points.count == 4 {
            guard let name = ZBarSymbology.name(symbol, among: [.qr]) else { continue }
            // ZBar gives top-left, bottom-left, bottom-right, top-right as the symbol is printed.
            let corners = symbol.points.map { crop.toPicture(Point(x: Double($0.x), y: Double($0.y))) }
            return DecodedSymbol(
                symbology: .qr, payload: name.payload,
                quad: Quad(topLeft: corners[0], topRight: corners[3], bottomRight: corners[2], bottomLeft: corners[1]),
                witnesses: [DecodedSymbol.Witness(engine: .zbar, preparation: pass.preparation)], quality: 1,
                isGS1: symbol.isGS1,
                identifier: ZBarSymbology.identifier(of: .qr, isGS1: symbol.isGS1, isAIM: symbol.isAIM),
                isInverted: pass.isInverted, confidence: ReadingTrust.errorCorrected)
        }
        return nil
    }
}

extension Quad {
    /// Moved onto whole pixels where it is upright and keeps its size: then nothing is resampled, which is what codes of
    /// two pixels a module need.
    fileprivate func onWholePixels(scale: Double) -> Quad {
        let box = boundingRect
        let outer = Quad(box).corners
        // Upright, whichever corner is the first, up to half a pixel.
        guard scale == 1, corners.allSatisfy({ corner in outer.contains { $0.distance(to: corner) < 0.5 } }) else {
            return self
        }
        return mapped { Point(x: $0.x.rounded(), y: $0.y.rounded()) }
    }
}
