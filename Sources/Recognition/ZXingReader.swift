// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import CZXing
internal import ImageKernels
internal import ScanModel

/// What zxing-cpp says of one symbol, in pixels of the crop.
struct ZXingSymbol {
    var symbology: Symbology
    var payload: [UInt8]
    /// The payload in UTF-8 by the symbol's ECI or by zxing-cpp's guess; `nil` where it is longer than is taken.
    var text: String?
    /// Corners in the symbol's own order; for linear symbols the ends of a line; `nil` for MaxiCode.
    var quad: Quad?
    var identifier: String?
    var eci: Int?
    var isGS1: Bool
    var isMirrored: Bool
    var isReaderProgramming: Bool
    var part: DecodedSymbol.Part?
    /// Scan lines of a linear symbol that agreed.
    var lines: Int
}

/// The second engine: zxing-cpp on a crop that holds one symbol.
struct ZXingReader {
    /// What zxing-cpp 1.4 reads.
    static let supported: Set<Symbology> = Set(bits.map(\.symbology))

    enum Binarizer: UInt8 {
        /// `CZXING_LOCAL_AVERAGE` and its neighbours.
        case localAverage = 0
        case globalHistogram = 1
    }

    var symbologies: Set<Symbology>
    var binarizer = Binarizer.localAverage
    var triesHarder = true
    var triesRotated = false
    var isPure = false
    /// Scan lines of a linear symbol that must say the same.
    var minimumLines: UInt8 = 2
    /// Asked before each call: zxing-cpp's assertions end the process.
    let quarantine: CropQuarantine

    private static let bits: [(bit: UInt32, symbology: Symbology)] = [
        (UInt32(CZXING_AZTEC), .aztec), (UInt32(CZXING_CODABAR), .codabar), (UInt32(CZXING_CODE39), .code39),
        (UInt32(CZXING_CODE93), .code93), (UInt32(CZXING_CODE128), .code128), (UInt32(CZXING_DATABAR), .gs1DataBar),
        (UInt32(CZXING_DATABAR_EXPANDED), .gs1DataBarExpanded), (UInt32(CZXING_DATA_MATRIX), .dataMatrix),
        (UInt32(CZXING_EAN8), .ean8), (UInt32(CZXING_EAN13), .ean13), (UInt32(CZXING_ITF), .i2of5),
        (UInt32(CZXING_ITF), .itf14), (UInt32(CZXING_MAXICODE), .maxiCode), (UInt32(CZXING_PDF417), .pdf417),
        (UInt32(CZXING_QR), .qr), (UInt32(CZXING_UPCA), .upcA), (UInt32(CZXING_UPCE), .upcE),
        (UInt32(CZXING_MICRO_QR), .microQR),
    ]

    /// At most one symbol; `nil` where nothing was read, or the crop is one that ended a process before.
    func read(_ crop: LumaBuffer) -> ZXingSymbol? {
        let asked = Self.bits.filter { symbologies.contains($0.symbology) }.reduce(0) { $0 | $1.bit }
        guard asked != 0, let width = Int32(exactly: crop.width), let height = Int32(exactly: crop.height) else {
            return nil
        }
        guard quarantine.begin(crop) else { return nil }
        defer { quarantine.end() }
        var options = czxing_options()
        options.formats = asked
        options.binarizer = binarizer.rawValue
        options.try_harder = triesHarder ? 1 : 0
        options.try_rotate = triesRotated ? 1 : 0
        options.is_pure = isPure ? 1 : 0
        options.minimum_lines = minimumLines
        let capacity = RecognitionLimits.maximumPayloadBytes
        var payload = [UInt8](repeating: 0, count: capacity)
        // A character of any set that zxing-cpp knows takes at most three bytes in UTF-8.
        var text = [CChar](repeating: 0, count: 3 * capacity)
        var symbol = czxing_symbol()
        let outcome = crop.pixels.withUnsafeBufferPointer { pixels -> Int32 in
            guard let base = pixels.baseAddress else { return 0 }
            return czxing_read(base, width, height, width, &options, &payload, capacity, &text, text.count, &symbol)
        }
        guard outcome == CZXING_FOUND, symbol.payload_length > 0 else { return nil }
        let characters = text[..<symbol.text_length].map { UInt8(bitPattern: $0) }
        return ZXingSymbol(symbol, payload: Array(payload[..<symbol.payload_length]), characters: characters)
    }

    fileprivate static func symbology(of bit: UInt32) -> Symbology? { bits.first { $0.bit == bit }?.symbology }
}

extension ZXingSymbol {
    fileprivate init?(_ symbol: czxing_symbol, payload: [UInt8], characters: [UInt8]) {
        guard let symbology = ZXingReader.symbology(of: symbol.format) else { return nil }
        self.symbology = symbology
        self.payload = payload
        text = characters.isEmpty ? nil : String(validating: characters, as: UTF8.self)
        let c = symbol.corners
        func corner(_ x: Int32, _ y: Int32) -> Point { Point(x: Double(x), y: Double(y)) }
        quad =
            symbology == .maxiCode
            ? nil
            : Quad(
                topLeft: corner(c.0, c.1), topRight: corner(c.2, c.3), bottomRight: corner(c.4, c.5),
                bottomLeft: corner(c.6, c.7))
        identifier = Self.string(symbol.identifier)
        eci = symbol.eci >= 0 ? Int(symbol.eci) : nil
        isGS1 = symbol.is_gs1 != 0
        isMirrored = symbol.is_mirrored != 0
        isReaderProgramming = symbol.is_reader_programming != 0
        lines = Int(symbol.line_count)
        if symbol.sequence_index >= 0, symbol.sequence_size >= 0 {
            part = DecodedSymbol.Part(
                index: Int(symbol.sequence_index), count: symbol.sequence_size > 0 ? Int(symbol.sequence_size) : nil,
                identifier: Self.string(symbol.sequence_id) ?? "")
        }
    }

    /// The text in a C array, up to its NUL; `nil` for none.
    private static func string(_ array: some Any) -> String? {
        withUnsafeBytes(of: array) { bytes in
            let text = bytes.prefix { $0 != 0 }
            return text.isEmpty ? nil : String(validating: text, as: UTF8.self)
        }
    }
}
