// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// Which digits the characters of a symbol can stand for together: ten words a character, and a weighted sum.
public struct CheckedVariant: Sendable, Hashable {
    /// The word that is digit 0, for each character.
    public var firstWords: [Int]
    /// What each digit counts in the sum, modulo 10.
    public var weights: [Int]
    /// What the sum and this are together is a multiple of 10.
    public var base: Int
    /// Which digits the last character can be, by bit.
    public var lastDigits: Int

    public init(firstWords: [Int], weights: [Int], base: Int, lastDigits: Int = 0x3FF) {
        (self.firstWords, self.weights, self.base, self.lastDigits) = (firstWords, weights, base, lastDigits)
    }
}

extension PairErrors {
    /// The digits with the least error among those that are allowed, and the errors of the best and of the second best.
    public struct Checked: Sendable {
        public var variant: Int
        public var digits: [Int]
        public var error: Float
        public var secondError: Float
    }

    /// The best digits of all variants; `nil` where there are none.
    public func best(of variants: [CheckedVariant]) -> Checked? {
        // What breaks the sum has no more error than what does not: variants that are too bad without it are left out.
        let bounds = variants.map { leastError(of: $0) }
        var result: Checked?
        for index in variants.indices.sorted(by: { bounds[$0] < bounds[$1] }) {
            if let result, bounds[index] > result.secondError { break }
            guard let found = checked(variants[index]) else { continue }
            guard let known = result else {
                result = Checked(
                    variant: index, digits: found.digits, error: found.error, secondError: found.secondError)
                continue
            }
            if found.error < known.error {
                result = Checked(
                    variant: index, digits: found.digits, error: found.error,
                    secondError: min(found.secondError, known.error))
            } else {
                result?.secondError = min(known.secondError, found.error)
            }
        }
        return result
    }

    @inline(__always)
    private func errors(_ step: Step, _ before: Int, _ behind: Int) -> Float {
        step.errors[(before - step.before.lowerBound) * step.behind.count + behind - step.behind.lowerBound]
    }

    private func leastError(of variant: CheckedVariant) -> Float {
        let words = variant.firstWords
        var costs = (0..<10).map { errors(steps[0], 0, words[0] + $0) }
        for index in 1..<words.count {
            costs = (0..<10).map { digit in
                var least = Float.infinity
                for before in 0..<10 {
                    least = min(
                        least,
                        costs[before] + errors(steps[index], words[index - 1] + before, words[index] + digit))
                }
                return least
            }
        }
        var least = Float.infinity
        for digit in 0..<10 where variant.lastDigits >> digit & 1 == 1 {
            least = min(least, costs[digit] + errors(steps[words.count], words[words.count - 1] + digit, 0))
        }
        return least
    }

    /// The least and the second least error of what ends in a digit with a sum.
    private struct State {
        var least = Float.infinity
        var second = Float.infinity
        var origin = 0

        mutating func add(_ first: Float, _ next: Float, from state: Int) {
            if first < least {
                (second, least, origin) = (min(least, next), first, state)
            } else {
                second = min(second, first)
            }
        }
    }

    private func checked(_ variant: CheckedVariant) -> (digits: [Int], error: Float, secondError: Float)? {
        let words = variant.firstWords
        var layers: [[State]] = []
        var layer = [State](repeating: State(), count: 100)
        for digit in 0..<10 {
            let sum = (variant.base + variant.weights[0] * digit) % 10
            layer[digit * 10 + sum].add(errors(steps[0], 0, words[0] + digit), .infinity, from: 0)
        }
        layers.append(layer)
        for index in 1..<words.count {
            var next = [State](repeating: State(), count: 100)
            for before in 0..<10 {
                for digit in 0..<10 {
                    let cost = errors(steps[index], words[index - 1] + before, words[index] + digit)
                    let added = variant.weights[index] * digit
                    for sum in 0..<10 {
                        let state = layer[before * 10 + sum]
                        guard state.least < .infinity else { continue }
                        next[digit * 10 + (sum + added) % 10].add(
                            state.least + cost, state.second + cost, from: before * 10 + sum)
                    }
                }
            }
            layer = next
            layers.append(next)
        }
        var last = State()
        for digit in 0..<10 where variant.lastDigits >> digit & 1 == 1 {
            let cost = errors(steps[words.count], words[words.count - 1] + digit, 0)
            let state = layer[digit * 10]
            last.add(state.least + cost, state.second + cost, from: digit * 10)
        }
        guard last.least < .infinity else { return nil }
        var digits: [Int] = []
        var state = last.origin
        for layer in layers.reversed() {
            digits.append(state / 10)
            state = layer[state].origin
        }
        return (digits.reversed(), last.least, last.second)
    }
}
