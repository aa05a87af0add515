// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

package import ScanModel

/// A part of a picture that looks like a code, before anybody tried to read it.
package struct CodeCandidate: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// Bars: EAN, UPC, Code 128, 2 of 5, DataBar...
        case linear
        /// Three finder patterns of a QR code.
        case qr
        /// Energy in both directions: Data Matrix, Aztec, Micro QR, a QR code whose finders were not seen.
        case matrix
        /// A bullseye of squares or rings in its middle: Aztec, MaxiCode.
        case bullseye
        /// Rows of bars: PDF417.
        case stacked
    }

    package var kind: Kind
    /// In pixels of the picture, in the order of the code's own corners as far as that is known.
    ///
    /// For `linear` and `stacked`, top-left to top-right runs across the bars. It is the code's own area: the reader adds
    /// the quiet zone.
    package var quad: Quad
    /// Pixels of the narrowest bar or module, where it could be measured.
    package var moduleSize: Double?
    /// Whether it is light on dark; `nil` where that is not known.
    package var isInverted: Bool?
    /// Comparable between candidates of one kind; more is better.
    package var score: Double
    /// About the share of such candidates that hold a code that can be read, 0...1; comparable between kinds.
    package var promise: Double = 0.1
}
