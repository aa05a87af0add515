// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Capture
import Configuration
import LinuxSystem
import ScanModel
import ScanProtocol
import ServiceSupport

/// `datascan record`: the camera's frames as it gave them, from the daemon that has the camera or from the camera itself.
struct Record {
    let session: Session
    let writer: RecordingWriter
    let interruption: Interruption

    private var options: ClientOptions { session.options }

    /// Says what stands in the way before anything is opened or waited for.
    init(_ session: Session) throws {
        self.session = session
        let options = session.options
        guard options.source != nil || options.cameraSettings == CameraSettings() else {
            throw ProgramFailure(
                .usage,
                "--size, --rate, --format and --control need --source: the daemon's camera is recorded as it is set")
        }
        do throws(RecordingError) {
            let destination = try RecordingDestination(options.operands[0])
            try destination.check(replacing: options.overwrites)
            var limits = RecordingLimits()
            limits.duration = .seconds(options.recordSeconds)
            limits.frames = options.recordFrames
            limits.bytes = options.recordMebibytes << 20
            writer = RecordingWriter(destination, limits: limits, replacing: options.overwrites)
        } catch {
            throw Record.failure(error)
        }
        // A file that grows beyond its limit is a full disk to us, not an end.
        CurrentProcess.ignoreFileSizeSignal()
        interruption = try Interruption()
    }

    func run() throws {
        let conclusion: RecordConclusion
        do {
            conclusion = try options.source == nil ? recordDaemon() : recordCamera()
        } catch let error as RecordingError {
            throw Record.failure(error)
        }
        if writer.tally.frames > 0 { session.output.print(RecordSummary(writer, conclusion).text(session.format)) }
        if let failure = conclusion.failure(writer) { throw failure }
    }

    /// Puts what is known of the recording beside a directory's pictures.
    func describe(_ camera: RecordedCamera, _ conclusion: RecordConclusion? = nil) throws(RecordingError) {
        try writer.describe(camera.json(writer.tally, conclusion).encoded + [0x0A])
    }

    private static func failure(_ error: RecordingError) -> ProgramFailure {
        let status: ExitStatus =
            switch error.kind {
            case .exists, .unusable: .cannotCreate
            case .unsuitableFormat: .configuration
            case .system: .inputOutput
            }
        return ProgramFailure(status, "\(error)")
    }
}
