// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Glibc
internal import LinuxSystem

/// Where a recording goes and what kind of files it makes, by the path's name.
public struct RecordingDestination: Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
        /// `.mjpeg` or `.mjpg`: JPEG pictures one behind the other.
        case mjpeg
        /// `.y4m`: YUV4MPEG2 with luma only.
        case y4m
        /// Any other name: one file a frame.
        case directory
    }

    public let path: String
    public let kind: Kind

    /// What people expect to get by these names is not what is written here.
    private static let otherSuffixes = ["avi", "mp4", "m4v", "mkv", "mov", "webm", "ts", "jpg", "jpeg", "png", "pgm"]

    /// Takes the path as it was given; throws where its name promises a kind of file that is not written.
    public init(_ path: String) throws(RecordingError) {
        self.path = path
        guard !path.isEmpty else { throw RecordingError(.unusable, "''", "the name is empty") }
        let name = path.split(separator: "/").last ?? ""
        let suffix = name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
        switch suffix {
        case "mjpeg", "mjpg": kind = .mjpeg
        case "y4m": kind = .y4m
        case _ where RecordingDestination.otherSuffixes.contains(suffix):
            throw RecordingError(
                .unusable, path,
                ".\(suffix) is not written; a recording is a FILE.mjpeg, a FILE.y4m or a directory (any other name)")
        default: kind = .directory
        }
    }

    /// The file of the frames' times.
    public var timesPath: String { kind == .directory ? path(of: "frames.times") : path + ".times" }

    /// A file in the directory.
    func path(of name: String) -> String { path.hasSuffix("/") ? path + name : path + "/" + name }

    /// Says what stands in the way, before a camera is opened for it; nothing is changed.
    ///
    /// Whether there is room is not known before something is written.
    public func check(replacing: Bool) throws(RecordingError) {
        if kind == .directory {
            switch try RecordingDestination.type(of: path) {
            case nil: try RecordingDestination.checkWritable(parent)
            case .some(S_IFDIR):
                try RecordingDestination.checkWritable(path)
                guard replacing || isEmptyDirectory else {
                    throw RecordingError(
                        .exists, path,
                        "the directory is not empty; name another, or --force replaces the recording that is in it")
                }
            case .some: throw RecordingError(.exists, path, "it is there and no directory; name another")
            }
            return
        }
        try RecordingDestination.checkWritable(parent)
        // Its hidden name is the longest of the recording's.
        _ = try RecordingDestination.type(of: GrowingFile.hiddenPath(for: timesPath))
        for path in [path, timesPath] {
            switch try RecordingDestination.type(of: path) {
            case nil: break
            case .some(S_IFREG):
                guard replacing else {
                    throw RecordingError(.exists, path, "the file exists; name another, or --force overwrites it")
                }
            case .some: throw RecordingError(.exists, path, "it is there and no file; name another")
            }
        }
    }

    /// The directory in which the path's last name is.
    private var parent: String {
        let bare = path.dropLast(path.reversed().prefix { $0 == "/" }.count)
        guard let slash = bare.lastIndex(of: "/") else { return bare.isEmpty ? "/" : "." }
        return slash == bare.startIndex ? "/" : String(bare[..<slash])
    }

    /// Throws where no file can be made in a directory.
    private static func checkWritable(_ directory: String) throws(RecordingError) {
        var status = stat()
        let isThere = stat(directory, &status) == 0
        if !isThere, errno == ENOENT {
            throw RecordingError(.unusable, directory, "there is no such directory; make it, or name another")
        }
        if isThere, status.st_mode & S_IFMT != S_IFDIR {
            throw RecordingError(.unusable, directory, "it is no directory; name another")
        }
        // By the effective user, as a file would be made.
        guard isThere, faccessat(AT_FDCWD, directory, W_OK | X_OK, AT_EACCESS) == 0 else {
            let reason = SystemError.last("access", directory).reason
            throw RecordingError(.unusable, directory, "nothing can be written there (\(reason)); name another")
        }
    }

    private var isEmptyDirectory: Bool {
        guard let listing = opendir(path) else { return false }
        defer { closedir(listing) }
        while let entry = readdir(listing) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if name != Array(".".utf8), name != Array("..".utf8) { return false }
        }
        return true
    }

    /// The bits of `S_IFMT`; `nil` where nothing is.
    private static func type(of path: String) throws(RecordingError) -> mode_t? {
        var status = stat()
        if stat(path, &status) == 0 { return status.st_mode & S_IFMT }
        if errno == ENOENT || errno == ENOTDIR { return nil }
        throw RecordingError(.last("stat", path))
    }
}
