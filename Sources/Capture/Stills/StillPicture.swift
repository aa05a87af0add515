// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Glibc
internal import LinuxSystem

/// A picture that stands by itself: a file, bytes in memory, or what comes on standard input.
public struct StillPicture: Sendable, Hashable {
    enum Origin: Sendable, Hashable {
        /// Bytes and not `String`: a name need not be UTF-8.
        case file([UInt8])
        case memory([UInt8])
        case standardInput
    }

    /// For messages: the path, or what it was called.
    public let name: String
    let origin: Origin

    private init(name: String, origin: Origin) {
        self.name = name
        self.origin = origin
    }

    /// A picture file; whether it can be read shows when it is loaded.
    public init(path: String) { self.init(name: path, origin: .file(Array(path.utf8))) }

    /// A picture file's bytes.
    public init(bytes: [UInt8], name: String) { self.init(name: name, origin: .memory(bytes)) }

    /// One picture, which ends with the stream.
    public static let standardInput = StillPicture(name: "-", origin: .standardInput)

    /// What a path names: the pictures of a directory in the order of their names, not of those in it, or the file itself.
    ///
    /// Throws `ReplayError` for a directory that can not be read or has no picture, by the suffixes of names.
    public static func all(at path: String) throws(ReplayError) -> [StillPicture] {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return [StillPicture(path: path)] }
        return try PictureFiles(directory: path).paths.map {
            StillPicture(name: String(decoding: $0, as: UTF8.self), origin: .file($0))
        }
    }
}

/// Why a still picture can not be looked at.
public struct StillPictureError: Error, Sendable, Hashable, CustomStringConvertible {
    /// In words, without the picture's name.
    public let description: String

    init(_ description: String) { self.description = description }
}
