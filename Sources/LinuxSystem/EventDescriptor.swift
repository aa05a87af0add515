// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import CLinux
internal import Glibc

/// A wake-up call for a thread that waits in poll or epoll (eventfd).
public final class EventDescriptor: Sendable {
    private let descriptor: OwnedDescriptor

    public init() throws(SystemError) {
        let raw = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        if raw < 0 { throw .last("eventfd") }
        descriptor = OwnedDescriptor(owning: raw)
    }

    /// For poll or epoll: readable while signalled. Borrowed.
    public var raw: Int32 { descriptor.raw }

    /// Makes it readable; any thread may call it.
    public func signal() {
        var one: UInt64 = 1
        // The only failure is a counter that is full, and then it is readable already.
        _ = write(raw, &one, 8)
    }

    /// Makes it unreadable again.
    public func clear() {
        var count: UInt64 = 0
        _ = read(raw, &count, 8)
    }
}
