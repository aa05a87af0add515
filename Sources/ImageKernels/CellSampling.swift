// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

extension LumaBuffer {
    /// A small picture of the means of `samples` x `samples` pixels in each of its cells, evenly spaced.
    public func sampled(columns: Int, rows: Int, samples: Int) -> LumaBuffer {
        let (width, height) = (width, height)
        var result = LumaBuffer(width: columns, height: rows)
        let xs = (0..<(columns * samples)).map { (2 * $0 + 1) * width / (2 * columns * samples) }
        pixels.withUnsafeBufferPointer { source in
            for row in 0..<rows {
                for column in 0..<columns {
                    var sum = samples * samples / 2
                    for line in 0..<samples {
                        let y = (2 * (row * samples + line) + 1) * height / (2 * rows * samples)
                        for place in 0..<samples { sum += Int(source[y * width + xs[column * samples + place]]) }
                    }
                    result.pixels[row * columns + column] = UInt8(sum / (samples * samples))
                }
            }
        }
        return result
    }
}
