// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ImageKernels
internal import ScanModel

extension LinearSymbolLocator {
    /// Both ends of the symbol on a hit's line: from lines that ran the other way, or from the quiet zone.
    func ends(of hit: ScanHit, among hits: [ScanHit]) -> (low: Double, high: Double)? {
        let step = hit.isForward ? -1 : 1
        let back = trace(from: hit, step: step, meanRun: nil)
        if let barCount, let back {
            // EAN and UPC decode by halves, often at the middle guard: the other half lies ahead.
            let ahead = trace(from: hit, step: -step, meanRun: back.meanRun)
            let bars = back.bars + (ahead?.bars ?? 0)
            if abs(bars - barCount) <= 2 {
                let near = ahead?.end ?? hit.position
                return (Double(min(back.end, near)), Double(max(back.end, near)))
            }
        }
        var best: (far: Int, support: Int)?
        for far in [partner(of: hit, among: hits), back?.end].compactMap({ $0 }) {
            let support = hits.count { other in
                other.axis == hit.axis && abs(other.line - hit.line) <= 4 * spacing(hit.axis)
                    && min(abs(other.position - far), abs(other.position - hit.position)) <= 4
            }
            // The quiet zone comes second and wins where as many lines speak for it: it can not be a neighbour's end.
            if best.map({ support >= $0.support }) ?? true { best = (far, support) }
        }
        guard let best, abs(best.far - hit.position) >= 8 else { return nil }
        return (Double(min(best.far, hit.position)), Double(max(best.far, hit.position)))
    }

    private func spacing(_ axis: ScanHit.Axis) -> Int {
        max(1, axis == .row ? density.rows : density.columns)
    }

    /// The end of a line that ran the other way, near by.
    private func partner(of hit: ScanHit, among hits: [ScanHit]) -> Int? {
        for window in [2, 6, 24] {
            let near = hits.filter {
                $0.axis == hit.axis && abs($0.line - hit.line) <= window * spacing(hit.axis)
            }
            let opposite = near.filter {
                $0.isForward != hit.isForward
                    && (hit.isForward ? $0.position < hit.position - 8 : $0.position > hit.position + 8)
            }
            let far = hit.isForward ? opposite.map(\.position).max() : opposite.map(\.position).min()
            guard let far else { continue }
            // Another label's end of the same kind in between: the partner is that one's.
            let between = near.contains {
                $0.isForward == hit.isForward && $0.position > min(far, hit.position) + 4
                    && $0.position < max(far, hit.position) - 4
            }
            return between ? nil : far
        }
        return nil
    }

    /// What lies between a hit and a quiet zone.
    private struct Trace {
        /// The outermost dark pixel.
        var end: Int
        var bars: Int
        /// The mean width of bars and spaces.
        var meanRun: Double
    }

    /// Follows the bars of a hit's line until a bright run far wider than theirs.
    ///
    /// Bars and spaces of all symbologies here average 1.5 to 1.9 modules and reach 4, quiet zones have 7 to 10: a bright
    /// run of over 4.5 times the mean is quiet zone. The mean is taken from the bars that were seen, from the sixth
    /// on, unless it is known.
    private func trace(from hit: ScanHit, step: Int, meanRun: Double?) -> Trace? {
        let size = hit.axis == .row ? picture.width : picture.height
        func value(_ position: Int) -> Int {
            let position = min(max(position, 0), size - 1)
            return Int(hit.axis == .row ? picture[position, hit.line] : picture[hit.line, position])
        }
        guard hit.line < (hit.axis == .row ? picture.height : picture.width) else { return nil }
        let origin = min(max(hit.position, 0), size - 1)
        var levels = LocalLevels(start: (-24...24).map { value(origin + $0) })
        var trace = Trace(end: origin, bars: 0, meanRun: meanRun ?? 0)
        var brightRun = 0
        var wasDark = false
        var position = origin
        while position >= 0, position < size {
            let isDark = levels.isDark(value(position))
            if isDark {
                if !wasDark { trace.bars += 1 }
                trace.end = position
                brightRun = 0
            } else {
                brightRun += 1
                if meanRun == nil, trace.bars >= 6 {
                    trace.meanRun = Double(abs(trace.end - origin) + 1) / Double(2 * trace.bars - 1)
                }
                if trace.meanRun > 0, Double(brightRun) > max(3, 4.5 * trace.meanRun) { break }
                // Nothing dark near the end that the decoder gave: its place is not to be trusted.
                if trace.bars == 0, brightRun > 32 { return nil }
            }
            wasDark = isDark
            position += step
        }
        // The picture's edge is as good as a quiet zone, which is how ZBar sees it.
        return trace.bars >= (meanRun == nil ? 6 : 1) ? trace : nil
    }
}

/// A threshold between bars and spaces that follows the light along a line.
private struct LocalLevels {
    private var dark: Double
    private var bright: Double

    init(start: [Int]) {
        dark = Double(start.min() ?? 0)
        bright = Double(start.max() ?? 255)
    }

    mutating func isDark(_ sample: Int) -> Bool {
        let value = Double(sample)
        let result = value < (dark + bright) / 2
        // An extreme is taken at once and forgotten slowly: 24 pixels are some bars at any readable size.
        if value < dark { dark = value } else if result { dark += (value - dark) / 24 }
        if value > bright { bright = value } else if !result { bright += (value - bright) / 24 }
        return result
    }
}
