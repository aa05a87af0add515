// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Configuration
import DataScanner
import Recognition
import ScanModel
import ServiceSupport

/// What this run can recognise of what it was asked for.
struct RecognizedTypes: Sendable {
    let types: [RecognizedDataType]
    /// Why text is off although it was asked for.
    let textUnavailable: String?

    /// Throws `ProgramFailure` where nothing is left, or where a symbology was named that this build does not read.
    init(_ options: DaemonOptions, logger: Logger) throws {
        var types: [RecognizedDataType] = []
        var reason: String?
        for type in options.recognizedDataTypes {
            switch type {
            case .barcode(let symbologies):
                for symbology in symbologies where !BarcodeReader.supportedSymbologies.contains(symbology) {
                    throw ProgramFailure(.configuration, "this version does not read \(symbology.rawValue)")
                }
                types.append(type)
            case .text(let languages):
                if let missing = TextReader.unavailableReason(languages: languages) {
                    reason = missing
                } else {
                    types.append(type)
                }
            }
        }
        if let reason {
            if types.isEmpty { throw ProgramFailure(.configuration, "text can not be read: \(reason)") }
            logger.warning("text is off: \(reason)")
        }
        self.types = types
        textUnavailable = reason
    }

    func configuration(_ options: DaemonOptions, notices: Notices) -> ScannerConfiguration {
        ScannerConfiguration(
            recognizedDataTypes: types, qualityLevel: options.qualityLevel, recognizesMultipleItems: true,
            regionOfInterest: options.regionOfInterest, symbologyRules: options.symbologyRules,
            recognition: .workers(executable: nil),
            onNotice: { notices.take($0) })
    }
}
