// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import CLinux
internal import Glibc

/// What a process does about itself, and what it can know of another.
public enum CurrentProcess {
    /// Asks to be killed when the spawning thread ends; false when the parent is no longer `parent`.
    ///
    /// The parent's pid comes as an argument: comparing with 1 would fail in a container, where the daemon may be pid 1.
    public static func dieWithParent(_ parent: Int32) -> Bool {
        clinux_die_with_parent() == 0 && getppid() == parent
    }

    /// Limits address space and core dumps; beyond the first, `malloc` fails and Swift aborts.
    ///
    /// A build with a sanitizer keeps its address space: the shadow memory alone takes terabytes.
    public static func limitMemory(toBytes bytes: Int) throws(SystemError) {
        var core = rlimit(rlim_cur: 0, rlim_max: 0)
        if setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &core) < 0 { throw .last("setrlimit(RLIMIT_CORE)") }
        if isSanitized { return }
        var memory = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
        if setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &memory) < 0 { throw .last("setrlimit(RLIMIT_AS)") }
    }

    /// The pid of this process.
    public static var pid: Int32 { getpid() }

    /// Puts `/dev/null` in the place of standard input, output and error where they are closed; to be called first.
    ///
    /// The next file that is opened would get such a number: a signalfd was read as the video of `--source -`, and lines
    /// of a log can end up in a socket. They are opened the wrong way round, so that reading and writing still fail and
    /// a caller who lost its output hears of it.
    public static func openMissingStandardDescriptors() {
        for (number, flags): (Int32, Int32) in [(0, O_WRONLY), (1, O_RDONLY), (2, O_RDONLY)]
        where fcntl(number, F_GETFD) < 0 && errno == EBADF {
            // The lowest free number is the one that is asked for, as all below are open by now.
            _ = open("/dev/null", flags)
        }
    }

    /// Whether a descriptor can be read: it is open, and not for writing only.
    public static func isReadable(_ descriptor: Int32) -> Bool {
        let flags = fcntl(descriptor, F_GETFL)
        return flags >= 0 && flags & O_ACCMODE != O_WRONLY
    }

    /// Writes to a closed pipe or socket answer EPIPE instead of ending the process.
    public static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

    /// Writes beyond RLIMIT_FSIZE answer EFBIG instead of ending the process.
    public static func ignoreFileSizeSignal() { signal(SIGXFSZ, SIG_IGN) }

    /// Whether this build has the address, thread or memory sanitizer.
    public static var isSanitized: Bool { clinux_is_sanitized() != 0 }

    /// Lets another process decide when this one ends: SIGINT, SIGTERM, SIGHUP and SIGQUIT do nothing from now on.
    public static func ignoreRequestsToEnd() {
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] { signal(number, SIG_IGN) }
    }

    /// Resident memory of a process in bytes, from /proc; `nil` when it is gone.
    public static func residentBytes(of pid: Int32 = CurrentProcess.pid) -> Int? {
        memoryPages(of: pid).map { $0.resident * pageSize }
    }

    /// Resident memory that belongs to a process alone, without files and shared memory; `nil` when it is gone.
    public static func privateBytes(of pid: Int32 = CurrentProcess.pid) -> Int? {
        memoryPages(of: pid).map { ($0.resident - $0.shared) * pageSize }
    }

    private static var pageSize: Int { sysconf(Int32(_SC_PAGESIZE)) }

    private static func memoryPages(of pid: Int32) -> (resident: Int, shared: Int)? {
        guard let text = readSmallFile("/proc/\(pid)/statm") else { return nil }
        let fields = text.split(separator: " ")
        guard fields.count > 2, let resident = Int(fields[1]), let shared = Int(fields[2]) else { return nil }
        return (resident, shared)
    }

    /// The first 4 KiB of a file as text; `nil` when it can not be read.
    public static func readSmallFile(_ path: String) -> String? {
        guard let file = try? OwnedDescriptor.openForReading(path) else { return nil }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = buffer.withUnsafeMutableBytes { (try? file.read(into: $0)) ?? nil }
        guard let count else { return nil }
        return String(validating: buffer[..<count], as: UTF8.self)
    }
}
