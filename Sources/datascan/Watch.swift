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
        try concludeOnSignal()
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

    private func concludeOnSignal() throws(ClientError) {
        let tally = tally
        let output = session.output
        let summarizes = session.format == .text
        do throws(SystemError) {
            try Interruption().onSignal {
                if summarizes { output.print(tally.withLock { $0.summary }) }
                exit(with: ExitStatus.success.rawValue)
            }
        } catch {
            throw .system(error)
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
        case .guidance(let change):
            return [ItemLine.note("\(change.guidance) \(change.isActive ? "began" : "ended")", time: change.time)]
        case .heartbeat, .response, .frame, .recordingEnded, .other: return []
        }
    }
}
