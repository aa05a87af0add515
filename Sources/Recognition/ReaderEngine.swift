// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ImageKernels

/// Both readers behind one door, each made when the first job for it comes.
///
/// Starting Tesseract takes 0.1 to 0.3 s. It is kept for the last set of languages; a set that can not be had is refused
/// again at each job, at the price of a look at the files.
///
/// - Important: Confined to one thread.
public final class ReaderEngine: RecognitionEngine {
    private var barcodeReader: BarcodeReader?
    private var textReader: TextReader?

    private let quarantine: CropQuarantine

    public convenience init() { self.init(quarantine: CropQuarantine()) }

    init(quarantine: CropQuarantine) { self.quarantine = quarantine }

    /// Makes the reader for text ready, so that the first job does not wait for it.
    public func prepare(languages: [String]) throws(RecognitionFailure) {
        textReader = try TextReader(languages: languages)
    }

    public func perform(
        _ job: RecognitionJob, luma: LumaView
    ) throws(RecognitionFailure) -> RecognitionResult {
        guard let visible = job.visible else { return try read(job, luma) }
        let start = threadCPUTime()
        let shown = luma.showing(only: visible)
        let painting = threadCPUTime() - start
        var result = Result<RecognitionResult, RecognitionFailure>.failure(.notReady)
        shown.withView { view in
            do throws(RecognitionFailure) {
                result = .success(try read(job, view))
            } catch {
                result = .failure(error)
            }
        }
        var found = try result.get()
        found.cpuTime += painting
        return found
    }

    private func read(_ job: RecognitionJob, _ luma: LumaView) throws(RecognitionFailure) -> RecognitionResult {
        switch job.task {
        case .barcodes:
            let reader = barcodeReader ?? BarcodeReader(quarantine: quarantine)
            barcodeReader = reader
            return try reader.perform(job, luma: luma)
        case .text(let parameters):
            if let textReader { return try textReader.perform(job, luma: luma) }
            let reader = try TextReader(languages: parameters.languages)
            textReader = reader
            return try reader.perform(job, luma: luma)
        }
    }
}
