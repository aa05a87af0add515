// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import CLinux
internal import Glibc

/// Who is at the other end of a Unix socket, as the kernel says (SO_PEERCRED).
public struct PeerCredentials: Sendable, Hashable {
    public let pid: Int32
    public let uid: UInt32
    public let gid: UInt32

    public init(pid: Int32, uid: UInt32, gid: UInt32) {
        self.pid = pid
        self.uid = uid
        self.gid = gid
    }
}

/// Calls on Unix domain sockets. Nothing here blocks but `connect`, and nothing raises SIGPIPE.
public enum UnixSocket {
    /// The longest path that fits `sockaddr_un`, without its NUL.
    public static let maximumPathLength = 107

    /// Binds and listens, non-blocking. The mode is set before anyone can connect.
    ///
    /// The caller has removed what was in the way; a path that exists is `EADDRINUSE`.
    public static func listen(path: String, mode: UInt32, backlog: Int32 = 128) throws(SystemError) -> OwnedDescriptor {
        let descriptor = try make(SOCK_STREAM.rawValue, nonBlocking: true)
        try withAddress(path) { (address, size) throws(SystemError) in
            if bind(descriptor.raw, address, size) < 0 { throw .last("bind", path) }
        }
        // What was bound here is taken away again on failure, or it would stand in the next start's way.
        if chmod(path, mode) < 0 {
            let error = SystemError.last("chmod", path)
            unlink(path)
            throw error
        }
        if Glibc.listen(descriptor.raw, backlog) < 0 {
            let error = SystemError.last("listen", path)
            unlink(path)
            throw error
        }
        return descriptor
    }

    /// Connects a stream socket; it blocks until the listener takes it and stays blocking.
    public static func connect(path: String) throws(SystemError) -> OwnedDescriptor {
        let descriptor = try make(SOCK_STREAM.rawValue, nonBlocking: false)
        try withAddress(path) { (address, size) throws(SystemError) in
            let raw = descriptor.raw
            _ = try retryingInterrupts("connect", path) { Glibc.connect(raw, address, size) }
        }
        return descriptor
    }

    /// Connects without waiting, non-blocking; EAGAIN when someone listens whose queue of connections is full.
    public static func connectNow(path: String) throws(SystemError) -> OwnedDescriptor {
        let descriptor = try make(SOCK_STREAM.rawValue, nonBlocking: true)
        try withAddress(path) { (address, size) throws(SystemError) in
            let raw = descriptor.raw
            _ = try retryingInterrupts("connect", path) { Glibc.connect(raw, address, size) }
        }
        return descriptor
    }

    /// Takes one waiting connection, non-blocking; `nil` when there is none.
    public static func accept(on listener: borrowing OwnedDescriptor) throws(SystemError) -> OwnedDescriptor? {
        while true {
            let raw = clinux_accept(listener.raw)
            if raw >= 0 { return OwnedDescriptor(owning: raw) }
            switch errno {
            case EINTR, ECONNABORTED: continue
            case EAGAIN: return nil
            default: throw .last("accept")
            }
        }
    }

    /// Two connected ends that keep message borders (SOCK_SEQPACKET), close-on-exec, blocking.
    public static func messagePair() throws(SystemError) -> (Int32, Int32) {
        var ends: [Int32] = [0, 0]
        if socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) < 0 {
            throw .last("socketpair")
        }
        return (ends[0], ends[1])
    }

    /// Sends what the socket takes; how many bytes went, `nil` when it would block.
    public static func send(
        _ bytes: UnsafeRawBufferPointer, to raw: Int32, waiting: Bool = false
    ) throws(SystemError) -> Int? {
        while true {
            let flags = Int32(MSG_NOSIGNAL) | (waiting ? 0 : Int32(MSG_DONTWAIT))
            let count = Glibc.send(raw, bytes.baseAddress, bytes.count, flags)
            if count >= 0 { return count }
            switch errno {
            case EINTR: continue
            case EAGAIN: return nil
            default: throw .last("send")
            }
        }
    }

    /// Receives at most the buffer's size; 0 at the end, `nil` when it would block.
    public static func receive(
        into buffer: UnsafeMutableRawBufferPointer, from raw: Int32, waiting: Bool = false
    ) throws(SystemError) -> Int? {
        while true {
            let count = recv(raw, buffer.baseAddress, buffer.count, waiting ? 0 : Int32(MSG_DONTWAIT))
            if count >= 0 { return count }
            switch errno {
            case EINTR: continue
            case EAGAIN: return nil
            default: throw .last("recv")
            }
        }
    }

    /// Asks for room in the kernel's send queue; the kernel may give less (net.core.wmem_max).
    public static func setSendBuffer(_ bytes: Int32, of raw: Int32) {
        var value = bytes
        setsockopt(raw, SOL_SOCKET, SO_SNDBUF, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Who connected, or who listens.
    public static func peer(of raw: Int32) throws(SystemError) -> PeerCredentials {
        var pid: Int32 = 0
        var uid: UInt32 = 0
        var gid: UInt32 = 0
        if clinux_peer_credentials(raw, &pid, &uid, &gid) < 0 { throw .last("getsockopt(SO_PEERCRED)") }
        return PeerCredentials(pid: pid, uid: uid, gid: gid)
    }

    private static func make(_ type: UInt32, nonBlocking: Bool) throws(SystemError) -> OwnedDescriptor {
        let flags = Int32(SOCK_CLOEXEC.rawValue) | (nonBlocking ? Int32(SOCK_NONBLOCK.rawValue) : 0)
        let raw = socket(AF_UNIX, Int32(type) | flags, 0)
        if raw < 0 { throw .last("socket") }
        return OwnedDescriptor(owning: raw)
    }

    private static func withAddress(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) throws(SystemError) -> Void
    ) throws(SystemError) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard !bytes.isEmpty, bytes.count <= maximumPathLength, !bytes.contains(0) else {
            throw SystemError("sockaddr_un", code: ENAMETOOLONG, subject: path)
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let result: Result<Void, SystemError> = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                do throws(SystemError) {
                    try body(pointer, socklen_t(MemoryLayout<sockaddr_un>.size))
                    return .success(())
                } catch {
                    return .failure(error)
                }
            }
        }
        try result.get()
    }
}
