// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Glibc
internal import LinuxSystem

/// A file that grows piece by piece, and in which a piece that did not fit leaves no trace.
///
/// It has a hidden name beside its own until it is settled, and is gone with the value where it never was: what is there
/// under its name is not touched before there is something to put in its place. Confined to the thread that owns it.
struct GrowingFile: ~Copyable {
    let path: String
    /// Bytes that are in it.
    private(set) var size = 0
    private let descriptor: OwnedDescriptor
    /// `nil` once it is settled or removed.
    private var hiddenPath: String?

    /// Makes the file under its hidden name. One that is there is an error, unless `replacing` says that it makes way.
    ///
    /// What is no regular file is left alone in either case.
    init(beside path: String, replacing: Bool) throws(SystemError) {
        var status = stat()
        if stat(path, &status) == 0, !replacing || status.st_mode & S_IFMT != S_IFREG {
            throw SystemError("open", code: EEXIST, subject: path)
        }
        let hidden = GrowingFile.hiddenPath(for: path)
        // Left by a process that had this number, and was killed within its first frame.
        unlink(hidden)
        let opened = OwnedDescriptor(owning: open(hidden, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666))
        if opened.raw < 0 { throw .last("open", path) }
        descriptor = opened
        self.path = path
        hiddenPath = hidden
    }

    deinit {
        if let hiddenPath { unlink(hiddenPath) }
    }

    /// With the process's number, so that two that record into the same place do not write into one file.
    static func hiddenPath(for path: String) -> String {
        let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        return String(path[..<slash]) + "." + path[slash...] + hiddenSuffix
    }

    /// What this process's hidden names end with.
    static var hiddenSuffix: String { ".\(CurrentProcess.pid).part" }

    /// Gives it its own name. What came to be there meanwhile is an error, unless `replacing` says that it makes way.
    mutating func settle(replacing: Bool) throws(SystemError) {
        guard let hidden = hiddenPath else { return }
        if !replacing {
            // Hard links, which would do it in one step, are not in every file system that a stick comes with.
            let reserved = OwnedDescriptor(owning: open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666))
            if reserved.raw < 0 { throw .last("open", path) }
        }
        guard rename(hidden, path) == 0 else {
            let failure = SystemError.last("rename", path)
            if !replacing { unlink(path) }
            throw failure
        }
        hiddenPath = nil
    }

    /// Takes it away, under whichever name it has.
    mutating func remove() {
        unlink(hiddenPath ?? path)
        hiddenPath = nil
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
