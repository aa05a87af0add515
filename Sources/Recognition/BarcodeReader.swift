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
        let setting = RegionReading.Setting(
            asked: asked, level: parameters.qualityLevel, finder: finder, quarantine: quarantine)
        var result = RecognitionResult(observations: [], cpuTime: .zero)
        func read(_ region: PixelRect, _ body: (LumaView, LumaBuffer) -> RegionReading.Result) {
            guard let picture = luma.cropped(to: region) else { return }
            let found = picture.withView { body($0, picture) }
            result.observations += found.barcodes.map { $0.observation(region: region, frame: job.frame) }
            result.observations += found.unread.map { $0.unreadObservation(region: region, frame: job.frame) }
            result.omitted += found.omitted
        }
        if let parts = parameters.searched {
            // A known place is looked at wherever it is, and on its own: copying the whole frame would cost more.
            let places = RegionReading(setting)
            for known in parameters.knownBarcodes {
                guard let region = known.surroundings(in: job.region), let moved = known.moved(into: region) else {
                    continue
                }
                read(region) { view, _ in places.known([moved], in: view) }
            }
            for part in parts {
                guard let region = part.intersection(job.region) else { continue }
                read(region) { view, buffer in
                    RegionReading(setting).all(
                        in: view, of: buffer, known: [], sweeps: parameters.sweeps, isPart: region != job.region)
                }
            }
        } else {
            let known = parameters.knownBarcodes.compactMap { $0.moved(into: job.region) }
            read(job.region) { view, buffer in
                RegionReading(setting).all(
                    in: view, of: buffer, known: known, sweeps: parameters.sweeps, isPart: false)
            }
        }
        if result.observations.count > RecognitionLimits.maximumObservations {
            result.omitted += result.observations.count - RecognitionLimits.maximumObservations
            result.observations.removeLast(result.observations.count - RecognitionLimits.maximumObservations)
        }
        result.cpuTime = threadCPUTime() - start
        return result
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

    /// The part of a region that a crop of this barcode may need: half its longer side around it, as it may have moved and its
    /// quiet zone belongs to it; `nil` where that is outside.
    fileprivate func surroundings(in region: PixelRect) -> PixelRect? {
        let box = bounds.boundingRect
        let margin = Swift.max(box.width, box.height) * 0.5 + 16
        func clamped(_ value: Double, _ low: Int, _ high: Int) -> Int {
            Int(Swift.min(Swift.max(value, Double(low)), Double(high)))
        }
        let left = clamped(box.minX - margin, region.x, region.x + region.width)
        let top = clamped(box.minY - margin, region.y, region.y + region.height)
        let right = clamped(box.maxX + margin, region.x, region.x + region.width)
        let bottom = clamped(box.maxY + margin, region.y, region.y + region.height)
        return PixelRect(x: left, y: top, width: right - left, height: bottom - top)
    }
}

/// CPU time of the calling thread, user and system.
func threadCPUTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .nanoseconds(Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
}
