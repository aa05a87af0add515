// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Glibc
public import LinuxSystem
internal import ScanModel
public import ScanProtocol

/// Why a client can not go on, and what to do.
public enum ClientError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Nothing is at the path.
    case noSocket(String)
    /// A socket is there and nobody listens.
    case notRunning(String)
    /// The socket is not for this user; the group that may use it, where it could be found out.
    case permissionDenied(String, group: String?)
    /// The server did not take the connection or answer in time.
    case timeout(String, Duration?)
    /// The server closed the connection.
    case closed(String)
    /// The server takes no further clients.
    case refused(ResponseError)
    /// The server answered a request with an error.
    case failed(ResponseError)
    /// What came is not a message of this protocol.
    case malformed(MalformedMessage)
    /// A line is longer than any that a server sends.
    case lineTooLong(limit: Int)
    /// A system call failed.
    case system(SystemError)

    public var description: String {
        switch self {
        case .noSocket(let path):
            "\(path): there is no such socket; is datascand running, and is this its --socket-dir?"
        case .notRunning(let path):
            "\(path): nobody listens there; datascand ended without removing its socket, start it again"
        case .permissionDenied(let path, .some(let group)):
            "\(path): permission denied; it is for the group \(group): add this user to it with usermod -aG \(group)"
        case .permissionDenied(let path, nil):
            "\(path): permission denied; this user may not enter its directory: ask for the group of datascand"
        case .timeout(let what, nil): "\(what): nothing came in time"
        case .timeout(let what, .some(let limit)):
            "\(what): no answer within \(limit.inSeconds) s; is datascand stopped or overloaded?"
        case .closed(let path):
            "\(path): the server closed the connection; it was stopped, or this client took its lines too slowly"
        case .refused(let error): "the server refused the connection: \(error.message)"
        case .failed(let error): error.message
        case .malformed(let message): "\(message)"
        case .lineTooLong(let limit): "the server sent a line of more than \(limit) bytes: it is not datascand"
        case .system(let error): "\(error)"
        }
    }
}

extension ClientError {
    /// A system call's ETIMEDOUT as a timeout of what was waited for.
    func timedOut(_ what: String, after limit: Duration? = nil) -> ClientError {
        guard case .system(let error) = self, error.code == ETIMEDOUT else { return self }
        return .timeout(what, limit)
    }
}
