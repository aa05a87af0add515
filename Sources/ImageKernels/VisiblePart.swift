// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ScanModel

extension LumaView {
    /// A copy in which only what lies in one of the polygons is to be seen; all else has the mean brightness of that.
    ///
    /// A pixel is seen where its middle is. Of polygons that cross themselves, what an odd number of edges lies left of is
    /// inside. Takes 1 to 2 ms for 1080p.
    public func showing(only polygons: [[Point]]) -> LumaBuffer {
        let rows = (0..<height).map { row in VisiblePart.spans(of: polygons, row: row, width: width) }
        var (sum, count) = (0, 0)
        for (row, spans) in rows.enumerated() {
            for span in spans {
                for column in span { sum += Int(self[column, row]) }
                count += span.count
            }
        }
        let grey = UInt8(count > 0 ? (sum + count / 2) / count : 128)
        var copy = LumaBuffer(width: width, height: height, filledWith: grey)
        copy.pixels.withUnsafeMutableBytes { target in
            for (row, spans) in rows.enumerated() {
                for span in spans {
                    let source = row * stride + span.lowerBound
                    UnsafeMutableRawBufferPointer(
                        rebasing: target[(row * width + span.lowerBound)..<(row * width + span.upperBound)]
                    ).copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[source..<(source + span.count)]))
                }
            }
        }
        return copy
    }
}

/// The pixels of one row that lie in polygons.
private enum VisiblePart {
    /// In order, without overlaps.
    static func spans(of polygons: [[Point]], row: Int, width: Int) -> [Range<Int>] {
        var spans: [Range<Int>] = []
        for polygon in polygons { add(polygon, row: row, width: width, to: &spans) }
        guard spans.count > 1 else { return spans }
        spans.sort { $0.lowerBound < $1.lowerBound }
        var joined = [spans[0]]
        for span in spans.dropFirst() {
            let last = joined[joined.count - 1]
            if span.lowerBound <= last.upperBound {
                joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, span.upperBound)
            } else {
                joined.append(span)
            }
        }
        return joined
    }

    private static func add(_ polygon: [Point], row: Int, width: Int, to spans: inout [Range<Int>]) {
        let y = Double(row) + 0.5
        var crossings: [Double] = []
        for index in polygon.indices {
            let (a, b) = (polygon[index], polygon[index + 1 == polygon.count ? 0 : index + 1])
            guard (a.y > y) != (b.y > y) else { continue }
            crossings.append(a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y))
        }
        crossings.sort()
        for pair in stride(from: 0, to: crossings.count - 1, by: 2) {
            let left = column(crossings[pair], width: width)
            let right = column(crossings[pair + 1], width: width)
            if right > left { spans.append(left..<right) }
        }
    }

    /// The first column whose middle is not left of `x`.
    private static func column(_ x: Double, width: Int) -> Int {
        Int(max(0, min(Double(width), (x - 0.5).rounded(.up))))
    }
}
