// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Glibc

/// Where the sockets of a camera are when nothing else is said.
public enum SocketDirectory {
    /// `$XDG_RUNTIME_DIR/datascand/<camera>` for a user, `/run/datascand/<camera>` for root and for services.
    ///
    /// systemd sets `RUNTIME_DIRECTORY` for a unit with `RuntimeDirectory=`; it wins.
    public static func standard(camera: String) -> String {
        if let unit = environment("RUNTIME_DIRECTORY"), !unit.contains(":") { return unit }
        if getuid() != 0, let user = environment("XDG_RUNTIME_DIR") { return user + "/datascand/" + camera }
        return "/run/datascand/" + camera
    }

    /// The absolute form of a path, so that messages and socket addresses do not depend on the working directory.
    public static func absolute(_ path: String) -> String {
        if path.hasPrefix("/") { return path }
        guard let buffer = getcwd(nil, 0) else { return path }
        defer { free(buffer) }
        return String(cString: buffer) + "/" + path
    }

    private static func environment(_ name: String) -> String? {
        guard let value = getenv(name) else { return nil }
        let text = String(cString: value)
        return text.hasPrefix("/") ? text : nil
    }
}
