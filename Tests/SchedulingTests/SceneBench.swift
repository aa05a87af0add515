// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanModel
import ScanTestSupport
import Scheduling

/// Runs a scheduler over a scene that moves, at 30/s with fixed costs, its looks answered within their frame.
struct SceneBench {
    static let whole = Rect(x: 0, y: 0, width: 1, height: 1)

    var scheduler: ScanScheduler
    var attention = SchedulerAttention()
    var region = SceneBench.whole
    /// What looks for barcodes take, where costs are measured.
    var barcodeTime = Duration.milliseconds(5)
    var isBarcodeReaderFree = true
    /// Whether every look fails.
    var fails = false
    private(set) var plans: [ScanPlan] = []
    private(set) var expected: [Bool] = []
    /// Where the scene is in the newest frame.
    private(set) var toFrame = PlaneMotion.identity
    private let clock = ManualClock()
    private let level: QualityLevel

    init(_ change: (inout SchedulerSettings) -> Void = { _ in }) {
        var settings = SchedulerSettings()
        settings.costModel = .fixed
        settings.wantsText = false
        change(&settings)
        level = settings.qualityLevel
        scheduler = ScanScheduler(settings: settings)
    }

    var frame: Int { plans.count }
    var now: MonotonicTime { time(of: frame) }
    func time(of frame: Int) -> MonotonicTime { clock.stamp(UInt64(frame)).monotonic }
    func looks(from first: Int = 0) -> [(frame: Int, look: ScanPlan.BarcodeLook)] {
        plans.enumerated().dropFirst(first).compactMap { index, plan in plan.barcodes.map { (index, $0) } }
    }

    /// Milliseconds that the looks of a frame cost by the table: 22 ns a pixel, 53 for ZBar, 0.7 ms a known place.
    func cost(of look: ScanPlan.BarcodeLook) -> Double {
        let pixels = look.searched.reduce(0) { $0 + $1.area } * 1920 * 1080
        return pixels * (look.sweeps ? 75e-6 : 22e-6) + 0.7 * Double(look.knownBarcodes.count)
    }

    func meanCost(from first: Int) -> Double {
        looks(from: first).reduce(0) { $0 + cost(of: $1.look) } / Double(Swift.max(1, frame - first))
    }

    mutating func run(
        _ frames: Int, x: Double = 0, y: Double = 0, sharpness: Double = 1,
        certainty: FrameMotion.Certainty? = nil, changes: ChangeMap = ChangeMap(), hasMotion: Bool = true
    ) {
        for _ in 0..<frames {
            let isStill = x == 0 && y == 0
            let motion = FrameMotion(
                plane: .shift(x: x / 1920, y: y / 1080), certainty: certainty ?? (isStill ? .still : .followed),
                speed: (x * x + y * y).squareRoot() / 1080, changes: changes,
                light: PictureLight(sharpness: sharpness))
            step(hasMotion ? motion : nil)
        }
    }

    @discardableResult mutating func step(_ motion: FrameMotion?) -> ScanPlan {
        let now = self.now
        toFrame = toFrame.then(motion?.plane ?? .identity)
        expected.append(scheduler.expectsLook(now: now))
        let plan = scheduler.plan(
            frame: clock.stamp(UInt64(frame)), width: 1920, height: 1080, region: region,
            isBarcodeReaderFree: isBarcodeReaderFree, isTextReaderFree: true, attention: attention, motion: motion,
            now: now)
        if let look = plan.barcodes {
            let pixels = look.searched.reduce(0) { $0 + $1.area } * 1920 * 1080
            if fails {
                scheduler.failed(.barcodes, now: now)
            } else {
                scheduler.finished(
                    .barcodes, cpuTime: barcodeTime, pixels: Int(pixels), places: look.knownBarcodes.count, now: now)
            }
        }
        if plan.text != nil { scheduler.finished(.text, cpuTime: .milliseconds(8), pixels: 1920 * 1080, now: now) }
        plans.append(plan)
        return plan
    }

    /// A map of 60 x 34 cells in which those change that lie in the part.
    static func changes(in part: Rect, by level: UInt8 = 60) -> ChangeMap {
        let (columns, rows) = (60, 34)
        var map = ChangeMap(columns: columns, rows: rows, cells: Array(repeating: 0, count: columns * rows))
        var cells = map.cells
        for row in 0..<rows {
            for column in 0..<columns where part.contains(map.rect(column: column, row: row).center) {
                cells[row * columns + column] = level
            }
        }
        map = ChangeMap(columns: columns, rows: rows, cells: cells)
        return map
    }

    static func code(
        _ number: UInt64, x: Double, y: Double, isCertain: Bool = true, lastRead: MonotonicTime? = nil,
        missed: Int = 0, presence: SchedulerAttention.Presence = .there
    ) -> SchedulerAttention.Barcode {
        .init(
            key: PlaceKey(number), bounds: Quad(Rect(x: x, y: y, width: 0.1, height: 0.08)), symbology: .ean13,
            isCertain: isCertain, lastRead: lastRead, missed: missed, presence: presence)
    }
}

extension ScanPlan.BarcodeLook {
    /// Whether a rectangle lies whole in what is searched.
    func searches(_ part: Rect) -> Bool {
        searched.contains {
            $0.minX <= part.minX + 1e-6 && $0.maxX >= part.maxX - 1e-6 && $0.minY <= part.minY + 1e-6
                && $0.maxY >= part.maxY - 1e-6
        }
    }

    func knows(_ barcode: SchedulerAttention.Barcode) -> Bool { knownBarcodes.contains { $0.bounds == barcode.bounds } }
}
