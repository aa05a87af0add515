// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ScanModel

/// Something printed, at a place in the picture, that a timeline can show to a tracker.
public struct TimelineLabel: Sendable {
    public enum Print: Sendable {
        case barcode(Symbology, [UInt8])
        /// The transcripts that the letters `a`, `b`, `c`... of a lane stand for.
        case text([String])
    }

    public var print: Print
    public var center: Point
    public var width: Double
    public var height: Double
    /// Of readings of text.
    public var confidence = 0.9
    public var touchesEdge = false
    /// Whether a second engine reads the same.
    public var isConfirmed = false
    /// Whether the recogniser says that it hangs upside down.
    public var isUpsideDown = false

    public static func barcode(
        _ symbology: Symbology, _ payload: String, x: Double, y: Double, width: Double = 0.1, height: Double = 0.08
    ) -> TimelineLabel {
        TimelineLabel(
            print: .barcode(symbology, Array(payload.utf8)), center: Point(x: x, y: y), width: width, height: height)
    }

    public static func text(
        _ transcripts: String..., x: Double, y: Double, width: Double = 0.2, height: Double = 0.03,
        confidence: Double = 0.9
    ) -> TimelineLabel {
        TimelineLabel(
            print: .text(transcripts), center: Point(x: x, y: y), width: width, height: height, confidence: confidence)
    }

    public var bounds: Quad {
        let upright = Quad(Rect(x: center.x - width / 2, y: center.y - height / 2, width: width, height: height))
        guard isUpsideDown else { return upright }
        return Quad(
            topLeft: upright.bottomRight, topRight: upright.bottomLeft, bottomRight: upright.topLeft,
            bottomLeft: upright.topRight)
    }

    var subject: Look.Subject {
        switch print {
        case .barcode: .barcodes
        case .text: .text
        }
    }

    /// What a recogniser says of the label for a mark in its lane; `nil` for a miss.
    func observation(for mark: Character) -> Observation? {
        switch print {
        case .barcode(let symbology, let payload):
            guard let quality = mark == "#" ? 100 : mark.wholeNumberValue.map({ $0 * 5 }), quality > 0 else {
                return nil
            }
            let reading = BarcodeReading(
                symbology: symbology, payload: payload, quality: symbology.hasErrorCorrection ? 1 : quality,
                isConfirmed: isConfirmed, touchesEdge: touchesEdge)
            return Observation(bounds: bounds, content: .barcode(reading))
        case .text(let transcripts):
            if mark == "u" { return Observation(bounds: bounds, content: .unreadLine) }
            guard let first = Character("a").asciiValue, let value = mark.asciiValue, value >= first,
                Int(value - first) < transcripts.count
            else { return nil }
            let reading = TextReading(
                transcript: transcripts[Int(value - first)], confidence: confidence, languages: ["eng"], words: [])
            return Observation(bounds: bounds, content: .text(reading))
        }
    }

    /// Whether an item says what the label says.
    func matches(_ item: RecognizedItem) -> Bool {
        switch (print, item) {
        case (.barcode(_, let payload), .barcode(let barcode)): barcode.payload.bytes == payload
        case (.text(let transcripts), .text(let text)): transcripts.contains(text.transcript)
        default: false
        }
    }
}
