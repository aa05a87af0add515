// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ImageKernels
import ScanModel

/// Where a picture changed beyond what noise and an inexact motion explain.
enum Changes {
    /// Multiples of the noise, and of the usual difference that a slope makes, that are no change; measured on clips.
    private static let noiseMargin: Float = 1.6
    private static let slopeMargin: Float = 4
    /// Grey levels that are never a change.
    private static let least: Float = 1.5
    /// So much of a cell has to have been in view before.
    private static let leastPart: Float = 0.6

    /// Takes off what a change of exposure, or the mains' flicker, does to all cells alike: the median change, as a part of a
    /// cell's brightness.
    static func takeLightAway(from cells: inout [CellDifference], _ scratch: inout [Float]) {
        scratch.removeAll(keepingCapacity: true)
        for cell in cells where cell.part > leastPart && cell.brightness > 16 {
            scratch.append(cell.change / cell.brightness)
        }
        let gain = scratch.ranked(0.5)
        for index in cells.indices {
            let expected = gain * cells[index].brightness
            cells[index].change -= expected
            // Where noise or content is larger than the light's part, absolute values hide some of it, and little is taken off.
            cells[index].difference = max(
                cells[index].change.magnitude, cells[index].difference - expected.magnitude)
        }
    }

    static func map(of cells: [CellDifference], grid: CellGrid, _ scratch: inout [Float]) -> ChangeMap {
        let noise = StillTest.noise(of: cells, &scratch)
        // What a slope of one grey level a pixel makes: the error of the motion in pixels, and edges that blur differently.
        scratch.removeAll(keepingCapacity: true)
        for cell in cells where cell.part > leastPart && cell.slope > 4 {
            scratch.append(max(0, cell.difference - noise) / cell.slope)
        }
        let inexactness = scratch.isEmpty ? 0.1 : max(0.03, min(0.35, scratch.ranked(0.5)))
        var levels = [UInt8](repeating: 0, count: grid.count)
        for index in 0..<grid.count where cells[index].part > leastPart {
            let cell = cells[index]
            let tolerance = least + noiseMargin * noise + slopeMargin * inexactness * cell.slope
            levels[index] = UInt8(max(0, min(255, (cell.difference - tolerance).rounded())))
        }
        return ChangeMap(columns: grid.columns, rows: grid.rows, cells: levels)
    }
}
