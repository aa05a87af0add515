// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Glibc
internal import LinuxSystem
internal import ScanModel
internal import ScanProtocol

/// The server's thread: waits for sockets, events and deadlines, and waits for nothing else.
///
/// Everything here is confined to that thread.
final class ServerLoop {
    /// Tokens of epoll below the first client's.
    private enum Token {
        static let mailbox: UInt64 = 0
        static let listeners: UInt64 = 1
        static let clients: UInt64 = 16
    }

    let configuration: ServerConfiguration
    let handler: any ScanRequestHandler
    let frames: (any FrameProvider)?
    let desk: RecordingDesk
    let log: (ServerLogLevel, String) -> Void
    let mailbox: ServerMailbox
    let epoll: Epoll

    var listeners: [(kind: SocketKind, socket: ListeningSocket)]
    var clients: [UInt64: ClientConnection] = [:]
    var nextToken = Token.clients
    var live = LiveItems()
    /// What a new client gets after its `hello`, until the next event.
    var snapshot: [SharedLine]?
    var statistics = ServerStatistics()
    /// When the next deadline of any client may be.
    var nextSweep: MonotonicTime?
    /// Given up for a moment to refuse a client politely when there are no descriptors.
    var spare: OwnedDescriptor?
    var acceptAgainAt: MonotonicTime?
    var finishBy: MonotonicTime?
    var slowClientsGate = LogGate()
    var refusedClientsGate = LogGate()

    var limits: ProtocolLimits { configuration.limits }
    var heartbeatInterval: Duration { .seconds(limits.heartbeatSeconds) }

    init(
        configuration: ServerConfiguration, handler: any ScanRequestHandler, frames: (any FrameProvider)?,
        log: @escaping @Sendable (ServerLogLevel, String) -> Void, mailbox: ServerMailbox,
        listeners: [(kind: SocketKind, socket: ListeningSocket)]
    ) throws(SystemError) {
        self.configuration = configuration
        self.handler = handler
        self.frames = frames
        desk = RecordingDesk(queueLimit: configuration.limits.queuedBytesPerRecording, wake: mailbox.wake)
        self.log = log
        self.mailbox = mailbox
        self.listeners = listeners
        epoll = try Epoll()
        spare = try OwnedDescriptor.openForReading("/dev/null")
        try epoll.add(mailbox.wake.raw, events: .readable, token: Token.mailbox)
        for (index, listener) in listeners.enumerated() {
            try epoll.add(
                listener.socket.descriptor.raw, events: .readable, token: Token.listeners + UInt64(index))
        }
    }

    /// Serves until `finish` was asked for and done.
    func run() {
        while finishBy == nil || !clients.isEmpty {
            let ready: [(token: UInt64, events: Readiness)]
            do throws(SystemError) {
                ready = try epoll.wait(until: nextSweep)
            } catch {
                log(.warning, "the sockets are given up: \(error)")
                break
            }
            let now = MonotonicTime.now
            var hasMail = false
            for (token, events) in ready {
                if token == Token.mailbox {
                    hasMail = true
                } else if token < Token.clients {
                    if Int(token - Token.listeners) < listeners.count {
                        acceptClients(at: listeners[Int(token - Token.listeners)], now: now)
                    }
                } else if let client = clients[token] {
                    serve(client, events, now: now)
                }
            }
            if hasMail { takeMail(now: now) }
            if let due = nextSweep, now >= due { sweep(now: now) }
            mailbox.report(statistics)
        }
        for client in Array(clients.values) { close(client) }
        mailbox.report(statistics)
    }

    private func serve(_ client: ClientConnection, _ events: Readiness, now: MonotonicTime) {
        if events.contains(.writable) { flush(client, now: now) }
        // What was sent before the other side hung up still counts: "stopScanning" and away.
        if events.contains(.readable), isOpen(client) { receive(from: client, now: now) }
        if !events.isDisjoint(with: [.hangUp, .failure]), isOpen(client), !events.contains(.readable) {
            close(client)
        }
    }

    func isOpen(_ client: ClientConnection) -> Bool { clients[client.token] === client }

