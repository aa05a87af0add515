// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ScanModel

/// What a worker says to the daemon.
enum WireAnswer: Hashable {
    /// The engines are made; why they can not read where that is known.
    case ready(unavailable: String?)
    case result(number: UInt32, RecognitionResult)
    /// The job gave nothing, and trying again will not help.
    case unavailable(number: UInt32, String)

    /// Nanoseconds of CPU time that an answer may claim: no job is let run for longer than an hour.
    private static let maximumCPUNanoseconds: Int64 = 3600 * 1_000_000_000

    /// The message; observations that do not fit it are left out and counted.
    func encoded() -> [UInt8] {
        switch self {
        case .ready(let unavailable):
            var writer = WireMessage.writer(.ready)
            writer.put(unavailable.map(WireAnswer.cut))
            return writer.bytes
        case .unavailable(let number, let reason):
            var writer = WireMessage.writer(.failure)
            writer.put(number)
            writer.put(WireAnswer.cut(reason))
            return writer.bytes
        case .result(let number, let result):
            var writer = WireMessage.writer(.result)
            writer.put(number)
            writer.put(min(max(result.cpuTime.inNanoseconds, 0), WireAnswer.maximumCPUNanoseconds))
            let counts = writer.bytes.count
            writer.put(UInt16(0))
            writer.put(UInt16(0))
            var written = 0
            for observation in result.observations where written < RecognitionLimits.maximumObservations {
                // A later one that is smaller may fit still.
                if writer.putIfItFits({ $0.put(observation) }) { written += 1 }
            }
            writer.patch(UInt16(written), at: counts)
            let omitted = max(0, result.omitted) + result.observations.count - written
            writer.patch(UInt16(clamping: omitted), at: counts + 2)
            return writer.bytes
        }
    }

    /// Reads a message that lies at the start of a buffer; only the form is checked, not whether it fits the job.
    init(decoding buffer: [UInt8], count: Int) throws(WireError) {
        var reader = WireReader(buffer, count: count)
        switch try WireMessage.begin(&reader) {
        case .job:
            throw WireError("an answer is expected, not a job")
        case .ready:
            self = .ready(unavailable: try reader.optionalText(upTo: WireMessage.maximumReasonBytes, "the reason"))
        case .failure:
            let number = try reader.integer(UInt32.self)
            self = .unavailable(number: number, try reader.text(upTo: WireMessage.maximumReasonBytes, "the reason"))
        case .result:
            let number = try reader.integer(UInt32.self)
            let cpu = try reader.integer(Int64.self)
            guard (0...Self.maximumCPUNanoseconds).contains(cpu) else { throw WireError("CPU time: \(cpu) ns") }
            let count = try reader.count(upTo: RecognitionLimits.maximumObservations, "observations")
            let omitted = try reader.count(upTo: Int(UInt16.max), "omitted observations")
            var observations: [Observation] = []
            for _ in 0..<count { observations.append(try Observation(from: &reader)) }
            self = .result(
                number: number,
                RecognitionResult(observations: observations, cpuTime: .nanoseconds(cpu), omitted: omitted))
        }
        try reader.finish()
    }

    /// As many whole characters of a reason as fit.
    private static func cut(_ reason: String) -> String {
        var kept = reason
        while kept.utf8.count > WireMessage.maximumReasonBytes { kept.removeLast() }
        return kept
    }
}

private enum WireContent: UInt8 {
    case barcode = 1
    case text = 2
    case unreadLine = 3
    case unreadCode = 4
}

extension WireWriter {
    fileprivate mutating func put(_ observation: Observation) {
        put(observation.bounds)
        switch observation.content {
        case .barcode(let reading):
            put(WireContent.barcode.rawValue)
            put(reading.symbology.wireValue)
            put(reading.payload)
            put(reading.symbologyIdentifier)
            put(reading.isGS1)
            put(UInt32(clamping: reading.quality))
            put(reading.isConfirmed)
            put(reading.touchesEdge)
            put(reading.confidence)
            put(reading.isInverted)
            put(reading.isMirrored)
            put(reading.isReaderProgramming)
            putIfAny(reading.eci) { $0.put(UInt32(clamping: $1)) }
            put(reading.text)
            putIfAny(reading.part) { $0.put($1) }
            putIfAny(reading.supplement) { $0.put($1) }
        case .text(let reading):
            put(WireContent.text.rawValue)
            put(reading.transcript)
            put(reading.confidence)
            put(UInt16(clamping: reading.languages.count))
            for language in reading.languages { put(language) }
            put(UInt16(clamping: reading.words.count))
            for word in reading.words {
                put(word.text)
                put(word.bounds)
                put(word.confidence)
            }
        case .unreadLine:
            put(WireContent.unreadLine.rawValue)
        case .unreadCode(let moduleSize):
            put(WireContent.unreadCode.rawValue)
            put(moduleSize != nil)
            put(moduleSize ?? 0)
        }
    }
}

