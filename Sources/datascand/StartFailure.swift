// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Capture
import DataScanner
import Glibc
import LinuxSystem
import ScanServer
import ServiceSupport

/// Why the daemon does not run, in the words and the exit status for it.
struct StartFailure: Error {
    let status: ExitStatus
    let message: String

    init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    init(_ error: any Error) {
        if let failure = error as? StartFailure {
            self = failure
            return
        }
        message = "\(error)"
        switch error {
        case is ReplayError: status = .noInput
        case let error as ScanServerError: status = StartFailure.status(of: error)
        case is ScannerError: status = .configuration
        case is SystemError: status = .systemError
        default: status = .software
        }
    }

    private static func status(of error: ScanServerError) -> ExitStatus {
        switch error {
        case .inUse: .unavailable
        case .unusablePath: .configuration
        case .notASocket: .cannotCreate
        case .system(let cause): cause.code == EACCES || cause.code == EPERM ? .noPermission : .cannotCreate
        }
    }
}
