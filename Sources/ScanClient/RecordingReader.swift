// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Glibc
public import LinuxSystem
public import ScanModel
public import ScanProtocol

/// A recording of the daemon's camera, frame by frame as the camera gave them.
///
/// - Important: `init` and `next` block: keep them off Swift's cooperative pool. One thread at a time. Whoever does not
///   read for long misses frames; nobody else waits for it.
public final class RecordingReader {
    /// What comes next.
    public enum Step: Sendable {
        case frame(Wire.RecordedFrame, [UInt8])
        /// The last step.
        case ended(Wire.RecordingEnded)
        /// The cancellation that was given is signalled.
        case cancelled
    }

    /// Bytes of the largest frame that is believed: 8K in a raw format of two bytes a pixel, and as much again.
    static let maximumFrameSize = 128 << 20

    /// What all frames are.
    public let started: Wire.RecordingStarted
    private var connection: LineConnection
    private let cancellation: EventDescriptor?

    /// Connects to `control.sock`, asks for the frames and waits for the first of them.
    ///
    /// - Parameters:
    ///   - timeout: of the connection and of the answer, which comes with the first frame; the server itself waits 5 s
    ///     for that.
    ///   - cancellation: ends the waiting for frames: here with ECANCELED, in `next` with `cancelled`.
    public init(
        path: String, request: Wire.RecordingRequest, timeout: Duration = .seconds(15),
        cancellation: EventDescriptor? = nil
    ) throws(ClientError) {
        var connection = try LineConnection(path: path, timeout: timeout)
        let deadline = MonotonicTime.now + timeout
        do throws(ClientError) {
            let id = RequestID.number(1)
            try connection.send(Request(id: id, method: .recordFrames, recording: request).line, until: deadline)
            started = try RecordingReader.answer(to: id, from: &connection, until: deadline, cancellation)
        } catch {
            throw error.timedOut("recordFrames at \(path)", after: timeout)
        }
        self.connection = connection
        self.cancellation = cancellation
    }

    /// The next frame, or the end; after that `closed`, as the server closes the connection.
    public func next(until deadline: MonotonicTime? = nil) throws(ClientError) -> Step {
        do throws(ClientError) {
            while let line = try connection.nextLine(until: deadline, cancellation: cancellation) {
                switch try EventReader.message(line) {
                case .frame(let frame): return .frame(frame, try bytes(of: frame, until: deadline))
                case .recordingEnded(let ended): return .ended(ended)
                default: continue
                }
            }
        } catch {
            if case .system(let error) = error, error.code == ECANCELED { return .cancelled }
            throw error.timedOut(connection.path)
        }
        throw .closed(connection.path)
    }

    private func bytes(
        of frame: Wire.RecordedFrame, until deadline: MonotonicTime?
    ) throws(ClientError) -> [UInt8] {
        guard (0...RecordingReader.maximumFrameSize).contains(frame.byteCount) else {
            throw .malformed(MalformedMessage("a frame of \(frame.byteCount) bytes"))
        }
        var bytes = try connection.nextBytes(frame.byteCount + 1, until: deadline, cancellation: cancellation)
        guard bytes.popLast() == 0x0A else {
            throw .malformed(MalformedMessage("no newline behind the \(frame.byteCount) bytes of a frame"))
        }
        return bytes
    }

    private static func answer(
        to id: RequestID, from connection: inout LineConnection, until deadline: MonotonicTime,
        _ cancellation: EventDescriptor?
    ) throws(ClientError) -> Wire.RecordingStarted {
        while let line = try connection.nextLine(until: deadline, cancellation: cancellation) {
            guard case .response(let response) = try EventReader.message(line), response.id == id else { continue }
            switch response.result {
            case .failure(let error): throw .failed(error)
            case .success(let result):
                do {
                    return try result.decoded(as: Wire.RecordingStarted.self)
                } catch {
                    throw .malformed(MalformedMessage(error, in: result))
                }
            }
        }
        throw .closed(connection.path)
    }
}
