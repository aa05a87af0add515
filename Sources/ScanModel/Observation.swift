// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// What a recogniser saw in one frame, before it is an item.
public struct Observation: Sendable, Hashable {
    /// The corners of what was seen, in 0...1 of the frame.
    public var bounds: Quad
    public var content: Content

    public enum Content: Sendable, Hashable {
        case barcode(BarcodeReading)
        case text(TextReading)
        /// A line of text was found here and not read: it keeps an item alive and says nothing of its transcript.
        case unreadLine
        /// Something that looks like a code was found here and not read. `moduleSize` is the width of its smallest bar or
        /// square in pixels of the frame, where it is known.
        case unreadCode(moduleSize: Double?)
    }

    public init(bounds: Quad, content: Content) {
        self.bounds = bounds
        self.content = content
    }
}

/// What the engines read of one barcode in one frame.
public struct BarcodeReading: Sendable, Hashable {
    public var symbology: Symbology
    public var payload: [UInt8]
    /// The AIM identifier of ISO/IEC 15424 for the payload as it stands here, where it is known.
    public var symbologyIdentifier: String?
    public var isGS1: Bool
    /// How many scan lines agreed, scaled to a scan of every line; at least 1. Symbols with error correction have 1.
    public var quality: Int
    /// Whether a second engine reads the same in the label's own crop.
    public var isConfirmed: Bool
    /// Whether the symbol touches the edge of the picture or of the region that was looked at.
    public var touchesEdge: Bool
    /// How sure the payload is, 0...1: of readings at 0.9 and more at least 98 in 100 are right.
    public var confidence: Double
    /// The first Extended Channel Interpretation that the symbol names, 0...999,999 as AIM assigns them.
    public var eci: Int?
    /// The payload as text by `eci`, where that is a character set that `Payload` has to be told; `nil` otherwise.
    public var text: String?
    /// Whether it is light on dark.
    public var isInverted: Bool
    /// Whether it is seen in a mirror, or from behind.
    public var isMirrored: Bool
    /// Whether the symbol is for setting up a reader and not for its user.
    public var isReaderProgramming: Bool
    /// Which part of a message it is; `nil` for a whole one.
    public var part: SymbolPart?
    /// The two or five ASCII digits of the add-on beside an EAN-13, UPC-A or UPC-E; `nil` where none was read.
    public var supplement: [UInt8]?

    /// - Parameter confidence: `nil` for what the other properties are worth by themselves.
    public init(
        symbology: Symbology, payload: [UInt8], symbologyIdentifier: String? = nil, isGS1: Bool = false,
        quality: Int = 1, isConfirmed: Bool = false, touchesEdge: Bool = false, confidence: Double? = nil,
        eci: Int? = nil, text: String? = nil, isInverted: Bool = false, isMirrored: Bool = false,
        isReaderProgramming: Bool = false, part: SymbolPart? = nil, supplement: [UInt8]? = nil
    ) {
        self.symbology = symbology
        self.payload = payload
        self.symbologyIdentifier = symbologyIdentifier
        self.isGS1 = isGS1
        self.quality = quality
        self.isConfirmed = isConfirmed
        self.touchesEdge = touchesEdge
        self.confidence = confidence ?? (symbology.hasErrorCorrection ? 0.99 : isConfirmed ? 0.97 : 0.7)
        self.eci = eci
        self.text = text
        self.isInverted = isInverted
        self.isMirrored = isMirrored
        self.isReaderProgramming = isReaderProgramming
        self.part = part
        self.supplement = supplement
    }

    /// Takes over what another reading of the same symbol says and this one does not; what both say stays.
    public mutating func complete(from other: BarcodeReading) {
        if other.isGS1, !isGS1 {
            isGS1 = true
            symbologyIdentifier = other.symbologyIdentifier ?? symbologyIdentifier
        }
        symbologyIdentifier = symbologyIdentifier ?? other.symbologyIdentifier
        if eci == nil, other.eci != nil { (eci, text) = (other.eci, other.text) }
        part = part ?? other.part
        supplement = supplement ?? other.supplement
        isInverted = isInverted || other.isInverted
        isMirrored = isMirrored || other.isMirrored
        isReaderProgramming = isReaderProgramming || other.isReaderProgramming
    }
}

/// One reading of a line of text.
public struct TextReading: Sendable, Hashable {
    /// The whole line, words joined by one space, logical order.
    public var transcript: String
    /// The mean of the words' confidences weighted by their length, 0...1.
    public var confidence: Double
    public var languages: [String]
    public var words: [Word]

    public struct Word: Sendable, Hashable {
        public var text: String
        /// In 0...1 of the frame.
        public var bounds: Quad
        public var confidence: Double

        public init(text: String, bounds: Quad, confidence: Double) {
            self.text = text
            self.bounds = bounds
            self.confidence = confidence
        }
    }

    public init(transcript: String, confidence: Double, languages: [String], words: [Word]) {
        self.transcript = transcript
        self.confidence = confidence
        self.languages = languages
        self.words = words
    }
}

/// What one look at (a part of) a frame found.
public struct Look: Sendable, Hashable {
    public enum Subject: Sendable, Hashable {
        case barcodes
        case text
    }

    /// The frame that was looked at.
    public var frame: FrameStamp
    public var subject: Subject
    /// The parts that were searched, in 0...1: what is not seen outside of them is no evidence of absence, unless its own
    /// place was looked at.
    public var searched: [Rect]
    /// Places of known items that were looked at one by one, in 0...1.
    public var verified: [Quad]
    /// The picture's width over its height, so that distances can be judged in both directions alike.
    public var aspectRatio: Double
    public var observations: [Observation]

    public init(
        frame: FrameStamp, subject: Subject, searched: [Rect], verified: [Quad] = [], aspectRatio: Double,
        observations: [Observation]
    ) {
        self.frame = frame
        self.subject = subject
        self.searched = searched
        self.verified = verified
        self.aspectRatio = aspectRatio
        self.observations = observations
    }

    /// Whether a place was looked at, so that not seeing an item there says something: on its own, or four fifths of it with
    /// its middle within what was searched.
    public func covers(_ bounds: Quad) -> Bool {
        let box = bounds.boundingRect
        let isSearched = searched.contains { part in
            guard part.contains(box.center) else { return false }
            return box.area <= 0 || (part.intersection(box)?.area ?? 0) >= 0.8 * box.area
        }
        return isSearched || verified.contains { $0.contains(box.center) }
    }
}
