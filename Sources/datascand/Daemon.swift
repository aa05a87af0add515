// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Capture
import Configuration
import DataScanner
import ImageKernels
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
    private static let signalDeliveryLimit = Duration.milliseconds(1200)

    /// Runs until the source ends or a signal comes.
    static func run(_ options: DaemonOptions) -> ExitStatus {
        let logger = Logger(program: "datascand", threshold: LogLevel(options.logVerbosity))
        do {
            let signals = try TerminationSignals()
            let types = try RecognizedTypes(options, logger: logger)
            let source = try ReplaySource(options)
            let ended = try EventDescriptor()
            let directory = SocketDirectory.absolute(
                options.socketDirectory ?? SocketDirectory.standard(camera: options.camera))
            let handler = RequestHandler(options: options, types: types)
            let server = try ScanServer(
                configuration: ServerConfiguration(
                    directory: directory, camera: options.camera, version: ProductVersion.current), handler: handler,
                log: { level, message in logger.log(level == .warning ? .warning : .info, message) })
            try server.start()
            let scanner = try DataScanner(
                source: source, configuration: types.configuration(options, notices: Notices(logger: logger)),
                onEvent: { server.publish($0) }, onEnd: { ended.signal() })
            handler.attach(scanner)
            logger.info("scanning \(source.name), sockets in \(directory)")
            begin(scanner, server, waits: options.waitsForSubscriber)
            let signal = try signals.wait(or: ended)
            if let signal { logger.info("\(signal): stopping") }
            scanner.shutDown()
            server.finish(within: signal == nil ? deliveryLimit : signalDeliveryLimit)
            return conclude(scanner.status, source: source.name, signal: signal, logger: logger)
        } catch {
            let failure = StartFailure(error)
            logger.error(failure.message)
            return failure.status
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

    private static func conclude(
        _ status: ScannerStatus, source: String, signal: String?, logger: Logger
    ) -> ExitStatus {
        if status.framesDelivered == 0, status.framesSkipped > 0, signal == nil {
            logger.error("\(source): none of its \(status.framesSkipped) pictures could be read")
            return .noInput
        }
        logger.info("\(source): ended after \(status.framesDelivered) frames, \(status.framesSkipped) skipped")
        return .success
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

extension ReplaySource {
    /// Opens what the options name.
    convenience init(_ options: DaemonOptions) throws {
        var replay = ReplayOptions()
        switch options.pace {
        case .own: replay.rate = .source
        case .framesPerSecond(let rate): replay.rate = .fixed(rate)
        case .unpaced: replay.rate = .unpaced()
        }
        replay.loop = options.loops
        replay.hold = options.hold
        replay.orientation = Orientation(
            turn: .init(rawValue: options.rotation) ?? .none, isMirrored: options.isMirrored)
        try self.init(path: options.source ?? "-", options: replay)
    }
}
