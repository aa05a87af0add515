// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Glibc
internal import LinuxSystem
internal import ScanModel
internal import ScanProtocol

// Clients: how they come, what they are sent, how they go.
extension ServerLoop {
    // MARK: - Coming

    func acceptClients(at listener: (kind: SocketKind, socket: ListeningSocket), now: MonotonicTime) {
        // So many at a time: a flood of connections must not keep the others waiting.
        for _ in 0..<64 {
            do throws(SystemError) {
                guard let descriptor = try UnixSocket.accept(on: listener.socket.descriptor) else { return }
                admit(descriptor, listener.kind, now: now)
            } catch {
                refuseForWantOfDescriptors(at: listener.socket, error, now: now)
                return
            }
        }
    }

    private func admit(_ descriptor: consuming OwnedDescriptor, _ kind: SocketKind, now: MonotonicTime) {
        let room = kind == .control ? limits.clients : limits.clients - limits.clientsReservedForControl
        if clients.count >= room {
            turnAway(descriptor, "the server has \(clients.count) clients, its limit is \(room): try again later", now)
            return
        }
        let client: ClientConnection
        do throws(SystemError) {
            let peer = try UnixSocket.peer(of: descriptor.raw)
            client = ClientConnection(
                token: nextToken, kind: kind, peer: peer, descriptor: descriptor, limits: limits, now: now)
            try epoll.add(client.descriptor.raw, events: client.interest, token: client.token)
        } catch {
            statistics.clientsRefused += 1
            log(.warning, "a client could not be taken: \(error)")
            return
        }
        nextToken += 1
        clients[client.token] = client
        statistics.clientsServed += 1
        count()
        greet(client)
        flush(client, now: now)
        guard isOpen(client), kind == .events else { return }
        wake(at: now + heartbeatInterval)
        mailbox.report(statistics)
        mailbox.noteSubscriber()
    }

    /// `hello`, and for a subscriber the state that the next event starts from.
    private func greet(_ client: ClientConnection) {
        let hello = Wire.Hello(
            server: configuration.version, session: configuration.session, camera: configuration.camera,
            sequence: statistics.sequence, limits: limits)
        do {
            enqueue(SharedLine(try MessageEncoder.hello(hello)), for: client)
        } catch {
            log(.warning, "\(client.name): no hello: \(error)")
        }
        guard client.kind == .events else { return }
        for line in currentSnapshot() { enqueue(line, for: client) }
    }

    private func currentSnapshot() -> [SharedLine] {
        if let snapshot { return snapshot }
        let lines = MessageEncoder.snapshotLines(
            items: live.inOrder, unavailable: live.unavailable, sequence: statistics.sequence, time: .now,
            limit: limits.serverLineBytes
        ).map { SharedLine($0) }
        snapshot = lines
        return lines
    }

    /// Says in one line why the connection ends at once. A new socket has room for it.
    private func turnAway(_ descriptor: consuming OwnedDescriptor, _ reason: String, _ now: MonotonicTime) {
        statistics.clientsRefused += 1
        let line = MessageEncoder.response(to: nil, error: .noRoom(reason))
        let raw = descriptor.raw
        // A client that is gone already needs no reason.
        _ = try? line.withUnsafeBytes { try UnixSocket.send($0, to: raw) }
        if let message = refusedClientsGate.pass("a client was refused: \(reason)", now: now) { log(.warning, message) }
    }

    private func refuseForWantOfDescriptors(at listener: ListeningSocket, _ error: SystemError, now: MonotonicTime) {
        if error.code == EMFILE || error.code == ENFILE {
            for _ in 0..<16 {
                spare = nil
                guard let descriptor = try? UnixSocket.accept(on: listener.descriptor) else { break }
                turnAway(descriptor, "the server is out of file descriptors: raise LimitNOFILE=", now)
            }
            spare = try? OwnedDescriptor.openForReading("/dev/null")
        } else if let message = refusedClientsGate.pass("no client can be taken: \(error)", now: now) {
            log(.warning, message)
        }
        // Level-triggered epoll would report the same connections again at once, for ever.
        for listener in listeners {
            try? epoll.modify(listener.socket.descriptor.raw, events: [], token: token(of: listener.kind))
        }
        acceptAgainAt = now + .milliseconds(100)
        wake(at: now + .milliseconds(100))
    }

    func resumeAccepting() {
        acceptAgainAt = nil
        if spare == nil { spare = try? OwnedDescriptor.openForReading("/dev/null") }
        for listener in listeners {
            try? epoll.modify(listener.socket.descriptor.raw, events: .readable, token: token(of: listener.kind))
        }
    }

