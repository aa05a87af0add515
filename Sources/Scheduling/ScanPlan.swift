// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ScanModel

/// What is worth looking at in one frame: at most one look of each kind.
public struct ScanPlan: Sendable, Hashable {
    /// A look for barcodes.
    public struct BarcodeLook: Sendable, Hashable {
        /// The parts of the frame in which codes are searched for, in 0...1; none where only known places are looked at.
        public var searched: [Rect]
        /// Barcodes that are followed, in 0...1 of the frame: looked for first, wherever they are.
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

/// What the tracker knows that helps to decide where to look.
public struct SchedulerAttention: Sendable, Hashable {
    /// A line of text that is followed.
    public struct Line: Sendable, Hashable {
        /// In 0...1 of the frame.
        public var bounds: Quad
        /// Whether its transcript is announced and its last readings agree.
        public var isSettled: Bool
        /// When it was last read, not only found.
        public var lastRead: MonotonicTime?

        public init(bounds: Quad, isSettled: Bool, lastRead: MonotonicTime?) {
            self.bounds = bounds
            self.isSettled = isSettled
            self.lastRead = lastRead
        }
    }

    /// Barcodes in 0...1 of the frame.
    public var barcodes: [KnownBarcode]
    public var lines: [Line]
    /// Barcodes that are seen and not certain yet.
    public var uncertainBarcodes: Int

    public init(barcodes: [KnownBarcode] = [], lines: [Line] = [], uncertainBarcodes: Int = 0) {
        self.barcodes = barcodes
        self.lines = lines
        self.uncertainBarcodes = uncertainBarcodes
    }
}
