// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Glibc

/// How the programs end, by sysexits(3).
public enum ExitStatus: Int32, Sendable, Hashable {
    case success = 0
    /// The command line is wrong (EX_USAGE).
    case usage = 64
    /// The source can not be read (EX_NOINPUT).
    case noInput = 66
    /// Something that is needed does not run, such as the daemon or another daemon is in the way (EX_UNAVAILABLE).
    case unavailable = 69
    /// A fault of the program (EX_SOFTWARE).
    case software = 70
    /// The system refused something that should work (EX_OSERR).
    case systemError = 71
    /// A socket, a file or a directory could not be made (EX_CANTCREAT).
    case cannotCreate = 73
    /// Reading or writing failed (EX_IOERR).
    case inputOutput = 74
    /// The peer broke the protocol (EX_PROTOCOL).
    case protocolError = 76
    /// Permission is missing (EX_NOPERM).
    case noPermission = 77
    /// The configuration asks for what is not there (EX_CONFIG).
    case configuration = 78
}

/// Ends the process at once with a status.
public func exit(with status: Int32) -> Never { Glibc.exit(status) }
