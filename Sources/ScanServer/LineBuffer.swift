// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ScanModel

/// Cuts what a client sends into lines.
struct LineBuffer {
    enum Next: Equatable {
        /// A line without its newline.
        case line([UInt8])
        /// The line is not complete yet.
        case incomplete
        /// The line is longer than it may be.
        case tooLong
    }

    private var bytes: [UInt8] = []
    private var start = 0
    private var searched = 0

    /// Whether a line has begun and not ended.
    var isEmpty: Bool { start == bytes.count }

    mutating func append(_ new: UnsafeRawBufferPointer) { bytes.append(contentsOf: new) }

    mutating func next(limit: Int) -> Next {
        guard let end = bytes[searched...].firstIndex(of: 0x0A) else {
            searched = bytes.count
            guard bytes.count - start <= limit else { return .tooLong }
            compact()
            return .incomplete
        }
        guard end - start <= limit else { return .tooLong }
        let line = Array(bytes[start..<end])
        start = end + 1
        searched = start
        return .line(line)
    }

    /// What is left at the end of the stream: a last line without a newline.
    mutating func takeRest() -> [UInt8] {
        defer { removeAll() }
        return Array(bytes[start...])
    }

    mutating func removeAll() {
        bytes = []
        start = 0
        searched = 0
    }

    private mutating func compact() {
        guard start > 0 else { return }
        if start == bytes.count {
            // A thousand clients that once sent much must not keep room for it.
            bytes.removeAll(keepingCapacity: bytes.capacity <= 4096)
        } else {
            bytes.removeFirst(start)
        }
        searched -= start
        start = 0
    }
}

/// How many requests a client may make now: so many a second, and as many at once.
struct RequestAllowance {
    private let perSecond: Double
    private var tokens: Double
    private var last: MonotonicTime

    init(perSecond: Int, now: MonotonicTime) {
        self.perSecond = Double(perSecond)
        tokens = Double(perSecond)
        last = now
    }

    /// Takes one, if there is one.
    mutating func take(now: MonotonicTime) -> Bool {
        tokens = min(perSecond, tokens + (now - last).inSeconds * perSecond)
        last = now
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }
}

/// Lets the first message of a kind through at once, and then one a period with the count of those between.
struct LogGate {
    private var quietUntil: MonotonicTime?
    private var held = 0

    /// The text to log, or `nil` while it is to be quiet.
    mutating func pass(_ message: String, now: MonotonicTime, period: Duration = .seconds(60)) -> String? {
        if let quietUntil, now < quietUntil {
            held += 1
            return nil
        }
        quietUntil = now + period
        defer { held = 0 }
        return held == 0 ? message : "\(message) (and \(held) more like it since the last such line)"
    }
}
