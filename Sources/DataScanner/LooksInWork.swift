// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Capture
internal import Recognition
internal import ScanModel
internal import Scheduling
internal import Tracking

/// One look that the scheduler wants, as a job for a recogniser, with the frame that it is about.
struct PlannedLook: Sendable {
    let subject: Look.Subject
    let frame: Frame
    /// The parts of the frame that are searched, in 0...1.
    let searched: [Rect]
    /// Places of known items that are looked at, in 0...1.
    let verified: [Quad]
    let job: RecognitionJob
    /// When it was asked for, as the pipeline counts.
    var era = 0
    /// Times that it was given to a worker that was lost, and to none.
    var tries = 0
    var waits = 0

    /// CPU time after which a look is given up: five times what the worst picture took (ZBar on noise of 8 megapixels,
    /// 3.7 s; a page of 12 lines in Tesseract, 1.5 s), so that no honest job meets it.
    static let barcodeLimit = Duration.seconds(15)
    static let textLimit = Duration.seconds(10)

    /// The looks of a plan: at most one at barcodes and one at text, in this order.
    static func all(in plan: ScanPlan, frame: Frame, configuration: ScannerConfiguration) -> [PlannedLook] {
        var looks: [PlannedLook] = []
        let location = FrameLocation(offset: frame.offset, width: frame.width, height: frame.height)
        let region = configuration.regionOfInterest
        let all = PixelRect(region.boundingRect, inWidth: frame.width, height: frame.height)
        let visible = region.visiblePolygons(inWidth: frame.width, height: frame.height)
        if let look = plan.barcodes, let all {
            let parameters = BarcodeParameters(
                symbologies: configuration.symbologies, qualityLevel: configuration.qualityLevel,
                knownBarcodes: look.knownBarcodes.prefix(RecognitionLimits.maximumQuads).map { known in
                    KnownBarcode(
                        bounds: known.bounds.scaled(x: Double(frame.width), y: Double(frame.height)),
                        symbology: known.symbology)
                },
                searched: look.searched.prefix(RecognitionLimits.maximumSearchedParts).compactMap {
                    PixelRect($0, inWidth: frame.width, height: frame.height)
                }, sweeps: look.sweeps)
            looks.append(
                PlannedLook(
                    subject: .barcodes, frame: frame, searched: look.searched,
                    verified: look.knownBarcodes.map(\.bounds),
                    job: RecognitionJob(
                        frame: location, region: all, visible: visible, task: .barcodes(parameters),
                        cpuLimit: barcodeLimit)))
        }
        if let look = plan.text, let pixels = PixelRect(look.region, inWidth: frame.width, height: frame.height) {
            let x = Double(frame.width)
            let y = Double(frame.height)
            let parameters = TextParameters(
                languages: configuration.languages, qualityLevel: configuration.qualityLevel,
                masks: look.masks.prefix(RecognitionLimits.maximumQuads).map { $0.scaled(x: x, y: y) },
                knownLines: look.knownLines.prefix(RecognitionLimits.maximumQuads).map { $0.scaled(x: x, y: y) },
                maximumLines: look.maximumLines, turn: look.turn)
            looks.append(
                PlannedLook(
                    subject: .text, frame: frame, searched: [look.region], verified: [],
                    job: RecognitionJob(
                        frame: location, region: pixels, visible: visible, task: .text(parameters), cpuLimit: textLimit)
                ))
        }
        return looks
    }
}

extension RegionOfInterest {
    /// Its polygons in pixels; `nil` where a rectangle of pixels says it all.
    func visiblePolygons(inWidth width: Int, height: Int) -> [[Point]]? {
        guard !isRectangle else { return nil }
        return polygons.map { $0.map { Point(x: $0.x * Double(width), y: $0.y * Double(height)) } }
    }
}

/// The looks that the recognisers are busy with: one at barcodes and one at text at the most.
struct LooksInWork {
    private var barcodes: PlannedLook?
    private var text: PlannedLook?

    var isEmpty: Bool { barcodes == nil && text == nil }

    func isFree(_ subject: Look.Subject) -> Bool { (subject == .barcodes ? barcodes : text) == nil }

    mutating func begin(_ look: PlannedLook) {
        if look.subject == .barcodes { barcodes = look } else { text = look }
    }

    mutating func end(_ subject: Look.Subject) -> PlannedLook? {
        switch subject {
        case .barcodes:
            defer { barcodes = nil }
            return barcodes
        case .text:
            defer { text = nil }
            return text
        }
    }
}

extension SchedulerAttention {
    /// What the tracker knows, in the scheduler's words.
    init(_ tracked: TrackedAttention) {
        self.init(
            barcodes: tracked.barcodes.enumerated().map { index, known in
                Barcode(
                    key: PlaceKey(UInt64(index)), bounds: known.bounds, symbology: known.symbology, isCertain: true,
                    lastRead: nil)
            },
            lines: tracked.lines.map { Line(bounds: $0.bounds, isSettled: $0.isSettled, lastRead: $0.lastRead) },
            uncertainBarcodes: tracked.uncertainBarcodes)
    }
}
