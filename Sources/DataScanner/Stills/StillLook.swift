// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Capture
internal import DataDetection
internal import LinuxSystem
internal import Recognition
internal import ScanModel
internal import Tracking

/// Looks at one picture with all recognisers that are wanted, and says what is certain in it.
struct StillLook {
    /// CPU time after which a picture is given up, and its worker with it: ten times what the slowest of 1,246 public
    /// pictures takes at the accurate level.
    private static let barcodeLimit = Duration.seconds(30)
    /// A page of 60 lines takes 8 s.
    private static let textLimit = Duration.seconds(30)
    /// How long a picture waits for a worker that is being replaced: more than the longest back-off and an engine's start.
    private static let workerPatience = Duration.seconds(30)
    private static let retryDelay = Duration.milliseconds(5)

    private let configuration: ScannerConfiguration
    private let recognition: any RecognitionService
    private let filter: ReadingFilter

    init(configuration: ScannerConfiguration, recognition: any RecognitionService) {
        self.configuration = configuration
        self.recognition = recognition
        filter = ReadingFilter(rules: configuration.symbologyRules)
    }

    func analysis(of frame: Frame) -> ImageAnalysis {
        var analysis = ImageAnalysis(width: frame.width, height: frame.height, items: [], cpuTime: .zero, problems: [])
        var observations: [Observation] = []
        func look(_ kind: String, _ task: RecognitionJob.Task, limit: Duration) {
            switch result(of: task, frame: frame, limit: limit) {
            case .success(let found):
                observations += filter.allowed(found.observations)
                analysis.cpuTime += found.cpuTime
            case .failure(let failure): analysis.problems.append("\(kind): \(StillLook.words(failure))")
            }
        }
        if !configuration.symbologies.isEmpty {
            let parameters = BarcodeParameters(
                symbologies: configuration.symbologies, qualityLevel: configuration.qualityLevel)
            look("barcodes", .barcodes(parameters), limit: StillLook.barcodeLimit)
        }
        if !configuration.languages.isEmpty {
            let masks = observations.prefix(RecognitionLimits.maximumQuads).map {
                $0.bounds.scaled(x: Double(frame.width), y: Double(frame.height))
            }
            let parameters = TextParameters(
                languages: configuration.languages, qualityLevel: configuration.qualityLevel, masks: Array(masks),
                maximumLines: RecognitionLimits.maximumObservations)
            look("text", .text(parameters), limit: StillLook.textLimit)
        }
        let rule = StillPictureRule(
            qualityLevel: configuration.qualityLevel, region: configuration.regionOfInterest)
        var random = SystemRandomNumberGenerator()
        analysis.items = rule.items(
            in: observations, aspectRatio: Double(frame.width) / Double(frame.height), at: frame.stamp.time,
            using: &random
        ).map { item in
            guard case .barcode(var barcode) = item else { return item }
            BarcodeDetails.complete(&barcode)
            return .barcode(barcode)
        }
        return analysis
    }

    /// Gives the recogniser a job and waits for its answer; a job that was lost with its worker is not tried again, or a
    /// picture that kills workers would kill many.
    private func result(
        of task: RecognitionJob.Task, frame: Frame, limit: Duration
    ) -> Result<RecognitionResult, RecognitionFailure> {
        guard
            let region = PixelRect(
                configuration.regionOfInterest.boundingRect, inWidth: frame.width, height: frame.height)
        else { return .success(RecognitionResult(observations: [], cpuTime: .zero)) }
        let job = RecognitionJob(
            frame: FrameLocation(offset: frame.offset, width: frame.width, height: frame.height), region: region,
            visible: configuration.regionOfInterest.visiblePolygons(inWidth: frame.width, height: frame.height),
            task: task, cpuLimit: limit)
        let deadline = MonotonicTime.now + StillLook.workerPatience
        let answer = Monitor<Result<RecognitionResult, RecognitionFailure>?>(nil)
        while true {
            recognition.submit(job) { result in answer.signal { $0 = result } }
            let result = answer.wait { answer in
                defer { answer = nil }
                return answer
            }
            guard let result else { preconditionFailure("a wait without a deadline ends with a value") }
            guard case .failure(.notReady) = result, MonotonicTime.now < deadline else { return result }
            let statistics = recognition.statistics
            let reason = job.kind == .text ? statistics.textUnavailable : statistics.barcodesUnavailable
            // Workers that do not come up at all: each of a thousand pictures would wait as long.
            if let reason { return .failure(.unavailable(reason)) }
            // Nothing signals: the wait is the pause.
            _ = answer.wait(until: .now + StillLook.retryDelay) { $0 }
        }
    }

    private static func words(_ failure: RecognitionFailure) -> String {
        switch failure {
        case .unavailable(let reason): reason
        case .workerLost(let how): "not read: the worker \(how)"
        case .notReady: "not read: no worker came up within \(workerPatience)"
        case .stopped: "not read: the analyzer was stopped"
        }
    }
}
