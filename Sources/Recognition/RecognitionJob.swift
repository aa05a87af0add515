// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ImageKernels
public import ScanModel

/// Where a frame lies in the memory that is shared with the workers: tight rows of luma.
public struct FrameLocation: Sendable, Hashable {
    /// Bytes from the start of the shared memory.
    public var offset: Int
    public var width: Int
    public var height: Int

    public init(offset: Int, width: Int, height: Int) {
        self.offset = offset
        self.width = width
        self.height = height
    }
}

/// One look at one part of one frame by one engine.
public struct RecognitionJob: Sendable, Hashable {
    public enum Task: Sendable, Hashable {
        case barcodes(BarcodeParameters)
        case text(TextParameters)
    }

    /// The frame's luma.
    public var frame: FrameLocation
    /// The part to look at, inside the frame.
    public var region: PixelRect
    /// Polygons in pixels of the frame outside of which nothing is looked at; `nil` for all of the region. So many as
    /// `RegionOfInterest` allows.
    public var visible: [[Point]]?
    public var task: Task
    /// CPU time after which the job is given up and its worker replaced.
    public var cpuLimit: Duration

    public init(
        frame: FrameLocation, region: PixelRect, visible: [[Point]]? = nil, task: Task, cpuLimit: Duration
    ) {
        self.frame = frame
        self.region = region
        self.visible = visible
        self.task = task
        self.cpuLimit = cpuLimit
    }
}

/// What the barcode reader is to try.
public struct BarcodeParameters: Sendable, Hashable {
    /// Never empty.
    public var symbologies: Set<Symbology>
    public var qualityLevel: QualityLevel
    /// What was seen in the last frames, in pixels of the frame: looked for before anything else.
    public var knownBarcodes: [KnownBarcode]
    /// The parts of the frame in which codes are searched for, in its pixels; `nil` for all of the job's region, empty where
    /// only known places are looked at.
    public var searched: [PixelRect]?
    /// Whether what is searched is scanned as a whole once more, for what was not found as a region.
    public var sweeps: Bool

    public init(
        symbologies: Set<Symbology>, qualityLevel: QualityLevel, knownBarcodes: [KnownBarcode] = [],
        searched: [PixelRect]? = nil, sweeps: Bool? = nil
    ) {
        self.symbologies = symbologies
        self.qualityLevel = qualityLevel
        self.knownBarcodes = knownBarcodes
        self.searched = searched
        self.sweeps = sweeps ?? (qualityLevel == .accurate)
    }
}

/// What the text reader is to try.
public struct TextParameters: Sendable, Hashable {
    /// Tesseract's names in order of preference; never empty.
    public var languages: [String]
    public var qualityLevel: QualityLevel
    /// Decoded barcodes in pixels of the frame: their place is painted over before text is looked for.
    public var masks: [Quad]
    /// Lines in pixels of the frame that are known and need no reading: found there again, they come back as
    /// `unreadLine`.
    public var knownLines: [Quad]
    /// How many lines are read at the most; the others come back as `unreadLine`.
    public var maximumLines: Int
    /// Counts the looks: with each, the next `maximumLines` of the lines that need reading have their turn, so that large
    /// ones which give nothing (a beam, a carton's edge) do not keep the others from being read.
    public var turn: Int

    public init(
        languages: [String], qualityLevel: QualityLevel, masks: [Quad] = [], knownLines: [Quad] = [],
        maximumLines: Int, turn: Int = 0
    ) {
        self.languages = languages
        self.qualityLevel = qualityLevel
        self.masks = masks
        self.knownLines = knownLines
        self.maximumLines = maximumLines
        self.turn = turn
    }
}

/// What one job found.
public struct RecognitionResult: Sendable, Hashable {
    /// At most `RecognitionLimits.maximumObservations`, bounds in 0...1 of the frame.
    public var observations: [Observation]
    /// CPU time that the recognition took.
    public var cpuTime: Duration
    /// Observations that did not fit the limits and were left out.
    public var omitted: Int

    public init(observations: [Observation], cpuTime: Duration, omitted: Int = 0) {
        self.observations = observations
        self.cpuTime = cpuTime
        self.omitted = omitted
    }
}

/// Bounds on what a recogniser may say, in and out of process.
public enum RecognitionLimits {
    /// Symbols or lines a job: a shelf of 1080p holds some dozens.
    public static let maximumObservations = 256
    /// Bytes a payload: a QR code of version 40-L holds 2,953, joined parts somewhat more.
    public static let maximumPayloadBytes = 8192
    /// UTF-8 bytes of a payload's text by its ECI: a character of one byte takes at most three.
    public static let maximumTextBytes = 3 * maximumPayloadBytes
    /// UTF-8 bytes a line of text.
    public static let maximumTranscriptBytes = 1024
    /// Words a line of text.
    public static let maximumWords = 64
    /// Quads a job for masks and for known lines, each.
    public static let maximumQuads = 256
    /// Parts a job that are searched: more of them cost more than all that lies around them.
    public static let maximumSearchedParts = 16
    /// Pixels of a bar or square that may be told of a code that was not read.
    public static let largestModule = 4096.0
}

/// Why a job gave no result. One job is lost; nothing else is.
public enum RecognitionFailure: Error, Sendable, Hashable {
    /// The engine can not work at all, and why (such as missing language data); trying again will not help.
    case unavailable(String)
    /// The worker died, hung or lied, and how; it is being replaced.
    case workerLost(String)
    /// No worker is ready, as after a crash; try again with a later frame.
    case notReady
    /// The recogniser was stopped.
    case stopped
}

/// A recogniser that works on the calling thread, one job at a time.
///
/// - Important: Confined to one thread: the engines behind it are not thread-safe.
public protocol RecognitionEngine: AnyObject {
    /// Looks at a frame; `luma` is valid during the call only.
    func perform(_ job: RecognitionJob, luma: LumaView) throws(RecognitionFailure) -> RecognitionResult
}

/// A recogniser that takes jobs from any thread and answers later, on a thread of its own.
public protocol RecognitionService: AnyObject, Sendable {
    /// Takes a job, if the service is free, and answers exactly once.
    ///
    /// The frame must stay where it is until then. One job of a kind is in work at a time: another is answered with
    /// `notReady`.
    func submit(
        _ job: RecognitionJob,
        completion: @escaping @Sendable (Result<RecognitionResult, RecognitionFailure>) -> Void)

    /// Ends the service; jobs that are in work are answered with `stopped`.
    func stop()

    /// What happened so far.
    var statistics: RecognitionStatistics { get }
}

/// Counters and states of a recognition service.
public struct RecognitionStatistics: Sendable, Hashable {
    /// Workers that were replaced, for whatever reason, since the start.
    public var workerRestarts = 0
    /// Workers that were replaced between two jobs because they had grown; not counted as restarts.
    public var recycledWorkers = 0
    /// Jobs that gave a result.
    public var finishedJobs = 0
    /// Jobs that were taken and gave none.
    public var lostJobs = 0
    /// Jobs that were not taken because another of the kind was in work or no worker was ready.
    public var untakenJobs = 0
    /// Observations that did not fit the limits and were left out.
    public var omittedObservations = 0
    /// Crops that ended a worker and are not given to the second engine again.
    public var quarantinedCrops = 0
    /// Answers that were refused because they broke the rules.
    public var refusedAnswers = 0
    /// Why barcodes or text can not be read; `nil` while they can.
    public var barcodesUnavailable: String?
    public var textUnavailable: String?

    public init() {}
}
