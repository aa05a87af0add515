// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Glibc
internal import LinuxSystem
internal import ScanModel

/// A socket that listens at a path of its own.
final class ListeningSocket: Sendable {
    let path: String
    let descriptor: OwnedDescriptor
    // What `lstat` says of the path: a path that was replaced meanwhile is not ours to remove.
    private let device: dev_t
    private let inode: ino_t

    private init(path: String, descriptor: consuming OwnedDescriptor, device: dev_t, inode: ino_t) {
        self.path = path
        self.descriptor = descriptor
        self.device = device
        self.inode = inode
    }

    /// Binds `path`, in place of a socket that a dead process left there.
    ///
    /// - Returns: The socket, and what to warn of: the group could not be set.
    static func open(
        path: String, mode: UInt32, group: String?
    ) throws(ScanServerError) -> (socket: ListeningSocket, warning: String?) {
        try check(path)
        try makeWay(at: path)
        do throws(SystemError) {
            // Only the owner may connect until the group is set, or the process's own group could slip in before.
            let descriptor = try UnixSocket.listen(path: path, mode: 0o600)
            var information = stat()
            if lstat(path, &information) < 0 { throw .last("lstat", path) }
            let socket = ListeningSocket(
                path: path, descriptor: descriptor, device: information.st_dev, inode: information.st_ino)
            let warning = group.flatMap { socket.give(to: $0) }
            if chmod(path, mode_t(mode)) < 0 {
                let error = SystemError.last("chmod", path)
                socket.removePath()
                throw error
            }
            return (socket, warning)
        } catch {
            throw .system(error)
        }
    }

    /// Removes the path, unless something else has taken its place.
    func removePath() {
        var information = stat()
        guard lstat(path, &information) == 0, information.st_dev == device, information.st_ino == inode else { return }
        unlink(path)
    }

    /// Refuses what `sockaddr_un` can not hold or what would move with the working directory.
    static func check(_ path: String) throws(ScanServerError) {
        guard path.utf8.first == UInt8(ascii: "/") else {
            throw .unusablePath(path, reason: "it is not absolute")
        }
        let length = path.utf8.count
        guard length <= UnixSocket.maximumPathLength else {
            throw .unusablePath(
                path, reason: "it has \(length) bytes, and a socket's path at most \(UnixSocket.maximumPathLength)")
        }
        guard !path.utf8.contains(0) else { throw .unusablePath(path, reason: "it contains NUL") }
    }

    private static func makeWay(at path: String) throws(ScanServerError) {
        var information = stat()
        if lstat(path, &information) < 0 {
            if errno == ENOENT { return }
            throw .system(.last("lstat", path))
        }
        switch information.st_mode & S_IFMT {
        case S_IFSOCK: break
        case S_IFREG: throw .notASocket(path, kind: "a regular file")
        case S_IFDIR: throw .notASocket(path, kind: "a directory")
        case S_IFLNK: throw .notASocket(path, kind: "a symbolic link")
        default: throw .notASocket(path, kind: "a special file")
        }
        switch probe(path) {
        case .success(let pid): throw .inUse(path, pid: pid)
        case .failure(let error) where error.code == EAGAIN: throw .inUse(path, pid: nil)
        case .failure(let error) where error.code == ECONNREFUSED || error.code == ENOENT: break
        case .failure(let error): throw .system(error)
        }
        if unlink(path) < 0, errno != ENOENT { throw .system(.last("unlink", path)) }
    }

    /// The pid of the process that listens at a path.
    private static func probe(_ path: String) -> Result<Int32?, SystemError> {
        do throws(SystemError) {
            let connection = try UnixSocket.connectNow(path: path)
            return .success((try? UnixSocket.peer(of: connection.raw))?.pid)
        } catch {
            return .failure(error)
        }
    }

    private func give(to group: String) -> String? {
        var entry = Glibc.group()
        var found: UnsafeMutablePointer<Glibc.group>?
        var buffer = [CChar](repeating: 0, count: 16 << 10)
        guard getgrnam_r(group, &entry, &buffer, buffer.count, &found) == 0, found != nil else {
            return "there is no group \(group), so \(path) keeps the group of this process; groupadd --system makes it"
        }
        if chown(path, uid_t.max, entry.gr_gid) < 0 {
            let error = SystemError.last("chown", path)
            return "\(path) keeps the group of this process: \(error); add this user to the group \(group)"
        }
        return nil
    }
}

/// The directory of the sockets.
enum SocketDirectory {
    /// Makes what is missing of it and takes its lock, which lasts as long as the descriptor.
    ///
    /// Without the lock, two that start at once could both find a dead socket and each remove the other's new one. The
    /// lock is on the directory itself, so that no lock file stays behind.
    static func lock(_ path: String, mode: UInt32) throws(ScanServerError) -> OwnedDescriptor {
        var part = ""
        for component in path.split(separator: "/") {
            part += "/" + component
            if mkdir(part, mode_t(mode)) < 0, errno != EEXIST { throw .system(.last("mkdir", part)) }
        }
        do throws(SystemError) {
            let descriptor = try OwnedDescriptor.openForReading(path)
            let deadline = MonotonicTime.now + .seconds(2)
            while flock(descriptor.raw, LOCK_EX | LOCK_NB) < 0 {
                let error = SystemError.last("flock", path)
                guard error.code == EWOULDBLOCK || error.code == EINTR, MonotonicTime.now < deadline else {
                    throw error
                }
                usleep(10_000)
            }
            return descriptor
        } catch {
            throw .system(error)
        }
    }
}
