// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ScanModel

/// One way to look at a candidate for a symbol in two dimensions.
struct MatrixPass: Hashable {
    /// How it is cut out.
    struct Frame: Hashable {
        /// What is kept around it, as a share of its sides.
        var margin: Double
        /// Pixels of the longer side without the margin, where its module is not known.
        var side: Double
        /// Pixels for a module, where it is known; elsewhere what `side` comes to.
        var pixelsPerModule: Double
        /// Scales that are taken for 1: a sharp picture of its own size is better than one resampled to a little more or
        /// less.
        var native = 0.5...1.6

        /// Pixels of the crop for one of the picture.
        func scale(of candidate: CodeCandidate) -> Double {
            let longer = max(candidate.quad.width, candidate.quad.height)
            guard let module = candidate.moduleSize, module > 0.4 else {
                // A large one may have many modules: not more than half of its pixels are given up at first.
                return max(side / longer, min(0.5, 2 * side / longer))
            }
            // Beyond twice the usual side there is nothing to gain but work.
            let scale = min(pixelsPerModule / module, max(1, MatrixPass.largestSide / longer))
            return native.contains(scale) ? 1 : scale
        }
    }

    var frame: Frame
    var preparation: DecodedSymbol.Preparation
    var isInverted = false
    var engine = DecodedSymbol.Engine.zxing
    var binarizer = ZXingReader.Binarizer.localAverage

    /// Pixels of the longer side that are worth reading: QR version 40 at 5 pixels a module has 885.
    static let largestSide = 1000.0
    /// The promise under which a glance is one pass.
    static let leastPromise = 0.05
    /// Passes over one candidate at the most.
    static func maximumPasses(_ effort: ReadingEffort) -> Int {
        switch effort {
        case .glance: 2
        case .look: 6
        case .thorough: 16
        }
    }

    /// What a kind of candidate can be.
    static func symbologies(of kind: CodeCandidate.Kind) -> Set<Symbology> {
        switch kind {
        case .linear: []
        case .qr: [.qr]
        case .matrix: [.dataMatrix, .qr, .microQR, .aztec, .maxiCode]
        case .bullseye: [.aztec, .maxiCode]
        case .stacked: [.pdf417, .gs1DataBarExpanded, .gs1DataBar]
        }
    }

    /// The passes of an effort, the likely first; both polarities where it is not known.
    static func plan(for candidate: CodeCandidate, effort: ReadingEffort) -> [MatrixPass] {
        var passes: [MatrixPass] = []
        func add(
            _ frame: Frame, _ preparation: DecodedSymbol.Preparation, inverted: Bool? = nil,
            engine: DecodedSymbol.Engine = .zxing, binarizer: ZXingReader.Binarizer = .localAverage
        ) {
            let known = candidate.isInverted
            // A pass of the other polarity is left out where the candidate's is known.
            if let known, let inverted, known != inverted { return }
            passes.append(
                MatrixPass(
                    frame: frame, preparation: preparation, isInverted: inverted ?? known ?? false, engine: engine,
                    binarizer: binarizer))
        }
        let frames = frames(of: candidate.kind)
        let first = frames[0]
        add(first, .plain)
        add(first, .stretched)
        add(first, .plain, inverted: true)
        for frame in frames.dropFirst() {
            add(frame, .plain)
            add(frame, .stretched)
        }
        if candidate.kind == .qr || candidate.kind == .matrix {
            add(first, .plain, engine: .zbar)
            add(first, .sharpened, engine: .zbar)
        }
        add(first, .sharpened)
        add(first, .plain, binarizer: .globalHistogram)
        add(first, .stretched, inverted: true)
        for frame in frames.dropFirst() { add(frame, .plain, inverted: true) }
        // What shows no part of any code is one in thirty times: it gets one pass.
        let isUnlikely = effort == .glance && candidate.promise < leastPromise
        return Array(passes.prefix(isUnlikely ? 1 : maximumPasses(effort)))
    }

    /// Margins and sizes, the likely first.
    private static func frames(of kind: CodeCandidate.Kind) -> [Frame] {
        switch kind {
        case .linear: []
        case .qr:
            [
                Frame(margin: 0.18, side: 240, pixelsPerModule: 4), Frame(margin: 0.18, side: 400, pixelsPerModule: 6),
            ]
        case .matrix:
            [
                Frame(margin: 0.15, side: 160, pixelsPerModule: 5), Frame(margin: 0.3, side: 240, pixelsPerModule: 7),
                Frame(margin: 0.1, side: 110, pixelsPerModule: 4), Frame(margin: 0.08, side: 480, pixelsPerModule: 10),
                Frame(margin: 0.12, side: 200, pixelsPerModule: 6),
            ]
        case .bullseye:
            [
                Frame(margin: 0.2, side: 240, pixelsPerModule: 5, native: 0.35...2.6),
                Frame(margin: 0.06, side: 480, pixelsPerModule: 7), Frame(margin: 0.3, side: 700, pixelsPerModule: 10),
            ]
        case .stacked:
            [
                Frame(margin: 0.08, side: 600, pixelsPerModule: 3), Frame(margin: 0.15, side: 1000, pixelsPerModule: 4),
                Frame(margin: 0.05, side: 400, pixelsPerModule: 2.5),
            ]
        }
    }
}
