// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Glibc
internal import LinuxSystem

/// Why a recording can not be written: what it was to be, and what to do.
public struct RecordingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Sorts of reasons, for those who act on them.
    public enum Kind: Sendable, Hashable {
        /// Something is there already.
        case exists
        /// The name or the kind of what is there does not fit a recording.
        case unusable
        /// The camera's format does not fit the kind of file.
        case unsuitableFormat
        /// The system refused.
        case system
    }

    public let kind: Kind
    /// The path.
    public let subject: String
    public let reason: String

    init(_ kind: Kind, _ subject: String, _ reason: String) {
        self.kind = kind
        self.subject = subject
        self.reason = reason
    }

    init(_ error: SystemError) {
        self.init(.system, error.subject, "\(error.operation): \(error.reason)")
    }

    public var description: String { "\(subject): \(reason)" }
}

extension SystemError {
    /// Whether there is no more room for what is to be written: on the disk, in a quota, in the size of a file.
    var isForWantOfRoom: Bool { code == ENOSPC || code == EDQUOT || code == EFBIG }
}
