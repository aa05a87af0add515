// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Glibc

/// Which camera is meant.
public enum CameraSelection: Sendable, Hashable {
    /// The first real camera that is there; once it was found, that one.
    case automatic
    /// A device node or a link to one. A node is remembered by its stable path once it was found, so that a camera that
    /// comes back under another number is the same one.
    case path(String)

    /// The camera that a source's name means; `nil` where it names something to be replayed.
    ///
    /// `auto`, whatever is a character device now, and what is not there under `/dev/` and may come, also behind links: a
    /// camera that is plugged in later. Files in `/dev/shm` and the streams in `/dev/fd` are replays.
    public init?(named name: String) {
        guard name != "auto" else {
            self = .automatic
            return
        }
        var status = stat()
        if stat(name, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFCHR else { return nil }
        } else {
            let end = CameraSelection.endOfLinks(name)
            let others = ["/dev/shm/", "/dev/fd/", "/dev/stdin"]
            guard end.hasPrefix("/dev/"), !others.contains(where: end.hasPrefix) else { return nil }
        }
        self = .path(name)
    }

    /// Where a path leads although there is nothing: the link of somebody's own to a camera that is not plugged in.
    private static func endOfLinks(_ path: String) -> String {
        var path = path
        // Linux follows 40 links.
        for _ in 0..<40 {
            var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
            let count = readlink(path, &buffer, buffer.count)
            guard count > 0 else { break }
            let target = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
            path = target.hasPrefix("/") ? target : folder + target
        }
        return path
    }
}
