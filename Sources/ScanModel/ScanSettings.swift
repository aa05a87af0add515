// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// How hard the scanner tries: a level says what is tried, not how long the program may stall.
public enum QualityLevel: String, Sendable, Hashable, CaseIterable {
    /// Signs, large labels, a moving camera.
    case fast
    /// Most work.
    case balanced
    /// Micro codes, serial numbers, small print.
    case accurate
}

/// What is looked for, as in VisionKit's `DataScannerViewController.RecognizedDataType`.
public enum RecognizedDataType: Sendable, Hashable {
    /// Lines of text; languages are Tesseract's names in order of preference, none for the default (`eng`).
    case text(languages: [String] = [])
    /// Barcodes of these symbologies; none named for all that can be read.
    case barcode(symbologies: [Symbology] = [])
}
