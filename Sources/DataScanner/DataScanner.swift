// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import Capture
internal import LinuxSystem
internal import Recognition
@_exported public import ScanModel

/// A live list of every barcode and line of text that a source of frames shows.
///
/// It is VisionKit's `DataScannerViewController` without a view. All members may be used from any thread or task; the
/// work is done on threads of the scanner's own, never on Swift's cooperative pool.
public final class DataScanner: Sendable {
    /// Gets every event in order on the scanner's thread; it must not block for long.
    public typealias EventHandler = @Sendable (ScanEvent) -> Void

    private let configuration: ScannerConfiguration
    private let source: any FrameSource
    private let inbox = PipelineInbox()
    private let subscriptions = Subscriptions()
    private let statusMonitor = Monitor(ScannerStatus())
    // Kept to the end: the workers' service borrows its descriptor.
    private let pool: FramePool
    private let recognition: any RecognitionService
    private let capture: CaptureLoop
    private let threads: [NamedThread]
    /// Whether a thread did not end in time.
    private let isLeftBehind = Monitor(false)

    /// Makes a scanner; nothing is looked at before `startScanning`.
    ///
    /// Throws `ScannerError.nothingToRecognize`, or `SystemError` where memory or descriptors are missing.
    public init(
        source: any FrameSource, configuration: ScannerConfiguration, onEvent: @escaping EventHandler = { _ in },
        onEnd: @escaping @Sendable () -> Void = {}
    ) throws {
        guard !configuration.symbologies.isEmpty || !configuration.languages.isEmpty else {
            throw ScannerError.nothingToRecognize
        }
        self.configuration = configuration
        self.source = source
        let pool = try FramePool()
        self.pool = pool
        let recognition = try configuration.makeRecognition(pool: pool)
        self.recognition = recognition
        let capture = try CaptureLoop(source: source, pool: pool, inbox: inbox)
        self.capture = capture
        let context = PipelineContext(
            configuration: configuration, isUnpaced: source.isUnpaced, sourceName: { source.name }, inbox: inbox,
            recognition: recognition,
            capture: capture, subscriptions: subscriptions, status: statusMonitor, onEvent: onEvent, onEnd: onEnd)
        threads = [
            NamedThread("pipeline") {
                var pipeline = Pipeline(context)
                pipeline.run()
            },
            NamedThread("capture") { capture.run() },
        ]
    }

    /// Makes a scanner as VisionKit's is made: one item unless several are asked for, read in this process.
    public convenience init(
        recognizedDataTypes: Set<RecognizedDataType>, qualityLevel: QualityLevel = .balanced,
        recognizesMultipleItems: Bool = false, source: any FrameSource
    ) throws {
        try self.init(
            source: source,
            configuration: ScannerConfiguration(
                recognizedDataTypes: Array(recognizedDataTypes), qualityLevel: qualityLevel,
                recognizesMultipleItems: recognizesMultipleItems))
    }

    deinit {
        // Once is enough of waiting for a thread that hangs in a driver; it holds what it needs itself.
        if !isLeftBehind.withLock({ $0 }) { shutDown() }
    }

    /// Starts to take and look at frames; a scanner that scans goes on.
    public func startScanning() throws {
        if statusMonitor.withLock({ $0.hasEnded }) { throw ScannerError.sourceEnded }
        inbox.put(.start)
    }

    /// Stops; the items leave the list with the reason `stopped`.
    public func stopScanning() { inbox.put(.stop) }

    /// Whether frames are taken and looked at.
    public var isScanning: Bool { statusMonitor.withLock { $0.isScanning } }

    /// The whole current list on each change; a slow reader gets the newest only.
    ///
    /// Each call gives a sequence of its own, which begins with the list as it is. It ends with the source.
    public var recognizedItems: AsyncStream<[RecognizedItem]> { subscriptions.recognizedItems() }

    /// Every event from the call on, in order. A reader that falls 4,096 events behind gets
    /// `ScannerError.eventsLost`. It ends with the source.
    public var events: AsyncThrowingStream<ScanEvent, any Error> { subscriptions.events() }

    /// How the scanner is doing.
    public var status: ScannerStatus {
        var status = statusMonitor.withLock { $0 }
        status.frameRate = status.rateMeter.framesPerSecond(at: .now)
        status.recognition = recognition.statistics
        status.camera = source.cameraReport
        return status
    }

    /// The pids of the worker processes that run now; none where recognition is in process.
    public var workerPIDs: [Int32] {
        (recognition as? WorkerRecognition).map { Array($0.workerPIDs.values).sorted() } ?? []
    }

    /// Ends everything: items leave with `stopped`, sequences end, threads and workers are gone when it returns.
    ///
    /// It is called by `deinit`, and must not be called on the scanner's own threads. A driver that hangs in a call can
    /// not be interrupted: with a `limit`, the capture thread is left to itself after so long (false), and the program
    /// should end.
    @discardableResult
    public func shutDown(within limit: Duration? = nil) -> Bool {
        inbox.put(.shutDown)
        capture.shutDown()
        let deadline = limit.map { MonotonicTime.now + $0 }
        // Not `allSatisfy`, which would stop at the first: each gets its chance to end.
        let ended = threads.map { $0.join(until: deadline) }
        recognition.stop()
        let isWhole = !ended.contains(false)
        isLeftBehind.withLock { $0 = !isWhole }
        return isWhole
    }
}
