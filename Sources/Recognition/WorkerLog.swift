// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ScanModel

/// What is said about one kind's worker: each thing once, noise and repeated losses at a bounded rate.
struct WorkerLog {
    private let kind: WorkerKind
    private let write: @Sendable (WorkerEvent) -> Void
    private var lines: LineLimiter
    private var losses: LineLimiter
    private var splitter = LineSplitter()

    init(kind: WorkerKind, limits: WorkerLimits, write: @escaping @Sendable (WorkerEvent) -> Void) {
        self.kind = kind
        self.write = write
        lines = LineLimiter(linesPerMinute: limits.noiseLinesPerMinute)
        losses = LineLimiter(linesPerMinute: limits.lossMessagesPerMinute)
    }

    /// Something that is in order.
    func note(_ message: String) { write(WorkerEvent(level: .debug, kind: kind, message: message)) }

    /// Something that lasts and is said once, when it begins.
    func fault(_ message: String) { write(WorkerEvent(level: .warning, kind: kind, message: message)) }

    /// A worker that was lost or could not be started.
    mutating func loss(_ message: String, now: MonotonicTime) {
        let (passes, before) = losses.admit(now: now)
        if !passes { return }
        let more = before == 0 ? "" : " (and \(before) messages like this one)"
        write(WorkerEvent(level: .warning, kind: kind, message: message + more))
    }

    /// What a worker's libraries said.
    mutating func noise(_ bytes: some Sequence<UInt8>, now: MonotonicTime) {
        var lines: [String] = []
        splitter.take(bytes) { lines.append($0) }
        for line in lines { say(line, now: now) }
    }

    /// Says what the worker left without an end of line.
    mutating func finishNoise(now: MonotonicTime) {
        var rest: String?
        splitter.finish { rest = $0 }
        if let rest { say(rest, now: now) }
    }

    private mutating func say(_ line: String, now: MonotonicTime) {
        let (passes, before) = self.lines.admit(now: now)
        if !passes { return }
        let more = before == 0 ? "" : " (\(before) lines before it were left out)"
        write(WorkerEvent(level: .noise, kind: kind, message: "the \(kind.name) worker says: \(line)\(more)"))
    }
}
