// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import CLinux
internal import Glibc
public import ScanModel

/// What a descriptor is waited on for, and what came.
public struct Readiness: OptionSet, Sendable, Hashable {
    public let rawValue: Int16
    public init(rawValue: Int16) { self.rawValue = rawValue }

    public static let readable = Readiness(rawValue: Int16(POLLIN))
    public static let writable = Readiness(rawValue: Int16(POLLOUT))
    /// The other side is gone; always reported, never asked for.
    public static let hangUp = Readiness(rawValue: Int16(POLLHUP))
    /// The descriptor failed; always reported, never asked for.
    public static let failure = Readiness(rawValue: Int16(POLLERR | POLLNVAL))
}

/// Waits until one of the descriptors is ready or `deadline` comes (`nil`: without limit).
///
/// Answers what came for each descriptor, in order; all empty at the deadline.
public func pollDescriptors(
    _ wanted: [(descriptor: Int32, events: Readiness)], until deadline: MonotonicTime?
) throws(SystemError) -> [Readiness] {
    var entries = wanted.map { pollfd(fd: $0.descriptor, events: $0.events.rawValue, revents: 0) }
    while true {
        var timeout: Int32 = -1
        if let deadline {
            let left = (deadline - .now).inNanoseconds
            // Rounded up, or the last fraction of a millisecond would be spent spinning.
            timeout = left <= 0 ? 0 : Int32(min((left + 999_999) / 1_000_000, 1_000_000))
        }
        let count = poll(&entries, nfds_t(entries.count), timeout)
        if count > 0 { return entries.map { Readiness(rawValue: $0.revents) } }
        if count < 0, errno != EINTR { throw .last("poll") }
        if let deadline, MonotonicTime.now >= deadline { return entries.map { _ in [] } }
    }
}

/// Many descriptors waited on at once; level-triggered epoll(7).
public struct Epoll: ~Copyable, Sendable {
    private let descriptor: OwnedDescriptor

    public init() throws(SystemError) {
        let raw = epoll_create1(Int32(EPOLL_CLOEXEC))
        if raw < 0 { throw .last("epoll_create1") }
        descriptor = OwnedDescriptor(owning: raw)
    }

    /// Starts to watch a descriptor; `token` comes back with what happens to it.
    public func add(_ raw: Int32, events: Readiness, token: UInt64) throws(SystemError) {
        try control(Int32(EPOLL_CTL_ADD), raw, events, token)
    }

    public func modify(_ raw: Int32, events: Readiness, token: UInt64) throws(SystemError) {
        try control(Int32(EPOLL_CTL_MOD), raw, events, token)
    }

    /// Stops to watch a descriptor; one that is gone already is no error.
    public func remove(_ raw: Int32) {
        var event = epoll_event()
        _ = epoll_ctl(descriptor.raw, Int32(EPOLL_CTL_DEL), raw, &event)
    }

    /// Waits until `deadline` (`nil`: without limit) for at most 64 events; empty at the deadline.
    public func wait(until deadline: MonotonicTime?) throws(SystemError) -> [(token: UInt64, events: Readiness)] {
        var events = [epoll_event](repeating: epoll_event(), count: 64)
        while true {
            var timeout: Int32 = -1
            if let deadline {
                let left = (deadline - .now).inNanoseconds
                timeout = left <= 0 ? 0 : Int32(min((left + 999_999) / 1_000_000, 1_000_000))
            }
            let count = epoll_wait(descriptor.raw, &events, 64, timeout)
            // EPOLLIN, OUT, ERR and HUP have poll's values.
            if count > 0 {
                return events[..<Int(count)].map { ($0.data.u64, Readiness(rawValue: Int16($0.events & 0xFF))) }
            }
            if count < 0, errno != EINTR { throw .last("epoll_wait") }
            if let deadline, MonotonicTime.now >= deadline { return [] }
        }
    }

    private func control(_ operation: Int32, _ raw: Int32, _ events: Readiness, _ token: UInt64) throws(SystemError) {
        var event = epoll_event()
        event.events = UInt32(UInt16(bitPattern: events.rawValue))
        event.data.u64 = token
        if epoll_ctl(descriptor.raw, operation, raw, &event) < 0 { throw .last("epoll_ctl") }
    }
}
