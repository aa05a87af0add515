// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ScanModel

extension RecognitionLimits {
    /// Coordinates of an observation, in 0...1 of the frame with room for corners that lie outside.
    static let boundsRange = -1.0...2.0
    /// UTF-8 bytes of an AIM identifier: `]` and two characters, with room.
    static let maximumIdentifierBytes = 8
    /// Scan lines that can agree on a barcode: as many as a picture can have, both ways.
    static let maximumQuality = 1 << 21
    /// The largest number of an ECI: six digits.
    static let maximumECI = 999_999
    /// Parts of a message, of the symbology that allows most.
    static let maximumParts = 99_999
}

extension RecognitionJob {
    /// Why an observation can not be an answer to this job; `nil` when it can.
    ///
    /// The worker leaves such observations out and counts them; the daemon, which does not trust the worker, takes one
    /// for a lie.
    func objection(to observation: Observation) -> String? {
        if !observation.bounds.isAcceptable { return "bounds out of range" }
        switch (task, observation.content) {
        case (.barcodes(let parameters), .barcode(let reading)):
            return objection(to: reading, askedFor: parameters.symbologies)
        case (.text(let parameters), .text(let reading)):
            return objection(to: reading, askedFor: parameters.languages)
        case (.text, .unreadLine), (.barcodes, .unreadCode): return nil
        case (.barcodes, _): return "text where barcodes were asked for"
        case (.text, .barcode), (.text, .unreadCode): return "a barcode where text was asked for"
        }
    }

    private func objection(to reading: BarcodeReading, askedFor symbologies: Set<Symbology>) -> String? {
        if !symbologies.contains(reading.symbology) { return "\(reading.symbology.rawValue) was not asked for" }
        if reading.payload.count > RecognitionLimits.maximumPayloadBytes { return "a payload that is too long" }
        if (reading.symbologyIdentifier?.utf8.count ?? 0) > RecognitionLimits.maximumIdentifierBytes {
            return "a symbology identifier that is too long"
        }
        if !(1...RecognitionLimits.maximumQuality).contains(reading.quality) { return "quality out of range" }
        return reading.objection
    }

    private func objection(to reading: TextReading, askedFor languages: [String]) -> String? {
        if reading.transcript.utf8.count > RecognitionLimits.maximumTranscriptBytes {
            return "a transcript that is too long"
        }
        if reading.words.count > RecognitionLimits.maximumWords { return "too many words" }
        if !(0...1).contains(reading.confidence) { return "confidence out of range" }
        if reading.languages.count > WireMessage.maximumLanguages { return "too many languages" }
        if !reading.languages.allSatisfy(languages.contains) { return "a language that was not asked for" }
        for word in reading.words {
            if word.text.utf8.count > RecognitionLimits.maximumTranscriptBytes { return "a word that is too long" }
            if !word.bounds.isAcceptable { return "a word's bounds out of range" }
            if !(0...1).contains(word.confidence) { return "a word's confidence out of range" }
        }
        return nil
    }
}

extension BarcodeReading {
    /// What it says beside its payload that no symbol of its symbology can say; `nil` for nothing.
    var objection: String? {
        if !(0...1).contains(confidence) { return "confidence out of range" }
        if let eci, !(0...RecognitionLimits.maximumECI).contains(eci) { return "an ECI out of range" }
        if let text {
            if eci == nil { return "a payload's text without its ECI" }
            if text.utf8.count > RecognitionLimits.maximumTextBytes { return "a payload's text that is too long" }
        }
        if let part, !part.isPossible(in: symbology) { return "a part that \(symbology.rawValue) does not have" }
        if let supplement {
            let areDigits = supplement.allSatisfy { (0x30...0x39).contains($0) }
            guard areDigits, supplement.count == 2 || supplement.count == 5 else {
                return "a supplement that is not 2 or 5 digits"
            }
            if !symbology.mayHaveAddOn { return "a supplement beside \(symbology.rawValue)" }
        }
        return nil
    }
}

extension RecognitionResult {
    /// The result without what can not be an answer to `job`, which is counted as omitted.
    func fitted(to job: RecognitionJob) -> RecognitionResult {
        let kept = observations.filter { job.objection(to: $0) == nil }.prefix(RecognitionLimits.maximumObservations)
        return RecognitionResult(
            observations: Array(kept), cpuTime: cpuTime, omitted: omitted + observations.count - kept.count)
    }
}

extension Quad {
    fileprivate var isAcceptable: Bool {
        corners.allSatisfy {
            RecognitionLimits.boundsRange.contains($0.x) && RecognitionLimits.boundsRange.contains($0.y)
        }
    }
}
