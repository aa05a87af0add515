// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import CLinux
internal import Glibc

/// A permanent thread with a name that shows in `top -H` and in core dumps.
///
/// C calls that can take over a millisecond run on such threads, never on Swift's cooperative pool: two of them blocking
/// there stop everything else on a machine of two cores.
public final class NamedThread: Sendable {
    private let finished = Monitor(false)
    private let thread: pthread_t

    /// Starts `body` on a new thread; all signals are blocked in it (the main thread waits for them).
    public init(_ name: String, stackSize: Int = 1 << 20, _ body: @escaping @Sendable () -> Void) {
        let start = Unmanaged.passRetained(ThreadStart(name: name, body: body, finished: finished))
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        pthread_attr_setstacksize(&attributes, max(stackSize, 1 << 16))
        var all = sigset_t()
        var old = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &old)
        var thread = pthread_t()
        let code = pthread_create(&thread, &attributes, runThread, start.toOpaque())
        pthread_sigmask(SIG_SETMASK, &old, nil)
        pthread_attr_destroy(&attributes)
        // Out of threads or memory at start-up: nothing useful can go on without it.
        precondition(code == 0, "pthread_create for \(name): \(String(cString: strerror(code)))")
        self.thread = thread
    }

    /// Whether the caller runs on this thread.
    public var isCurrent: Bool { pthread_equal(thread, pthread_self()) != 0 && !finished.withLock { $0 } }

    /// Waits until the thread's body has returned; called on the thread itself, it returns at once.
    public func join() {
        if !isCurrent { _ = finished.wait { $0 ? true : nil } }
    }
}

private final class ThreadStart: Sendable {
    let name: String
    let body: @Sendable () -> Void
    let finished: Monitor<Bool>

    init(name: String, body: @escaping @Sendable () -> Void, finished: Monitor<Bool>) {
        self.name = name
        self.body = body
        self.finished = finished
    }
}

// A file-scope function: a closure formed in main-actor code would trap on another thread.
private func runThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    let start = Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue()
    clinux_set_thread_name(start.name)
    start.body()
    start.finished.signal { $0 = true }
    return nil
}
