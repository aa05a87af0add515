// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import CLinux
internal import Glibc

/// Some numbers that this process and a child both read and write, and that outlive the child.
///
/// A memfd whose size is sealed. Each number is read and written whole; there is no order between them. Any number can be
/// there at any time: the other side is not to be trusted.
// @unchecked: the words are read and written atomically, and the mapping lives as long as the object.
public final class SharedWords: @unchecked Sendable {  // atomic words
    private let descriptor: OwnedDescriptor
    private let words: UnsafeMutableBufferPointer<UInt64>

    /// Makes `count` zeros.
    public init(name: String, count: Int) throws(SystemError) {
        let raw = clinux_memfd_create(name)
        if raw < 0 { throw .last("memfd_create", name) }
        descriptor = OwnedDescriptor(owning: raw)
        if ftruncate(raw, count * MemoryLayout<UInt64>.size) < 0 { throw .last("ftruncate", name) }
        if clinux_memfd_seal_size(raw) < 0 { throw .last("fcntl(F_ADD_SEALS)", name) }
        words = try Self.map(raw, count: count, name)
    }

    /// Takes over the descriptor of words that another process made; throws where there are less than `count`.
    public init(taking descriptor: consuming OwnedDescriptor, count: Int) throws(SystemError) {
        let raw = descriptor.raw
        self.descriptor = descriptor
        var information = stat()
        if fstat(raw, &information) < 0 { throw .last("fstat", "shared words") }
        guard Int(information.st_size) >= count * MemoryLayout<UInt64>.size else {
            throw SystemError("fstat", code: EINVAL, subject: "shared words")
        }
        words = try Self.map(raw, count: count, "shared words")
    }

    deinit { munmap(words.baseAddress, words.count * MemoryLayout<UInt64>.size) }

    /// To be handed to a child. Borrowed.
    public var raw: Int32 { descriptor.raw }

    public var count: Int { words.count }

    public subscript(index: Int) -> UInt64 {
        get {
            precondition(words.indices.contains(index), "one of the words")
            return words.baseAddress.map { clinux_load($0 + index) } ?? 0
        }
        set {
            precondition(words.indices.contains(index), "one of the words")
            if let base = words.baseAddress { clinux_store(base + index, newValue) }
        }
    }

    private static func map(
        _ raw: Int32, count: Int, _ name: String
    ) throws(SystemError) -> UnsafeMutableBufferPointer<UInt64> {
        let size = count * MemoryLayout<UInt64>.size
        guard let base = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, raw, 0), base != MAP_FAILED else {
            throw .last("mmap", name)
        }
        return UnsafeMutableBufferPointer(start: base.bindMemory(to: UInt64.self, capacity: count), count: count)
    }
}
