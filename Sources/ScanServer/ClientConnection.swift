// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import LinuxSystem
internal import ScanModel
internal import ScanProtocol

/// Which socket a client came to.
enum SocketKind: Sendable {
    case events
    case control
}

/// One client. Belongs to the server's thread.
final class ClientConnection {
    let token: UInt64
    let kind: SocketKind
    let peer: PeerCredentials
    let descriptor: OwnedDescriptor

    var input = LineBuffer()
    var output = OutputQueue()
    var allowance: RequestAllowance
    /// Requests over the rate since the last one within it.
    var refusedInARow = 0
    var malformedRequests = 0
    /// The recording that goes to this client.
    var recording: ClientRecording?
    /// What epoll watches for.
    var interest: Readiness = .readable
    /// The client has said all that it will.
    var inputEnded = false
    /// The client takes nothing any more.
    var outputEnded = false
    /// The connection ends once everything is sent; nothing more is read.
    var isClosing = false
    /// Nothing is read until then.
    var pausedUntil: MonotonicTime?
    /// When the first byte of a line came that is not complete.
    var partialSince: MonotonicTime?
    /// When something was last sent.
    var lastSent: MonotonicTime
    /// When the socket last took something, or had nothing to take.
    var lastProgress: MonotonicTime

    init(
        token: UInt64, kind: SocketKind, peer: PeerCredentials, descriptor: consuming OwnedDescriptor,
        limits: ProtocolLimits, now: MonotonicTime
    ) {
        self.token = token
        self.kind = kind
        self.peer = peer
        self.descriptor = descriptor
        allowance = RequestAllowance(perSecond: limits.requestsPerSecond, now: now)
        lastSent = now
        lastProgress = now
    }

    /// For the log.
    var name: String { "\(kind == .events ? "events.sock" : "control.sock") client uid \(peer.uid), pid \(peer.pid)" }
}
