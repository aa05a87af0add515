// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ScanModel

/// When the next worker of a kind may be started.
///
/// A worker that finished a job is replaced at once; after one that never did there is a pause, which doubles from the
/// minimum to the maximum until a worker proves healthy.
struct WorkerBackOff: Hashable {
    private let minimum: Duration
    private let maximum: Duration
    private var next: Duration

    init(minimum: Duration, maximum: Duration) {
        self.minimum = minimum
        self.maximum = maximum
        next = minimum
    }

    /// The pause after a worker that was lost.
    mutating func pause(afterHealthy healthy: Bool) -> Duration {
        if healthy {
            next = minimum
            return .zero
        }
        defer { next = min(next * 2, maximum) }
        return next
    }
}

/// Lets a number of lines a minute through and counts the rest.
struct LineLimiter: Hashable {
    private let limit: Int
    private var windowEnd: MonotonicTime?
    private var passed = 0
    private var suppressed = 0

    init(linesPerMinute: Int) { limit = linesPerMinute }

    /// Whether a line may pass now; where it may, with how many were kept back since the last that did.
    mutating func admit(now: MonotonicTime) -> (Bool, suppressedBefore: Int) {
        if windowEnd.map({ now >= $0 }) ?? true {
            windowEnd = now + .seconds(60)
            passed = 0
        }
        guard passed < limit else {
            suppressed += 1
            return (false, 0)
        }
        defer {
            passed += 1
            suppressed = 0
        }
        return (true, suppressed)
    }
}

/// Cuts a stream of bytes into printable lines of bounded length.
struct LineSplitter {
    /// Bytes of a line; the rest of a longer one is dropped.
    static let maximumBytes = 300
    private var line: [UInt8] = []

    /// Takes bytes and hands out each line that they complete.
    mutating func take(_ bytes: some Sequence<UInt8>, line body: (String) -> Void) {
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                finish(line: body)
            } else if line.count < Self.maximumBytes {
                // Control characters would let a library write to the terminal of whoever reads the log.
                line.append(byte < 0x20 || byte == 0x7F ? UInt8(ascii: " ") : byte)
            }
        }
    }

    /// Hands out what has no end of line yet.
    mutating func finish(line body: (String) -> Void) {
        defer { line.removeAll(keepingCapacity: true) }
        if line.contains(where: { $0 != UInt8(ascii: " ") }) { body(String(decoding: line, as: UTF8.self)) }
    }
}
