// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ScanModel

/// One way to look at a candidate for a linear symbol.
struct LinearPass: Hashable {
    enum Shape: Hashable {
        /// A strip of lines across the bars.
        case lines
        /// The same, turned by what the bars lean.
        case leaning
        /// The whole, with its own proportions: stacked DataBar.
        case whole
        /// The candidate's other direction, where the finder took the bars for lines.
        case turned
    }

    var shape = Shape.lines
    /// Pixels for a module.
    var pixelsPerModule: Double
    /// Lines of the strip.
    var lines: Int
    var preparation = DecodedSymbol.Preparation.plain
    var isInverted = false
    var engine: DecodedSymbol.Engine

    /// Passes over one candidate at the most.
    static func maximumPasses(_ effort: ReadingEffort) -> Int {
        switch effort {
        case .glance: 3
        case .look: 9
        case .thorough: 22
        }
    }

    /// The passes of an effort, the cheap and likely first.
    ///
    /// ZBar likes plain crops at 2 to 3 pixels a module and is harmed by sharpening; zxing-cpp likes 4 pixels, rows that are
    /// averaged along the bars, and steep edges.
    static func plan(for candidate: CodeCandidate, effort: ReadingEffort) -> [LinearPass] {
        let lines = effort == .glance ? 24 : 40
        let first = candidate.isInverted ?? false
        var passes: [LinearPass] = []
        func add(
            _ engine: DecodedSymbol.Engine, _ preparation: DecodedSymbol.Preparation = .plain, shape: Shape = .lines,
            scale: Double? = nil, inverted: Bool? = nil
        ) {
            if let known = candidate.isInverted, let inverted, inverted != known { return }
            passes.append(
                LinearPass(
                    shape: shape, pixelsPerModule: scale ?? (preparation == .averaged ? 4 : 3), lines: lines,
                    preparation: preparation, isInverted: inverted ?? first, engine: engine))
        }
        add(.zbar)
        add(.zxing)
        add(.zxing, .averaged)
        add(.zxing, .averaged, shape: .leaning)
        add(.zbar, .stretched)
        add(.zxing, .stretched)
        add(.zxing, shape: .whole)
        add(.zbar, inverted: true)
        add(.zxing, .averaged, inverted: true)
        add(.zbar, scale: 2)
        add(.zxing, scale: 2)
        add(.zbar, shape: .leaning, scale: 4)
        add(.zxing, .sharpened, scale: 4)
        add(.zbar, shape: .whole)
        add(.zxing, .averaged, scale: 6)
        add(.zxing, .stretched, shape: .whole, scale: 4)
        add(.zbar, shape: .turned)
        add(.zxing, .averaged, shape: .turned)
        return Array(passes.prefix(maximumPasses(effort)))
    }
}
