// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// Bytes that come to an end and go from the beginning; memory that was once needed is kept.
///
/// Not an `Array`: nothing is zeroed before it is written, and copies are `memcpy` in debug builds too.
///
/// Confined to the thread that owns it.
final class ByteBuffer {
    private var storage = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private var start = 0
    private var end = 0

    deinit { storage.deallocate() }

    var count: Int { end - start }

    /// The bytes; valid until the next change.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: storage[start..<end]) }

    func removeAll() { (start, end) = (0, 0) }

    func removeFirst(_ count: Int) {
        precondition(count <= self.count, "only what is there can go")
        start += count
        if start == end { removeAll() }
    }

    func append(_ more: UnsafeRawBufferPointer) {
        room(for: more.count).copyMemory(from: more)
        end += more.count
    }

    /// Memory behind the last byte, of exactly `count` bytes; `grow(by:)` tells how many of them were written.
    func room(for count: Int) -> UnsafeMutableRawBufferPointer {
        if storage.count - end < count { makeRoom(count) }
        return UnsafeMutableRawBufferPointer(rebasing: storage[end..<end + count])
    }

    func grow(by count: Int) {
        precondition(end + count <= storage.count, "only what there was room for can have been written")
        end += count
    }

    private func makeRoom(_ count: Int) {
        let kept = bytes
        if kept.count + count <= storage.count {
            UnsafeMutableRawBufferPointer(rebasing: storage[..<kept.count]).copyMemory(from: kept)
        } else {
            let size = max(kept.count + count, storage.count * 2)
            let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
            larger.copyMemory(from: kept)
            storage.deallocate()
            storage = larger
        }
        (start, end) = (0, kept.count)
    }
}
