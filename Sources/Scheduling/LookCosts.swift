// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanModel

/// What looks cost in CPU time: a table to start from, and averages of what they took.
struct LookCosts {
    /// Nanoseconds a pixel for barcodes.
    private var barcodePixel: Double
    /// Seconds for finding the lines of a look, and for reading one.
    private var textBase = LookCosts.tableTextBase
    private var textLine = LookCosts.tableTextLine
    private let isFixed: Bool

    /// A shelf of nine codes in 720p took 7, 20 and 430 ms: regions, their crops, and at the accurate level ZBar over the whole
    /// picture, doubled and light on dark as well.
    static func tableBarcodePixel(at level: QualityLevel) -> Double {
        switch level {
        case .fast: 8
        case .balanced: 22
        case .accurate: 470
        }
    }
    /// Finding lines took 5 to 8 ms a 1080p frame.
    static let tableTextBase = 0.008
    /// Reading one took about 14 ms.
    static let tableTextLine = 0.014
    /// How much the newest measurement counts in an average.
    private static let gain = 0.2

    init(level: QualityLevel, isFixed: Bool) {
        barcodePixel = LookCosts.tableBarcodePixel(at: level)
        self.isFixed = isFixed
    }

    /// Seconds that a look for barcodes is expected to take.
    func barcodes(pixels: Int) -> Double { barcodePixel * Double(pixels) / 1e9 }

    /// Seconds that a look for text is expected to take.
    func text(lines: Int) -> Double { textBase + textLine * Double(lines) }

    /// Learns what a look for barcodes took, and says what it is to be charged with.
    mutating func finishedBarcodes(cpuTime: Duration, pixels: Int) -> Double {
        guard !isFixed else { return barcodes(pixels: pixels) }
        let seconds = Swift.max(0, cpuTime.inSeconds)
        if pixels > 0 { barcodePixel += (seconds * 1e9 / Double(pixels) - barcodePixel) * LookCosts.gain }
        return seconds
    }

    /// Learns what a look for text took, and says what it is to be charged with.
    mutating func finishedText(cpuTime: Duration, lines: Int) -> Double {
        guard !isFixed else { return text(lines: lines) }
        let seconds = Swift.max(0, cpuTime.inSeconds)
        if lines > 0 {
            textLine += (Swift.max(0, seconds - textBase) / Double(lines) - textLine) * LookCosts.gain
        } else {
            textBase += (seconds - textBase) * LookCosts.gain
        }
        return seconds
    }
}

/// An account of CPU time: it fills with time, and what looks cost is drawn from it, into debt if need be.
struct CPUBudget {
    private(set) var credit: Double
    private let burst: Double

    init(burst: Double) {
        self.burst = burst
        credit = burst
    }

    /// Whether a look is affordable: what it costs is known only afterwards, so debt is paid off before the next one.
    var isInCredit: Bool { credit >= -1e-9 }

    mutating func fill(_ seconds: Double) { credit = Swift.min(burst, credit + seconds) }
    mutating func draw(_ seconds: Double) {
        credit = Swift.min(burst, Swift.max(-SchedulerLimits.mostDebt, credit - seconds))
    }
}
