// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import LinuxSystem
import ScanModel
import ServiceSupport

/// A signal that asks the program to end, seen by a thread of its own.
///
/// Make it before other threads start: they would get the signals otherwise.
final class Interruption: Sendable {
    private let signals: TerminationSignals
    /// Signalled when the signal came.
    let event: EventDescriptor
    private let never: EventDescriptor

    init() throws(SystemError) {
        signals = try TerminationSignals()
        event = try EventDescriptor()
        never = try EventDescriptor()
    }

    /// Does it once the first signal came, on the thread that waits for it.
    func onSignal(_ body: @escaping @Sendable () -> Void) {
        _ = NamedThread("signals") {
            _ = try? self.signals.wait(or: self.never)
            self.event.signal()
            body()
        }
    }

    /// Waits for the signal at most so long; whether it has come.
    func wait(until deadline: MonotonicTime) -> Bool {
        guard let ready = try? pollDescriptors([(event.raw, .readable)], until: deadline) else { return true }
        return !ready[0].isEmpty
    }
}
