// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ScanModel

/// What is common to all messages between daemon and worker.
///
/// A message is one SOCK_SEQPACKET record: version, kind, body. Both ends are the same binary; the version guards
/// against a worker that is not.
enum WireMessage {
    static let version: UInt8 = 3
    /// Bytes of any message. 256 lines of text with five words each take about 128 KiB; the kernel's default send
    /// buffer of 208 KiB takes it in one piece.
    static let maximumBytes = 160 * 1024
    /// Bytes of a reason in words.
    static let maximumReasonBytes = 512
    /// Languages of a job or a reading.
    static let maximumLanguages = 16
    /// Bytes of a language's name.
    static let maximumLanguageBytes = 64

    enum Kind: UInt8 {
        case job = 1
        case ready = 2
        case result = 3
        case failure = 4
    }

    static func writer(_ kind: Kind) -> WireWriter {
        var writer = WireWriter(limit: maximumBytes)
        writer.put(version)
        writer.put(kind.rawValue)
        return writer
    }

    /// Reads version and kind.
    static func begin(_ reader: inout WireReader) throws(WireError) -> Kind {
        let version = try reader.integer(UInt8.self)
        guard version == Self.version else { throw WireError("version \(version), \(Self.version) expected") }
        let kind = try reader.integer(UInt8.self)
        guard let kind = Kind(rawValue: kind) else { throw WireError("kind \(kind) is unknown") }
        return kind
    }
}

/// A job on its way to a worker.
struct WireJob: Hashable {
    /// Pixels of a frame's longer side, as `LumaView` allows.
    static let maximumSide = 1 << 20
    /// Coordinates of masks, known barcodes and known lines, in pixels: a frame's side and as much beyond.
    static let quadRange = -Double(maximumSide)...Double(2 * maximumSide)

    /// Which job an answer belongs to.
    var number: UInt32
    var job: RecognitionJob

    /// Throws where the job has more quads, languages or pixels than fit.
    func encoded() throws(WireError) -> [UInt8] {
        var writer = WireMessage.writer(.job)
        writer.put(number)
        writer.put(UInt64(truncatingIfNeeded: job.frame.offset))
        for value in [
            job.frame.width, job.frame.height, job.region.x, job.region.y, job.region.width, job.region.height,
        ] {
            writer.put(UInt32(truncatingIfNeeded: value))
        }
        writer.put(job.cpuLimit.inNanoseconds)
        writer.putIfAny(job.visible) { writer, polygons in
            writer.put(UInt16(clamping: polygons.count))
            for polygon in polygons {
                writer.put(UInt16(clamping: polygon.count))
                for corner in polygon {
                    writer.put(corner.x)
                    writer.put(corner.y)
                }
            }
        }
        switch job.task {
        case .barcodes(let parameters):
            writer.put(WorkerKind.barcodes.rawValue)
            writer.put(parameters.qualityLevel.wireValue)
            writer.put(UInt8(truncatingIfNeeded: parameters.symbologies.count))
            for symbology in Symbology.allCases where parameters.symbologies.contains(symbology) {
                writer.put(symbology.wireValue)
            }
            writer.put(parameters.sweeps)
            writer.put(parameters.searched != nil)
            let searched = parameters.searched ?? []
            writer.put(UInt16(clamping: searched.count))
            for part in searched {
                for value in [part.x, part.y, part.width, part.height] { writer.put(UInt32(truncatingIfNeeded: value)) }
            }
            writer.put(UInt16(clamping: parameters.knownBarcodes.count))
            for known in parameters.knownBarcodes {
                writer.put(known.symbology.wireValue)
                writer.put(known.bounds)
            }
        case .text(let parameters):
            writer.put(WorkerKind.text.rawValue)
            writer.put(parameters.qualityLevel.wireValue)
            writer.put(UInt16(clamping: parameters.maximumLines))
            writer.put(UInt32(truncatingIfNeeded: parameters.turn))
            writer.put(UInt16(clamping: parameters.languages.count))
            for language in parameters.languages { writer.put(language) }
            for quads in [parameters.masks, parameters.knownLines] {
                writer.put(UInt16(clamping: quads.count))
                for quad in quads { writer.put(quad) }
            }
        }
        let bytes = try writer.finished()
        // What can not be read back is refused here, where the caller can be told, and not in the worker.
        _ = try WireJob(decoding: bytes, count: bytes.count)
        return bytes
    }

    init(number: UInt32, job: RecognitionJob) {
        self.number = number
        self.job = job
    }

    /// Reads a message that lies at the start of a buffer.
    init(decoding buffer: [UInt8], count: Int) throws(WireError) {
        var reader = WireReader(buffer, count: count)
        guard try WireMessage.begin(&reader) == .job else { throw WireError("a job is expected") }
        number = try reader.integer()
        let offset = try reader.integer(UInt64.self)
        guard offset <= UInt64(1) << 40 else { throw WireError("the frame's offset: \(offset)") }
        let side = Self.maximumSide
        let frame = FrameLocation(
            offset: Int(offset), width: try reader.count32(upTo: side, "width"),
            height: try reader.count32(upTo: side, "height"))
        let x = try reader.count32(upTo: side, "region")
        let y = try reader.count32(upTo: side, "region")
        let width = try reader.count32(upTo: side, "region")
        let height = try reader.count32(upTo: side, "region")
        guard let region = PixelRect(x: x, y: y, width: width, height: height), x + width <= frame.width,
            y + height <= frame.height
        else { throw WireError("the region \(width)x\(height)+\(x)+\(y) is not in \(frame.width)x\(frame.height)") }
        let cpuLimit = try reader.integer(Int64.self)
        guard cpuLimit > 0 else { throw WireError("the CPU limit: \(cpuLimit) ns") }
        let visible = try reader.flag("visible") ? WireJob.polygons(from: &reader) : nil
        let kind = try reader.integer(UInt8.self)
        guard let kind = WorkerKind(rawValue: kind) else { throw WireError("task \(kind) is unknown") }
        let task: RecognitionJob.Task
        switch kind {
        case .barcodes: task = .barcodes(try BarcodeParameters(from: &reader))
        case .text: task = .text(try TextParameters(from: &reader))
        }
        try reader.finish()
        job = RecognitionJob(
            frame: frame, region: region, visible: visible, task: task, cpuLimit: .nanoseconds(cpuLimit))
    }

