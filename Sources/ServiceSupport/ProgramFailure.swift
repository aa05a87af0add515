// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// Why a program ends without what was asked for, in the words and the exit status for it.
public struct ProgramFailure: Error, Sendable, Hashable {
    public let status: ExitStatus
    /// For people: what happened, where, and what to do.
    public let message: String

    public init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    /// Takes any error in its own words; `status` is asked where it is no `ProgramFailure` already.
    public init(_ error: any Error, status: (any Error) -> ExitStatus) {
        self = error as? ProgramFailure ?? ProgramFailure(status(error), "\(error)")
    }
}
