// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import CTesseract
internal import ImageKernels
internal import LinuxSystem
internal import ScanModel

/// A word as Tesseract read it, in pixels of the picture that it was given.
struct TesseractWord {
    var text: String
    var box: Rect
    /// 0...1.
    var confidence: Double
}

/// The owner of one Tesseract engine for a set of languages.
///
/// - Important: Confined to one thread. The handle never leaves this type.
final class TesseractEngine {
    /// Lines after which the engine is made anew: it learns from what it reads and grows with varied text
    /// (tesseract.js#977, ocrd_tesserocr#105), and a start costs 0.3 s.
    static let linesPerEngine = 20_000
    /// Growth of the process over its size at the engine's start at which the engine is made anew, looked at every
    /// `linesPerMemoryCheck` lines. An engine with `eng` is 36 to 45 MB.
    static let growthLimit = 96 << 20
    static let linesPerMemoryCheck = 200
    /// Smaller pictures hold no text and cost as much to refuse inside.
    static let smallestHeight = 10

    let languages: [String]
    /// How many engines were made so far.
    private(set) var enginesMade = 0

    private var handle: OpaquePointer
    private var linesRead = 0
    private var bytesAtStart: Int?

    /// Starts an engine; fails with a reason that says what to install.
    init(languages: [String]) throws(RecognitionFailure) {
        if let reason = TesseractData.unavailableReason(languages) { throw .unavailable(reason) }
        handle = try Self.start(languages)
        self.languages = languages
        enginesMade = 1
        bytesAtStart = CurrentProcess.residentBytes()
    }

    deinit {
        TessBaseAPIEnd(handle)
        TessBaseAPIDelete(handle)
    }

    /// Reads a picture of one line of text, dark on light; empty when there is none or it took too long.
    func readLine(_ picture: LumaBuffer) -> [TesseractWord] {
        guard picture.height >= Self.smallestHeight, picture.width >= Self.smallestHeight else { return [] }
        renewWhenDue()
        linesRead += 1
        defer {
            TessBaseAPIClear(handle)
            TessBaseAPIClearAdaptiveClassifier(handle)
        }
        return picture.pixels.withUnsafeBufferPointer { pixels in
            TessBaseAPISetImage(
                handle, pixels.baseAddress, Int32(picture.width), Int32(picture.height), 1, Int32(picture.width))
            // Unset, Tesseract estimates it and says so on stderr for each picture. 300 fits capitals of 35 pixels.
            TessBaseAPISetSourceResolution(handle, 300)
            // After a failure no getter may be called: they work on, or give blanks.
            guard TessBaseAPIRecognize(handle, nil) == 0 else { return [] }
            return words()
        }
    }

    private func words() -> [TesseractWord] {
        guard let result = TessBaseAPIGetIterator(handle) else { return [] }
        defer { TessResultIteratorDelete(result) }
        let page = TessResultIteratorGetPageIterator(result)
        var words: [TesseractWord] = []
        repeat {
            guard let text = TessResultIteratorGetUTF8Text(result, RIL_WORD) else { continue }
            defer { TessDeleteText(text) }
            var (left, top, right, bottom): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
            guard let string = String(validatingCString: text), !string.isEmpty,
                TessPageIteratorBoundingBox(page, RIL_WORD, &left, &top, &right, &bottom) != 0,
                right > left, bottom > top
            else { continue }
            let confidence = Double(TessResultIteratorConfidence(result, RIL_WORD)) / 100
            words.append(
                TesseractWord(
                    text: string,
                    box: Rect(
                        x: Double(left), y: Double(top), width: Double(right - left), height: Double(bottom - top)),
                    confidence: min(1, max(0, confidence))))
        } while TessResultIteratorNext(result, RIL_WORD) != 0 && words.count < RecognitionLimits.maximumWords
        return words
    }

    /// Replaces the engine; the old one stays when no new one can be had, as behind a sandbox.
    private func renewWhenDue() {
        var isDue = linesRead >= Self.linesPerEngine
        if !isDue, linesRead > 0, linesRead % Self.linesPerMemoryCheck == 0, let bytesAtStart,
            let bytes = CurrentProcess.residentBytes()
        {
            isDue = bytes - bytesAtStart > Self.growthLimit
        }
        guard isDue, let fresh = try? Self.start(languages) else { return }
        TessBaseAPIEnd(handle)
        TessBaseAPIDelete(handle)
        handle = fresh
        enginesMade += 1
        linesRead = 0
        bytesAtStart = CurrentProcess.residentBytes()
    }

    private static func start(_ languages: [String]) throws(RecognitionFailure) -> OpaquePointer {
        guard let handle = TessBaseAPICreate() else {
            throw .unavailable("Tesseract could not be started: out of memory")
        }
        // Before Init, so that what Init says is silenced too.
        TessBaseAPISetVariable(handle, "debug_file", "/dev/null")
        let names = languages.joined(separator: "+")
        // The file is there, but it may be truncated or of another version; going on would crash in Recognize.
        guard TessBaseAPIInit2(handle, TesseractData.directory, names, OEM_LSTM_ONLY) == 0 else {
            TessBaseAPIDelete(handle)
            throw .unavailable(
                "Tesseract could not load \(names) from \(TesseractData.directory); reinstall the packages "
                    + languages.map { "tesseract-ocr-" + $0 }.joined(separator: ", "))
        }
        TessBaseAPISetPageSegMode(handle, PSM_SINGLE_LINE)
        return handle
    }
}
