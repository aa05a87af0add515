// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ImageKernels
import ScanTestSupport
import Testing

/// Pairs under a known map, some of them wrong.
private func pairs(
    _ count: Int, wrong: Int, noise: Double = 0, _ map: (SIMD2<Double>) -> SIMD2<Double>
) -> [PointPair] {
    var random = SeededGenerator(seed: 2)
    return (0..<count).map { index in
        let from = SIMD2(Double.random(in: -1...1, using: &random), Double.random(in: -0.6...0.6, using: &random))
        let grain = SIMD2(
            Double.random(in: -1...1, using: &random) * noise, Double.random(in: -1...1, using: &random) * noise)
        // All wrong ones agree with each other, as those of a hand do.
        return PointPair(from: from, to: index < wrong ? from + SIMD2(0.15, -0.1) : map(from) + grain)
    }
}

private func fit(_ pairs: [PointPair]) -> PlaneFit? {
    var agrees = [Bool](repeating: false, count: pairs.count)
    return pairs.withUnsafeBufferPointer { pairs in
        agrees.withUnsafeMutableBufferPointer { PlaneFit(pairs, loose: 0.01, strict: 0.003, agrees: $0) }
    }
}

private func tilted(_ point: SIMD2<Double>) -> SIMD2<Double> {
    SIMD2(1.004 * point.x - 0.02 * point.y + 0.05, 0.02 * point.x + 0.998 * point.y - 0.03)
        / (1 + 0.004 * point.x - 0.003 * point.y)
}

@Test(arguments: [0, 15, 25])
func aPlaneIsFittedWhateverOthersSay(wrong: Int) throws {
    let plane = try #require(fit(pairs(60, wrong: wrong, noise: 0.0005, tilted)))
    #expect(plane.agreeing == 60 - wrong)
    for corner in [SIMD2(-1, -0.5), SIMD2(1, -0.5), SIMD2(1, 0.5), SIMD2(-1, 0.5)] {
        let away = try #require(plane(corner)) - tilted(corner)
        #expect((away * away).sum().squareRoot() < 0.001)
    }
}

@Test func fewPairsMakeASimilarity() throws {
    func turned(_ point: SIMD2<Double>) -> SIMD2<Double> {
        SIMD2(0.999 * point.x - 0.03 * point.y + 0.1, 0.03 * point.x + 0.999 * point.y)
    }
    let plane = try #require(fit(pairs(8, wrong: 0, turned)))
    #expect(plane.toWeight == SIMD3(0, 0, 1))
    #expect(plane.agreeing == 8 && plane.deviation < 1e-9)
}

@Test func noPlaneIsMadeOfPointsInOnePlace() {
    #expect(fit([]) == nil)
    #expect(fit([PointPair(from: .zero, to: .zero)]) == nil)
    #expect(fit([PointPair](repeating: PointPair(from: .zero, to: .zero), count: 30)) == nil)
}
