// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Glibc
internal import LinuxSystem

/// What stands at a path where a video device is expected.
enum VideoNode {
    /// The major number of all video4linux devices, in the kernel's list of devices (devices.txt) since 1996.
    private static let videoMajor: UInt32 = 81

    /// Opens a video device, non-blocking and close-on-exec.
    ///
    /// Anything else is not even opened: opening a FIFO waits, opening a tape or a watchdog does something, a terminal
    /// may become the controlling one. It throws ENOTTY with words for what there is instead.
    static func open(_ path: String) throws(SystemError) -> OwnedDescriptor {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .last("open", path) }
        if let other = describe(status) { throw SystemError("open", code: ENOTTY, subject: "\(path) (\(other))") }
        var raw: Int32
        repeat { raw = Glibc.open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOCTTY) } while raw < 0 && errno == EINTR
        guard raw >= 0 else { throw .last("open", path) }
        let descriptor = OwnedDescriptor(owning: raw)
        // The path may have come to mean something else in between.
        guard fstat(raw, &status) == 0 else { throw .last("fstat", path) }
        if let other = describe(status) { throw SystemError("open", code: ENOTTY, subject: "\(path) (\(other))") }
        return descriptor
    }

    /// What is at a path that is no video device; `nil` for one, or where there is nothing.
    static func otherKind(at path: String) -> String? {
        var status = stat()
        return stat(path, &status) == 0 ? describe(status) : nil
    }

    /// The device number of a video device; `nil` for anything else.
    static func number(of path: String) -> UInt? {
        var status = stat()
        guard stat(path, &status) == 0, describe(status) == nil else { return nil }
        return UInt(status.st_rdev)
    }

    private static func describe(_ status: stat) -> String? {
        switch status.st_mode & S_IFMT {
        case S_IFCHR: major(status.st_rdev) == videoMajor ? nil : "a device of another kind"
        case S_IFREG: "a file"
        case S_IFDIR: "a directory"
        case S_IFIFO: "a pipe"
        case S_IFSOCK: "a socket"
        case S_IFBLK: "a disk"
        default: "something else"
        }
    }

    /// As glibc's macro has it, which Swift does not import.
    private static func major(_ device: dev_t) -> UInt32 {
        UInt32(truncatingIfNeeded: (device >> 8) & 0xFFF | (device >> 32) & ~0xFFF)
    }
}
