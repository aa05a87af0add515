// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import CLinux
internal import Glibc

/// A file descriptor that is closed when its owner goes away.
///
/// - Important: `raw` is borrowed: it must not outlive the owner and must not be closed by anyone else.
public struct OwnedDescriptor: ~Copyable, Sendable {
    public let raw: Int32

    /// Takes over a descriptor that nobody else closes.
    public init(owning raw: Int32) { self.raw = raw }

    deinit { close(raw) }

    /// Gives the descriptor away without closing it.
    public consuming func release() -> Int32 {
        let raw = self.raw
        discard self
        return raw
    }

    /// Opens a file for reading, close-on-exec.
    public static func openForReading(_ path: String) throws(SystemError) -> OwnedDescriptor {
        OwnedDescriptor(owning: try retryingInterrupts("open", path) { open(path, O_RDONLY | O_CLOEXEC) })
    }

    /// Opens a pipe, close-on-exec and blocking; both ends are the caller's to own.
    public static func makePipe() throws(SystemError) -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        if clinux_pipe(&ends) < 0 { throw .last("pipe2") }
        return (ends[0], ends[1])
    }

    /// A second descriptor of the same open file, close-on-exec.
    public func duplicate() throws(SystemError) -> OwnedDescriptor {
        let raw = self.raw
        return OwnedDescriptor(owning: try retryingInterrupts("dup") { fcntl(raw, F_DUPFD_CLOEXEC, 3) })
    }

    /// Makes reads and writes answer "would block" instead of waiting.
    public func setNonBlocking() throws(SystemError) {
        if clinux_set_nonblocking(raw) < 0 { throw .last("fcntl") }
    }

    /// Reads at most the buffer's size; 0 at the end, `nil` when it would block.
    public func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int? {
        while true {
            let count = Glibc.read(raw, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            switch errno {
            case EINTR: continue
            case EAGAIN: return nil
            default: throw .last("read")
            }
        }
    }
}
