// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Glibc
internal import LinuxSystem
internal import ScanModel

/// A size of a format, and the rates that go with it.
struct OfferedMode: Sendable, Hashable {
    var format: FourCC
    var size: VideoSize
    /// `nil` where the driver does not tell.
    var intervals: VideoRange<FrameInterval>?
}

/// What a camera can be set to, as far as its formats are read here.
struct CameraOffer: Sendable, Hashable {
    /// All formats, those that are not read here among them.
    var formats: [VideoFormat]
    var modes: [OfferedMode]

    /// Sizes that are asked about where a driver takes any size between two bounds.
    static let usualSizes = [
        (320, 240), (640, 360), (640, 480), (800, 600), (1024, 768), (1280, 720), (1280, 960), (1600, 1200),
        (1920, 1080),
        (2560, 1440), (3840, 2160),
    ].map { VideoSize(width: $0.0, height: $0.1) }

    /// Formats and sizes beyond these are not asked about: a driver that counts without end must not keep us.
    static let mostFormats = 128
    static let mostSizes = 128

    /// Asks a device for the sizes and rates of the formats that are read here.
    ///
    /// A driver that does not list its sizes or rates (ENOTTY, EINVAL) is asked for the usual ones when it is set.
    init(of device: any VideoDevice, read formats: [FourCC], wish: ModeWish) throws(SystemError) {
        self.formats = Array(try device.formats().prefix(CameraOffer.mostFormats))
        modes = []
        for format in self.formats where formats.contains(format.code) {
            let range = try CameraOffer.answer { () throws(SystemError) in try device.sizes(of: format.code) }
            for size in CameraOffer.candidates(range, wish: wish).prefix(CameraOffer.mostSizes) {
                let intervals = try CameraOffer.answer { () throws(SystemError) in
                    try device.intervals(of: format.code, size)
                }
                modes.append(OfferedMode(format: format.code, size: size, intervals: intervals))
            }
        }
    }

    init(formats: [VideoFormat], modes: [OfferedMode]) {
        self.formats = formats
        self.modes = modes
    }

    /// `nil` where the driver has no such list.
    private static func answer<Value>(
        _ ask: () throws(SystemError) -> VideoRange<Value>
    ) throws(SystemError) -> VideoRange<Value>? {
        do throws(SystemError) {
            let range = try ask()
            return range == .discrete([]) ? nil : range
        } catch {
            guard error.code == ENOTTY || error.code == EINVAL else { throw error }
            return nil
        }
    }

    /// The sizes that are worth asking for.
    static func candidates(_ range: VideoRange<VideoSize>?, wish: ModeWish) -> [VideoSize] {
        let wanted = wish.size.map { [$0] } ?? []
        switch range {
        case .discrete(let sizes): return sizes
        case nil: return unique(wanted + usualSizes)
        case .stepwise(let minimum, let maximum, let step):
            let asked = wanted.map { nearest(to: $0, minimum, maximum, step) }
            let usual = usualSizes.filter { $0 == nearest(to: $0, minimum, maximum, step) }
            return unique(asked + usual + [minimum, maximum])
        }
    }

    private static func nearest(
        to size: VideoSize, _ minimum: VideoSize, _ maximum: VideoSize, _ step: VideoSize
    ) -> VideoSize {
        func nearest(_ value: Int, _ low: Int, _ high: Int, _ step: Int) -> Int {
            guard value > low, step > 0 else { return low }
            // Bounded first: what is wished for may be as large as a number can be.
            let above = min(value, max(low, high)) - low
            return min(low + (above + step / 2) / step * step, high)
        }
        return VideoSize(
            width: nearest(size.width, minimum.width, maximum.width, step.width),
            height: nearest(size.height, minimum.height, maximum.height, step.height))
    }

    private static func unique(_ sizes: [VideoSize]) -> [VideoSize] {
        var seen: Set<VideoSize> = []
        return sizes.filter { seen.insert($0).inserted }
    }
}
