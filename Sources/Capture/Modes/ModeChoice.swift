// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Glibc
internal import ScanModel

/// What decides between the modes of a camera.
struct ModeWish: Sendable, Hashable {
    var level: QualityLevel
    /// Forced, each of these.
    var size: VideoSize?
    var rate: Double?
    var format: FourCC?

    init(level: QualityLevel, size: VideoSize? = nil, rate: Double? = nil, format: FourCC? = nil) {
        self.level = level
        self.size = size
        self.rate = rate
        self.format = format
    }

    init(_ options: CameraOptions) {
        self.init(
            level: options.qualityLevel, size: options.size.map { VideoSize(width: $0.width, height: $0.height) },
            rate: options.rate, format: options.format)
    }
}

/// Which of its modes a camera is set to, and which ones are tried where that one does not work.
///
/// The level asks for a size and a rate; of the modes that have both, the larger, then the faster one wins (`fast`: the
/// faster, then the larger one), and of two that are alike the one whose luma costs least. No bandwidth is computed: a camera
/// itself offers uncompressed pictures only at the rates that its link carries (about 40 MB/s of USB 2.0), so the rate
/// decides for MJPEG where that is needed. A camera without a mode of that kind gives its nearest one.
struct ModeChoice: Sendable, Hashable {
    /// The best mode, then those for when the one before does not work; empty where there is none.
    let ladder: [CameraMode]
    /// What was forced and is not to be had, in words; `nil` where nothing was, or all of it is.
    let note: String?

    /// Formats that are read here, the cheapest first: bytes of luma only, luma in a plane of its own, luma between chroma,
    /// 16 bits, compressed.
    static let nativeFormats: [FourCC] = [
        .grey, .nv12, .nv21, .yu12, .yv12, .yuyv, .uyvy, .yvyu, .y16, .mjpg, .jpeg,
    ]
    /// What libv4l2 is asked for where a camera has none of them: luma in a plane first.
    static let convertedFormats: [FourCC] = [.yu12, FourCC(rawValue: 0x3342_4752)]  // RGB3

    /// Rungs of the ladder at the most: each one may be tried for half a minute before the next.
    static let longestLadder = 10

    init(_ modes: [OfferedMode], wish: ModeWish) {
        let readable = modes.filter { LevelLimits.fitsPool($0.size) }
        var problems: [String] = []
        var offered = readable
        if let format = wish.format {
            offered = readable.filter { $0.format == format }
            if offered.isEmpty {
                var others: [FourCC] = []
                for mode in readable where !others.contains(mode.format) { others.append(mode.format) }
                let list = others.map(\.description).joined(separator: ", ")
                problems.append("the format \(format) is not one of those that can be read of it (\(list))")
                offered = readable
            }
        }
        let isFormatForced = wish.format != nil && problems.isEmpty
        var candidates = offered.flatMap { Candidate.all(of: $0, wish: wish) }
        candidates.sort { $0.rank < $1.rank }
        guard let best = candidates.first else {
            (ladder, note) = ([], nil)
            return
        }
        if let size = wish.size, best.size != size {
            problems.append("the size \(size.width)x\(size.height) is not offered")
        }
        if let rate = wish.rate, let own = best.rate, abs(own - rate) > rate / 100 {
            problems.append("\(inWords(rate)) frames a second are not offered")
        }
        note = problems.isEmpty ? nil : problems.joined(separator: ", ") + "; the nearest is \(best.mode)"
        var steps = StepDown(candidates: candidates, wish: wish, isFormatForced: isFormatForced)
        ladder = steps.ladder(from: best)
    }
}

/// A rate without zeros that say nothing: `30`, `7.5`, `29.97`; `0` for what is none.
func inWords(_ rate: Double) -> String {
    // Nor is it one where it is no number at all.
    guard rate > 0 else { return "0" }
    let hundredths = Int((min(rate, 1e6) * 100).rounded())
    let (whole, rest) = (hundredths / 100, hundredths % 100)
    if rest == 0 { return "\(whole)" }
    return rest % 10 == 0 ? "\(whole).\(rest / 10)" : "\(whole).\(rest < 10 ? "0" : "")\(rest)"
}

extension CameraMode: CustomStringConvertible {
    /// `1280x720 MJPG at 30/s`.
    public var description: String {
        "\(width)x\(height) \(format)" + (interval.map { " at \(inWords($0.framesPerSecond))/s" } ?? "")
    }
}
