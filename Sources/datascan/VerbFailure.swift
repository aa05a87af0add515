// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanClient
import ServiceSupport

/// Why a verb ends without what was asked for, in the words and the exit status for it.
struct VerbFailure: Error {
    let status: ExitStatus
    let message: String

    init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    init(_ error: any Error) {
        if let failure = error as? VerbFailure {
            self = failure
            return
        }
        message = "\(error)"
        status = (error as? ClientError).map { ExitStatus($0) } ?? .software
    }
}

extension ExitStatus {
    init(_ error: ClientError) {
        switch error {
        case .noSocket, .notRunning, .timeout, .closed, .refused: self = .unavailable
        case .permissionDenied: self = .noPermission
        case .malformed, .lineTooLong: self = .protocolError
        case .failed: self = .software
        case .system: self = .inputOutput
        }
    }
}
