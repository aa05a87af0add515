// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Glibc

/// A system call that failed: which one, on what, and why.
public struct SystemError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The call's name, such as `connect`.
    public let operation: String
    /// The value of errno.
    public let code: Int32
    /// What it was done to, such as a path; empty where there is nothing to name.
    public let subject: String

    public init(_ operation: String, code: Int32, subject: String = "") {
        self.operation = operation
        self.code = code
        self.subject = subject
    }

    /// Takes errno as it stands: call this before anything else that may change it.
    public static func last(_ operation: String, _ subject: String = "") -> SystemError {
        SystemError(operation, code: errno, subject: subject)
    }

    /// The system's words for the code, such as "No such file or directory".
    public var reason: String { String(cString: strerror(code)) }

    public var description: String {
        subject.isEmpty ? "\(operation): \(reason)" : "\(operation) \(subject): \(reason)"
    }
}

/// Runs a call that answers -1 on failure, again for as long as a signal interrupts it.
@inline(__always)
func retryingInterrupts<Result: FixedWidthInteger>(
    _ operation: String, _ subject: @autoclosure () -> String = "", _ body: () -> Result
) throws(SystemError) -> Result {
    while true {
        let result = body()
        if result != -1 { return result }
        let code = errno
        if code != EINTR { throw SystemError(operation, code: code, subject: subject()) }
    }
}
