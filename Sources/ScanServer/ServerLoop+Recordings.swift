// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import LinuxSystem
internal import ScanModel
internal import ScanProtocol

/// A recording as its connection knows it.
struct ClientRecording {
    /// Of the request that began it; `nil` where it is a notification.
    let id: RequestID?
    /// Until when the first frame has to come; `nil` once it did.
    var patience: MonotonicTime?
}

// Recordings: how they begin, what they are sent, how they end.
extension ServerLoop {
    func beginRecording(_ request: Request, of client: ClientConnection, now: MonotonicTime) {
        do throws(RequestFailure) {
            if client.recording != nil { throw RequestFailure("this connection records already") }
            let running = clients.values.count { $0.recording != nil }
            guard running < limits.recordings else {
                throw RequestFailure(
                    "\(running) recordings are running, and no more than \(limits.recordings) may; wait for the end of one",
                    isTemporary: true)
            }
            guard let frames else { throw RequestFailure("this server has no camera") }
            _ = try frames.recordingSource().get()
        } catch {
            note(client, "recordFrames", error.message)
            if let id = request.id { refuse(client, id, error.error, isRequest: true) }
            return
        }
        let patience = now + configuration.firstFramePatience
        client.recording = ClientRecording(id: request.id, patience: patience)
        desk.add(client.token, request.recording ?? Wire.RecordingRequest())
        frames?.giveFrames(to: desk)
        wake(at: patience)
        note(client, "recordFrames", "begins")
    }

    /// Takes to the clients what the desk has for them.
    func deliverRecordings(now: MonotonicTime) {
        for delivery in desk.takeDeliveries() {
            switch delivery {
            case .began(let token, let started): answer(token, started)
            case .frame(let payload, let lines):
                let shared = SharedLine(payload, isFrame: true)
                for (token, line) in lines {
                    guard let client = clients[token], client.recording != nil else { continue }
                    send(SharedLine(line, isFrame: true), shared, to: client, now: now)
                }
            case .ended(let token, let ended):
                guard let client = clients[token] else { continue }
                note(
                    client, "recordFrames", "\(ended.frames) frames, \(ended.dropped) left out, ended: \(ended.reason)")
                enqueue(SharedLine(MessageEncoder.recordingEnded(ended)), for: client)
                leaveRecording(client)
                endAfterFlush(client, now: now)
            case .refused(let token, let failure):
                guard let client = clients[token], let recording = client.recording else { continue }
                note(client, "recordFrames", failure.message)
                leaveRecording(client)
                refuse(client, recording.id, failure.error, isRequest: true)
                flush(client, now: now)
            }
        }
    }

    /// The client has gone, or its recording ended: the camera's frames are asked for only while somebody wants them.
    func leaveRecording(_ client: ClientConnection) {
        guard client.recording != nil else { return }
        client.recording = nil
        desk.remove(client.token)
        if !clients.values.contains(where: { $0.recording != nil }) { frames?.giveFrames(to: nil) }
    }

    /// Ends all recordings before the server does.
    func endRecordings(now: MonotonicTime) {
        for client in clients.values where client.recording != nil {
            desk.end(client.token, .stopped, message: "datascand ends")
        }
        deliverRecordings(now: now)
    }

    /// Looks at a recording's deadlines; there need not be a frame to see that its time is over.
    func sweepRecording(of client: ClientConnection, now: MonotonicTime) {
        guard let recording = client.recording else { return }
        if let patience = recording.patience {
            guard now >= patience else { return wake(at: patience) }
            desk.end(
                client.token, .unavailable,
                message: "no frame came within \(configuration.firstFramePatience.inSeconds) s; see 'datascan status'")
        } else if let deadline = desk.deadline(of: client.token) {
            guard now >= deadline else { return wake(at: deadline) }
            desk.end(client.token, .seconds)
        }
        deliverRecordings(now: now)
    }

    private func answer(_ token: UInt64, _ started: Wire.RecordingStarted) {
        guard let client = clients[token], let recording = client.recording else { return }
        client.recording?.patience = nil
        if let deadline = desk.deadline(of: token) { wake(at: deadline) }
        guard let id = recording.id else { return }
        var started = started
        started.capture = try? frames?.recordingSource().get()
        do {
            enqueue(SharedLine(MessageEncoder.response(to: id, result: try started.json)), for: client)
        } catch {
            refuse(client, id, .failed("the frames can not be described: \(error)"), isRequest: true)
        }
    }

    private func send(_ line: SharedLine, _ payload: SharedLine, to client: ClientConnection, now: MonotonicTime) {
        // The desk has seen to it that they fit.
        _ = client.output.append(line)
        _ = client.output.append(payload)
        flush(client, now: now)
    }

    private func note(_ client: ClientConnection, _ what: String, _ outcome: String) {
        log(.info, "\(what) by uid \(client.peer.uid), pid \(client.peer.pid): \(outcome)")
    }
}
