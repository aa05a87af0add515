// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// One physical label, or one line of text, that is in view.
public enum RecognizedItem: Sendable, Hashable {
    case barcode(Barcode)
    case text(Text)

    /// A barcode in view.
    public struct Barcode: Sendable, Hashable {
        public var id: ItemID
        /// The symbol's corners, in 0...1 of the frame.
        public var bounds: Quad
        public var symbology: Symbology
        public var payload: Payload
        /// The digits of the add-on beside an EAN-13, UPC-A or UPC-E, such as `05`: two or five; `nil` where none was read.
        public var supplement: String?
        /// Which part of a message it is, where the message goes over several symbols; `payload` is that of this one.
        public var part: SymbolPart?
        /// The AIM identifier of ISO/IEC 15424 for `payload`, such as `]E0`, where it is known.
        public var symbologyIdentifier: String?
        /// Whether it is light on dark.
        public var isInverted: Bool
        /// Whether it is seen in a mirror, or from behind.
        public var isMirrored: Bool
        /// Whether it is for setting up a reader and not for its user.
        public var isReaderProgramming: Bool
        /// Whether the symbol marks its data as GS1 element strings (a leading FNC1).
        public var isGS1: Bool
        /// The number as GTIN-14, where the payload is one.
        public var gtin: String?
        /// What the element strings say, where `isGS1`.
        public var gs1: GS1Content?
        /// How sure the scanner is of the payload, 0...1: of items at 0.9 and more at least 98 in 100 are right.
        public var confidence: Double
        public var firstSeen: WallTime
        public var lastSeen: WallTime

        public init(
            id: ItemID, bounds: Quad, symbology: Symbology, payload: Payload, symbologyIdentifier: String? = nil,
            isGS1: Bool = false, gtin: String? = nil, gs1: GS1Content? = nil, supplement: String? = nil,
            part: SymbolPart? = nil, isInverted: Bool = false, isMirrored: Bool = false,
            isReaderProgramming: Bool = false, confidence: Double, firstSeen: WallTime, lastSeen: WallTime
        ) {
            self.id = id
            self.bounds = bounds
            self.symbology = symbology
            self.payload = payload
            self.symbologyIdentifier = symbologyIdentifier
            self.isGS1 = isGS1
            self.gtin = gtin
            self.gs1 = gs1
            self.supplement = supplement
            self.part = part
            self.isInverted = isInverted
            self.isMirrored = isMirrored
            self.isReaderProgramming = isReaderProgramming
            self.confidence = confidence
            self.firstSeen = firstSeen
            self.lastSeen = lastSeen
        }
    }

    /// A line of text in view.
    public struct Text: Sendable, Hashable {
        public var id: ItemID
        /// The line's corners, in 0...1 of the frame.
        public var bounds: Quad
        /// What the line says, in logical order, NFC.
        public var transcript: String
        /// Tesseract's names of the languages that it was read with, such as `eng`.
        public var languages: [String]
        /// How sure the scanner is of the transcript, 0...1.
        public var confidence: Double
        public var firstSeen: WallTime
        public var lastSeen: WallTime

        public init(
            id: ItemID, bounds: Quad, transcript: String, languages: [String], confidence: Double,
            firstSeen: WallTime, lastSeen: WallTime
        ) {
            self.id = id
            self.bounds = bounds
            self.transcript = transcript
            self.languages = languages
            self.confidence = confidence
            self.firstSeen = firstSeen
            self.lastSeen = lastSeen
        }
    }

    public var id: ItemID {
        switch self {
        case .barcode(let barcode): barcode.id
        case .text(let text): text.id
        }
    }

    /// The item's corners, in 0...1 of the frame.
    public var bounds: Quad {
        switch self {
        case .barcode(let barcode): barcode.bounds
        case .text(let text): text.bounds
        }
    }

    public var confidence: Double {
        switch self {
        case .barcode(let barcode): barcode.confidence
        case .text(let text): text.confidence
        }
    }
}
