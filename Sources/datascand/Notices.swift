// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import DataScanner
import ServiceSupport

/// Puts what the scanner has to say into the log, each distinct fault once.
struct Notices: Sendable {
    private let logger: Logger
    private let faults: FaultLog

    init(logger: Logger) {
        self.logger = logger
        faults = FaultLog(logger: logger)
    }

    func take(_ notice: ScannerNotice) {
        switch notice {
        case .frameSkipped(let sequence, let subject, let reason):
            faults.begin("skipped \(subject)", "\(subject) (frame \(sequence)) skipped: \(reason)")
        case .framesReadAgain: logger.debug("frames can be read again")
        case .recognitionUnavailable(let reason): faults.begin(reason, level: .error, reason)
        case .workerLost(let how): logger.warning(how)
        case .workerSaid(let line): logger.debug(line)
        case .detail(let text): logger.debug(text)
        }
    }
}
