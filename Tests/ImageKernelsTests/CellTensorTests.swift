// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ImageKernels
import ScanModel
import ScanTestSupport
import Testing

@Suite struct CellTensorTests {
    private static func noise(width: Int, height: Int, seed: UInt64 = 1) -> LumaBuffer {
        var generator = SeededGenerator(seed: seed)
        var picture = LumaBuffer(width: width, height: height)
        for index in picture.pixels.indices { picture.pixels[index] = UInt8(truncatingIfNeeded: generator.next()) }
        return picture
    }

    /// The definition: Sobel's derivatives of each pixel with the edge repeated, products, means over 16 pixels.
    private static func naive(_ picture: LumaBuffer, column: Int, row: Int) -> (xx: Float, yy: Float, xy: Float) {
        func pixel(_ x: Int, _ y: Int) -> Int {
            Int(picture.pixels[min(max(y, 0), picture.height - 1) * picture.width + min(max(x, 0), picture.width - 1)])
        }
        var sums = (xx: 0, yy: 0, xy: 0)
        for y in (row * 4)..<(row * 4 + 4) {
            for x in (column * 4)..<(column * 4 + 4) {
                var (gx, gy) = (0, 0)
                for (offset, weight) in [(-1, 1), (0, 2), (1, 1)] {
                    gx += weight * (pixel(x + 1, y + offset) - pixel(x - 1, y + offset))
                    gy += weight * (pixel(x + offset, y + 1) - pixel(x + offset, y - 1))
                }
                sums = (sums.xx + gx * gx, sums.yy + gy * gy, sums.xy + gx * gy)
            }
        }
        return (Float(sums.xx) / 16, Float(sums.yy) / 16, Float(sums.xy) / 16)
    }

    @Test(arguments: [(4, 4), (5, 7), (8, 4), (12, 8), (33, 18), (64, 16), (67, 31)])
    func theTensorIsTheDefinitions(width: Int, height: Int) throws {
        let picture = Self.noise(width: width, height: height)
        let tensor = try #require(picture.withView { CellTensor(of: $0) })
        #expect(tensor.columns == width / 4 && tensor.rows == height / 4)
        for row in 0..<tensor.rows {
            for column in 0..<tensor.columns {
                let index = row * tensor.columns + column
                let expected = Self.naive(picture, column: column, row: row)
                #expect(tensor.xx[index] == expected.xx && tensor.yy[index] == expected.yy)
                #expect(tensor.xy[index] == expected.xy)
            }
        }
    }

    @Test func aPictureOfLessThanACellHasNoTensor() {
        #expect(LumaBuffer(width: 3, height: 40).withView { CellTensor(of: $0) } == nil)
    }

    @Test(arguments: [(1, 1), (2, 3), (5, 4)])
    func smoothingIsTheMeanOfNineCells(columns: Int, rows: Int) throws {
        let tensor = try #require(Self.noise(width: columns * 4, height: rows * 4).withView { CellTensor(of: $0) })
        let smoothed = tensor.smoothed()
        for row in 0..<rows {
            for column in 0..<columns {
                var sum: Float = 0
                for y in (row - 1)...(row + 1) {
                    for x in (column - 1)...(column + 1) {
                        sum += tensor.xx[min(max(y, 0), rows - 1) * columns + min(max(x, 0), columns - 1)]
                    }
                }
                #expect((smoothed.xx[row * columns + column] - sum / 9).magnitude < 1e-3 * sum)
            }
        }
    }

    @Test func barsAreOfOneDirectionAndAreOneRegion() throws {
        var picture = LumaBuffer(width: 160, height: 80, filledWith: 255)
        for y in 20..<60 {
            for x in 40..<120 where x / 3 % 2 == 0 { picture.pixels[y * 160 + x] = 0 }
        }
        let tensor = try #require(picture.withView { CellTensor(of: $0) }).smoothed()
        let map = CellMap(directionsOf: tensor, coherence: 0.5, energy: 600).closed()
        let regions = map.regions(sets: 1, tensor: tensor, minimum: 8, limit: 10)
        let region = try #require(regions.first)
        #expect(regions.count == 1)
        #expect(region.axis.x > 0.99)
        #expect((region.length - 20).magnitude < 4 && (region.height - 10).magnitude < 4)
        #expect(region.fill > 0.8)
    }

    @Test func closingFillsAndOpeningPartsAsDefined() {
        var bits = [UInt16](repeating: 0, count: 7 * 5)
        // A gap of one cell between two columns, and a bridge of one cell between two squares.
        for row in 0..<5 { (bits[row * 7 + 1], bits[row * 7 + 3]) = (1, 1) }
        let closed = CellMap(columns: 7, rows: 5, bits: bits).closed()
        #expect((0..<5).allSatisfy { closed.bits[$0 * 7 + 2] == 1 })
        #expect((0..<5).allSatisfy { closed.bits[$0 * 7 + 5] == 0 })
        var bridged = [UInt16](repeating: 0, count: 7 * 5)
        for row in 1...2 {
            for column in [0, 1, 4, 5] { bridged[row * 7 + column] = 2 }
        }
        (bridged[1 * 7 + 2], bridged[1 * 7 + 3]) = (2, 2)
        let opened = CellMap(columns: 7, rows: 5, bits: bridged).opened()
        #expect(opened.bits[1 * 7 + 2] == 0 && opened.bits[1 * 7 + 3] == 0)
        #expect(opened.bits[1 * 7 + 1] == 2 && opened.bits[2 * 7 + 4] == 2)
    }

    @Test(arguments: [0.0, 7, 20, 33, 44])
    func theDirectionOfAGridIsFound(degrees: Double) {
        let (sine, cosine) = sineAndCosine(degrees)
        var picture = LumaBuffer(width: 120, height: 120, filledWith: 255)
        for y in 0..<120 {
            for x in 0..<120 {
                let u = (Double(x) - 60) * cosine + (Double(y) - 60) * sine
                let v = (Double(y) - 60) * cosine - (Double(x) - 60) * sine
                let isDark = (Int((u + 120) / 6) + Int((v + 120) / 6)) % 2 == 0
                if isDark { picture.pixels[y * 120 + x] = 0 }
            }
        }
        let square = [(20.0, 20.0), (100.0, 20.0), (100.0, 100.0), (20.0, 100.0)]
        let found = picture.withView { $0.gridDirection(in: square.map { .init(x: $0.0, y: $0.1) }) }
        // Up to quarter turns.
        let along = max(
            (found.axis.x * cosine + found.axis.y * sine).magnitude,
            (found.axis.y * cosine - found.axis.x * sine).magnitude)
        #expect(along > 0.9986, "within 3 degrees")
        #expect(found.certainty > 0.3)
    }

    private func sineAndCosine(_ degrees: Double) -> (Double, Double) {
        // Taylor's series is exact enough under 45 degrees.
        let x = degrees * .pi / 180
        let (x2, x3) = (x * x, x * x * x)
        return (x - x3 / 6 + x3 * x2 / 120, 1 - x2 / 2 + x2 * x2 / 24 - x2 * x2 * x2 / 720)
    }
}
