// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Glibc
public import ScanModel

/// State behind a lock, with a condition to wait on.
///
/// `Synchronization.Mutex` has no condition variable; a thread that waits for work needs one. The thread sanitizer also
/// knows pthread's locks and not that one, and reports races that are none. Deadlines are those of
/// CLOCK_MONOTONIC, so a jump of the wall clock neither wakes nor delays anyone.
// @unchecked: `state` is only reached with `mutex` held; the two pthread objects never move, they are allocated once.
public final class Monitor<State: ~Copyable>: @unchecked Sendable {  // `state` only under the lock
    private var state: State
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>

    public init(_ state: consuming sending State) {
        self.state = state
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        condition = .allocate(capacity: 1)
        condition.initialize(to: pthread_cond_t())
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        condition.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs with the lock held; never call out or wait for anything in `body`.
    public func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&state)
    }

    /// Changes the state and wakes everyone who waits.
    @discardableResult
    public func signal<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer {
            pthread_cond_broadcast(condition)
            pthread_mutex_unlock(mutex)
        }
        return try body(&state)
    }

    /// Waits until `body` gives a value, at most until `deadline` (`nil`: without limit); `nil` when it ran out.
    public func wait<Result>(until deadline: MonotonicTime? = nil, _ body: (inout State) -> Result?) -> Result? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&state) { return result }
            guard let deadline else {
                pthread_cond_wait(condition, mutex)
                continue
            }
            if MonotonicTime.now >= deadline { return nil }
            var time = timespec(
                tv_sec: Int(deadline.nanoseconds / 1_000_000_000), tv_nsec: Int(deadline.nanoseconds % 1_000_000_000))
            pthread_cond_timedwait(condition, mutex, &time)
        }
    }
}