    // MARK: - Sending

    /// Puts a line into a client's queue; a client that is too far behind is disconnected instead.
    func enqueue(_ line: SharedLine, for client: ClientConnection) {
        guard isOpen(client), !client.outputEnded else { return }
        if client.output.lineByteCount + line.bytes.count > limits.queuedBytesPerClient {
            flush(client, now: .now)
            guard isOpen(client) else { return }
            if client.output.lineByteCount + line.bytes.count > limits.queuedBytesPerClient {
                dropSlow(client, limit: "\(limits.queuedBytesPerClient) bytes a client")
                return
            }
        }
        statistics.queuedBytes += client.output.append(line)
        while statistics.queuedBytes > limits.queuedBytesTotal {
            guard let slowest = clients.values.max(by: { $0.output.lineByteCount < $1.output.lineByteCount }) else {
                return
            }
            dropSlow(slowest, limit: "\(limits.queuedBytesTotal) bytes for all clients")
        }
    }

    private func dropSlow(_ client: ClientConnection, limit: String) {
        statistics.slowClientsDropped += 1
        let message = "\(client.name): disconnected, \(client.output.byteCount) bytes wait for it (limit: \(limit))"
        if let message = slowClientsGate.pass(message, now: .now) { log(.info, message) }
        close(client)
    }

    /// Sends what the socket takes, 256 KiB at a time so that nobody else waits long.
    func flush(_ client: ClientConnection, now: MonotonicTime) {
        guard isOpen(client) else { return }
        var budget = 256 << 10
        let framesBefore = client.output.frameByteCount
        do throws(SystemError) {
            while budget > 0 {
                let raw = client.descriptor.raw
                let sent = try client.output.withNext { bytes throws(SystemError) in
                    try UnixSocket.send(bytes, to: raw)
                }
                guard let sent, let count = sent else { break }
                statistics.queuedBytes -= client.output.advance(by: count)
                client.lastSent = now
                client.lastProgress = now
                budget -= count
            }
        } catch {
            endOutput(of: client)
            return
        }
        let arrived = framesBefore - client.output.frameByteCount
        if arrived > 0 { desk.arrived(arrived, at: client.token) }
        if client.output.isEmpty {
            client.lastProgress = now
            // A client of control.sock that has said all it will has nothing more to wait for.
            if client.isClosing || (client.inputEnded && client.kind == .control && client.recording == nil) {
                close(client)
                return
            }
        }
        watch(client)
    }

    /// The other side is gone. What it asked for before it went ("stopScanning" and away) is still carried out.
    private func endOutput(of client: ClientConnection) {
        guard client.kind == .control, !client.inputEnded, !client.isClosing else {
            close(client)
            return
        }
        leaveRecording(client)
        statistics.queuedBytes -= client.output.removeAll()
        client.outputEnded = true
        watch(client)
    }

    /// Tells epoll what to watch for.
    func watch(_ client: ClientConnection) {
        var interest: Readiness = []
        if !client.inputEnded, !client.isClosing, client.pausedUntil == nil { interest.insert(.readable) }
        if !client.output.isEmpty { interest.insert(.writable) }
        guard interest != client.interest else { return }
        client.interest = interest
        do throws(SystemError) {
            try epoll.modify(client.descriptor.raw, events: interest, token: client.token)
        } catch {
            log(.warning, "\(client.name): \(error), so the connection ends")
            close(client)
        }
    }

    // MARK: - Going

    /// Reads nothing more and closes once everything is sent.
    func endAfterFlush(_ client: ClientConnection, now: MonotonicTime) {
        guard isOpen(client) else { return }
        client.isClosing = true
        client.partialSince = nil
        client.pausedUntil = nil
        client.input.removeAll()
        flush(client, now: now)
        if isOpen(client) { wake(at: now + .milliseconds(100)) }
    }

    func close(_ client: ClientConnection) {
        guard clients.removeValue(forKey: client.token) != nil else { return }
        if client.recording != nil { log(.info, "\(client.name): gone, and its recording with it") }
        leaveRecording(client)
        statistics.queuedBytes -= client.output.removeAll()
        // Closing the descriptor takes it out of epoll; the last reference to the client does that.
        epoll.remove(client.descriptor.raw)
        count()
    }

    private func count() {
        statistics.clients = clients.count
        statistics.subscribers = clients.values.count { $0.kind == .events }
    }

    private func token(of kind: SocketKind) -> UInt64 { kind == .events ? 1 : 2 }
}
