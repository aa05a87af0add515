// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// What every pair of neighbouring characters would leave unexplained in one line across a symbol.
public struct PairErrors: Sendable {
    public struct Step: Sendable {
        public var before: Range<Int>
        public var behind: Range<Int>
        /// By the word before, then by the word behind.
        public var errors: [Float]
    }

    /// From before the first character to behind the last: one more than there are characters.
    public private(set) var steps: [Step] = []

    /// `darkness` has `pairs.count` samples of about 0...1.
    public init(of darkness: [Float], pairs: BlurredPairs) {
        precondition(darkness.count >= pairs.count, "a line holds the whole symbol")
        // Windows are padded to whole vectors.
        let line = darkness + [Float](repeating: 0, count: 8)
        for window in pairs.windows {
            let stretch = line[window.firstSample..<(window.firstSample + window.length)]
            let own = Array(stretch)
            let before = Self.products(own, window.beforeShapes, count: window.before.count)
            let behind = Self.products(own, window.behindShapes, count: window.behind.count)
            var errors = window.energy
            var place = 0
            for one in before {
                for other in behind {
                    errors[place] -= 2 * (one + other)
                    place += 1
                }
            }
            steps.append(Step(before: window.before, behind: window.behind, errors: errors))
        }
    }

    private static func products(_ line: [Float], _ shapes: [Float], count: Int) -> [Float] {
        let length = line.count
        return line.withUnsafeBytes { line in
            shapes.withUnsafeBytes { shapes in
                (0..<count).map { index in
                    var sum = SIMD8<Float>.zero
                    for offset in stride(from: 0, to: length * 4, by: 32) {
                        sum +=
                            line.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
                            * shapes.loadUnaligned(
                                fromByteOffset: index * length * 4 + offset, as: SIMD8<Float>.self)
                    }
                    return sum.sum()
                }
            }
        }
    }

    /// The words with the least error of all, whatever rules they break, and that error less the line's own energy.
    public func best() -> (path: [Int], error: Float) {
        var costs: [Float] = [0]
        var origins: [[Int]] = []
        for step in steps {
            var next = [Float](repeating: .infinity, count: step.behind.count)
            var from = [Int](repeating: 0, count: step.behind.count)
            var place = 0
            for (index, cost) in costs.enumerated() {
                for target in next.indices {
                    let value = cost + step.errors[place]
                    place += 1
                    if value < next[target] { (next[target], from[target]) = (value, index) }
                }
            }
            costs = next
            origins.append(from)
        }
        var path: [Int] = []
        var at = 0
        for (step, from) in zip(steps, origins).reversed() {
            at = from[at]
            path.append(step.before.lowerBound + at)
        }
        // The last to come is the place before the first character.
        return (path.dropLast().reversed(), costs[0])
    }
}
