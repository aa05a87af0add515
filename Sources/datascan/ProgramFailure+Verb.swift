// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import DataScanner
import LinuxSystem
import ScanClient
import ScanProtocol
import ServiceSupport

extension ProgramFailure {
    /// Why a verb ends: an error of the connection to the daemon, or the verb's own.
    init(_ error: any Error) {
        self.init(error) { error in
            switch error {
            case let error as ClientError: ExitStatus(error)
            case is ScannerError: .configuration
            case is SystemError: .systemError
            default: .software
            }
        }
    }
}

extension ExitStatus {
    init(_ error: ClientError) {
        switch error {
        case .noSocket, .notRunning, .timeout, .closed, .refused: self = .unavailable
        case .permissionDenied: self = .noPermission
        case .malformed, .lineTooLong: self = .protocolError
        // The daemon could not do it, for now or for good; other errors of its answer are this program's fault.
        case .failed(let answer): self = answer.isRefusal ? .unavailable : .software
        case .system: self = .inputOutput
        }
    }
}