    private static func polygons(from reader: inout WireReader) throws(WireError) -> [[Point]] {
        let count = try reader.count(upTo: RegionOfInterest.mostPolygons, "visible polygons")
        var polygons: [[Point]] = []
        for _ in 0..<count {
            let corners = try reader.count(upTo: RegionOfInterest.corners.upperBound, "corners")
            guard corners >= RegionOfInterest.corners.lowerBound else { throw WireError("corners: \(corners)") }
            var polygon: [Point] = []
            for _ in 0..<corners { polygon.append(try reader.point(in: quadRange, "visible polygons")) }
            polygons.append(polygon)
        }
        return polygons
    }
}

extension BarcodeParameters {
    fileprivate init(from reader: inout WireReader) throws(WireError) {
        let level = try QualityLevel(from: &reader)
        let count = Int(try reader.integer(UInt8.self))
        guard count > 0, count <= Symbology.allCases.count else { throw WireError("symbologies: \(count)") }
        var symbologies: Set<Symbology> = []
        for _ in 0..<count { symbologies.insert(try Symbology(from: &reader)) }
        let sweeps = try reader.flag("sweeps")
        let hasParts = try reader.flag("searched")
        let searched = try BarcodeParameters.parts(from: &reader)
        let knownCount = try reader.count(upTo: RecognitionLimits.maximumQuads, "known barcodes")
        var known: [KnownBarcode] = []
        for _ in 0..<knownCount {
            let symbology = try Symbology(from: &reader)
            known.append(
                KnownBarcode(bounds: try reader.quad(in: WireJob.quadRange, "known barcodes"), symbology: symbology))
        }
        self.init(
            symbologies: symbologies, qualityLevel: level, knownBarcodes: known,
            searched: hasParts ? searched : nil, sweeps: sweeps)
    }

    private static func parts(from reader: inout WireReader) throws(WireError) -> [PixelRect] {
        let count = try reader.count(upTo: RecognitionLimits.maximumSearchedParts, "searched")
        var parts: [PixelRect] = []
        for _ in 0..<count {
            let x = try reader.count32(upTo: WireJob.maximumSide, "searched")
            let y = try reader.count32(upTo: WireJob.maximumSide, "searched")
            let width = try reader.count32(upTo: WireJob.maximumSide, "searched")
            let height = try reader.count32(upTo: WireJob.maximumSide, "searched")
            guard let part = PixelRect(x: x, y: y, width: width, height: height) else {
                throw WireError("an empty part to search")
            }
            parts.append(part)
        }
        return parts
    }
}

extension TextParameters {
    fileprivate init(from reader: inout WireReader) throws(WireError) {
        let level = try QualityLevel(from: &reader)
        let lines = try reader.count(upTo: Int(UInt16.max), "lines")
        let turn = Int(try reader.integer(UInt32.self))
        let languages = try reader.languages()
        guard !languages.isEmpty else { throw WireError("no language is named") }
        let masks = try TextParameters.quads(from: &reader, "masks")
        let known = try TextParameters.quads(from: &reader, "known lines")
        self.init(
            languages: languages, qualityLevel: level, masks: masks, knownLines: known, maximumLines: lines,
            turn: turn)
    }

    private static func quads(from reader: inout WireReader, _ what: String) throws(WireError) -> [Quad] {
        let count = try reader.count(upTo: RecognitionLimits.maximumQuads, what)
        var quads: [Quad] = []
        for _ in 0..<count { quads.append(try reader.quad(in: WireJob.quadRange, what)) }
        return quads
    }
}

extension WireReader {
    /// A count, then names of languages.
    mutating func languages() throws(WireError) -> [String] {
        let count = try count(upTo: WireMessage.maximumLanguages, "languages")
        var languages: [String] = []
        for _ in 0..<count {
            languages.append(try text(upTo: WireMessage.maximumLanguageBytes, "a language's name"))
        }
        return languages
    }
}

extension Symbology {
    /// Its place in the list of all: both ends are the same binary.
    var wireValue: UInt8 { UInt8(Symbology.allCases.firstIndex(of: self) ?? 0) }

    init(from reader: inout WireReader) throws(WireError) {
        let value = Int(try reader.integer(UInt8.self))
        guard value < Symbology.allCases.count else { throw WireError("symbology \(value) is unknown") }
        self = Symbology.allCases[value]
    }
}

extension QualityLevel {
    var wireValue: UInt8 { UInt8(QualityLevel.allCases.firstIndex(of: self) ?? 0) }

    init(from reader: inout WireReader) throws(WireError) {
        let value = Int(try reader.integer(UInt8.self))
        guard value < QualityLevel.allCases.count else { throw WireError("quality level \(value) is unknown") }
        self = QualityLevel.allCases[value]
    }
}
