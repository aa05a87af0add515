// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import CLinux
internal import Glibc

/// Signals that are read from a descriptor instead of interrupting someone (signalfd).
public struct SignalDescriptor: ~Copyable, Sendable {
    /// The signals that the programs care for.
    public enum Signal: Sendable, Hashable {
        case terminate
        case interrupt
        case hangUp

        public var name: String {
            switch self {
            case .terminate: "SIGTERM"
            case .interrupt: "SIGINT"
            case .hangUp: "SIGHUP"
            }
        }

        /// Whether the process was told to ignore it, as `nohup` does with SIGHUP.
        public var isIgnored: Bool { clinux_is_ignored(number) != 0 }

        fileprivate var number: Int32 {
            switch self {
            case .terminate: SIGTERM
            case .interrupt: SIGINT
            case .hangUp: SIGHUP
            }
        }
    }

    private let descriptor: OwnedDescriptor
    private let signals: [Signal]

    /// Blocks the signals in the calling thread, and in those that it starts, and watches for them.
    public init(_ signals: [Signal]) throws(SystemError) {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal.number) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
        let raw = signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
        if raw < 0 { throw .last("signalfd") }
        descriptor = OwnedDescriptor(owning: raw)
        self.signals = signals
    }

    /// For poll: readable when a signal came. Borrowed.
    public var raw: Int32 { descriptor.raw }

    /// Takes one signal; `nil` when none waits.
    public func next() -> Signal? {
        var information = signalfd_siginfo()
        let count = Glibc.read(raw, &information, MemoryLayout<signalfd_siginfo>.size)
        guard count == MemoryLayout<signalfd_siginfo>.size else { return nil }
        return signals.first { $0.number == Int32(information.ssi_signo) }
    }
}
