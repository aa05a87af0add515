// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ScanModel

/// What the engines made of one candidate.
struct DecodedSymbol: Sendable, Hashable {
    enum Engine: Sendable, Hashable {
        case zbar
        case zxing
        /// The comparison with drawn bars, of what another has read or of all symbols that there are.
        case own
    }

    /// What was done to a crop before an engine got it.
    enum Preparation: Sendable, Hashable {
        /// Turned upright and scaled, nothing else.
        case plain
        /// Local contrast stretched.
        case stretched
        /// Edges made steeper.
        case sharpened
        /// Rows averaged along the bars, edges made steeper.
        case averaged
        /// Not a crop's pixels but the payload's own pattern, drawn and compared with the picture.
        case redrawn
        /// All symbols that there are, drawn, blurred and compared with the picture.
        case templates
    }

    /// An engine that read the payload, and in what.
    struct Witness: Sendable, Hashable {
        var engine: Engine
        var preparation: Preparation
    }

    typealias Part = SymbolPart

    var symbology: Symbology
    /// Exactly what the symbol encodes; the separator of GS1 is 0x1D.
    var payload: [UInt8]
    /// In pixels of the picture, corners named from the symbol's own point of view.
    var quad: Quad
    var witnesses: Set<Witness>
    /// Scan lines of the crop that said so; 1 for symbols with error correction.
    var quality: Int
    var isGS1: Bool
    /// The AIM identifier of ISO/IEC 15424.
    var identifier: String?
    /// The first character set that the symbol names by an ECI.
    var eci: Int?
    /// The payload in UTF-8 by the symbol's ECI, where it names one.
    var text: String?
    var isInverted: Bool
    var isMirrored = false
    /// Whether the symbol is for setting up a reader and not for its user.
    var isReaderProgramming = false
    var part: Part?
    /// The digits of the add-on symbol beside an EAN or UPC.
    var supplement: [UInt8]?
    /// Whether the symbol reaches the picture's edge, so that there may be more of it.
    var touchesEdge = false
    /// How sure the reading is, 0...1: of readings at 0.9 and more at least 98 in 100 are right.
    var confidence: Double

    /// Whether two engines, or an engine on two preparations that are not one another's kin, say the same.
    var isConfirmed: Bool {
        symbology.hasErrorCorrection || confidence >= ReadingTrust.confirmed
    }
}
