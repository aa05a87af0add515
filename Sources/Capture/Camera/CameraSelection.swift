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
    /// `auto`, whatever is a character device now, and what is not there under `/dev/` and may come: a camera that is
    /// plugged in later. Files in `/dev/shm` and the streams in `/dev/fd` are replays.
    public init?(named name: String) {
        guard name != "auto" else {
            self = .automatic
            return
        }
        var status = stat()
        if stat(name, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFCHR else { return nil }
        } else {
            let others = ["/dev/shm/", "/dev/fd/", "/dev/stdin"]
            guard name.hasPrefix("/dev/"), !others.contains(where: name.hasPrefix) else { return nil }
        }
        self = .path(name)
    }
}
