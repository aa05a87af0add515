// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// The kinds of barcode that the product has a name for; the raw value is the name on the wire.
///
/// Which of them a build can read is the recogniser's to say (`BarcodeReader.supportedSymbologies`).
public enum Symbology: String, Sendable, Hashable, CaseIterable {
    case ean13 = "EAN13"
    case ean8 = "EAN8"
    case upcA = "UPCA"
    case upcE = "UPCE"
    case ean2 = "EAN2"
    case ean5 = "EAN5"
    case code128 = "Code128"
    case code39 = "Code39"
    case code93 = "Code93"
    case codabar = "Codabar"
    case i2of5 = "I2of5"
    case itf14 = "ITF14"
    case gs1DataBar = "GS1DataBar"
    case gs1DataBarExpanded = "GS1DataBarExpanded"
    case gs1DataBarLimited = "GS1DataBarLimited"
    case qr = "QR"
    case microQR = "MicroQR"
    case dataMatrix = "DataMatrix"
    case pdf417 = "PDF417"
    case aztec = "Aztec"
    case maxiCode = "MaxiCode"

    /// Whether its information runs along one axis only.
    public var isLinear: Bool {
        switch self {
        case .qr, .microQR, .dataMatrix, .pdf417, .aztec, .maxiCode: false
        default: true
        }
    }

    /// Whether the symbol carries error correction, so that a wrong read does not pass it.
    public var hasErrorCorrection: Bool { !isLinear }

    /// The name on the wire, found without regard to case.
    public init?(name: String) {
        guard let match = Symbology.allCases.first(where: { $0.rawValue.lowercased() == name.lowercased() }) else {
            return nil
        }
        self = match
    }
}
