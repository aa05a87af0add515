// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import LinuxSystem

/// Waits for SIGTERM, SIGINT and SIGHUP on the main thread.
///
/// SIGHUP comes when the terminal goes: it ends the program in good order like the others, so that no socket stays. Under
/// `nohup` it is left out: a blocked signal would come through the descriptor although it is ignored.
///
/// Make it first thing in `main`: it blocks the signals for the main thread and for all threads that start later, so
/// that none is lost and none interrupts a call elsewhere.
public struct TerminationSignals: ~Copyable, Sendable {
    private let descriptor: SignalDescriptor

    public init() throws(SystemError) {
        CurrentProcess.ignoreBrokenPipes()
        let hangUp: [SignalDescriptor.Signal] = SignalDescriptor.Signal.hangUp.isIgnored ? [] : [.hangUp]
        descriptor = try SignalDescriptor([.terminate, .interrupt] + hangUp)
    }

    /// Waits until a signal comes (then its name) or `event` is signalled (then `nil`).
    public func wait(or event: EventDescriptor) throws(SystemError) -> String? {
        while true {
            let ready = try pollDescriptors([(descriptor.raw, .readable), (event.raw, .readable)], until: nil)
            if ready[0].contains(.readable), let signal = descriptor.next() { return signal.name }
            if ready[1].contains(.readable) { return nil }
        }
    }
}
