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

/// The part of the picture that is looked at; nothing outside is read or announced.
public struct RegionOfInterest: Sendable, Hashable {
    /// An upright rectangle in 0...1 of the frame, not empty, inside the frame.
    public let rect: Rect

    /// Takes a rectangle in 0...1; `nil` when it is empty, not finite or reaches outside the frame.
    public init?(_ rect: Rect) {
        guard rect.x.isFinite, rect.y.isFinite, rect.width.isFinite, rect.height.isFinite, rect.width > 0,
            rect.height > 0, rect.minX >= 0, rect.minY >= 0, rect.maxX <= 1 + 1e-9, rect.maxY <= 1 + 1e-9
        else { return nil }
        self.rect = rect
    }

    private init(unchecked rect: Rect) { self.rect = rect }

    /// The whole picture.
    public static let full = RegionOfInterest(unchecked: Rect(x: 0, y: 0, width: 1, height: 1))
}
