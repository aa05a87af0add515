// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Glibc
public import ImageKernels
public import ScanModel

/// Reads barcodes with ZBar and zxing-cpp, on the calling thread.
///
/// One observation a printed label, also where several labels carry the same payload. Each symbol of a structured append is
/// one with its `part`; an add-on is its symbol's `supplement`, and an observation of its own only where no EAN or UPC is
/// asked for. Empty payloads are left out. Whether a reading is trusted is the tracker's to say: `confidence`, `quality` and
/// `touchesEdge` are its evidence.
///
/// - Important: Confined to one thread.
/// - Note: GS1 DataBar Limited is read by neither engine, and so is none of `supportedSymbologies`.
public final class BarcodeReader: RecognitionEngine {
    /// What this reader reads; other symbologies in a job are ignored.
    public static let supportedSymbologies: Set<Symbology> = CropReader.supportedSymbologies

    /// The libraries that read a symbology; empty for one that is not supported.
    public static func engines(for symbology: Symbology) -> [String] {
        (ZBarSymbology.supported.contains(symbology) ? ["ZBar"] : [])
            + (ZXingReader.supported.contains(symbology) ? ["zxing-cpp"] : [])
    }

    private let quarantine: CropQuarantine
    private let finder = RegionFinder(kinds: [.linear, .qr, .matrix, .bullseye, .stacked])

    public convenience init() { self.init(quarantine: CropQuarantine()) }

    init(quarantine: CropQuarantine) { self.quarantine = quarantine }

    /// Looks for barcodes; a text job, or a job whose symbologies are none of the supported, is `unavailable`.
    public func perform(
        _ job: RecognitionJob, luma: LumaView
    ) throws(RecognitionFailure) -> RecognitionResult {
        guard case .barcodes(let parameters) = job.task else {
            throw .unavailable("the barcode reader was given a job that is not for barcodes")
        }
        let asked = AskedSymbologies(parameters.symbologies)
        guard !asked.all.isEmpty else {
            let names = parameters.symbologies.map(\.rawValue).sorted().joined(separator: ", ")
            throw .unavailable("none of the symbologies that are asked for can be read (\(names))")
        }
        let start = threadCPUTime()
        guard let picture = luma.cropped(to: job.region) else {
            return RecognitionResult(observations: [], cpuTime: threadCPUTime() - start)
        }
        let level = parameters.qualityLevel
        var (found, omitted) = ([FoundBarcode](), 0)
        picture.withView { view in
            let crops = CropReader(quarantine: quarantine)
            let scan = CodeScan(
                finder: finder, reader: crops, quarantine: quarantine, symbologies: asked.all,
                plan: CodeScanPlan(level: level))
            let known = parameters.knownBarcodes.compactMap { $0.moved(into: job.region) }
            var symbols = scan.symbols(in: view, of: picture, known: known)
            var swept = PlainSweep.Result()
            if parameters.sweeps || asked.areAddOnsAlone {
                swept = PlainSweep(asked: asked, level: level).scan(picture)
            } else if symbols.isEmpty, level == .balanced {
                // What neither regions nor zxing-cpp gave: every second line of ZBar, at half the price of all.
                swept = PlainSweep(asked: asked, level: .fast).scan(picture)
            }
            omitted = swept.omitted + PartCandidates.read(swept.parts, by: crops, in: view, adding: &symbols)
            let proof = LabelProof(picture: view, asked: asked.swept, quarantine: quarantine)
            let read = symbols.map { FoundBarcode($0) }
            let supplement = LinearSupplement(picture: view)
            let others = swept.labels.filter { one in !read.contains { $0.covers(one) } }.map { one in
                var one = proof.proved(one)
                one.supplement = supplement.digits(beside: one, asked: asked.all)
                return one
            }
            found = read + others
        }
        var kept = FoundBarcode.withoutOverlaps(found)
        if kept.count > RecognitionLimits.maximumObservations {
            omitted += kept.count - RecognitionLimits.maximumObservations
            kept.removeLast(kept.count - RecognitionLimits.maximumObservations)
        }
        let observations = kept.map { $0.observation(region: job.region, frame: job.frame) }
        return RecognitionResult(observations: observations, cpuTime: threadCPUTime() - start, omitted: omitted)
    }
}

extension KnownBarcode {
    /// The same in pixels of a region; `nil` where its middle is outside.
    fileprivate func moved(into region: PixelRect) -> KnownBarcode? {
        let moved = bounds.mapped { Point(x: $0.x - Double(region.x), y: $0.y - Double(region.y)) }
        let center = moved.center
        guard center.x >= 0, center.y >= 0, center.x < Double(region.width), center.y < Double(region.height) else {
            return nil
        }
        return KnownBarcode(bounds: moved, symbology: symbology)
    }
}

/// CPU time of the calling thread, user and system.
func threadCPUTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .nanoseconds(Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
}
