// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Glibc
public import ImageKernels
public import ScanModel

/// Reads barcodes with ZBar, on the calling thread.
///
/// One observation a printed label, also where several labels carry the same payload. Empty payloads are left out;
/// lone parts of a structured append are left out and counted in `omitted`. Whether a reading is trusted is the
/// tracker's to say: `quality` and `touchesEdge` are its evidence.
///
/// - Important: Confined to one thread.
/// - Note: ZBar 0.23.92 does not know FNC4 of Code 128: "Größe" comes as "Grv_e", with nothing to tell it by.
public final class BarcodeReader: RecognitionEngine {
    /// What this reader reads; other symbologies in a job are ignored.
    public static let supportedSymbologies: Set<Symbology> = CropReader.supportedSymbologies

    private let quarantine: CropQuarantine

    public convenience init() { self.init(quarantine: CropQuarantine()) }

    init(quarantine: CropQuarantine) { self.quarantine = quarantine }

    /// Looks for barcodes; a text job, or a job whose symbologies are none of the supported, is `unavailable`.
    public func perform(
        _ job: RecognitionJob, luma: LumaView
    ) throws(RecognitionFailure) -> RecognitionResult {
        guard case .barcodes(let parameters) = job.task else {
            throw .unavailable("the barcode reader was given a job that is not for barcodes")
        }
        let types = ZBarSymbology.decoders(for: parameters.symbologies)
        guard !types.isEmpty else {
            let names = parameters.symbologies.map(\.rawValue).sorted().joined(separator: ", ")
            throw .unavailable("ZBar reads none of the symbologies that are asked for (\(names))")
        }
        let start = threadCPUTime()
        guard let picture = luma.cropped(to: job.region) else {
            return RecognitionResult(observations: [], cpuTime: threadCPUTime() - start)
        }
        var found: [FoundBarcode] = []
        var omitted = 0
        let plan =
            parameters.qualityLevel != .accurate
            ? []
            : BarcodePass.plan(
                level: parameters.qualityLevel, width: picture.width, height: picture.height)
        for pass in plan {
            for part in pass.parts(ofWidth: picture.width, height: picture.height) {
                let prepared = pass.prepare(picture, part: part)
                guard let scanner = ZBarScanner(types: types, density: pass.density) else { continue }
                for symbol in scanner.scan(prepared) {
                    if ZBarSymbology.isPartial(symbol) || symbol.data.count > RecognitionLimits.maximumPayloadBytes {
                        omitted += 1
                        continue
                    }
                    guard let name = ZBarSymbology.name(symbol, among: parameters.symbologies) else { continue }
                    found += labels(of: symbol, named: name, in: prepared, pass: pass, part: part)
                }
            }
        }
        picture.withView { view in
            let scan = CodeScan(
                finder: RegionFinder(kinds: [.linear, .qr, .matrix, .bullseye, .stacked]),
                reader: CropReader(quarantine: quarantine))
            let symbols = scan.symbols(in: view, symbologies: parameters.symbologies, level: parameters.qualityLevel)
            let proof = LabelProof(picture: view, asked: parameters.symbologies, quarantine: quarantine)
            let read = symbols.map { FoundBarcode($0) }
            found = found.filter { one in !read.contains { $0.covers(one) } }.map(proof.proved)
            found = read + found
        }
        var kept = FoundBarcode.withoutOverlaps(found)
        if kept.count > RecognitionLimits.maximumObservations {
            omitted += kept.count - RecognitionLimits.maximumObservations
            kept.removeLast(kept.count - RecognitionLimits.maximumObservations)
        }
        let observations = kept.map { $0.observation(region: job.region, frame: job.frame) }
        return RecognitionResult(observations: observations, cpuTime: threadCPUTime() - start, omitted: omitted)
    }

    /// The labels of one symbol of ZBar, in pixels of the region.
    private func labels(
        of symbol: ZBarSymbol, named name: (symbology: Symbology, payload: [UInt8]), in picture: LumaBuffer,
        pass: BarcodePass, part: PixelRect
    ) -> [FoundBarcode] {
        func found(_ quad: Quad, quality: Int) -> FoundBarcode {
            let inRegion = quad.mapped { pass.toRegion($0, part: part) }
            return FoundBarcode(
                quad: inRegion, symbology: name.symbology, payload: name.payload, quality: quality,
                identifier: ZBarSymbology.identifier(
                    of: name.symbology, isGS1: symbol.isGS1, isAIM: symbol.isAIM), isGS1: symbol.isGS1,
                isInverted: pass.isInverted)
        }
        if name.symbology == .qr {
            guard symbol.points.count == 4 else { return [] }
            // ZBar gives top-left, bottom-left, bottom-right, top-right as the symbol is printed.
            let corners = symbol.points.map { Point(x: Double($0.x), y: Double($0.y)) }
            let quad = Quad(
                topLeft: corners[0], topRight: corners[3], bottomRight: corners[2], bottomLeft: corners[1])
            return [found(quad, quality: 1)]
        }
        let hits = ScanHit.hits(
            of: symbol.points, density: pass.density, width: picture.width, height: picture.height)
        let reading = readingDirection(of: symbol)
        return picture.withView { view in
            LinearSymbolLocator(
                picture: view, density: pass.density, barCount: ZBarSymbology.barCount(of: name.symbology)
            ).labels(from: hits).map { label in
                let along = label.quad.topRight - label.quad.topLeft
                let isReversed = along.dot(reading) < -0.2 * along.length
                return found(
                    label.quad.turned(quarters: isReversed ? 2 : 0), quality: pass.quality(of: label.hits))
            }
        }
    }

    /// Which way the symbol is read; ZBar knows it of the first line that decoded.
    private func readingDirection(of symbol: ZBarSymbol) -> Point {
        switch symbol.orientation {
        case 1: Point(x: 0, y: 1)
        case 2: Point(x: -1, y: 0)
        case 3: Point(x: 0, y: -1)
        default: Point(x: 1, y: 0)
        }
    }
}

/// CPU time of the calling thread, user and system.
func threadCPUTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .nanoseconds(Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
}
