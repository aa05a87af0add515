// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// How bright, how overexposed and how sharp a picture is, from a part of its pixels.
public struct LightMeasure: Sendable {
    /// The mean of every second row, in grey levels.
    public private(set) var mean: Float = 0
    /// The share of pixels of 254 and more, where the sensor's range ends.
    public private(set) var clipped: Float = 0
    /// The 95th percentile of the edges' steps over their width, 0...1; see `init`.
    public private(set) var sharpness: Float = 0

    /// Takes a picture of any size.
    ///
    /// An edge is a run of 7 pixels whose range is 32 grey levels or more, and three quarters or more of that of the strongest:
    /// thin strokes lose contrast by blur and not width. Its sharpness is the largest step between two neighbours over that
    /// range, which is 1 over the edge's width in pixels. The 95th percentile is taken along rows and along columns, for motion
    /// blurs one direction only, and the smaller of both counts. A direction with fewer than 40 edges says nothing; where
    /// neither does, sharpness is 0. In pictures of a quarter of 1080p labels blurred by less than 3 pixels of 1080p give 0.86
    /// and more, by more than 7 pixels 0.72 and less.
    public init(of picture: LumaView) {
        guard let source = picture.bytes.baseAddress else { return }
        let (width, height, stride) = (picture.width, picture.height, picture.stride)
        var (sum, white) = (0, 0)
        for row in Swift.stride(from: 0, to: height, by: 2) {
            let bytes = (source + row * stride).assumingMemoryBound(to: UInt8.self)
            var (rowSum, rowWhite): (UInt32, UInt32) = (0, 0)
            for column in 0..<width {
                rowSum &+= UInt32(bytes[column])
                rowWhite &+= bytes[column] >= 254 ? 1 : 0
            }
            sum += Int(rowSum)
            white += Int(rowWhite)
        }
        let count = Float(width * ((height + 1) / 2))
        mean = Float(sum) / count
        clipped = Float(white) / count
        let along = Self.sharpness(source, width: width, height: height, stride: stride, step: 1)
        let across = Self.sharpness(source, width: width, height: height, stride: stride, step: stride)
        sharpness = min(along ?? across ?? 0, across ?? along ?? 0)
    }

    private static let leastEdges = 40

    /// `nil` for too few edges.
    private static func sharpness(
        _ source: UnsafeRawPointer, width: Int, height: Int, stride: Int, step: Int
    ) -> Float? {
        let reach = 3
        let (marginX, marginY) = step == 1 ? (reach, 0) : (0, reach)
        // A count for each range of 8 grey levels and each 64th of sharpness.
        return withUnsafeTemporaryAllocation(of: Int32.self, capacity: 32 * 65) { bins in
            bins.initialize(repeating: 0)
            for row in Swift.stride(from: marginY, to: height - marginY, by: 12) {
                var column = marginX
                while column + 16 + marginX <= width {
                    count(source + row * stride + column, step: step, reach: reach, into: bins)
                    column += 16
                }
            }
            return percentile(of: bins)
        }
    }

    @inline(__always)
    private static func count(
        _ place: UnsafeRawPointer, step: Int, reach: Int, into bins: UnsafeMutableBufferPointer<Int32>
    ) {
        func pixels(_ offset: Int) -> SIMD16<UInt8> {
            place.loadUnaligned(fromByteOffset: offset * step, as: SIMD16<UInt8>.self)
        }
        var (low, high, before) = (pixels(-reach), pixels(-reach), pixels(-reach))
        var steepest = SIMD16<UInt8>.zero
        for offset in (1 - reach)...reach {
            let here = pixels(offset)
            let difference = (here &- before).replacing(with: before &- here, where: before .> here)
            steepest.replace(with: difference, where: difference .> steepest)
            low.replace(with: here, where: here .< low)
            high.replace(with: here, where: here .> high)
            before = here
        }
        let range = high &- low
        for lane in 0..<16 where range[lane] >= 32 {
            bins[Int(range[lane] >> 3) * 65 + Int(UInt16(steepest[lane]) &* 64 / UInt16(range[lane]))] += 1
        }
    }

    /// Of the edges that have most of the contrast that the strongest ones have.
    private static func percentile(of bins: UnsafeMutableBufferPointer<Int32>) -> Float? {
        func edges(_ range: Int) -> Int32 {
            (0..<65).reduce(0) { $0 + bins[range * 65 + $1] }
        }
        var (strongest, above) = (31, Int32(0))
        while strongest > 4 {
            above += edges(strongest)
            if above >= leastEdges / 4 { break }
            strongest -= 1
        }
        let least = max(4, strongest * 3 / 4)
        let all = (least..<32).reduce(Int32(0)) { $0 + edges($1) }
        guard all >= leastEdges else { return nil }
        var rest = all / 20
        for bin in (0...64).reversed() {
            for range in least..<32 { rest -= bins[range * 65 + bin] }
            if rest < 0 { return Float(bin) / 64 }
        }
        return 0
    }
}
