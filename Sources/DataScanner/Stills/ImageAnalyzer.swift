// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import Capture
internal import LinuxSystem
internal import Recognition
internal import ScanModel

/// Reads the barcodes and lines of text of still pictures.
///
/// It is VisionKit's `ImageAnalyzer`, on the recognisers of `DataScanner`. All members may be used from any thread or task;
/// pictures are looked at one after the other, on threads of the analyzer's own.
public final class ImageAnalyzer: Sendable {
    /// Slots for pictures: one that is looked at, one that waits, one that is being decoded.
    private static let slotCount = 3

    private let configuration: ScannerConfiguration
    // Kept to the end: the workers' service borrows its descriptor.
    private let pool: FramePool
    private let recognition: any RecognitionService
    /// Whether a run is on: another one waits for its turn.
    private let isBusy = Monitor(false)

    /// Makes an analyzer and starts its workers, where it has some.
    ///
    /// Throws `ScannerError` where what is asked for can not be read, `SystemError` where memory or descriptors are missing.
    public init(configuration: ImageAnalyzerConfiguration) throws {
        let scanner = configuration.scanner
        try scanner.checkThatAllCanBeRead()
        self.configuration = scanner
        pool = try FramePool(slotCount: ImageAnalyzer.slotCount)
        recognition = try scanner.makeRecognition(pool: pool)
    }

    deinit { recognition.stop() }

    /// Whether pictures can be read here: always, as there is no hardware to ask for.
    public static let isSupported = true

    /// The languages that text can be read in on this machine, by Tesseract's names.
    public static var supportedTextRecognitionLanguages: [String] { TextReader.supportedLanguages() }

    /// Looks at one picture.
    ///
    /// Throws `StillPictureError` where it can not be loaded.
    public func analyze(_ picture: StillPicture) async throws -> ImageAnalysis {
        try await withCheckedThrowingContinuation { continuation in
            _ = NamedThread("analyze") {
                self.analyze([picture]) { _, result in continuation.resume(with: result.mapError { $0 as any Error }) }
            }
        }
    }

    /// Looks at pictures one after the other and hands out what each shows, in their order, on the calling thread.
    ///
    /// The next picture is decoded while one is looked at. It returns after the last; do not call it from a task: it
    /// takes as long as the pictures do.
    public func analyze(
        _ pictures: [StillPicture], each: (StillPicture, Result<ImageAnalysis, StillPictureError>) -> Void
    ) {
        guard !pictures.isEmpty else { return }
        takeTurn()
        defer { isBusy.signal { $0 = false } }
        let loading = PictureLoading(of: pictures, into: pool)
        defer { loading.stop() }
        let look = StillLook(configuration: configuration, recognition: recognition)
        for picture in pictures {
            switch loading.next() {
            case .success(let frame): each(picture, .success(look.analysis(of: frame)))
            case .failure(let error): each(picture, .failure(error))
            }
        }
    }

    private func takeTurn() {
        isBusy.wait { isBusy -> Void? in
            if isBusy { return nil }
            isBusy = true
            return ()
        }
    }
}

extension ScannerConfiguration {
    /// Throws where a symbology or a language is named that this build or this machine does not read.
    func checkThatAllCanBeRead() throws(ScannerError) {
        for case .barcode(let named) in recognizedDataTypes {
            for symbology in named where !BarcodeReader.supportedSymbologies.contains(symbology) {
                throw .symbologyNotRead(symbology)
            }
        }
        if !languages.isEmpty, let reason = TextReader.unavailableReason(languages: languages) {
            throw .textUnavailable(reason)
        }
        if symbologies.isEmpty, languages.isEmpty { throw .nothingToRecognize }
    }
}
