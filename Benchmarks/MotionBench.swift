// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import FoundationEssentials
import ImageKernels
import LinuxSystem
import Motion
import ScanModel
import ServiceSupport

/// How well and at what cost motion is followed in clips whose truth is known, a paragraph a clip.
///
/// A clip is a folder of JPEG frames and a `truth.jsonl` with a line a frame: `file`, `blur_px`, and `items` with `id`, `quad`
/// and `code_quad` (four corners in pixels) and `visible` (0...1). Errors are distances in pixels of the frame. The places are
/// the labels, with `--codes` their symbols; every 30 frames each is put to where it truly is.
struct MotionBench {
    private struct Truth: Decodable {
        struct Item: Decodable {
            var id: String
            var quad: [[Double]]
            var visible: Double
            var code_quad: [[Double]]?
        }
        var file: String
        var blur_px: Double
        var hand: Bool?
        var items: [Item]
    }

    /// Frames from one true place to the next.
    private static let span = 30

    static func run(_ arguments: [String]) throws {
        let output = StandardOutput(logger: Logger(program: "benchmarks", threshold: .error))
        for path in arguments where path != "--codes" {
            var bench = MotionBench(followsCodes: arguments.contains("--codes"))
            output.print(try bench.measure(path))
        }
    }

    private let followsCodes: Bool
    private var planeErrors: [Double] = []
    private var placeErrors: [Double] = []
    private var drifts: [Double] = []
    private var stillTimes: [Double] = []
    private var movingTimes: [Double] = []
    private var seen: [Double] = []
    private var covered: [Double] = []
    private var quiet: [Double] = []
    private var handCells: [Double] = []
    private var sharp: [Double] = []
    private var blurred: [Double] = []
    private var certainties: [FrameMotion.Certainty: Int] = [:]
    private var followed = 0
    private var asked = 0
    private var placed: [String: (bounds: Quad, readIn: UInt64, readAt: Quad)] = [:]

    private init(followsCodes: Bool) { self.followsCodes = followsCodes }

    private mutating func measure(_ path: String) throws -> String {
        let jpeg = try JPEGDecoder()
        var estimator = MotionEstimator()
        var before: Truth?
        for (number, truth) in try Self.truths(of: path).enumerated() {
            let mapping = try ReadOnlyMapping(
                of: try OwnedDescriptor.openForReading("\(path)/\(truth.file)"), subject: truth.file)
            let header = try jpeg.header(of: mapping.bytes)
            let size = MotionEstimator.pictureSize(width: header.width, height: header.height)
            var picture = LumaBuffer(width: size.width, height: size.height)
            try picture.pixels.withUnsafeMutableBytes { pixels in
                try jpeg.decodeSmall(
                    mapping.bytes, width: header.width, height: header.height, smallWidth: size.width,
                    smallHeight: size.height, into: pixels)
            }
            let scale = Point(x: Double(header.width), y: Double(header.height))
            let ids = placed.keys.sorted()
            let places = ids.enumerated().compactMap { index, id -> FollowedPlace? in
                placed[id].map {
                    FollowedPlace(
                        key: PlaceKey(Self.key(id, index)), bounds: $0.bounds, readIn: $0.readIn, readAt: $0.readAt)
                }
            }
            let start = processCPUTime()
            let motion = picture.withView {
                estimator.follow($0, sequence: UInt64(number), places: places)
            }
            let took = (processCPUTime() - start).inSeconds * 1000
            if let before {
                if motion.certainty == .still { stillTimes.append(took) } else { movingTimes.append(took) }
                certainties[motion.certainty, default: 0] += 1
                judge(motion, ids, before, truth, scale)
            }
            place(truth, number, scale)
            before = truth
        }
        return report(path)
    }

    /// Ids are `it00` and so on; a number each for the run.
    private static func key(_ id: String, _ index: Int) -> UInt64 {
        id.utf8.reduce(0) { ($0 &* 131) &+ UInt64($1) }
    }

    private func quad(_ item: Truth.Item, _ scale: Point) -> Quad? {
        guard let corners = followsCodes ? item.code_quad : item.quad, corners.count == 4 else { return nil }
        func point(_ index: Int) -> Point { Point(x: corners[index][0] / scale.x, y: corners[index][1] / scale.y) }
        return Quad(topLeft: point(0), topRight: point(1), bottomRight: point(2), bottomLeft: point(3))
    }

