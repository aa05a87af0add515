// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ScanModel

/// What a tracker knows that helps to decide where to look next.
public struct TrackedAttention: Sendable, Hashable {
    /// Whether the place of a barcode still looks like it.
    public enum Presence: Sendable, Hashable {
        /// It looks as it did when the barcode was read.
        case there
        /// Something passes in front of it.
        case covered
        /// That can not be said.
        case unknown
        /// It stands still and does not look like it.
        case missing
    }

    /// A barcode that is followed.
    public struct Barcode: Sendable, Hashable {
        /// What its place is followed by.
        public var key: PlaceKey
        public var bounds: Quad
        public var symbology: Symbology
        /// Whether it is announced.
        public var isCertain: Bool
        /// When the frame was taken in which it was last read.
        public var lastRead: MonotonicTime
        /// Looks in a row that covered its place and did not see it.
        public var missed: Int
        public var presence: Presence
    }

    /// A line of text that is followed.
    public struct Line: Sendable, Hashable {
        public var bounds: Quad
        /// Whether it is announced and its last readings agree.
        public var isSettled: Bool
        /// When the frame was taken in which it was last read; `nil` for a line that never was.
        public var lastRead: MonotonicTime?
    }

    /// What looks like a code and was not read.
    public struct UnreadCode: Sendable, Hashable {
        public var bounds: Quad
        /// The width of its smallest bar or square in pixels of the frame, where it is known.
        public var moduleSize: Double?
        /// When the frame was taken in which it was last seen.
        public var lastSeen: MonotonicTime
    }

    /// Barcodes in 0...1 of the frame, announced or probably there: text is not looked for in them.
    public var barcodes: [Barcode]
    public var lines: [Line]
    public var unreadCodes: [UnreadCode]
    /// Barcodes that were seen in the last half second and are not certain yet.
    public var uncertainBarcodes: Int
}
