// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import CLinux
internal import Glibc
public import ScanModel

/// A permanent thread with a name that shows in `top -H` and in core dumps.
///
/// C calls that can take over a millisecond run on such threads, never on Swift's cooperative pool: two of them blocking
/// there stop everything else on a machine of two cores.
public final class NamedThread: Sendable {
    private let finished = Monitor(false)
    private let thread: pthread_t

    /// Starts `body` on a new thread; all signals are blocked in it (the main thread waits for them).
    ///
    /// Where the system has no thread to give, the process ends with status 71 (EX_OSERR) and a line on standard error.
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
        if code != 0 { endWithoutThread(name, code) }
        self.thread = thread
    }

    /// Whether the caller runs on this thread.
    public var isCurrent: Bool { pthread_equal(thread, pthread_self()) != 0 && !finished.withLock { $0 } }

    /// Waits until the thread's body has returned; called on the thread itself, it returns at once.
    public func join() { join(until: nil) }

    /// The same until a deadline (`nil`: without limit); false where the thread still runs then.
    @discardableResult
    public func join(until deadline: MonotonicTime?) -> Bool {
        isCurrent || finished.wait(until: deadline) { $0 ? true : nil } == true
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

// Nothing useful can go on without it, and half of a graph of threads can not be taken down: so at once, without the
// handlers of exit(3), and in words, not with a trap.
private func endWithoutThread(_ name: String, _ code: Int32) -> Never {
    let program = CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "datascand"
    let line =
        "\(program): error: the thread '\(name)' can not be started: \(String(cString: strerror(code))); "
        + "raise the limit of tasks ('ulimit -u', TasksMax= of the unit) or free memory\n"
    var bytes = Array(line.utf8)
    _ = write(2, &bytes, bytes.count)
    _exit(71)
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
