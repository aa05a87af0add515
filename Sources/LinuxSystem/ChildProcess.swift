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
    /// - Parameters:
    ///   - descriptors: child's number → own descriptor; any numbers. Standard input, output and error are `/dev/null`
    ///     unless they are given as 0, 1, 2.
    ///   - ownProcessGroup: whether the child leads a process group of its own, so that a terminal's Ctrl-C does not
    ///     reach it.
    public init(
        executable: String, arguments: [String], environment: [String], descriptors: [Int32: Int32],
        ownProcessGroup: Bool = false
    ) throws(SystemError) {
        // A source whose number is another's target would be overwritten before its turn: copies above all targets
        // stand in for the sources, and are closed again after the spawn.
        let highest = descriptors.keys.reduce(2) { max($0, $1) }
        var copies: [Int32: Int32] = [:]
        defer { for copy in copies.values { close(copy) } }
        for (number, own) in descriptors {
            copies[number] = try retryingInterrupts("fcntl(F_DUPFD_CLOEXEC)", "descriptor \(own)") {
                fcntl(own, F_DUPFD_CLOEXEC, highest + 1)
            }
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for standard: Int32 in 0...2 where descriptors[standard] == nil {
            posix_spawn_file_actions_addopen(&actions, standard, "/dev/null", O_RDWR, 0)
        }
        for (number, copy) in copies { posix_spawn_file_actions_adddup2(&actions, copy, number) }
        // Not all of this process's descriptors need be close-on-exec: whoever started it may have left it some.
        for number in 3..<highest + 1 where descriptors[number] == nil {
            posix_spawn_file_actions_addclose(&actions, number)
        }
        clinux_spawn_close_from(&actions, highest + 1)
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
        posix_spawnattr_setpgroup(&attributes, 0)
        let group = ownProcessGroup ? POSIX_SPAWN_SETPGROUP : 0
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | group))

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
        if result < 0, errno == ECHILD { return .ended(recordUnknown()) }
        guard result == pid else { return .running }
        if clinux_stop_signal(status) != 0 { return .stopped }
        return .ended(record(status))
    }

    /// Waits until the child has ended and says how.
    public mutating func wait() -> Ending {
        if let ending { return ending }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0 {
            if errno != EINTR { return recordUnknown() }
        }
        return record(status)
    }

    /// CPU time that the child used so far; `nil` when it has ended.
    public var cpuTime: Duration? {
        let nanoseconds = clinux_process_cpu_nanoseconds(pid)
        return nanoseconds < 0 ? nil : .nanoseconds(nanoseconds)
    }

    /// Somebody else reaped it, as where SIGCHLD is ignored: how it ended is lost.
    private mutating func recordUnknown() -> Ending {
        ending = .exited(-1)
        return .exited(-1)
    }

    private mutating func record(_ status: Int32) -> Ending {
        let signal = clinux_termination_signal(status)
        let ending: Ending = signal != 0 ? .killed(signal: signal) : .exited(clinux_exit_status(status))
        self.ending = ending
        return ending
    }
}
