// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanModel

/// What looks cost in CPU time: a table to start from, and averages of what they took.
struct LookCosts {
    /// What a look for barcodes consists of.
    struct BarcodeWork: Hashable {
        /// Pixels that regions are searched for in, and their crops read.
        var pixels = 0
        /// Pixels that a plain scan goes over as well.
        var sweptPixels = 0
        /// Known places that are looked at one by one.
        var places = 0
    }

    /// Nanoseconds a pixel for regions and their crops, and for the plain scan; seconds a known place.
    private var pixel: Double
    private var sweptPixel: Double
    private var place: Double
    /// Seconds for finding the lines of a look, and for reading one.
    private var textBase = LookCosts.tableTextBase
    private var textLine = LookCosts.tableTextLine
    private let isFixed: Bool
    private let level: QualityLevel

    /// Regions and crops: a shelf of nine codes in 720p took 7 and 20 ms at the lower levels. At the accurate one, with three
    /// rounds of efforts, a fifth of the 430 ms that it took with the plain scan.
    static func tableBarcodePixel(at level: QualityLevel) -> Double {
        switch level {
        case .fast: 8
        case .balanced: 22
        case .accurate: 90
        }
    }
    /// ZBar: 110 ms for 1080p with every line of both axes; every third of a picture made smaller at the fast level; doubled
    /// and light on dark as well at the accurate one.
    static func tableSweptPixel(at level: QualityLevel) -> Double {
        switch level {
        case .fast: 8
        case .balanced: 53
        case .accurate: 380
        }
    }
    /// A known place took 0.4 to 1 ms at the balanced level: its crop, read by the engine of its symbology.
    static func tablePlace(at level: QualityLevel) -> Double {
        switch level {
        case .fast: 0.0005
        case .balanced: 0.0007
        case .accurate: 0.002
        }
    }
    /// Finding lines took 5 to 8 ms a 1080p frame.
    static let tableTextBase = 0.008
    /// Reading one took about 14 ms.
    static let tableTextLine = 0.014
    /// How much the newest measurement counts in an average.
    private static let gain = 0.2
    /// A cost is believed to be within this factor of the table's: one measurement can not blind the scanner.
    private static let mostFactor = 30.0

    init(level: QualityLevel, isFixed: Bool) {
        self.level = level
        self.isFixed = isFixed
        pixel = LookCosts.tableBarcodePixel(at: level)
        sweptPixel = LookCosts.tableSweptPixel(at: level)
        place = LookCosts.tablePlace(at: level)
    }

    /// Seconds that a look for barcodes is expected to take.
    func barcodes(_ work: BarcodeWork) -> Double {
        (pixel * Double(work.pixels) + sweptPixel * Double(work.sweptPixels)) / 1e9 + place * Double(work.places)
    }

    /// The part of it that a plain scan takes.
    func plainScan(pixels: Int) -> Double { sweptPixel * Double(pixels) / 1e9 }

    /// Seconds that a look for text is expected to take.
    func text(lines: Int) -> Double { textBase + textLine * Double(lines) }

    /// Learns what a look for barcodes took, and says what it is to be charged with.
    ///
    /// What a look took beyond what was expected is laid on its parts by their share of the expectation (least mean squares).
    mutating func finishedBarcodes(cpuTime: Duration, work: BarcodeWork) -> Double {
        let expected = barcodes(work)
        guard !isFixed else { return expected }
        let seconds = Swift.max(0, cpuTime.inSeconds)
        guard expected > 0 else { return seconds }
        let excess = (seconds / expected - 1) * LookCosts.gain
        func learnt(_ cost: Double, share: Double, table: Double) -> Double {
            let new = cost * (1 + excess * share / expected)
            return Swift.min(table * LookCosts.mostFactor, Swift.max(table / LookCosts.mostFactor, new))
        }
        let (pixels, swept) = (pixel * Double(work.pixels) / 1e9, sweptPixel * Double(work.sweptPixels) / 1e9)
        let places = place * Double(work.places)
        pixel = learnt(pixel, share: pixels, table: LookCosts.tableBarcodePixel(at: level))
        sweptPixel = learnt(sweptPixel, share: swept, table: LookCosts.tableSweptPixel(at: level))
        place = learnt(place, share: places, table: LookCosts.tablePlace(at: level))
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