    private mutating func judge(_ motion: FrameMotion, _ ids: [String], _ before: Truth, _ now: Truth, _ scale: Point) {
        var worst: Double?
        for item in now.items where item.visible >= 0.5 {
            guard let old = before.items.first(where: { $0.id == item.id }), old.visible >= 0.5,
                let from = quad(old, scale), let to = quad(item, scale)
            else { continue }
            // A label that was put elsewhere did not move with the picture.
            guard from.center.distance(to: to.center) < 0.2 else { continue }
            for (start, end) in zip(from.corners, to.corners) where Self.isInside(start) && Self.isInside(end) {
                worst = max(worst ?? 0, Self.distance(motion.plane(start), end, scale))
            }
        }
        if let worst { planeErrors.append(worst) }
        for (id, result) in zip(ids, motion.places) {
            guard let item = now.items.first(where: { $0.id == id }), let truth = quad(item, scale) else { continue }
            asked += 1
            followed += result.isFollowed ? 1 : 0
            if let likeness = result.likeness {
                if item.visible > 0.95 { seen.append(likeness) } else if item.visible < 0.3 { covered.append(likeness) }
            }
            if let old = before.items.first(where: { $0.id == id }), old.visible > 0.5, item.visible > 0.5,
                let from = quad(old, scale), let start = placed[id]
            {
                // What this frame added to the error of each corner.
                var added = 0.0
                for index in 0..<4 where Self.isInside(truth.corners[index]) {
                    let error = Point(
                        x: result.bounds.corners[index].x - truth.corners[index].x,
                        y: result.bounds.corners[index].y - truth.corners[index].y)
                    let past = Point(
                        x: start.bounds.corners[index].x - from.corners[index].x,
                        y: start.bounds.corners[index].y - from.corners[index].y)
                    added = max(added, Self.distance(error, past, scale))
                }
                placeErrors.append(added)
            }
            placed[id]?.bounds = result.bounds
        }
        let changed = motion.changes.cells.map { $0 > 8 ? 1.0 : 0 }.reduce(0, +)
        if now.hand == true { handCells.append(changed) } else { quiet.append(changed) }
        if now.blur_px < 3 { sharp.append(motion.light.sharpness) }
        if now.blur_px > 7 { blurred.append(motion.light.sharpness) }
    }

    /// Puts places to where they truly are, and takes the drift of those that were followed for a span.
    private mutating func place(_ truth: Truth, _ number: Int, _ scale: Point) {
        if number % Self.span == 0 {
            for item in truth.items where item.visible > 0.5 {
                guard let there = quad(item, scale), let here = placed[item.id],
                    here.readIn + UInt64(Self.span) == number
                else { continue }
                var worst = 0.0
                for (a, b) in zip(here.bounds.corners, there.corners) where Self.isInside(b) {
                    worst = max(worst, Self.distance(a, b, scale))
                }
                drifts.append(worst)
            }
            placed = [:]
        }
        for item in truth.items where item.visible > 0.95 && placed[item.id] == nil {
            if let quad = quad(item, scale) { placed[item.id] = (quad, UInt64(number), quad) }
        }
    }

    private static func isInside(_ point: Point) -> Bool {
        point.x >= 0 && point.x <= 1 && point.y >= 0 && point.y <= 1
    }

    private static func distance(_ a: Point, _ b: Point, _ scale: Point) -> Double {
        let (dx, dy) = ((a.x - b.x) * scale.x, (a.y - b.y) * scale.y)
        return (dx * dx + dy * dy).squareRoot()
    }

    private static func truths(of path: String) throws -> [Truth] {
        let mapping = try ReadOnlyMapping(
            of: try OwnedDescriptor.openForReading("\(path)/truth.jsonl"), subject: "truth.jsonl")
        let decoder = JSONDecoder()
        return try mapping.bytes.split(separator: UInt8(ascii: "\n")).map {
            try decoder.decode(Truth.self, from: Data($0))
        }
    }

    // MARK: - Text

    private func report(_ path: String) -> String {
        func count(_ certainty: FrameMotion.Certainty) -> Int { certainties[certainty] ?? 0 }
        return """
            \(path): still \(count(.still)), followed \(count(.followed)), guessed \(count(.guessed)), \
            unknown \(count(.unknown)); places followed \(followed) of \(asked)
              plane, worst corner, px       \(Self.spread(planeErrors))
              places, worst corner, px      \(Self.spread(placeErrors))
              places after \(Self.span) frames, px    \(Self.spread(drifts))
              CPU ms of still frames        \(Self.spread(stillTimes))
              CPU ms of moving frames       \(Self.spread(movingTimes))
              likeness of what is seen      \(Self.spread(seen))
              likeness of what is covered   \(Self.spread(covered))
              changed cells, no hand        \(Self.spread(quiet))
              changed cells, a hand         \(Self.spread(handCells))
              sharpness, blur under 3 px    \(Self.spread(sharp))
              sharpness, blur over 7 px     \(Self.spread(blurred))

            """
    }

    private static func spread(_ values: [Double]) -> String {
        guard !values.isEmpty else { return "-" }
        let sorted = values.sorted()
        func part(_ share: Double) -> String {
            let thousandths = Int((sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))] * 1000).rounded())
            let digits = String(thousandths.magnitude % 1000)
            return (thousandths < 0 ? "-" : "") + "\(thousandths.magnitude / 1000)."
                + String(repeating: "0", count: 3 - digits.count) + digits
        }
        return "p5 \(part(0.05)), p50 \(part(0.5)), p95 \(part(0.95)), max \(part(1)) of \(values.count)"
    }
}
