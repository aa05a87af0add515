// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ScanModel

/// What a scheduler is told at its start.
public struct SchedulerSettings: Sendable, Hashable {
    /// Where the costs of looks come from.
    public enum CostModel: Sendable, Hashable {
        /// The CPU time that looks took on this machine.
        case measured
        /// A table, so that each run over the same frames plans the same (`--rate max`).
        case fixed
    }

    public var qualityLevel: QualityLevel = .balanced
    public var wantsBarcodes = true
    public var wantsText = true
    public var costModel: CostModel = .measured
    /// The time between frames: a rhythm is kept to within half of it.
    public var frameInterval: Duration = .nanoseconds(33_333_333)

    /// The time between looks while idle.
    public var idleInterval = SchedulerLimits.idleInterval

    public init() {}
}

/// The budget and the rhythm of looks; shares are of one core.
public enum SchedulerLimits {
    /// What looks for barcodes may take.
    public static let barcodeShare = 0.6
    /// What they may take while a candidate is not certain: its worker is then always busy...
    public static let uncertainShare = 1.0
    /// ... until this much extra CPU time is used up, so that a flickering phantom does not keep it so, ...
    public static let extraTime = 0.8
    /// ... and so much of a core fills that up again.
    public static let extraShare = 0.1
    /// What looks for text may take.
    public static let textShare = 0.35
    /// How much unused barcode budget, in seconds of CPU, is kept for the first frames after a pause.
    public static let barcodeBurst = 0.4
    /// The same for text.
    public static let textBurst = 0.2
    /// Debt beyond this many seconds of CPU is forgiven: one long job is not to blind the scanner.
    public static let mostDebt = 2.0

    /// What looks may take that can wait: verifying, and searching again what goes on changing. With the sweep (1.5 ms a
    /// frame) and the strips that come into view (2 ms) a camera that pans over a shelf in 1080p stays about 4 ms a frame.
    public static func routineShare(at level: QualityLevel) -> Double { level == .accurate ? 0.3 : 0.06 }
    /// How much of it is saved, in seconds of CPU.
    public static let routineBurst = 0.1
    /// What plain scans may take: of 1080p one in 22 s. They find what has no region of its own, such as a code at the edge of
    /// what can be read, and of the same content they find the same. At the accurate level they are most of the work.
    public static func plainShare(at level: QualityLevel) -> Double { level == .accurate ? 0.3 : 0.005 }
    /// How much of it is saved: two scans of 1080p for a scene that is new.
    public static func plainBurst(at level: QualityLevel) -> Double { level == .accurate ? 1.6 : 0.22 }
    /// Debt of it beyond this is forgiven.
    public static let mostRoutineDebt = 0.1

    /// Frame heights a frame under which a picture counts as standing: a third of a pixel of 1080p.
    static let stillSpeed = 0.0003
    /// Grey levels of a cell's change, on a picture that stands and on one that moves, where edges never match wholly.
    static let changeLevel: UInt8 = 8
    static let movingChangeLevel: UInt8 = 20

    /// A certain barcode is looked at after this time while the picture moves, or where its place is not known to look like it...
    public static let movingInterval = Duration.milliseconds(500)
    /// ... on a picture that stands and where it does...
    public static let stillInterval = Duration.seconds(2)
    /// ... and where it is missing: several looks must not see it before it is gone.
    public static let missingInterval = Duration.milliseconds(100)
    /// Looks at a barcode that is not certain, before it is looked at less often.
    static let freeLooks = 12
    /// Certain barcodes that are verified in one frame, so that the cost a frame is even.
    static let mostVerified = 4
    /// The same for codes that were not read, of which so many are remembered.
    static let mostUnreadPlaces = 4
    static let mostUnreadRecords = 64

    /// The rhythm of searching what comes in at the edges: four frames, so that a strip of 0.35 frame heights takes 2 ms a frame.
    static let edgeInterval = Duration.milliseconds(133)
    /// The same for what goes on changing.
    static let changeInterval = Duration.milliseconds(100)
    /// Frame heights that a partly seen cell must have come in further before it is searched again: 12 px of 1080p.
    static let edgeStep = 0.011
    /// A picture by so much sharper than a blurred one in which a part was searched shows more.
    static let sharper = 1.04
    /// Frames of motion that it must have come in: the hand that pans sways too.
    static let edgeStepFrames = 2.5
    static let mostEdgeStep = 0.05
    /// What came in less goes along: another search of the strip would be due for it in the next frames.
    static let leastEdgeStep = 0.002
    /// The longest time between plain scans of what does not change.
    static let longestSweepInterval = Duration.seconds(30)
    /// The time between plain scans while the picture moves.
    static let movingPlainInterval = Duration.seconds(10)
    /// Time between looks while nobody needs them.
    public static let idleInterval = Duration.seconds(1)
    /// Time between looks for text that verify a picture in which nothing changed.
    public static let stillTextInterval = Duration.seconds(2)

    /// Time between looks for text while a line is not settled: five a second, so that a line gets the readings that
    /// must agree while a picture is shown for 0.4 s.
    public static let unsettledInterval = Duration.milliseconds(200)
    /// Time between looks for text that only verify that all is as it was. Finding lines without reading them costs
    /// about 8 ms, so this is under 2 % of a core.
    public static let verifyInterval = Duration.milliseconds(500)
    /// A settled line is read again after this time.
    public static let rereadInterval = Duration.seconds(3)
    /// Lines that one look reads at the most: about 0.12 s of CPU, so that looks stay frequent.
    public static let maximumLines = 8

    /// How long no part of the picture stays unseen, whatever it costs (the design's table of levels).
    public static func sweepTime(at level: QualityLevel) -> Duration {
        switch level {
        case .fast: .milliseconds(500)
        case .balanced: .seconds(1)
        case .accurate: .seconds(2)
        }
    }
}
