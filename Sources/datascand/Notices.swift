// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import DataScanner
import ServiceSupport

/// Puts what the scanner has to say into the log, each distinct fault once.
struct Notices: Sendable {
    private let logger: Logger
    private let faults: FaultLog
    private let isCamera: Bool

    private static let damage = "damaged frames"

    init(logger: Logger, isCamera: Bool) {
        self.logger = logger
        self.isCamera = isCamera
        faults = FaultLog(logger: logger)
    }

    func take(_ notice: ScannerNotice) {
        switch notice {
        case .frameSkipped(let sequence, let subject, let reason):
            // A replay's pictures are damaged each by itself; of a camera's frames one line tells.
            faults.begin(
                isCamera ? Notices.damage : "skipped \(subject)",
                "\(subject) (frame \(sequence)) skipped: \(reason)"
                    + (isCamera ? "; further ones are counted only" : ""))
        case .framesReadAgain(let skipped):
            faults.end(Notices.damage, "no damaged frame for 10 s (\(skipped) since the start)")
        case .sourceRemark(let text): logger.warning(text)
        case .recognitionUnavailable(let reason): faults.begin(reason, level: .error, reason)
        case .workerLost(let how): logger.warning(how)
        case .workerSaid(let line): logger.debug(line)
        case .detail(let text): logger.debug(text)
        }
    }
}
