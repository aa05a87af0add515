// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Glibc
import LinuxSystem

/// Bytes behind which, and at the other end before which, the process may not touch anything: it would die of SIGSEGV.
final class GuardedBytes {
    private let mapping: UnsafeMutableRawPointer
    private let size: Int
    /// The bytes, which end at a page that can not be read.
    let bytes: UnsafeMutableRawBufferPointer

    init(_ content: [UInt8]) throws {
        let page = 4096
        let pages = (content.count + page - 1) / page
        size = (pages + 2) * page
        let access = PROT_READ | PROT_WRITE
        guard let base = mmap(nil, size, access, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), base != MAP_FAILED else {
            throw SystemError.last("mmap")
        }
        mapping = base
        let end = base + (pages + 1) * page
        guard mprotect(base, page, PROT_NONE) == 0, mprotect(end, page, PROT_NONE) == 0 else {
            throw SystemError.last("mprotect")
        }
        bytes = UnsafeMutableRawBufferPointer(start: end - content.count, count: content.count)
        bytes.copyBytes(from: content)
    }

    deinit { munmap(mapping, size) }
}
