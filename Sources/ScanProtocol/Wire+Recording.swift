// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

extension Wire {
    /// The parameters of `recordFrames`: where the recording ends by itself, at whichever limit comes first.
    public struct RecordingRequest: Sendable, Hashable {
        /// Seconds from the first frame on.
        public var seconds: Double
        /// `nil`: without limit.
        public var frames: Int?
        /// Bytes of all frames together.
        public var bytes: Int

        /// A day.
        public static let maximumSeconds = 86_400.0
        /// A pebibyte: no more than a number that nobody means.
        public static let maximumBytes = 1 << 50

        /// As much as a request without parameters asks for.
        public init(seconds: Double = 60, frames: Int? = nil, bytes: Int = 1 << 30) {
            self.seconds = seconds
            self.frames = frames
            self.bytes = bytes
        }

        /// As it is written into a request.
        public var json: JSONValue {
            var members: [String: JSONValue] = ["seconds": .number(seconds), "bytes": .integer(Int64(bytes))]
            if let frames { members["frames"] = .integer(Int64(frames)) }
            return .object(members)
        }
    }

    /// The answer to `recordFrames`, with the first frame: what all frames of the recording are.
    public struct RecordingStarted: Codable, Sendable, Hashable {
        /// V4L2's code, such as `MJPG`.
        public var format: String
        public var width: Int
        public var height: Int
        /// Bytes from one row to the next of the first plane; 0 where the format is compressed.
        public var bytesPerLine: Int
        /// The camera, as `getStatus` describes it.
        public var capture: StatusReport.Capture?

        public init(
            format: String, width: Int, height: Int, bytesPerLine: Int, capture: StatusReport.Capture? = nil
        ) {
            self.format = format
            self.width = width
            self.height = height
            self.bytesPerLine = bytesPerLine
            self.capture = capture
        }
    }

    /// `frame`: its bytes follow the line, and then a newline.
    public struct RecordedFrame: Codable, Sendable, Hashable {
        /// The camera's number.
        public var sequence: UInt64
        public var time: String
        /// CLOCK_MONOTONIC in nanoseconds.
        public var monotonic: Int64
        public var byteCount: Int
        /// Frames of this recording that were left out so far, because the client was behind.
        public var dropped: Int

        public init(sequence: UInt64, time: String, monotonic: Int64, byteCount: Int, dropped: Int) {
            self.sequence = sequence
            self.time = time
            self.monotonic = monotonic
            self.byteCount = byteCount
            self.dropped = dropped
        }
    }

    /// `recordingEnded`, the last line of its connection.
    public struct RecordingEnded: Codable, Sendable, Hashable {
        /// Frames that were sent.
        public var frames: Int
        /// Frames that were left out.
        public var dropped: Int
        /// A `RecordingEndReason`, or what a newer server adds.
        public var reason: String
        /// What there is to say beyond the reason.
        public var message: String?

        public init(frames: Int, dropped: Int, reason: String, message: String? = nil) {
            self.frames = frames
            self.dropped = dropped
            self.reason = reason
            self.message = message
        }
    }
}

/// Why a recording ended.
public enum RecordingEndReason: String, Sendable, Hashable, CaseIterable {
    /// At the limit of the request that has this name.
    case seconds, frames, bytes
    /// The camera gives no frames any more.
    case unavailable
    /// The camera gives frames of another format or size.
    case formatChanged
    /// The scanner stopped, or the server ends.
    case stopped
}

extension MessageEncoder {
    /// The line before a frame's bytes.
    public static func frame(_ frame: Wire.RecordedFrame) -> [UInt8] {
        notification(
            "frame",
            .object([
                "byteCount": .integer(Int64(frame.byteCount)), "dropped": .integer(Int64(frame.dropped)),
                "monotonic": .integer(frame.monotonic), "sequence": .integer(Int64(clamping: frame.sequence)),
                "time": .string(frame.time),
            ]))
    }

    public static func recordingEnded(_ ended: Wire.RecordingEnded) -> [UInt8] {
        var params: [String: JSONValue] = [
            "dropped": .integer(Int64(ended.dropped)), "frames": .integer(Int64(ended.frames)),
            "reason": .string(ended.reason),
        ]
        if let message = ended.message { params["message"] = .string(message) }
        return notification("recordingEnded", .object(params))
    }
}

extension Wire.RecordingStarted {
    /// As the result of an answer.
    public var json: JSONValue {
        get throws {
            var started = self
            started.capture?.makeFinite()
            return try JSONValue(encoding: started)
        }
    }
}
