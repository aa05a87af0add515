// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import CLinux
internal import Glibc

/// A child process that is killed and reaped when its owner goes away.
///
/// - Important: Spawn from one thread that lives as long as the process: a child that asks to die with its parent
///   (`dieWithParent`) dies with the *thread* that spawned it.
public struct ChildProcess: ~Copyable, Sendable {
    /// How a child ended.
    public enum Ending: Sendable, Hashable, CustomStringConvertible {
        case exited(Int32)
        case killed(signal: Int32)

        public var description: String {
            switch self {
            case .exited(let code): "exited with status \(code)"
            case .killed(let signal): "was ended by SIG\(clinux_signal_name(signal).map { String(cString: $0) } ?? "?")"
            }
        }
    }

    /// What is going on with a child.
    public enum Condition: Sendable, Hashable {
        case running
        /// A signal such as SIGSTOP stopped it.
        case stopped
        case ended(Ending)
    }

    public let pid: Int32
    /// Readable once the child has ended (pidfd). Borrowed.
    public var endDescriptor: Int32 { pidDescriptor.raw }

    private let pidDescriptor: OwnedDescriptor
    private var ending: Ending?

    /// Starts a program with the given environment and nothing of this process's signals and descriptors.
    ///
    /// - Parameter descriptors: child's number → own descriptor. The numbers are 10 or more, so that they can not
    ///   overwrite each other's sources. Standard input, output and error are `/dev/null` unless they are given as 0, 1, 2.
    public init(
        executable: String, arguments: [String], environment: [String], descriptors: [Int32: Int32]
    ) throws(SystemError) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for standard: Int32 in 0...2 where descriptors[standard] == nil {
            posix_spawn_file_actions_addopen(&actions, standard, "/dev/null", O_RDWR, 0)
        }
        for (number, own) in descriptors.sorted(by: { $0.key > $1.key }) {
            posix_spawn_file_actions_adddup2(&actions, own, number)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        var all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        // Ignored and blocked signals are inherited otherwise: SIGPIPE here, all of them in a NamedThread.
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        var argv: [UnsafeMutablePointer<CChar>?] = []
        for argument in [executable] + arguments { argv.append(strdup(argument)) }
        argv.append(nil)
        var envp: [UnsafeMutablePointer<CChar>?] = []
        for variable in environment { envp.append(strdup(variable)) }
        envp.append(nil)
        defer { for string in argv + envp { free(string) } }

        var pid: pid_t = 0
        let code = posix_spawn(&pid, executable, &actions, &attributes, argv, envp)
        if code != 0 { throw SystemError("posix_spawn", code: code, subject: executable) }
        let pidDescriptor = clinux_pidfd_open(pid)
        if pidDescriptor < 0 {
            let error = SystemError.last("pidfd_open")
            Glibc.kill(pid, SIGKILL)
            var status: Int32 = 0
            waitpid(pid, &status, 0)
            throw error
        }
        self.pid = pid
        self.pidDescriptor = OwnedDescriptor(owning: pidDescriptor)
        ending = nil
    }

    deinit {
        if ending == nil {
            Glibc.kill(pid, SIGKILL)
            var status: Int32 = 0
            while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
        }
    }

    /// Sends SIGKILL; to a child that has ended, nothing.
    public func kill() {
        if ending == nil { Glibc.kill(pid, SIGKILL) }
    }

    /// Looks at the child without waiting.
    public mutating func condition() -> Condition {
        if let ending { return .ended(ending) }
        var status: Int32 = 0
        let result = waitpid(pid, &status, WNOHANG | WUNTRACED)
        guard result == pid else { return .running }
        if clinux_stop_signal(status) != 0 { return .stopped }
        return .ended(record(status))
    }

    /// Waits until the child has ended and says how.
    public mutating func wait() -> Ending {
        if let ending { return ending }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0 {
            if errno != EINTR { return .exited(-1) }
        }
        return record(status)
    }

    /// CPU time that the child used so far; `nil` when it has ended.
    public var cpuTime: Duration? {
        let nanoseconds = clinux_process_cpu_nanoseconds(pid)
        return nanoseconds < 0 ? nil : .nanoseconds(nanoseconds)
    }

    private mutating func record(_ status: Int32) -> Ending {
        let signal = clinux_termination_signal(status)
        let ending: Ending = signal != 0 ? .killed(signal: signal) : .exited(clinux_exit_status(status))
        self.ending = ending
        return ending
    }
}

/// What a process does about itself.
public enum CurrentProcess {
    /// Asks to be killed when the spawning thread ends; false when the parent is no longer `parent`.
    ///
    /// The parent's pid comes as an argument: comparing with 1 would fail in a container, where the daemon may be pid 1.
    public static func dieWithParent(_ parent: Int32) -> Bool {
        clinux_die_with_parent() == 0 && getppid() == parent
    }

    /// Limits address space and core dumps; beyond the first, `malloc` fails and Swift aborts.
    public static func limitMemory(toBytes bytes: Int) throws(SystemError) {
        var memory = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
        if setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &memory) < 0 { throw .last("setrlimit(RLIMIT_AS)") }
        var core = rlimit(rlim_cur: 0, rlim_max: 0)
        if setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &core) < 0 { throw .last("setrlimit(RLIMIT_CORE)") }
    }

    /// The pid of this process.
    public static var pid: Int32 { getpid() }

    /// Writes to a closed pipe or socket answer EPIPE instead of ending the process.
    public static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

    /// Resident memory of a process in bytes, from /proc; `nil` when it is gone.
    public static func residentBytes(of pid: Int32 = CurrentProcess.pid) -> Int? {
        guard let text = readSmallFile("/proc/\(pid)/statm") else { return nil }
        let fields = text.split(separator: " ")
        guard fields.count > 1, let pages = Int(fields[1]) else { return nil }
        return pages * sysconf(Int32(_SC_PAGESIZE))
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