extension WireWriter {
    fileprivate mutating func put(_ part: SymbolPart) {
        put(UInt32(clamping: part.index))
        putIfAny(part.count) { $0.put(UInt32(clamping: $1)) }
        put(part.identifier)
    }
}

extension Observation {
    fileprivate init(from reader: inout WireReader) throws(WireError) {
        let bounds = try reader.quad(in: RecognitionLimits.boundsRange, "bounds")
        let kind = try reader.integer(UInt8.self)
        switch WireContent(rawValue: kind) {
        case .barcode: self.init(bounds: bounds, content: .barcode(try BarcodeReading(from: &reader)))
        case .text: self.init(bounds: bounds, content: .text(try TextReading(from: &reader)))
        case .unreadLine: self.init(bounds: bounds, content: .unreadLine)
        case .unreadCode:
            let isKnown = try reader.flag("whether a module is known")
            let size = try reader.number(in: 0...RecognitionLimits.largestModule, "a module's pixels")
            self.init(bounds: bounds, content: .unreadCode(moduleSize: isKnown ? size : nil))
        case nil: throw WireError("observation kind \(kind) is unknown")
        }
    }
}

extension BarcodeReading {
    fileprivate init(from reader: inout WireReader) throws(WireError) {
        let symbology = try Symbology(from: &reader)
        let payload = try reader.byteArray(upTo: RecognitionLimits.maximumPayloadBytes, "a payload")
        let identifier = try reader.optionalText(
            upTo: RecognitionLimits.maximumIdentifierBytes, "a symbology identifier")
        let isGS1 = try reader.flag("GS1")
        let quality = try reader.count32(upTo: RecognitionLimits.maximumQuality, "quality")
        guard quality > 0 else { throw WireError("quality: 0, at least 1") }
        self.init(
            symbology: symbology, payload: payload, symbologyIdentifier: identifier, isGS1: isGS1, quality: quality,
            isConfirmed: try reader.flag("confirmed"), touchesEdge: try reader.flag("touches the edge"))
        confidence = try reader.number(in: 0...1, "confidence")
        isInverted = try reader.flag("inverted")
        isMirrored = try reader.flag("mirrored")
        isReaderProgramming = try reader.flag("reader programming")
        if try reader.flag("an ECI") { eci = try reader.count32(upTo: RecognitionLimits.maximumECI, "the ECI") }
        text = try reader.optionalText(upTo: RecognitionLimits.maximumTextBytes, "a payload's text")
        if try reader.flag("a part") { part = try SymbolPart(from: &reader) }
        if try reader.flag("a supplement") { supplement = try reader.byteArray(upTo: 5, "a supplement") }
        if let objection { throw WireError(objection) }
    }
}

extension SymbolPart {
    fileprivate init(from reader: inout WireReader) throws(WireError) {
        let limit = RecognitionLimits.maximumParts
        let index = try reader.count32(upTo: limit - 1, "a part's number")
        let count = try reader.flag("a number of parts") ? try reader.count32(upTo: limit, "the number of parts") : nil
        self.init(
            index: index, count: count,
            identifier: try reader.text(upTo: SymbolPart.maximumIdentifierBytes, "a part's identifier"))
    }
}

extension TextReading {
    fileprivate init(from reader: inout WireReader) throws(WireError) {
        let transcript = try reader.text(upTo: RecognitionLimits.maximumTranscriptBytes, "a transcript")
        let confidence = try reader.number(in: 0...1, "confidence")
        let languages = try reader.languages()
        let count = try reader.count(upTo: RecognitionLimits.maximumWords, "words")
        var words: [Word] = []
        for _ in 0..<count {
            let text = try reader.text(upTo: RecognitionLimits.maximumTranscriptBytes, "a word")
            let bounds = try reader.quad(in: RecognitionLimits.boundsRange, "a word's bounds")
            words.append(Word(text: text, bounds: bounds, confidence: try reader.number(in: 0...1, "confidence")))
        }
        self.init(transcript: transcript, confidence: confidence, languages: languages, words: words)
    }
}
