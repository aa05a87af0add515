// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// What `getStatus` answers: what runs, what it costs, and every limit that was hit.
///
/// A member that does not apply is absent on the wire. The server fills in what it owns, from `session` and
/// `subscribers` to `queuedBytes`; whoever made the report, the rest.
public struct StatusReport: Codable, Sendable, Hashable {
    /// A picture that was skipped, and why.
    public struct Skipped: Codable, Sendable, Hashable {
        public var name: String
        public var reason: String

        public init(name: String, reason: String) {
            self.name = name
            self.reason = reason
        }
    }

    // MARK: What runs

    public var version = ""
    public var pid: Int32 = 0
    public var session = ""
    public var camera = ""
    /// The source's name, such as a device or a directory.
    public var source = ""
    public var isScanning = false
    public var uptimeSeconds = 0.0
    public var qualityLevel = ""
    public var recognizedDataTypes: [String] = []
    /// `[x, y, width, height]` in 0...1 of the frame: all that is looked at lies in it.
    public var regionOfInterest: [Double] = [0, 0, 1, 1]
    /// The corners `[x, y]` of each polygon that is looked at; absent where it is all of `regionOfInterest`.
    public var regionPolygons: [[[Double]]]?

    // MARK: Frames

    public var frameWidth = 0
    public var frameHeight = 0
    /// Frames a second, as measured.
    public var frameRate = 0.0
    public var framesDelivered: UInt64 = 0
    public var framesProcessed: UInt64 = 0
    public var framesDropped: UInt64 = 0
    public var framesSkipped: UInt64 = 0
    /// Frames whose JPEG was decoded; the others of such a camera were not needed.
    public var framesDecoded: UInt64 = 0
    public var lastSkipped: Skipped?
    /// Why no frames come, while none come.
    public var sourceUnavailable: Wire.Reason?
    /// How the camera is doing; absent where the source is none.
    public var capture: Capture?

    // MARK: Recognition

    public var barcodeLooks: UInt64 = 0
    public var textLooks: UInt64 = 0
    /// Why no barcodes are read, where they are asked for.
    public var barcodesUnavailable: String?
    /// Why no text is read, where it is asked for.
    public var textUnavailable: String?
    public var items = 0
    /// Workers that crashed, hung or grew past their limit and were replaced.
    public var workerRestarts: UInt64 = 0
    /// Workers that were replaced as planned.
    public var workersRecycled: UInt64 = 0
    public var lostJobs: UInt64 = 0
    /// Answers of workers that were out of bounds.
    public var refusedAnswers: UInt64 = 0
    /// Jobs that no worker took, because another of the kind was in work or none was ready.
    public var untakenJobs: UInt64 = 0
    /// Readings that did not fit the limits of an answer and were left out.
    public var omittedObservations: UInt64 = 0
    public var workerPids: [Int32] = []

    // MARK: Sockets (the server's own)

    /// Connections to `events.sock` now.
    public var subscribers = 0
    /// Connections taken since the start, both sockets.
    public var clientsServed: UInt64 = 0
    /// Connections refused because a limit was reached.
    public var clientsRefused: UInt64 = 0
    /// Clients that were disconnected because too much waited for them.
    public var slowClientsDropped: UInt64 = 0
    /// Requests that were malformed, on the wrong socket, or over the rate.
    public var requestsRefused: UInt64 = 0
    /// Events with an item longer than the longest line; told to nobody.
    public var eventsTooLong: UInt64 = 0
    /// Bytes that wait for clients now, a line that many wait for counted once; frames of recordings are not in it.
    public var queuedBytes = 0
    /// Recordings that run now.
    public var recordings = 0
    /// Frames given to recordings since the start.
    public var framesRecorded: UInt64 = 0
    /// Frames that recordings did not get, because their clients were behind.
    public var framesNotRecorded: UInt64 = 0

    // MARK: Cost

    public var residentBytes = 0
    public var cpuSeconds = 0.0

    public init() {}
}

extension StatusReport {
    /// The report as the result of `getStatus`; a figure that is not finite becomes 0.
    public var json: JSONValue {
        get throws {
            var report = self
            let figures = [\StatusReport.uptimeSeconds, \.frameRate, \.cpuSeconds]
            for figure in figures where !report[keyPath: figure].isFinite { report[keyPath: figure] = 0 }
            report.capture?.makeFinite()
            return try JSONValue(encoding: report)
        }
    }
}
