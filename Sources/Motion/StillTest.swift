// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ImageKernels

/// Whether the camera stands, by how the cells of a picture differ from a reference.
///
/// The shift that would explain each cell is small against a pixel where nothing moved, and its median over a quarter of the
/// picture is known to 0.01 pixels: noise has no direction, and a hand covers some cells only. The mean difference of cells, the
/// usual test, says of a slow pan only that the light is a bit different.
struct StillTest {
    /// The least slope of a cell that says anything of its shift, in grey levels a pixel, and in multiples of the noise.
    private static let leastSlope: Float = 5
    private static let leastCells = 6
    /// Further than this, in pixels of the small picture, the reference is left: a quarter of a pixel at 1080p.
    private static let limit: Float = 0.06

    private var shifts: [Float] = []

    /// The grey levels by which cells without content differ: the 30th percentile, for under half of a picture changes.
    static func noise(of cells: [CellDifference], _ scratch: inout [Float]) -> Float {
        scratch.removeAll(keepingCapacity: true)
        for cell in cells where cell.part > 0.5 { scratch.append(cell.difference) }
        return scratch.ranked(0.3)
    }

    mutating func isStill(_ cells: [CellDifference], columns: Int, rows: Int, noise: Float) -> Bool {
        guard noise < 12 else { return false }
        var (quarters, moved) = (0, 0)
        for quarter in 0..<4 {
            let firstColumn = quarter % 2 * (columns / 2)
            let firstRow = quarter / 2 * (rows / 2)
            guard
                let x = median(cells, columns, firstColumn, firstRow, columns / 2, rows / 2, noise, \.shiftX),
                let y = median(cells, columns, firstColumn, firstRow, columns / 2, rows / 2, noise, \.shiftY)
            else { continue }
            quarters += 1
            if x.magnitude > Self.limit || y.magnitude > Self.limit { moved += 1 }
        }
        // One quarter may be a hand's.
        return quarters >= 1 && (quarters > 2 ? moved <= 1 : moved == 0)
    }

    private mutating func median(
        _ cells: [CellDifference], _ columns: Int, _ left: Int, _ top: Int, _ width: Int, _ height: Int, _ noise: Float,
        _ shift: KeyPath<CellDifference, Float>
    ) -> Float? {
        shifts.removeAll(keepingCapacity: true)
        for row in top..<(top + height) {
            for column in left..<(left + width) {
                let cell = cells[row * columns + column]
                if cell.part > 0.5, cell.slope > max(Self.leastSlope, 2 * noise) {
                    shifts.append(shift == \.shiftX ? cell.shiftX : cell.shiftY)
                }
            }
        }
        guard shifts.count >= Self.leastCells else { return nil }
        return shifts.ranked(0.5)
    }
}

extension [Float] {
    /// The value at a share of the order, 0 for the least; 0 where there is none. The order is changed (Hoare's selection, CACM
    /// 4(7) 1961): sorting all took a tenth of a still frame's time.
    mutating func ranked(_ share: Double) -> Float {
        guard !isEmpty else { return 0 }
        let rank = Swift.min(count - 1, Int(share * Double(count)))
        return withUnsafeMutableBufferPointer { values in
            var (left, right) = (0, values.count - 1)
            while left < right {
                let pivot = values[(left + right) / 2]
                var (up, down) = (left, right)
                while up <= down {
                    while values[up] < pivot { up += 1 }
                    while values[down] > pivot { down -= 1 }
                    guard up <= down else { break }
                    values.swapAt(up, down)
                    up += 1
                    down -= 1
                }
                if rank <= down { right = down } else if rank >= up { left = up } else { break }
            }
            return values[rank]
        }
    }
}
