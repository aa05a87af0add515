// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// A barcode that was seen, and where it is to be looked for first.
public struct KnownBarcode: Sendable, Hashable {
    /// In 0...1 of the frame, or in pixels where that is said.
    public var bounds: Quad
    public var symbology: Symbology

    public init(bounds: Quad, symbology: Symbology) {
        self.bounds = bounds
        self.symbology = symbology
    }
}
