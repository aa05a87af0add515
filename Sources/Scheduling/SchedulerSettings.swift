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
