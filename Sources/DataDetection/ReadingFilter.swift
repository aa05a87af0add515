// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ScanModel

/// Keeps of what a recogniser saw the barcodes that the user's rules allow, before they count as evidence.
public struct ReadingFilter: Sendable {
    private let rules: [Symbology: SymbologyRule]

    public init(rules: [Symbology: SymbologyRule]) { self.rules = rules }

    /// The observations without the readings that break a rule.
    ///
    /// Where a check character is required and right, the AIM identifier says so (ISO/IEC 15424: validated, and left in
    /// the payload).
    public func allowed(_ observations: [Observation]) -> [Observation] {
        if rules.isEmpty { return observations }
        return observations.compactMap { observation in
            guard case .barcode(var reading) = observation.content, let rule = rules[reading.symbology] else {
                return observation
            }
            guard rule.allows(length: reading.payload.count) else { return nil }
            if rule.requiresCheckDigit, reading.symbology.hasOptionalCheckDigit {
                guard ReadingFilter.hasRightCheckDigit(reading) else { return nil }
                reading.symbologyIdentifier = ReadingFilter.checkedIdentifier(reading.symbology)
            }
            return Observation(bounds: observation.bounds, content: .barcode(reading))
        }
    }

    private static func hasRightCheckDigit(_ reading: BarcodeReading) -> Bool {
        switch reading.symbology {
        case .code39: CheckDigits.isValidCode39(reading.payload)
        case .codabar: CheckDigits.isValidCodabar(reading.payload)
        default: CheckDigits.isValidGS1(reading.payload)
        }
    }

    private static func checkedIdentifier(_ symbology: Symbology) -> String {
        switch symbology {
        case .code39: "]A1"
        case .codabar: "]F2"
        default: "]I1"
        }
    }
}
