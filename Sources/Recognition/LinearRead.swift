// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ScanModel

/// What one engine made of one crop of a linear symbol.
struct LinearRead {
    var symbology: Symbology
    var payload: [UInt8]
    var witness: DecodedSymbol.Witness
    var isGS1: Bool
    var identifier: String?
    /// The digits of an add-on that was read with it.
    var supplement: [UInt8]?
    var isInverted: Bool
    var isReaderProgramming = false
    /// Scan lines that said so, and how many there were.
    var lines: Int
    var linesScanned: Int
    /// Where the lines ended, in the shares 0...1 of the crop's sides; `isForward` as for `ScanHit`.
    var ends: [LineEnd]
    /// Whether it is read from the crop's left to its right.
    var isForward: Bool
    /// Which crop it was.
    var shape: LinearPass.Shape

    struct LineEnd: Hashable {
        var x: Double
        var y: Double
        var isForward: Bool
    }

    /// What the ends span, from left to right; the two halves of an EAN may give less than the symbol.
    var span: ClosedRange<Double> {
        let places = ends.map(\.x)
        let (low, high) = (places.min() ?? 0, places.max() ?? 1)
        return low...high
    }
}
