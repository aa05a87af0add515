// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Glibc
internal import LinuxSystem

/// A file that grows piece by piece, and in which a piece that did not fit leaves no trace.
///
/// Confined to the thread that owns it.
struct GrowingFile: ~Copyable {
    let path: String
    /// Bytes that are in it.
    private(set) var size = 0
    private let descriptor: OwnedDescriptor

    /// Makes the file. One that is there is an error, or is emptied where `replacing` says so.
    ///
    /// What is no regular file is left alone in either case: opening a pipe would wait for its reader.
    init(making path: String, replacing: Bool) throws(SystemError) {
        let flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK | (replacing ? O_TRUNC : O_EXCL)
        let opened = OwnedDescriptor(owning: open(path, flags, 0o666))
        if opened.raw < 0 { throw .last("open", path) }
        var status = stat()
        guard fstat(opened.raw, &status) == 0 else { throw .last("fstat", path) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw SystemError("open", code: EEXIST, subject: path) }
        descriptor = opened
        self.path = path
    }

    mutating func append(_ text: String) throws(SystemError) {
        try append(UnsafeRawBufferPointer(start: nil, count: 0), after: Array(text.utf8))
    }

    /// Writes a frame behind what stands before it, or nothing.
    mutating func append(_ bytes: UnsafeRawBufferPointer, after prefix: [UInt8] = []) throws(SystemError) {
        let start = size
        guard let failure = prefix.withUnsafeBytes({ write($0) }) ?? write(bytes) else { return }
        cut(to: start)
        throw failure
    }

    private mutating func write(_ bytes: UnsafeRawBufferPointer) -> SystemError? {
        var written = 0
        while written < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
            let count = pwrite(descriptor.raw, rest.baseAddress, rest.count, off_t(size))
            if count >= 0 {
                written += count
                size += count
            } else if errno != EINTR {
                return .last("write", path)
            }
        }
        return nil
    }

    /// Takes the end off again.
    mutating func cut(to size: Int) {
        // Shorter needs no room. Where it fails all the same, a reader finds half a frame at the end and skips it.
        _ = ftruncate(descriptor.raw, off_t(size))
        self.size = size
    }
}
