// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Capture
import DataScanner
import Glibc
import LinuxSystem
import ScanServer
import ServiceSupport

extension ProgramFailure {
    /// Why the daemon does not run.
    init(_ error: any Error) {
        self.init(error) { error in
            switch error {
            case is ReplayError: .noInput
            case let error as ScanServerError: ProgramFailure.status(of: error)
            case is ScannerError: .configuration
            case is SystemError: .systemError
            default: .software
            }
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
