// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Glibc
public import ImageKernels
internal import ScanModel

/// Reads lines of text with Tesseract, on the calling thread: finds lines, cuts each out, reads it as one line.
///
/// Words under 0.4 at the ends of a line and lines under 0.5, of one character or without letter and digit, are left out;
/// the tracker has the final say with a higher floor. Text on a dark ground is looked for at the accurate level only:
/// elsewhere it doubles the cost of finding and adds places that are no text.
///
/// - Important: Confined to one thread.
/// - Note: Without `OMP_THREAD_LIMIT=1` in the environment that the process was started with, Tesseract uses a thread a
///   core and three times the CPU; see `isEnvironmentSafe`.
public final class TextReader: RecognitionEngine {
    /// The most pixels that a cut-out line is given to Tesseract with; a longer one is scaled down.
    static let maximumLineWidth = 2400
    /// The height that a line's box is scaled to. With and without tails, capitals are then 30 to 40 pixels high.
    static let lineHeight = 42.0
    /// Ground around a line, which Tesseract needs to find it.
    static let padding = 10

    private var engine: TesseractEngine

    /// Starts Tesseract for these languages; fails with what to install when their data is missing.
    public init(languages: [String]) throws(RecognitionFailure) {
        engine = try TesseractEngine(languages: languages)
    }

    /// The languages that this machine has data for, sorted.
    public static func supportedLanguages() -> [String] { TesseractData.installedLanguages() }

    /// Why these languages can not be read and what to do; `nil` when they can.
    public static func unavailableReason(languages: [String]) -> String? { TesseractData.unavailableReason(languages) }

    /// Whether the process was told at its start to keep Tesseract to one thread.
    ///
    /// Setting the variable later does not help: the OpenMP library reads it when it is loaded.
    public static var isEnvironmentSafe: Bool {
        guard let value = getenv("OMP_THREAD_LIMIT") else { return false }
        return String(cString: value) == "1"
    }

    /// Looks for lines of text and reads those that are not known.
    public func perform(
        _ job: RecognitionJob, luma: LumaView
    ) throws(RecognitionFailure) -> RecognitionResult {
        guard case .text(let parameters) = job.task else {
            throw .unavailable("the text reader was given a job that is not for text")
        }
        if parameters.languages != engine.languages { engine = try TesseractEngine(languages: parameters.languages) }
        let start = threadCPUTime()
        guard let picture = luma.cropped(to: job.region) else {
            return RecognitionResult(observations: [], cpuTime: threadCPUTime() - start)
        }
        let corner = Point(x: Double(job.region.x), y: Double(job.region.y))
        let level = parameters.qualityLevel
        let finder = LineFinder(
            smallestCapital: Self.smallestCapital(level), findsLightOnDark: level == .accurate)
        let candidates = finder.candidates(
            in: picture, masks: parameters.masks.map { mask in mask.mapped { $0 - corner } })
        let known = parameters.knownLines.map { line in line.mapped { $0 - corner } }
        let plan = LinePlan(
            candidates: candidates, known: known, maximumLines: parameters.maximumLines,
            turn: parameters.turn,
            center: Point(x: Double(picture.width) / 2, y: Double(picture.height) / 2))

        var observations: [Observation] = []
        func observe(_ quad: Quad, _ content: Observation.Content) {
            let bounds = quad.mapped { ($0 + corner).inFrame(job.frame) }
            observations.append(Observation(bounds: bounds, content: content))
        }
        for candidate in plan.toRead {
            guard let line = read(candidate, in: luma, corner: corner, frame: job.frame) else { continue }
            observe(line.quad, .text(line.reading))
        }
        for candidate in plan.unread { observe(candidate.quad, .unreadLine) }
        let omitted = max(0, observations.count - RecognitionLimits.maximumObservations)
        observations.removeLast(omitted)
        return RecognitionResult(observations: observations, cpuTime: threadCPUTime() - start, omitted: omitted)
    }

    /// The smallest capitals that a level reads, in pixels.
    static func smallestCapital(_ level: QualityLevel) -> Double {
        switch level {
        case .fast: 20
        case .balanced: 12
        case .accurate: 6
        }
    }

    /// Reads one candidate; `nil` when what comes is no text.
    private func read(
        _ candidate: LineCandidate, in luma: LumaView, corner: Point, frame: FrameLocation
    ) -> (quad: Quad, reading: TextReading)? {
        let place = candidate.quad.mapped { $0 + corner }
        let crop = LineCrop(
            of: luma, quad: place, lineHeight: Self.lineHeight, maximumWidth: Self.maximumLineWidth,
            padding: Self.padding, isLightOnDark: candidate.isLightOnDark)
        let words = LineText.withoutJunk(engine.readLine(crop.picture))
        guard let line = LineText(words: words) else { return nil }
        let reading = TextReading(
            transcript: line.transcript, confidence: line.confidence, languages: engine.languages,
            words: line.words.map { word in
                TextReading.Word(
                    text: word.text, bounds: crop.inPicture(word.box).mapped { $0.inFrame(frame) },
                    confidence: word.confidence)
            })
        return (crop.inPicture(line.box).mapped { $0 - corner }, reading)
    }
}

extension Point {
    /// A place in pixels as one in 0...1 of the frame.
    func inFrame(_ frame: FrameLocation) -> Point {
        Point(x: min(max(x / Double(frame.width), 0), 1), y: min(max(y / Double(frame.height), 0), 1))
    }
}
