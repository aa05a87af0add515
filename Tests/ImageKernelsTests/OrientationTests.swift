// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ImageKernels
import ScanTestSupport
import Testing

@Suite struct OrientationTests {
    /// 1 2 3
    /// 4 5 6
    private let small: [UInt8] = [1, 2, 3, 4, 5, 6]

    @Test(
        arguments: [
            (Orientation.Turn.none, false, [1, 2, 3, 4, 5, 6]),
            (.none, true, [3, 2, 1, 6, 5, 4]),
            (.quarter, false, [4, 1, 5, 2, 6, 3]),
            (.quarter, true, [1, 4, 2, 5, 3, 6]),
            (.half, false, [6, 5, 4, 3, 2, 1]),
            (.half, true, [4, 5, 6, 1, 2, 3]),
            (.threeQuarters, false, [3, 6, 2, 5, 1, 4]),
            (.threeQuarters, true, [6, 3, 5, 2, 4, 1]),
        ] as [(Orientation.Turn, Bool, [UInt8])])
    func turnsThreeByTwo(turn: Orientation.Turn, isMirrored: Bool, expected: [UInt8]) throws {
        let orientation = Orientation(turn: turn, isMirrored: isMirrored)
        let size = orientation.size(ofWidth: 3, height: 2)
        #expect(size == (orientation.swapsSides ? (2, 3) : (3, 2)))
        #expect(try turned(small, width: 3, height: 2, by: orientation) == expected)
    }

    @Test(arguments: Orientation.Turn.allCases, [false, true])
    func agreesWithThePlainFormula(turn: Orientation.Turn, isMirrored: Bool) throws {
        var generator = SeededGenerator(seed: 7)
        // Around the block of 8 and the tile of 64, with rows that have something behind them.
        for (width, height) in [(1, 1), (1, 9), (8, 8), (9, 7), (64, 64), (65, 63), (71, 130), (200, 67)] {
            let stride = width + 5
            let bytes = (0..<stride * height).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let orientation = Orientation(turn: turn, isMirrored: isMirrored)
            let result = try turned(bytes, width: width, height: height, stride: stride, by: orientation)
            let size = orientation.size(ofWidth: width, height: height)
            var expected: [UInt8] = []
            for r in 0..<size.height {
                for column in 0..<size.width {
                    let c = isMirrored ? size.width - 1 - column : column
                    let (x, y) =
                        switch turn {
                        case .none: (c, r)
                        case .quarter: (r, height - 1 - c)
                        case .half: (width - 1 - c, height - 1 - r)
                        case .threeQuarters: (width - 1 - r, c)
                        }
                    expected.append(bytes[y * stride + x])
                }
            }
            #expect(result == expected, "\(width)x\(height)")
        }
    }

    private func turned(
        _ bytes: [UInt8], width: Int, height: Int, stride: Int? = nil, by orientation: Orientation
    ) throws -> [UInt8] {
        // A guard byte behind the end: nothing may be written there.
        var result = [UInt8](repeating: 0xEE, count: width * height + 1)
        try bytes.withUnsafeBytes { bytes in
            let view = try #require(LumaView(bytes: bytes, width: width, height: height, stride: stride))
            result.withUnsafeMutableBytes { orientation.write(view, into: $0) }
        }
        #expect(result.last == 0xEE)
        return Array(result.dropLast())
    }
}
