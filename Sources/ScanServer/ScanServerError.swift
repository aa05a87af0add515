// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import LinuxSystem

/// Why the sockets could not be opened, and what to do.
public enum ScanServerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A path that is not absolute, or too long for a socket's address.
    case unusablePath(String, reason: String)
    /// Something else is where a socket should be.
    case notASocket(String, kind: String)
    /// A running process listens there; its pid where it could be asked.
    case inUse(String, pid: Int32?)
    /// A system call failed.
    case system(SystemError)

    public var description: String {
        switch self {
        case .unusablePath(let path, let reason):
            "the socket path \(path) can not be used: \(reason); choose another directory with --socket-dir"
        case .notASocket(let path, let kind):
            "\(path) is \(kind), not a socket: move it away or choose another directory with --socket-dir"
        case .inUse(let path, .some(let pid)):
            "\(path) is in use by process \(pid): stop it or choose another directory with --socket-dir"
        case .inUse(let path, nil):
            "\(path) is in use by a process that does not answer: stop it or choose another directory with --socket-dir"
        case .system(let error):
            "the sockets can not be opened: \(error)"
        }
    }
}
