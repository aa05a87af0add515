// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import LinuxSystem
internal import ScanModel
internal import ScanProtocol

// Requests: how they are read, checked and answered.
extension ServerLoop {
    /// Takes at most 16 KiB a round from one client, so that a flood from it leaves time for the others.
    func receive(from client: ClientConnection, now: MonotonicTime) {
        let ended: Bool
        do throws(SystemError) {
            ended = try withReceived(from: client) { client.input.append($0) }
        } catch {
            close(client)
            return
        }
        answerLines(of: client, now: now)
        guard isOpen(client) else { return }
        if ended, !client.inputEnded {
            client.inputEnded = true
            client.partialSince = nil
            let rest = client.input.takeRest()
            if !rest.isEmpty, !client.isClosing { answer(rest, of: client, now: now) }
        }
        flush(client, now: now)
    }

    /// Reads what is there; true at the end of the client's words.
    private func withReceived(
        from client: ClientConnection, _ body: (UnsafeRawBufferPointer) -> Void
    ) throws(SystemError) -> Bool {
        let raw = client.descriptor.raw
        let result: Result<Bool, SystemError> = withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 1) {
            do throws(SystemError) {
                guard let count = try UnixSocket.receive(into: $0, from: raw) else { return .success(false) }
                body(UnsafeRawBufferPointer(rebasing: $0[..<count]))
                return .success(count == 0)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private func answerLines(of client: ClientConnection, now: MonotonicTime) {
        while isOpen(client), !client.isClosing, client.pausedUntil == nil {
            switch client.input.next(limit: limits.requestLineBytes) {
            case .line(let line):
                answer(line, of: client, now: now)
            case .incomplete:
                if client.input.isEmpty {
                    client.partialSince = nil
                } else if client.partialSince == nil {
                    client.partialSince = now
                    wake(at: now + .seconds(limits.partialLineSeconds))
                }
                return
            case .tooLong:
                refuse(client, nil, .invalidRequest("the line is longer than \(limits.requestLineBytes) bytes"))
                endAfterFlush(client, now: now)
                return
            }
            client.partialSince = nil
        }
    }

    /// Goes on with a client whose requests were too many.
    func resume(_ client: ClientConnection, now: MonotonicTime) {
        client.pausedUntil = nil
        client.refusedInARow = 0
        answerLines(of: client, now: now)
        flush(client, now: now)
    }

    private func answer(_ line: [UInt8], of client: ClientConnection, now: MonotonicTime) {
        if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { return }
        let request: Request
        do throws(RequestError) {
            request = try Request(parsing: line)
        } catch {
            refuse(client, error.id, error.error, isRequest: error.isRequest)
            client.malformedRequests += 1
            if client.malformedRequests >= limits.malformedRequests {
                log(.info, "\(client.name): disconnected after \(client.malformedRequests) malformed requests")
                endAfterFlush(client, now: now)
            }
            return
        }
        guard client.allowance.take(now: now) else {
            refuse(client, request.id, .tooManyRequests(limit: limits.requestsPerSecond), isRequest: true)
            client.refusedInARow += 1
            // Refusing costs time as well: from here on the client's own socket holds it up.
            if client.refusedInARow >= limits.requestsPerSecond * 20 {
                client.pausedUntil = now + .seconds(1)
                wake(at: now + .seconds(1))
            }
            return
        }
        client.refusedInARow = 0
        if request.method.needsControl, client.kind == .events {
            refuse(
                client, request.id, .wrongSocket(request.method, controlPath: configuration.controlPath),
                isRequest: true)
            return
        }
        statistics.requestsServed += 1
        carryOut(request, of: client, now: now)
    }

    private func carryOut(_ request: Request, of client: ClientConnection, now: MonotonicTime) {
        switch request.method {
        case .getItems:
            guard let id = request.id else { return }
            let line = MessageEncoder.itemsResponse(
                to: id, items: live.inOrder, unavailable: live.unavailable, sequence: statistics.sequence, time: .now)
            send(line, to: client, answering: id)
        case .getStatus:
            guard let id = request.id else { return }
            do {
                send(MessageEncoder.response(to: id, result: try status()), to: client, answering: id)
            } catch {
                refuse(client, id, .failed("the status can not be told: \(error)"), isRequest: true)
            }
        case .startScanning: change(request, of: client) { handler.startScanning() }
        case .stopScanning: change(request, of: client) { handler.stopScanning() }
        case .recordFrames: beginRecording(request, of: client, now: now)
        case .supportedSymbologies:
            reply(to: request, of: client, with: handler.symbologyEngines.map { .string($0.symbology) })
        case .symbologyEngines:
            reply(
                to: request, of: client,
                with: handler.symbologyEngines.map {
                    .object(["engines": .array($0.engines.map { .string($0) }), "symbology": .string($0.symbology)])
                })
        case .supportedTextRecognitionLanguages:
            reply(to: request, of: client, with: handler.supportedTextRecognitionLanguages.map { .string($0) })
        }
    }

    private func change(
        _ request: Request, of client: ClientConnection, _ body: () -> Result<Void, RequestFailure>
    ) {
        let result = body()
        let outcome: String
        switch result {
        case .success: outcome = "done"
        case .failure(let failure): outcome = failure.message
        }
        log(.info, "\(request.method.rawValue) by uid \(client.peer.uid), pid \(client.peer.pid): \(outcome)")
        guard let id = request.id else { return }
        switch result {
        case .success: send(MessageEncoder.response(to: id, result: .object([:])), to: client, answering: id)
        case .failure(let failure): refuse(client, id, .failed(failure.message), isRequest: true)
        }
    }

    private func reply(to request: Request, of client: ClientConnection, with values: [JSONValue]) {
        guard let id = request.id else { return }
        send(MessageEncoder.response(to: id, result: .array(values)), to: client, answering: id)
    }

    private func send(_ line: [UInt8], to client: ClientConnection, answering id: RequestID) {
        guard line.count <= limits.serverLineBytes else {
            refuse(client, id, .answerTooLong(limit: limits.serverLineBytes), isRequest: true)
            return
        }
        enqueue(SharedLine(line), for: client)
    }

    /// Says what is wrong. A notification (`isRequest` without an ID) gets no answer, as JSON-RPC has it.
    func refuse(_ client: ClientConnection, _ id: RequestID?, _ error: ResponseError, isRequest: Bool = false) {
        statistics.requestsRefused += 1
        if isRequest, id == nil { return }
        enqueue(SharedLine(MessageEncoder.response(to: id, error: error)), for: client)
    }

    private func status() throws -> JSONValue {
        var report = handler.status()
        report.session = configuration.session
        if report.camera.isEmpty { report.camera = configuration.camera }
        report.subscribers = statistics.subscribers
        report.clientsServed = statistics.clientsServed
        report.clientsRefused = statistics.clientsRefused
        report.slowClientsDropped = statistics.slowClientsDropped
        report.requestsRefused = statistics.requestsRefused
        report.eventsTooLong = statistics.eventsTooLong
        report.queuedBytes = statistics.queuedBytes
        report.recordings = clients.values.count { $0.recording != nil }
        (report.framesRecorded, report.framesNotRecorded) = desk.counts
        return try report.json
    }
}
