// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Glibc
import LinuxSystem
import Testing

@Suite struct SharedMemoryTests {
    @Test func whatIsWrittenIsSeenByTheReader() throws {
        let memory = try SharedMemory(name: "test", size: 5000)
        #expect(memory.bytes.count == 8192)
        let descriptor = OwnedDescriptor(owning: dup(memory.raw))
        let view = try ReadOnlyMapping(of: descriptor)
        #expect(view.bytes.count == 8192)
        memory.bytes[8191] = 42
        #expect(view.bytes[8191] == 42)
    }

    @Test func theSealsHold() throws {
        let memory = try SharedMemory(name: "test", size: 4096)
        // F_GET_SEALS: seal, shrink, grow and future write.
        #expect(fcntl(memory.raw, 1034) == 0x17)
        #expect(ftruncate(memory.raw, 0) == -1)
        #expect(ftruncate(memory.raw, 8192) == -1)
        let writable = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, memory.raw, 0)
        #expect(writable == MAP_FAILED)
        #expect(errno == EPERM)
        #expect(pwrite(memory.raw, [1] as [UInt8], 1, 0) == -1)
        let readable = mmap(nil, 4096, PROT_READ, MAP_SHARED, memory.raw, 0)
        #expect(readable != MAP_FAILED)
        // Nor can a read-only mapping be made writable afterwards.
        #expect(mprotect(readable, 4096, PROT_READ | PROT_WRITE) == -1)
        munmap(readable, 4096)
        memory.bytes[0] = 1
    }

    @Test func anEmptyFileMapsToNothing() throws {
        let view = try ReadOnlyMapping(of: OwnedDescriptor.openForReading("/dev/null"))
        #expect(view.bytes.isEmpty)
    }
}

@Suite struct UnixSocketTests {
    private func withFolder(_ body: (String) throws -> Void) throws {
        var template = Array("/tmp/linuxsystem-XXXXXX".utf8CString)
        let made = template.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap { mkdtemp($0) } }
        let folder = String(cString: try #require(made))
        defer {
            unlink(folder + "/s")
            rmdir(folder)
        }
        try body(folder)
    }

    @Test func aPeerIsKnown() throws {
        try withFolder { folder in
            let path = folder + "/s"
            let listener = try UnixSocket.listen(path: path, mode: 0o600)
            var information = stat()
            stat(path, &information)
            #expect(information.st_mode & 0o777 == 0o600)
            #expect(try accepted(on: listener) == -1)
            let client = try UnixSocket.connect(path: path)
            let server = OwnedDescriptor(owning: try accepted(on: listener))
            #expect(try UnixSocket.peer(of: server.raw) == PeerCredentials(pid: getpid(), uid: getuid(), gid: getgid()))
            #expect(try UnixSocket.peer(of: client.raw).pid == getpid())
            var buffer = [UInt8](repeating: 0, count: 10)
            #expect(try buffer.withUnsafeMutableBytes { try UnixSocket.receive(into: $0, from: server.raw) } == nil)
            #expect(try [1, 2].withUnsafeBytes { try UnixSocket.send($0, to: client.raw) } == 16)
            #expect(try buffer.withUnsafeMutableBytes { try UnixSocket.receive(into: $0, from: server.raw) } == 10)
            #expect(throws: SystemError("bind", code: EADDRINUSE, subject: path)) {
                let second = try UnixSocket.listen(path: path, mode: 0o600)
                _ = second.raw
            }
        }
    }

    /// The accepted descriptor, or -1.
    private func accepted(on listener: borrowing OwnedDescriptor) throws -> Int32 {
        guard let connection = try UnixSocket.accept(on: listener) else { return -1 }
        return connection.release()
    }

    @Test func aSocketWithoutListenerIsRefused() throws {
        try withFolder { folder in
            #expect(throws: SystemError("connect", code: ENOENT, subject: folder + "/s")) {
                let client = try UnixSocket.connect(path: folder + "/s")
                _ = client.raw
            }
            do {
                let listener = try UnixSocket.listen(path: folder + "/s", mode: 0o600)
                _ = listener.raw
            }
            #expect(throws: SystemError("connect", code: ECONNREFUSED, subject: folder + "/s")) {
                let client = try UnixSocket.connect(path: folder + "/s")
                _ = client.raw
            }
        }
    }

    @Test(arguments: ["", "/tmp/" + String(repeating: "x", count: 103), "/tmp/a\0b"])
    func aPathThatDoesNotFitIsRefused(_ path: String) {
        #expect(throws: SystemError("sockaddr_un", code: ENAMETOOLONG, subject: path)) {
            let client = try UnixSocket.connect(path: path)
            _ = client.raw
        }
    }

    @Test func theLongestPathFits() {
        let path = "/nonexistent/" + String(repeating: "x", count: UnixSocket.maximumPathLength - 13)
        #expect(throws: SystemError("connect", code: ENOENT, subject: path)) {
            let client = try UnixSocket.connect(path: path)
            _ = client.raw
        }
    }

    @Test func messagesKeepTheirBorders() throws {
        let ends = try UnixSocket.messagePair()
        let first = OwnedDescriptor(owning: ends.0)
        var buffer = [UInt8](repeating: 0, count: 100)
        do {
            let second = OwnedDescriptor(owning: ends.1)
            for count in [3, 1] {
                let message = [UInt8](repeating: 7, count: count)
                #expect(try message.withUnsafeBytes { try UnixSocket.send($0, to: second.raw) } == count)
            }
        }
        for expected in [3, 1, 0] {
            let count = try buffer.withUnsafeMutableBytes { try UnixSocket.receive(into: $0, from: first.raw) }
            #expect(count == expected)
        }
        // The other end is gone: an error, not a SIGPIPE.
        #expect(throws: SystemError("send", code: EPIPE)) {
            try [1].withUnsafeBytes { _ = try UnixSocket.send($0, to: first.raw) }
        }
    }

    @Test func aFullQueueWouldBlock() throws {
        let ends = try UnixSocket.messagePair()
        let first = OwnedDescriptor(owning: ends.0)
        let second = OwnedDescriptor(owning: ends.1)
        UnixSocket.setSendBuffer(160 * 1024, of: first.raw)
        let message = [UInt8](repeating: 1, count: 160 * 1024)
        #expect(try message.withUnsafeBytes { try UnixSocket.send($0, to: first.raw) } == message.count)
        var sent: Int? = 0
        for _ in 0..<10 where sent != nil {
            sent = try message.withUnsafeBytes { try UnixSocket.send($0, to: first.raw) }
        }
        #expect(sent == nil)
        _ = second.raw
    }
}
