// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Glibc
internal import ScanModel

/// What a quality level asks of a camera's mode.
struct LevelLimits {
    /// The longer and the shorter side at the most; a sensor that stands upright counts as one that lies.
    let largest: (long: Int, short: Int)?
    /// At the least: without it the fastest mode of many cameras is a picture of 160x120.
    let smallest: (long: Int, short: Int)
    /// Frames a second at the least.
    let slowest: Double
    /// Whether the rate goes before the size.
    let prefersRate: Bool
    /// More frames a second than this cost light and bandwidth, and show nothing new.
    let fastEnough: Double

    init(_ level: QualityLevel) {
        switch level {
        case .fast:
            (largest, smallest, slowest) = ((1280, 720), (640, 360), 15)
            (prefersRate, fastEnough) = (true, .infinity)
        case .balanced:
            (largest, smallest, slowest) = ((1920, 1080), (0, 0), 15)
            (prefersRate, fastEnough) = (false, 30)
        case .accurate:
            (largest, smallest, slowest) = (nil, (0, 0), 5)
            (prefersRate, fastEnough) = (false, 30)
        }
    }

    /// Whether a frame of this size has room in a slot.
    static func fitsPool(_ size: VideoSize) -> Bool {
        size.width > 0 && size.height > 0 && size.width <= FramePool.maximumSide && size.height <= FramePool.maximumSide
            && size.width * size.height <= FramePool.maximumPixels
    }

    /// How far a size is from what the level asks for; 0 within.
    func distance(of size: VideoSize) -> Double {
        let (long, short) = (max(size.width, size.height), min(size.width, size.height))
        func excess(_ a: Int, over b: Int) -> Double { a > b && b > 0 ? log(Double(a) / Double(b)) : 0 }
        let above = largest.map { excess(long, over: $0.long) + excess(short, over: $0.short) } ?? 0
        return above + excess(smallest.long, over: long) + excess(smallest.short, over: short)
    }

    /// How far a rate is from what the level asks for; 0 within, and where it is not known.
    func distance(ofRate rate: Double?) -> Double {
        guard let rate, rate > 0, !isAbout(rate, slowest), rate < slowest else { return 0 }
        return log(slowest / rate)
    }
}

/// Whether two rates are the same to a camera: 29.97 and 30, 14.99 and 15.
func isAbout(_ a: Double, _ b: Double) -> Bool { abs(a - b) <= max(a, b) / 100 }

/// One size, format and rate of a camera.
struct Candidate: Hashable {
    let format: FourCC
    let size: VideoSize
    let interval: FrameInterval?
    let rank: Rank

    var rate: Double? { interval?.framesPerSecond }
    var pixels: Int { size.width * size.height }
    var mode: CameraMode { CameraMode(width: size.width, height: size.height, format: format, interval: interval) }

    /// Every rate of an offered mode that may be asked for.
    static func all(of mode: OfferedMode, wish: ModeWish) -> [Candidate] {
        intervals(of: mode, wish: wish).map { interval in
            Candidate(
                format: mode.format, size: mode.size, interval: interval,
                rank: Rank(mode.format, mode.size, interval?.framesPerSecond, wish))
        }
    }

    private static let usualRates: [UInt32] = [5, 10, 15, 20, 25, 30, 60]

    private static func intervals(of mode: OfferedMode, wish: ModeWish) -> [FrameInterval?] {
        let wanted = wish.rate.flatMap { FrameInterval(framesPerSecond: $0) }
        switch mode.intervals {
        case nil: return [wanted]
        case .discrete(let intervals): return intervals
        case .stepwise(let shortest, let longest, _):
            // The step is left to the driver, which says what it took.
            let (slowest, fastest) = (longest.framesPerSecond, shortest.framesPerSecond)
            let usual = usualRates.compactMap { FrameInterval(1, $0) } + (wanted.map { [$0] } ?? [])
            return [shortest, longest] + usual.filter { (slowest...max(slowest, fastest)).contains($0.framesPerSecond) }
        }
    }
}

extension FrameInterval {
    /// `nil` for a rate that is none; to a thousandth of a frame a second.
    init?(framesPerSecond rate: Double) {
        guard rate > 0, rate < 1e5 else { return nil }
        if rate == rate.rounded() {
            self.init(1, UInt32(rate))
        } else {
            self.init(1000, UInt32((rate * 1000).rounded()))
        }
    }
}

/// The order of candidates: what was forced, what the level asks for, then what is better; the least is the best.
struct Rank: Hashable, Comparable {
    private let keys: [Double]

    init(_ format: FourCC, _ size: VideoSize, _ rate: Double?, _ wish: ModeWish) {
        let limits = LevelLimits(wish.level)
        func apart(_ a: Double, _ b: Double) -> Double { a > 0 && b > 0 ? abs(log(a / b)) : 0 }
        let fromSize = wish.size.map {
            apart(Double(size.width), Double($0.width)) + apart(Double(size.height), Double($0.height))
        }
        // A rate that is not told is as good as any that was asked for, and as 30 otherwise.
        let fromRate = wish.rate.map { wanted in rate.map { isAbout($0, wanted) ? 0 : apart($0, wanted) } ?? 0 }
        let fromLevel =
            (fromSize == nil ? limits.distance(of: size) : 0) + (fromRate == nil ? limits.distance(ofRate: rate) : 0)
        // 29.97 is no slower than 30.
        let rounded = ((rate ?? 30) * 2).rounded() / 2
        let slowness = rounded <= limits.fastEnough ? -rounded : rounded
        let smallness = -Double(size.width * size.height)
        let cost = ModeChoice.nativeFormats.firstIndex(of: format) ?? ModeChoice.nativeFormats.count
        keys =
            [fromSize ?? 0, fromRate ?? 0, fromLevel].map { ($0 * 1e6).rounded() }
            + (limits.prefersRate ? [slowness, smallness] : [smallness, slowness])
            + [rate == nil ? 1 : 0, Double(cost)]
    }

    static func < (a: Rank, b: Rank) -> Bool { a.keys.lexicographicallyPrecedes(b.keys) }
}
