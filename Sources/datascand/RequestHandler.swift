// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Configuration
import DataScanner
import LinuxSystem
import Recognition
import ScanModel
import ScanProtocol
import ScanServer

/// Answers the sockets' requests from the scanner's state.
final class RequestHandler: ScanRequestHandler {
    private let options: DaemonOptions
    private let types: RecognizedTypes
    private let frames: CameraFrames
    private let started = MonotonicTime.now
    // Unowned by design: the daemon takes the server down after the scanner.
    private let scanner = Monitor<DataScanner?>(nil)

    let symbologyEngines = BarcodeReader.supportedSymbologies.sorted { $0.rawValue < $1.rawValue }.map {
        Wire.SymbologyEngines(symbology: $0.rawValue, engines: BarcodeReader.engines(for: $0))
    }
    let supportedTextRecognitionLanguages = TextReader.supportedLanguages()

    init(options: DaemonOptions, types: RecognizedTypes, frames: CameraFrames) {
        self.frames = frames
        self.options = options
        self.types = types
    }

    /// Names the scanner; requests that came before were answered as those of one that does not scan.
    func attach(_ scanner: DataScanner) { self.scanner.withLock { $0 = scanner } }

    func startScanning() -> Result<Void, RequestFailure> {
        guard let scanner = scanner.withLock({ $0 }) else { return .failure(RequestFailure("the daemon is starting")) }
        do {
            try scanner.startScanning()
            return .success(())
        } catch {
            return .failure(RequestFailure("\(error)"))
        }
    }

    func stopScanning() -> Result<Void, RequestFailure> {
        scanner.withLock { $0 }?.stopScanning()
        frames.noteStop()
        return .success(())
    }

    func status() -> StatusReport {
        var report = StatusReport()
        report.version = ProductVersion.current
        report.pid = CurrentProcess.pid
        report.camera = options.camera
        report.source = options.source ?? ""
        report.uptimeSeconds = ((MonotonicTime.now - started).inSeconds * 10).rounded() / 10
        report.qualityLevel = options.qualityLevel.rawValue
        report.recognizedDataTypes = types.types.map(RequestHandler.name)
        let region = options.regionOfInterest.boundingRect
        if !options.regionOfInterest.isRectangle {
            report.regionPolygons = options.regionOfInterest.polygons.map { $0.map { [$0.x, $0.y] } }
        }
        report.regionOfInterest = [region.x, region.y, region.width, region.height]
        report.textUnavailable = types.textUnavailable
        report.residentBytes = CurrentProcess.residentBytes() ?? 0
        report.cpuSeconds = (processCPUTime().inSeconds * 100).rounded() / 100
        guard let scanner = scanner.withLock({ $0 }) else { return report }
        fill(&report, scanner.status)
        report.workerPids = scanner.workerPIDs
        return report
    }

    private func fill(_ report: inout StatusReport, _ status: ScannerStatus) {
        report.isScanning = status.isScanning
        report.frameWidth = status.frameWidth
        report.frameHeight = status.frameHeight
        report.frameRate = status.frameRate
        report.framesDelivered = UInt64(status.framesDelivered)
        report.framesProcessed = UInt64(status.framesProcessed)
        report.framesDropped = UInt64(status.framesDropped)
        report.framesSkipped = UInt64(status.framesSkipped)
        report.framesDecoded = UInt64(status.framesDecoded)
        report.lastSkipped = status.lastSkipped.map { .init(name: $0.name, reason: $0.reason) }
        report.sourceUnavailable = status.unavailability.map {
            Wire.Reason(code: $0.rawValue, message: status.unavailabilityMessage)
        }
        report.capture = status.camera.map { StatusReport.Capture($0, now: .now) }
        report.barcodeLooks = UInt64(status.barcodeLooks)
        report.textLooks = UInt64(status.textLooks)
        report.items = status.items
        report.workerRestarts = UInt64(status.recognition.workerRestarts)
        report.workersRecycled = UInt64(status.recognition.recycledWorkers)
        report.lostJobs = UInt64(status.recognition.lostJobs)
        report.refusedAnswers = UInt64(status.recognition.refusedAnswers)
        report.untakenJobs = UInt64(status.recognition.untakenJobs)
        report.omittedObservations = UInt64(status.recognition.omittedObservations)
        report.barcodesUnavailable = status.recognition.barcodesUnavailable
        report.textUnavailable = report.textUnavailable ?? status.recognition.textUnavailable
    }

    private static func name(_ type: RecognizedDataType) -> String {
        switch type {
        case .barcode(let symbologies):
            symbologies.isEmpty ? "barcode" : "barcode:" + symbologies.map(\.rawValue).joined(separator: ",")
        case .text(let languages): "text:" + languages.joined(separator: ",")
        }
    }
}
