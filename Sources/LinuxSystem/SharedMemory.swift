// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import CLinux
internal import Glibc

/// A piece of memory shared with child processes: this process writes, the others can only read.
///
/// It is a memfd whose size is sealed, and sealed against new writable mappings after this process made its own
/// (F_SEAL_FUTURE_WRITE), so that a child that went wrong can not change a frame under another's eyes. Pages cost
/// memory only once they are written.
// @unchecked: the mapping lives as long as the object; who may write where is for the owner of each part to say.
public final class SharedMemory: @unchecked Sendable {  // a mapping for life
    private let descriptor: OwnedDescriptor
    /// The writable mapping.
    public let bytes: UnsafeMutableRawBufferPointer

    /// Makes `size` bytes (rounded up to whole pages) of zeros.
    public init(name: String, size: Int) throws(SystemError) {
        let page = 4096
        let rounded = (size + page - 1) / page * page
        let raw = clinux_memfd_create(name)
        if raw < 0 { throw .last("memfd_create", name) }
        descriptor = OwnedDescriptor(owning: raw)
        if ftruncate(raw, rounded) < 0 { throw .last("ftruncate", name) }
        guard let base = mmap(nil, rounded, PROT_READ | PROT_WRITE, MAP_SHARED, raw, 0), base != MAP_FAILED else {
            throw .last("mmap", name)
        }
        bytes = UnsafeMutableRawBufferPointer(start: base, count: rounded)
        if clinux_memfd_seal(raw) < 0 {
            let error = SystemError.last("fcntl(F_ADD_SEALS)", name)
            munmap(base, rounded)
            throw error
        }
    }

    deinit { munmap(bytes.baseAddress, bytes.count) }

    /// To be handed to a child, which maps it with `ReadOnlyMapping`. Borrowed.
    public var raw: Int32 { descriptor.raw }
}

/// A read-only view of a file's or a `SharedMemory`'s bytes.
// @unchecked: nobody writes through it, and it lives as long as the object.
public final class ReadOnlyMapping: @unchecked Sendable {  // read-only
    public let bytes: UnsafeRawBufferPointer

    /// Maps the whole of a descriptor, which may be closed afterwards; an empty file maps to no bytes.
    public init(of descriptor: borrowing OwnedDescriptor, subject: String = "") throws(SystemError) {
        var information = stat()
        if fstat(descriptor.raw, &information) < 0 { throw .last("fstat", subject) }
        let size = Int(information.st_size)
        guard size > 0 else {
            bytes = UnsafeRawBufferPointer(start: nil, count: 0)
            return
        }
        guard let base = mmap(nil, size, PROT_READ, MAP_SHARED, descriptor.raw, 0), base != MAP_FAILED else {
            throw .last("mmap", subject)
        }
        bytes = UnsafeRawBufferPointer(start: base, count: size)
    }

    deinit {
        if let base = bytes.baseAddress { munmap(UnsafeMutableRawPointer(mutating: base), bytes.count) }
    }
}
