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
        case (.text, .unreadLine): return nil
        case (.barcodes, _): return "text where barcodes were asked for"
        case (.text, .barcode): return "a barcode where text was asked for"
        }
    }

    private func objection(to reading: BarcodeReading, askedFor symbologies: Set<Symbology>) -> String? {
        if !symbologies.contains(reading.symbology) { return "\(reading.symbology.rawValue) was not asked for" }
        if reading.payload.count > RecognitionLimits.maximumPayloadBytes { return "a payload that is too long" }
        if (reading.symbologyIdentifier?.utf8.count ?? 0) > RecognitionLimits.maximumIdentifierBytes {
            return "a symbology identifier that is too long"
        }
        return (1...RecognitionLimits.maximumQuality).contains(reading.quality) ? nil : "quality out of range"
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
