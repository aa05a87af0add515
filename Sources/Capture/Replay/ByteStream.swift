// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Glibc
internal import LinuxSystem
internal import ScanModel

/// Bytes of a file or a pipe, read as they are needed into a buffer that has a limit.
///
/// Confined to the thread that owns it.
final class ByteStream {
    enum Arrival {
        case bytes
        case end
        /// Nothing came until the deadline.
        case notYet
        case cancelled
        case failed(SystemError)
    }

    /// Bytes asked for in one read; a pipe gives at most 64 KiB.
    private static let chunk = 256 << 10

    /// A path, or "standard input".
    let name: String
    private let descriptor: OwnedDescriptor
    private let buffer = ByteBuffer()

    init(_ descriptor: consuming OwnedDescriptor, name: String) {
        self.descriptor = descriptor
        self.name = name
    }

    /// The bytes that wait to be looked at; valid until the next read.
    var bytes: UnsafeRawBufferPointer { buffer.bytes }

    /// Passes over the first bytes.
    func discard(_ count: Int) { buffer.removeFirst(count) }

    /// Adds more bytes to those that wait.
    func read(until deadline: MonotonicTime?, cancellation: EventDescriptor) -> Arrival {
        do throws(SystemError) {
            let ready = try pollDescriptors(
                [(descriptor.raw, .readable), (cancellation.raw, .readable)], until: deadline)
            if !ready[1].isEmpty { return .cancelled }
            if ready[0].isEmpty { return .notYet }
            // Its users stop at their own limits: a JPEG's size, a Y4M line's length.
            guard let count = try descriptor.read(into: buffer.room(for: ByteStream.chunk)) else { return .notYet }
            buffer.grow(by: count)
            return count == 0 ? .end : .bytes
        } catch {
            return .failed(error)
        }
    }

    /// Goes back to the first byte; false for a pipe.
    func rewind() -> Bool {
        guard lseek(descriptor.raw, 0, SEEK_SET) == 0 else { return false }
        buffer.removeAll()
        return true
    }
}
