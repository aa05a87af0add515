// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ScanModel

/// What is worth looking at in one frame: at most one look of each kind.
public struct ScanPlan: Sendable, Hashable {
    /// A look for barcodes. What it costs: each known barcode its crop, each searched pixel the finding of regions and the
    /// reading of their crops, and, where it `sweeps`, ZBar over the pixel as well.
    public struct BarcodeLook: Sendable, Hashable {
        /// The parts of the frame in which codes are searched for, in 0...1, 8 at the most; none where only known places are
        /// looked at.
        public var searched: [Rect]
        /// Barcodes that are followed, in 0...1 of the frame: looked for first, one by one, wherever they are.
        public var knownBarcodes: [KnownBarcode]
        /// Whether the whole of `searched` is scanned, for what is not found as a region of its own.
        public var sweeps: Bool

        public init(searched: [Rect], knownBarcodes: [KnownBarcode] = [], sweeps: Bool = false) {
            self.searched = searched
            self.knownBarcodes = knownBarcodes
            self.sweeps = sweeps
        }
    }

    /// A look for lines of text. Quads are in 0...1 of the frame.
    public struct TextLook: Sendable, Hashable {
        /// The region of interest, or a band of it over its whole width: no line is cut at its sides.
        public var region: Rect
        /// Barcodes that are painted over before lines are looked for.
        public var masks: [Quad]
        /// Settled lines that need no reading now.
        public var knownLines: [Quad]
        /// How many lines are read at the most.
        public var maximumLines: Int
        /// Counts the looks for text, so that each line has its turn.
        public var turn: Int
    }

    public var barcodes: BarcodeLook?
    public var text: TextLook?

    /// Whether there is nothing to look at.
    public var isEmpty: Bool { barcodes == nil && text == nil }

    public init() {}
}
