// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Configuration
import LinuxSystem
import ScanClient
import ScanProtocol
import ServiceSupport

/// `datascan watch`: what appears, changes and goes, as it happens.
struct Watch {
    private let session: Session
    private let tally = Monitor(WatchTally())

    init(_ session: Session) { self.session = session }

    func run() throws(ClientError) {
        let client = session.client
        // Before the connection, so that a signal at any time ends it with the summary.
        let signals: TerminationSignals
        do throws(SystemError) {
            signals = try TerminationSignals()
        } catch {
            throw .system(error)
        }
        concludeOnSignal(signals)
        let reader = try session.connect { () throws(ClientError) in try client.eventReader() }
        if session.format == .json {
            while let line = try reader.nextLine() {
                session.output.print(String(decoding: line, as: UTF8.self))
            }
            return
        }
        while let message = try reader.next() {
            for line in lines(message) { session.output.print(line) }
        }
        session.output.print(tally.withLock { $0.summary })
    }

    private func concludeOnSignal(_ signals: consuming TerminationSignals) {
        let holder = SignalHolder(signals)
        let tally = tally
        let output = session.output
        let summarizes = session.format == .text
        _ = NamedThread("signals") {
            holder.wait()
            if summarizes { output.print(tally.withLock { $0.summary }) }
            exit(with: ExitStatus.success.rawValue)
        }
    }

    private func lines(_ message: ServerMessage) -> [String] {
        tally.withLock { $0.count(message) }
        switch message {
        case .hello(let hello):
            return ["connected to \(hello.camera), datascand \(hello.server)\n"]
        case .snapshot(let snapshot):
            return snapshot.items.map { ItemLine.event("in view", $0, time: snapshot.time) }
        case .didAdd(let change): return change.items.map { ItemLine.event("added", $0, time: change.time) }
        case .didUpdate(let change): return change.items.map { ItemLine.event("updated", $0, time: change.time) }
        case .didRemove(let change): return change.items.map { ItemLine.event("removed", $0, time: change.time) }
        case .becameUnavailable(let reason):
            return [ItemLine.note("unavailable (\(reason.code)): \(reason.message)", time: reason.time)]
        case .becameAvailable(let moment): return [ItemLine.note("available again", time: moment.time)]
        case .heartbeat, .response, .frame, .recordingEnded, .other: return []
        }
    }
}

/// Carries the signals' descriptor to the thread that waits for them.
private final class SignalHolder: Sendable {
    private let signals: TerminationSignals

    init(_ signals: consuming TerminationSignals) { self.signals = signals }

    func wait() {
        guard let never = try? EventDescriptor() else { return }
        _ = try? signals.wait(or: never)
    }
}
