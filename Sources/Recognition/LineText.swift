// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ScanModel

/// The words of a line as one text.
struct LineText {
    /// Words at the ends of a line below this are specks, rules and edges.
    static let wordFloor = 0.4
    /// Lines below this are texture: noise reads as text with up to 0.49.
    static let lineFloor = 0.5

    let words: [TesseractWord]
    let transcript: String
    /// Weighted by the words' lengths.
    let confidence: Double
    /// Around all words, in pixels of the cut-out line.
    let box: Rect

    /// Takes words in logical order; `nil` when together they are no text.
    init?(words: [TesseractWord]) {
        guard let first = words.first else { return nil }
        let transcript = words.map(\.text).joined(separator: " ")
        let letters = transcript.unicodeScalars.count { $0.properties.isAlphabetic || $0.properties.numericType != nil }
        guard letters > 0, transcript.count > 1,
            transcript.utf8.count <= RecognitionLimits.maximumTranscriptBytes
        else { return nil }
        var (weight, sum) = (0.0, 0.0)
        var (left, top) = (first.box.minX, first.box.minY)
        var (right, bottom) = (first.box.maxX, first.box.maxY)
        for word in words {
            let length = Double(word.text.count)
            weight += length
            sum += length * word.confidence
            left = min(left, word.box.minX)
            top = min(top, word.box.minY)
            right = max(right, word.box.maxX)
            bottom = max(bottom, word.box.maxY)
        }
        let confidence = sum / weight
        guard confidence >= Self.lineFloor else { return nil }
        self.words = words
        self.transcript = transcript
        self.confidence = confidence
        box = Rect(x: left, y: top, width: right - left, height: bottom - top)
    }

    /// Without uncertain words and without traces of frames at either end; in the middle they stay, for the line to be
    /// judged as a whole.
    static func withoutJunk(_ words: [TesseractWord]) -> [TesseractWord] {
        func isJunk(_ word: TesseractWord) -> Bool {
            word.confidence < wordFloor || word.text.allSatisfy { frameMarks.contains($0) }
        }
        var rest = words[...]
        while let first = rest.first, isJunk(first) { rest.removeFirst() }
        while let last = rest.last, isJunk(last) { rest.removeLast() }
        var result = Array(rest)
        // A single opening or closing mark; a real one has its partner.
        if let first = result.first?.text, let mark = first.first, frameMarks.contains(mark), first.count > 1,
            !result.dropFirst().contains(where: { $0.text.contains { frameMarks.contains($0) } }),
            !first.dropFirst().contains(where: { frameMarks.contains($0) })
        {
            result[0].text = String(first.dropFirst())
        }
        return result
    }

    /// What Tesseract makes of the corner or the side of a label's frame.
    private static let frameMarks: Set<Character> = [
        "|", "‘", "’", "'", "`", "_", "~", "—", "“", "”", "\\", "¦", "【", "】",
    ]
}
