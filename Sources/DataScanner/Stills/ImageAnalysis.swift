// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ScanModel

/// What a still picture shows.
public struct ImageAnalysis: Sendable, Hashable {
    /// Pixels of the picture as it is seen, turned by what its file says.
    public var width: Int
    public var height: Int
    /// The labels and lines, in reading order.
    public var items: [RecognizedItem]
    /// CPU time of the recognition, in the worker processes too; loading and decoding the file are not in it.
    public var cpuTime: Duration
    /// What was looked for and could not be, and why, such as a worker that was lost; `items` has then what the others found.
    public var problems: [String]

    /// The lines of text in reading order, joined by newlines.
    public var transcript: String {
        items.compactMap { if case .text(let text) = $0 { text.transcript } else { nil } }.joined(separator: "\n")
    }
}

/// How an `ImageAnalyzer` looks at pictures.
public struct ImageAnalyzerConfiguration: Sendable {
    /// Barcodes, text or both.
    public var recognizedDataTypes: [RecognizedDataType]
    public var qualityLevel: QualityLevel
    /// The part of the picture, as it is seen, that is looked at.
    public var regionOfInterest: RegionOfInterest
    /// What barcodes of a symbology must be like to be taken for real.
    public var symbologyRules: [Symbology: SymbologyRule]
    /// Where the pictures are read. In this process, a picture that a library can not bear ends the program, and no
    /// deadline holds.
    public var recognition: ScannerConfiguration.RecognitionPlacement
    /// Hears what the workers have to say, on a thread of the analyzer's; it must not block.
    public var onNotice: @Sendable (ScannerNotice) -> Void

    public init(
        recognizedDataTypes: [RecognizedDataType], qualityLevel: QualityLevel = .balanced,
        regionOfInterest: RegionOfInterest = .full, symbologyRules: [Symbology: SymbologyRule] = [:],
        recognition: ScannerConfiguration.RecognitionPlacement = .inProcess,
        onNotice: @escaping @Sendable (ScannerNotice) -> Void = { _ in }
    ) {
        self.recognizedDataTypes = recognizedDataTypes
        self.qualityLevel = qualityLevel
        self.regionOfInterest = regionOfInterest
        self.symbologyRules = symbologyRules
        self.recognition = recognition
        self.onNotice = onNotice
    }

    /// The same for what the analyzer shares with the scanner.
    var scanner: ScannerConfiguration {
        ScannerConfiguration(
            recognizedDataTypes: recognizedDataTypes, qualityLevel: qualityLevel, recognizesMultipleItems: true,
            regionOfInterest: regionOfInterest, symbologyRules: symbologyRules, recognition: recognition,
            onNotice: onNotice)
    }
}
