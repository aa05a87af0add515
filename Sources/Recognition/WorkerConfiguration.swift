// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// What a worker reads; there is one worker a kind, so that text that hangs does not stop barcodes.
public enum WorkerKind: UInt8, Sendable, Hashable, CaseIterable {
    case barcodes = 1
    case text = 2

    /// The name in messages and in the worker's arguments.
    public var name: String {
        switch self {
        case .barcodes: "barcodes"
        case .text: "text"
        }
    }

    /// The kind of that name.
    public init?(name: String) {
        guard let match = WorkerKind.allCases.first(where: { $0.name == name }) else { return nil }
        self = match
    }
}

extension RecognitionJob {
    /// The kind of worker that does it.
    public var kind: WorkerKind {
        switch task {
        case .barcodes: .barcodes
        case .text: .text
        }
    }
}

/// How recognition in worker processes is set up.
public struct WorkerConfiguration: Sendable {
    /// The program that serves as worker: by default this program itself, wherever its file went since the start.
    public var executable = "/proc/self/exe"
    /// What makes the program a worker; its other arguments follow.
    public var arguments = [RecognitionWorker.flag]
    /// The sealed memfd that holds the frames. Borrowed: open for as long as the service is there.
    public var frameMemory: Int32
    /// Bytes of the memfd.
    public var frameMemorySize: Int
    /// A worker is kept for each of these; a job of another kind is answered with `unavailable`.
    public var kinds: Set<WorkerKind> = Set(WorkerKind.allCases)
    /// The languages that the text worker gets ready for; a job may name others.
    public var languages = ["eng"]
    public var limits = WorkerLimits()
    /// Takes messages for the log; it is called on the service's thread and must return soon.
    public var log: @Sendable (WorkerEvent) -> Void

    public init(frameMemory: Int32, frameMemorySize: Int, log: @escaping @Sendable (WorkerEvent) -> Void) {
        self.frameMemory = frameMemory
        self.frameMemorySize = frameMemorySize
        self.log = log
    }
}

/// Bounds on what a worker may take. Defaults are for a machine of two cores that has other work as well.
public struct WorkerLimits: Sendable {
    /// Time from the spawn to the worker's ready: it takes 0.2 s alone, some seconds on a machine that swaps.
    public var handshake: Duration = .seconds(10)
    /// Wall time of a job as a multiple of its CPU limit, for a machine where the worker hardly gets to run.
    public var wallFactor = 10
    /// The least wall time of a job.
    public var minimumWall: Duration = .seconds(10)
    /// How often a worker with a job is looked at.
    public var lookWhileBusy: Duration = .milliseconds(100)
    /// How often a worker without a job is looked at: only a stopped one goes unnoticed that long.
    public var lookWhileIdle: Duration = .seconds(1)
    /// Pause before the second worker that replaces one which never finished a job; it doubles up to the maximum.
    public var minimumBackOff: Duration = .milliseconds(200)
    public var maximumBackOff: Duration = .seconds(10)
    /// Address space of a worker beside the frames. Measured peaks: barcodes 93 MB, text 109 MB.
    public var addressSpace = 512 << 20
    /// Private resident memory beyond which a worker is replaced between two jobs. Measured: barcodes 5 MB, text 24 MB.
    public var privateMemory = 200 << 20
    /// Lines a minute that a worker's library noise may put into the log; the rest is counted.
    public var noiseLinesPerMinute = 4
    /// Messages a minute about workers that were lost; the rest is counted.
    public var lossMessagesPerMinute = 10
    /// Deaths before ready, one after the other, after which the kind counts as unavailable.
    public var deathsUntilUnavailable = 3
    /// Time that workers have to end by themselves when the service stops.
    public var stopGrace: Duration = .milliseconds(200)
    /// Jobs that may wait to be looked at by the service's thread.
    public var waitingJobs = 64

    public init() {}
}

/// A message about the workers, for the log.
public struct WorkerEvent: Sendable, Hashable {
    public enum Level: Sendable, Hashable {
        /// Nothing went wrong: a worker is ready, or was replaced because it grew.
        case debug
        /// What a worker's libraries said.
        case noise
        /// A worker was lost or could not be started.
        case warning
    }

    public var level: Level
    public var kind: WorkerKind
    /// One line, without control characters.
    public var message: String
}
