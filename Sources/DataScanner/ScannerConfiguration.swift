// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Recognition
public import ScanModel

/// What a scanner looks for, how hard, and where its recognisers run.
public struct ScannerConfiguration: Sendable {
    /// Where barcodes and text are read.
    public enum RecognitionPlacement: Sendable, Hashable {
        /// On threads of this process. A crash of a library ends the program; nothing has to be set up.
        case inProcess
        /// In worker processes made of this executable, which must call `RecognitionWorker.run` when its first argument
        /// asks for it; `nil` for this program's own.
        case workers(executable: String?)
    }

    /// Barcodes, text or both.
    public var recognizedDataTypes: [RecognizedDataType]
    public var qualityLevel: QualityLevel
    /// Whether all items are told, or only the one nearest to the middle of the picture.
    public var recognizesMultipleItems: Bool
    public var regionOfInterest: RegionOfInterest
    /// What barcodes of a symbology must be like to be taken for real.
    public var symbologyRules: [Symbology: SymbologyRule]
    public var recognition: RecognitionPlacement
    /// Hears of faults and their ends, on the scanner's threads; it must not block.
    public var onNotice: @Sendable (ScannerNotice) -> Void

    public init(
        recognizedDataTypes: [RecognizedDataType], qualityLevel: QualityLevel = .balanced,
        recognizesMultipleItems: Bool = false, regionOfInterest: RegionOfInterest = .full,
        symbologyRules: [Symbology: SymbologyRule] = [:],
        recognition: RecognitionPlacement = .inProcess,
        onNotice: @escaping @Sendable (ScannerNotice) -> Void = { _ in }
    ) {
        self.recognizedDataTypes = recognizedDataTypes
        self.qualityLevel = qualityLevel
        self.recognizesMultipleItems = recognizesMultipleItems
        self.regionOfInterest = regionOfInterest
        self.symbologyRules = symbologyRules
        self.recognition = recognition
        self.onNotice = onNotice
    }

    /// What is looked for where no symbology is named: all that can be read. The add-ons of two and five digits, which have
    /// hardly a check of their own, are read beside an EAN or UPC as its `supplement` and make no items.
    public static let defaultSymbologies = BarcodeReader.supportedSymbologies

    /// The symbologies that are looked for; empty where no barcodes are.
    var symbologies: Set<Symbology> {
        var wanted: Set<Symbology> = []
        for case .barcode(let named) in recognizedDataTypes {
            wanted.formUnion(named.isEmpty ? ScannerConfiguration.defaultSymbologies : Set(named))
        }
        return wanted.intersection(BarcodeReader.supportedSymbologies)
    }

    /// The languages that text is read in; empty where no text is looked for.
    var languages: [String] {
        var wanted: [String] = []
        for case .text(let named) in recognizedDataTypes {
            for language in named.isEmpty ? ["eng"] : named where !wanted.contains(language) { wanted.append(language) }
        }
        return wanted
    }
}

/// What the scanner has to say beside its events, for a log.
public enum ScannerNotice: Sendable, Hashable {
    /// A picture or frame that could not be read was skipped.
    case frameSkipped(sequence: UInt64, subject: String, reason: String)
    /// For 10 s no frame was skipped, after some were; how many in all since the start.
    case framesReadAgain(skipped: Int)
    /// What whoever runs the source should know, while frames come.
    case sourceRemark(String)
    /// A recogniser can not work, and why.
    case recognitionUnavailable(String)
    /// A worker was lost, and how; it is being replaced.
    case workerLost(String)
    /// Something that a library wrote on a worker's standard error.
    case workerSaid(String)
    /// For a log of details.
    case detail(String)
}

/// Why a scanner can not be made or started.
public enum ScannerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Nothing that this build can read was asked for.
    case nothingToRecognize
    /// A symbology was named that this build does not read.
    case symbologyNotRead(Symbology)
    /// Text can not be read in the languages that were named, and what to do.
    case textUnavailable(String)
    /// The source has given its last frame.
    case sourceEnded
    /// The reader of `events` was too slow: events were lost, its list of items is no longer right.
    case eventsLost

    public var description: String {
        switch self {
        case .nothingToRecognize: "nothing to look for: name barcodes of a symbology that can be read, or text"
        case .symbologyNotRead(let symbology): "this version does not read \(symbology.rawValue)"
        case .textUnavailable(let reason): "text can not be read: \(reason)"
        case .sourceEnded: "the source has ended; make a new scanner"
        case .eventsLost: "events came faster than they were read; take a new sequence and start from recognizedItems"
        }
    }
}
