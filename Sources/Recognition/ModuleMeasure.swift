// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ImageKernels
internal import ScanModel

/// How wide the narrowest bars of a candidate are.
struct ModuleMeasure {
    /// Places a pixel at which the profile is taken: a run of one pixel is three places.
    private static let density = 3.0
    /// The share of runs that are narrower than what is taken: of the runs of EAN and Code 128 half are one module, of those
    /// of Code 39 two thirds, and noise makes a few that are narrower still.
    private static let quantile = 0.2
    /// Runs on a line under which it says nothing.
    private static let fewestRuns = 12

    let picture: LumaView
    /// Its upper side runs across the bars.
    let quad: Quad

    /// Pixels of the picture along the quad's upper side; `nil` where no line shows enough bars.
    func module() -> Double? {
        let length = quad.width
        let count = Int((length * Self.density).rounded())
        guard length >= 12, count <= 3 * WarpLimits.maximumSide else { return nil }
        var runs: [Double] = []
        for share in [0.3, 0.5, 0.7] {
            let start = quad.topLeft + (quad.bottomLeft - quad.topLeft) * share
            let end = quad.topRight + (quad.bottomRight - quad.topRight) * share
            let found = Self.runs(in: picture.profile(from: start, to: end, count: count))
            if found.count >= Self.fewestRuns { runs += found }
        }
        guard !runs.isEmpty else { return nil }
        runs.sort()
        return max(0.6, runs[Int(Double(runs.count) * Self.quantile)] / Self.density)
    }

    /// Lengths between crossings of a threshold that follows the light.
    private static func runs(in profile: [Float]) -> [Double] {
        let window = max(24, profile.count / 8)
        var runs: [Double] = []
        var last: Double?
        var wasDark: Bool?
        for block in stride(from: 0, to: profile.count, by: window) {
            let near = profile[max(0, block - window / 2)..<min(profile.count, block + window + window / 2)]
            guard let low = near.min(), let high = near.max(), high - low > 24 else {
                (last, wasDark) = (nil, nil)
                continue
            }
            let middle = (low + high) / 2
            for index in block..<min(profile.count, block + window) {
                let isDark = profile[index] < middle
                if let before = wasDark, before != isDark {
                    if let last { runs.append(Double(index) - last) }
                    last = Double(index)
                }
                wasDark = isDark
            }
        }
        return runs
    }
}
