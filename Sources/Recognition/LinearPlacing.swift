// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ImageKernels
internal import ScanModel

/// Finds the bar areas of what was read in a candidate, from where the lines ended.
struct LinearPlacing {
    /// Pixels of the longest side of the crop in which the bars are followed: their ends are found within a pixel of it.
    private static let longestSide = 640.0
    /// How far above and below the candidate the bars are followed, in shares of its height.
    private static let reach = 0.25

    let candidate: CodeCandidate
    let picture: LumaView
    /// What was kept on each side of the crops that were read, as a share of the candidate's width.
    let margin: Double

    /// One symbol for each label that says so.
    func symbols(of ballot: LinearVotes.Ballot, confidence: Double) -> [DecodedSymbol] {
        let best = ballot.best
        // The ends of plain strips: what was averaged or turned has its lines elsewhere.
        let placed = ballot.reads.filter { $0.shape == .lines || $0.shape == .whole }
        let quads = placed.isEmpty ? [candidate.quad] : labels(of: placed, symbology: best.symbology)
        let isForward = (ballot.reads.first { $0.witness.engine == .zxing } ?? best).isForward
        return quads.map { quad in
            DecodedSymbol(
                symbology: best.symbology, payload: best.payload, quad: quad.turned(quarters: isForward ? 0 : 2),
                witnesses: ballot.witnesses, quality: ballot.lines, isGS1: best.isGS1, identifier: best.identifier,
                isInverted: best.isInverted, isReaderProgramming: best.isReaderProgramming,
                supplement: best.supplement, touchesEdge: touchesEdge(quad, best), confidence: confidence)
        }
    }

    private func labels(of reads: [LinearRead], symbology: Symbology) -> [Quad] {
        let kept = candidate.quad.extended(along: margin, across: 0)
        let place = kept.extended(along: 0, across: Self.reach)
        let scale = min(1, Self.longestSide / max(place.width, place.height))
        let (width, height) = (Int((place.width * scale).rounded()), Int((place.height * scale).rounded()))
        guard width >= 16, height >= 4, var crop = CodeCrop(of: place, in: picture, width: width, height: height) else {
            return [candidate.quad]
        }
        if reads[0].isInverted { crop = crop.with { $0.inverted() } }
        let inner = Double(height) / (1 + 2 * Self.reach)
        let above = (Double(height) - inner) / 2
        // One engine's ends: the other's are of other crops, a pixel aside.
        let source = reads.first { $0.witness.engine == .zbar } ?? reads[0]
        let hits = source.ends.map { end in
            ScanHit(
                axis: .row, line: min(height - 1, max(0, Int(above + end.y * inner))),
                position: min(width - 1, max(0, Int(end.x * Double(width)))), isForward: end.isForward)
        }
        let step = max(1, Int((inner / Double(max(1, source.linesScanned))).rounded()))
        let found = crop.pixels.withView { view in
            LinearSymbolLocator(
                picture: view, density: ScanDensity(rows: step, columns: 0),
                barCount: ZBarSymbology.barCount(of: symbology)
            ).labels(from: hits)
        }
        // A label is at least as wide as ten modules of a pixel.
        let quads = found.filter { $0.quad.width >= 10 }.map { $0.quad.mapped { crop.toPicture($0) } }
        return quads.isEmpty ? [candidate.quad] : quads
    }

    /// Whether the symbol, with what quiet zone its kind needs to be whole, reaches the picture's edge.
    private func touchesEdge(_ quad: Quad, _ read: LinearRead) -> Bool {
        FoundBarcode.isCut(
            quad, symbology: read.symbology, payload: read.payload, width: picture.width, height: picture.height)
    }
}

extension FoundBarcode {
    /// Whether one of the ends of a linear symbol, or a side of another, lies at the picture's edge.
    ///
    /// Bars that go on beyond the edge upwards or downwards say nothing else there: only the ends of their middle count.
    static func isCut(_ quad: Quad, symbology: Symbology, payload: [UInt8], width: Int, height: Int) -> Bool {
        let isTwoOfFive = symbology == .i2of5 || symbology == .itf14
        let modules = moduleCount(of: symbology, payload: payload) ?? 100
        let place = quad.grown(along: isTwoOfFive ? quietZone * quad.width / modules : 0, across: 0)
        let ends: [Point?] =
            symbology.isLinear
            ? [
                middle(of: place.topLeft, place.bottomLeft, width: width, height: height),
                middle(of: place.topRight, place.bottomRight, width: width, height: height),
            ] : place.corners
        return ends.contains { point in
            guard let point else { return true }
            return point.x < edgeWidth || point.y < edgeWidth || point.x > Double(width) - edgeWidth
                || point.y > Double(height) - edgeWidth
        }
    }

    /// The middle of what lies within the picture of a line between two points, by Liang and Barsky (ACM TOG 3(1), 1984);
    /// `nil` where that is nothing.
    ///
    /// A symbol at the upper edge is taken to be as high as its kind, and the middle of that may be outside.
    private static func middle(of a: Point, _ b: Point, width: Int, height: Int) -> Point? {
        var (first, last) = (0.0, 1.0)
        for (from, way, limit) in [(a.x, b.x - a.x, Double(width)), (a.y, b.y - a.y, Double(height))] {
            if way.magnitude < 1e-9 {
                if from < 0 || from > limit { return nil }
                continue
            }
            let (one, other) = (-from / way, (limit - from) / way)
            first = max(first, min(one, other))
            last = min(last, max(one, other))
        }
        guard first < last else { return nil }
        return a + (b - a) * ((first + last) / 2)
    }
}

/// How far the bars of a candidate lean against its sides.
struct LeanMeasure {
    /// Places along each line that are compared.
    private static let samples = 192
    /// The steepest lean that is looked for, as a share of the candidate's height.
    private static let steepest = 0.36

    let picture: LumaView
    let quad: Quad

    /// By how many pixels the bars' lower ends lie to the right of their upper ends; 0 where no lean explains the picture
    /// better than none.
    func shift() -> Double {
        let length = max(8.0, quad.width)
        let count = min(Self.samples * 2, max(32, Int(length)))
        func line(_ share: Double, _ offset: Double) -> [Float] {
            let right = (quad.topRight - quad.topLeft).normalized * offset
            let start = quad.topLeft + (quad.bottomLeft - quad.topLeft) * share + right
            let end = quad.topRight + (quad.bottomRight - quad.topRight) * share + right
            return picture.profile(from: start, to: end, count: count)
        }
        let (upper, lower) = (line(0.25, 0), 0.75)
        let limit = Self.steepest * quad.height / 2
        var best = (shift: 0.0, likeness: correlation(upper, line(lower, 0)) + 0.02)
        var offset = 0.5
        while offset <= limit {
            for signed in [offset, -offset] {
                let likeness = correlation(upper, line(lower, signed))
                if likeness > best.likeness { best = (signed, likeness) }
            }
            offset += 0.5
        }
        return 2 * best.shift
    }
}

extension Quad {
    /// The quad with its lower side moved by so many pixels along itself, half of it up and half of it down.
    func leaning(by shift: Double) -> Quad {
        let right = (topRight - topLeft).normalized * (shift / 2)
        return Quad(
            topLeft: topLeft - right, topRight: topRight - right, bottomRight: bottomRight + right,
            bottomLeft: bottomLeft + right)
    }
}
