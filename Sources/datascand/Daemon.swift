// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Capture
import Configuration
import DataScanner
import LinuxSystem
import Recognition
import ScanModel
import ScanServer
import ServiceSupport

/// Builds the graph of one run and takes it down again.
enum Daemon {
    /// How long the last events may take to reach the subscribers after the source's end.
    private static let deliveryLimit = Duration.seconds(60)
    /// The same after a signal: systemd and people wait.
    private static let signalDeliveryLimit = Duration.milliseconds(1000)
    /// How long a camera's driver may take to let go after a signal: 2 s are allowed from the signal to the end.
    private static let captureEndLimit = Duration.milliseconds(700)

    /// Runs until the source ends or a signal comes.
    static func run(_ options: DaemonOptions) -> ExitStatus {
        let logger = Logger(program: "datascand", threshold: LogLevel(options.logVerbosity))
        do {
            let signals = try TerminationSignals()
            let types = try RecognizedTypes(options, logger: logger)
            let source = try ChosenSource.open(options)
            let ended = try EventDescriptor()
            let directory = SocketDirectory.absolute(
                options.socketDirectory ?? SocketDirectory.standard(camera: options.camera))
            let frames = CameraFrames(source)
            let handler = RequestHandler(options: options, types: types, frames: frames)
            let server = try ScanServer(
                configuration: ServerConfiguration(
                    directory: directory, camera: options.camera, version: ProductVersion.current), handler: handler,
                frames: frames, log: { level, message in logger.log(level == .warning ? .warning : .info, message) })
            try server.start()
            let scanner = try DataScanner(
                source: source,
                configuration: types.configuration(
                    options, notices: Notices(logger: logger, isCamera: source is V4L2Camera)),
                onEvent: { event in
                    log(event, logger)
                    frames.note(event)
                    server.publish(event)
                    if options.endsWithoutCamera, case .becameUnavailable(.cameraLost, _) = event { ended.signal() }
                }, onEnd: { ended.signal() })
            handler.attach(scanner)
            frames.attach(scanner)
            logger.info("scanning \(source.name), sockets in \(directory)")
            begin(scanner, server, waits: options.waitsForSubscriber)
            let signal = try signals.wait(or: ended)
            if let signal { logger.info("\(signal): stopping") }
            if !scanner.shutDown(within: signal == nil ? nil : captureEndLimit) {
                logger.warning("\(source.name): its driver hangs in a call; ending without it")
            }
            server.finish(within: signal == nil ? deliveryLimit : signalDeliveryLimit)
            return conclude(scanner.status, source: source, signal: signal, loops: options.loops, logger: logger)
        } catch {
            let failure = ProgramFailure(error)
            logger.error(failure.message)
            return failure.status
        }
    }

    /// Whoever reads the log alone hears as well that no frames come.
    private static func log(_ event: ScanEvent, _ logger: Logger) {
        switch event {
        case .becameUnavailable(let code, let message): logger.warning("\(code.rawValue): \(message)")
        case .becameAvailable: logger.info("frames come again")
        default: break
        }
    }

    /// Starts at once or with the first subscriber.
    private static func begin(_ scanner: DataScanner, _ server: ScanServer, waits: Bool) {
        guard waits else {
            try? scanner.startScanning()
            return
        }
        _ = NamedThread("first-client") {
            if server.waitForSubscriber() { try? scanner.startScanning() }
        }
    }

    /// Says how the run ended; a source that gave nothing, or that should have gone on for ever, is a fault.
    private static func conclude(
        _ status: ScannerStatus, source: any FrameSource, signal: String?, loops: Bool, logger: Logger
    ) -> ExitStatus {
        let name = source.name
        if signal == nil {
            if source is V4L2Camera {
                logger.error("\(name): ending as --exit-on-camera-loss says")
                return .unavailable
            }
            if let fault = fault(status, loops: loops) {
                logger.error("\(name): \(fault)")
                return .noInput
            }
        }
        logger.info("\(name): ended after \(frames(status)), \(status.framesSkipped) skipped")
        return .success
    }

    private static func frames(_ status: ScannerStatus) -> String {
        status.framesDelivered == 1 ? "1 frame" : "\(status.framesDelivered) frames"
    }

    /// What was wrong with a source that ended by itself; `nil` where nothing was.
    private static func fault(_ status: ScannerStatus, loops: Bool) -> String? {
        let last = status.lastSkipped.map { "\($0.name): \($0.reason)" }
        if status.framesDelivered == 0 {
            switch status.framesSkipped {
            case 0: return "it ended before the first frame; is what writes it complete?"
            case 1: return "its only picture could not be read: \(status.lastSkipped?.reason ?? "")"
            case let count: return "none of its \(count) pictures could be read; the last one, \(last ?? "")"
            }
        }
        guard loops else { return nil }
        return "it could not be started again after \(frames(status))"
            + (last.map { "; last skipped, \($0)" } ?? "")
    }
}

extension LogLevel {
    init(_ verbosity: LogVerbosity) {
        switch verbosity {
        case .error: self = .error
        case .warning: self = .warning
        case .info: self = .info
        case .debug: self = .debug
        }
    }
}
