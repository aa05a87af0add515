// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ScanModel

/// What a tracker knows that helps to decide where to look next.
public struct TrackedAttention: Sendable, Hashable {
    /// A line of text that is followed.
    public struct Line: Sendable, Hashable {
        public var bounds: Quad
        /// Whether it is announced and its last readings agree.
        public var isSettled: Bool
        /// When the frame was taken in which it was last read; `nil` for a line that never was.
        public var lastRead: MonotonicTime?
    }

    /// Barcodes in 0...1 of the frame, announced or probably there: text is not looked for in them.
    public var barcodes: [KnownBarcode]
    public var lines: [Line]
    /// Barcodes that were seen in the last half second and are not certain yet.
    public var uncertainBarcodes: Int
}