    /// Makes sure that deadlines are looked at no later than then.
    func wake(at time: MonotonicTime) {
        if let due = nextSweep, due <= time { return }
        nextSweep = time
    }

    // MARK: - Events

    private func takeMail(now: MonotonicTime) {
        let mail = mailbox.take()
        for published in mail.events { publish(published) }
        for client in Array(clients.values) where client.kind == .events && !client.output.isEmpty {
            flush(client, now: now)
        }
        deliverRecordings(now: now)
        if finishBy == nil, let deadline = mail.finishBy { beginToFinish(by: deadline, now: now) }
    }

    private func publish(_ published: ServerMailbox.Published) {
        live.apply(published.event)
        snapshot = nil
        let lines = MessageEncoder.lines(
            for: published.event, sequence: statistics.sequence + 1, time: published.time,
            limit: limits.serverLineBytes)
        statistics.sequence += UInt64(lines.count)
        if lines.isEmpty {
            statistics.eventsTooLong += 1
            if statistics.eventsTooLong == 1 {
                log(
                    .warning,
                    "an event with an item longer than a line of \(limits.serverLineBytes) bytes was told to nobody")
            }
        }
        for line in lines.map({ SharedLine($0) }) {
            for client in Array(clients.values) where client.kind == .events && !client.isClosing {
                enqueue(line, for: client)
            }
        }
    }

    /// Sends what an ending server still owes; the clients that are owed nothing go at once.
    private func beginToFinish(by deadline: MonotonicTime, now: MonotonicTime) {
        finishBy = deadline
        for listener in listeners { epoll.remove(listener.socket.descriptor.raw) }
        listeners = []
        endRecordings(now: now)
        for client in Array(clients.values) {
            client.lastProgress = now
            endAfterFlush(client, now: now)
        }
        wake(at: min(deadline, now + .milliseconds(100)))
    }

    // MARK: - Deadlines

    private func sweep(now: MonotonicTime) {
        nextSweep = nil
        if let again = acceptAgainAt {
            if now >= again { resumeAccepting() } else { wake(at: again) }
        }
        var heartbeat: SharedLine?
        for client in Array(clients.values) {
            if let since = client.partialSince, !client.isClosing {
                let due = since + .seconds(limits.partialLineSeconds)
                if now >= due {
                    refuse(
                        client, nil,
                        .invalidRequest("the line was not complete after \(limits.partialLineSeconds) s"))
                    endAfterFlush(client, now: now)
                    continue
                }
                wake(at: due)
            }
            sweepRecording(of: client, now: now)
            if let until = client.pausedUntil {
                if now >= until { resume(client, now: now) } else { wake(at: until) }
            }
            if isOpen(client), client.kind == .events, !client.isClosing {
                let due = client.lastSent + heartbeatInterval
                if now >= due {
                    // A client that is behind has news waiting; it needs no sign of life.
                    if client.output.isEmpty {
                        let line =
                            heartbeat
                            ?? SharedLine(MessageEncoder.heartbeat(sequence: statistics.sequence, time: .now))
                        heartbeat = line
                        enqueue(line, for: client)
                        flush(client, now: now)
                    }
                    wake(at: now + heartbeatInterval)
                } else {
                    wake(at: due)
                }
            }
        }
        sweepEnding(now: now)
    }

    /// Sends to those who are to go, and gives up those who take nothing.
    ///
    /// epoll calls a socket writable only when three quarters of its buffer are free, which takes a slow reader long; a
    /// try every 100 ms sees each line that it takes.
    private func sweepEnding(now: MonotonicTime) {
        var some = false
        for client in Array(clients.values) where client.isClosing {
            flush(client, now: now)
            guard isOpen(client) else { continue }
            let outOfTime = finishBy.map { now >= $0 } ?? false
            if outOfTime || now >= client.lastProgress + configuration.finishPatience {
                statistics.clientsGivenUp += 1
                log(
                    .info,
                    "\(client.name): did not take its last \(client.output.byteCount) bytes, so the connection ends")
                close(client)
            } else {
                some = true
            }
        }
        if some { wake(at: now + .milliseconds(100)) }
    }
}
