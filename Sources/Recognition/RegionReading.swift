// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ImageKernels
internal import ScanModel

/// Reads the barcodes of one region: what is known there, what looks like a code, and what a plain scan finds besides.
struct RegionReading {
    /// What is the same for all regions of a job.
    struct Setting {
        let asked: AskedSymbologies
        let level: QualityLevel
        let finder: RegionFinder
        let quarantine: CropQuarantine
    }

    /// In pixels of the region.
    struct Result {
        var barcodes: [FoundBarcode] = []
        /// What looks like a code and gave no reading.
        var unread: [CodeCandidate] = []
        var omitted = 0
    }

    private let setting: Setting
    private let crops: CropReader

    init(_ setting: Setting) {
        self.setting = setting
        crops = CropReader(quarantine: setting.quarantine)
    }

    /// Looks at known places only.
    func known(_ known: [KnownBarcode], in view: LumaView) -> Result {
        let symbols = scan.known(known, in: view)
        return Result(barcodes: FoundBarcode.withoutOverlaps(symbols.map { FoundBarcode($0) }))
    }

    /// Looks at known places, then for all else.
    ///
    /// - Parameters:
    ///   - buffer: the same picture as `view`, for engines that take tight rows.
    ///   - isPart: whether the region is a part of what is followed, which was looked at as a whole before.
    func all(
        in view: LumaView, of buffer: LumaBuffer, known: [KnownBarcode], sweeps: Bool, isPart: Bool
    ) -> Result {
        let asked = setting.asked
        let seen = scan.symbols(in: view, of: buffer, known: known, isPart: isPart)
        var symbols = seen.symbols
        var swept = PlainSweep.Result()
        if sweeps || asked.areAddOnsAlone {
            swept = PlainSweep(asked: asked, level: setting.level).scan(buffer)
        } else if symbols.isEmpty, setting.level == .balanced, !isPart {
            // What neither regions nor zxing-cpp gave: every second line of ZBar, at half the price of all.
            swept = PlainSweep(asked: asked, level: .fast).scan(buffer)
        }
        let omitted = swept.omitted + PartCandidates.read(swept.parts, by: crops, in: view, adding: &symbols)
        let proof = LabelProof(picture: view, asked: asked.swept, quarantine: setting.quarantine)
        let read = symbols.map { FoundBarcode($0) }
        let supplement = LinearSupplement(picture: view)
        let others = swept.labels.filter { one in !read.contains { $0.covers(one) } }.map { one in
            var one = proof.proved(one)
            one.supplement = supplement.digits(beside: one, asked: asked.all)
            return one
        }
        return Result(barcodes: FoundBarcode.withoutOverlaps(read + others), unread: seen.unread, omitted: omitted)
    }

    private var scan: CodeScan {
        CodeScan(
            finder: setting.finder, reader: crops, quarantine: setting.quarantine, symbologies: setting.asked.all,
            plan: CodeScanPlan(level: setting.level))
    }
}

extension CodeCandidate {
    /// The candidate as what was seen and not read.
    func unreadObservation(region: PixelRect, frame: FrameLocation) -> Observation {
        let bounds = quad.mapped {
            Point(
                x: min(max(($0.x + Double(region.x)) / Double(frame.width), 0), 1),
                y: min(max(($0.y + Double(region.y)) / Double(frame.height), 0), 1))
        }
        let module = moduleSize.map { Double($0) }.flatMap {
            $0.isFinite && (0...RecognitionLimits.largestModule).contains($0) ? $0 : nil
        }
        return Observation(bounds: bounds, content: .unreadCode(moduleSize: module))
    }
}
