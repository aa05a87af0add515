// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// A symbol laid over a profile: its place, its blur, and what it leaves unexplained.
public struct BlurredFit: Sendable {
    /// Modules on either side whose light and dark are taken as even.
    private static let evenReach = 12

    public let profile: BarProfile
    public let plan: CharacterPlan
    public var places: ModulePlaces
    public var blur: BarBlur
    /// The words of the characters.
    public private(set) var path: [Int] = []
    /// The profile at the symbol's own places, darkness as of 0...1.
    public private(set) var darkness: [Float]
    /// The share of the darkness' variance that is not explained, 0...1.
    public private(set) var residue: Float = 1
    private var raw: [Float]

    private static let density = BlurredPairs.density
    private static let quiet = BlurredPairs.quiet

    public init(profile: BarProfile, plan: CharacterPlan, places: ModulePlaces, blur: BarBlur) {
        (self.profile, self.plan, self.places, self.blur) = (profile, plan, places, blur)
        raw = Self.sampled(profile, places)
        darkness = BarProfile.stretched(raw, reach: Self.evenReach * Self.density)
    }

    private static func sampled(_ profile: BarProfile, _ places: ModulePlaces) -> [Float] {
        (0..<((places.modules + 2 * quiet) * density)).map { index in
            profile.value(at: places[(Float(index) + 0.5) / Float(density) - Float(quiet)])
        }
    }

    /// The same symbol in another profile of the same bars, whose light is taken anew.
    public func moved(to other: BarProfile) -> BlurredFit {
        BlurredFit(profile: other, plan: plan, places: places, blur: blur)
    }

    /// Finds the words with the least error.
    public mutating func read(_ pairs: BlurredPairs) {
        path = PairErrors(of: darkness, pairs: pairs).best().path
        blur = pairs.blur
    }

    /// The share of variance that `words` leave.
    public func residue(of words: [Int], blur: BarBlur) -> Float {
        Self.residue(of: Self.model(plan, words, blur), in: darkness)
    }

    /// The same for the character where it is most, as a share of the whole line's mean variance.
    public func worstResidue(of words: [Int], blur: BarBlur) -> Float {
        let model = Self.model(plan, words, blur)
        let (sum, squares) = darkness.reduce(into: (Float(0), Float(0))) {
            $0.0 += $1
            $0.1 += $1 * $1
        }
        let count = Float(darkness.count)
        let variance = max((squares - sum * sum / count) / count, 1e-4)
        var worst: Float = 0
        for slot in plan.slots {
            let first = (slot.start + Self.quiet) * Self.density
            var errors: Float = 0
            for index in first..<(first + CharacterPlan.width * Self.density) {
                errors += (darkness[index] - model[index]) * (darkness[index] - model[index])
            }
            worst = max(worst, errors / Float(CharacterPlan.width * Self.density) / variance)
        }
        return worst
    }

    private static func residue(of model: [Float], in darkness: [Float]) -> Float {
        var (sum, squares, errors) = (Float(0), Float(0), Float(0))
        for index in darkness.indices {
            let (value, error) = (darkness[index], darkness[index] - model[index])
            sum += value
            squares += value * value
            errors += error * error
        }
        return errors / max(squares - sum * sum / Float(darkness.count), 1e-3)
    }

    /// What the words look like.
    public static func model(_ plan: CharacterPlan, _ words: [Int], _ blur: BarBlur) -> [Float] {
        var line = [Float](repeating: 0, count: (plan.modules + 2 * quiet) * density)
        for run in plan.runs(of: words) {
            blur.add(
                barFrom: Float(run.lowerBound), to: Float(run.upperBound), into: &line, origin: -Float(quiet),
                density: Float(density))
        }
        return line
    }

    /// Takes light, place and blur from the words that were read.
    public mutating func settle(blurs: [BarBlur], degree: Int) {
        var model = Self.model(plan, path, blur)
        levelled(by: model)
        move(model, degree: degree)
        raw = Self.sampled(profile, places)
        levelled(by: model)
        residue = Self.residue(of: model, in: darkness)
        for other in blurs where other != blur {
            let drawn = Self.model(plan, path, other)
            let levelled = Self.levelled(raw, by: drawn)
            let value = Self.residue(of: drawn, in: levelled)
            if value < residue { (residue, blur, model, darkness) = (value, other, drawn, levelled) }
        }
    }

    private mutating func levelled(by model: [Float]) { darkness = Self.levelled(raw, by: model) }

    /// The line with light and dark as the model's, by least squares over a neighbourhood.
    private static func levelled(_ raw: [Float], by model: [Float]) -> [Float] {
        let reach = evenReach * density
        let count = raw.count
        var sums = [SIMD4<Float>](repeating: .zero, count: count + 1)
        for index in 0..<count {
            let (x, y) = (model[index], raw[index])
            sums[index + 1] = sums[index] + SIMD4(x, y, x * x, x * y)
        }
        let whole = sums[count] / Float(count)
        let slope = (whole[3] - whole[0] * whole[1]) / max(whole[2] - whole[0] * whole[0], 1e-3)
        var result = raw
        for index in 0..<count {
            let (from, to) = (max(0, index - reach), min(count, index + reach + 1))
            let mean = (sums[to] - sums[from]) / Float(to - from)
            let variance = mean[2] - mean[0] * mean[0]
            // The whole line's contrast counts as much as a seventh of what a neighbourhood of bars has by itself.
            let weight: Float = 0.03
            let own = (mean[3] - mean[0] * mean[1] + weight * slope) / (variance + weight)
            // A contrast under a quarter of the whole's is not that of bars.
            let contrast = max(own, 0.25 * slope, 1)
            result[index] = mean[0] + (raw[index] - mean[1]) / contrast
        }
        return result
    }

    /// Moves the places so that the model's edges lie on the line's: a step of Gauss and Newton.
    private mutating func move(_ model: [Float], degree: Int) {
        let size = degree + 1
        var matrix = [Double](repeating: 0, count: size * size)
        var vector = [Double](repeating: 0, count: size)
        for index in 1..<(model.count - 1) {
            let slope = (model[index + 1] - model[index - 1]) / 2 * Float(Self.density)
            let error = darkness[index] - model[index]
            let module = (Float(index) + 0.5) / Float(Self.density) - Float(Self.quiet)
            let t = Double(places.normalized(module))
            var power = [1.0, 0, 0, 0]
            for degree in 1..<max(2, size) { power[degree] = power[degree - 1] * t }
            for row in 0..<size {
                vector[row] += power[row] * Double(slope * error)
                for column in 0..<size {
                    matrix[row * size + column] += power[row] * power[column] * Double(slope * slope)
                }
            }
        }
        guard let shifts = LinearEquations.solved(matrix, vector) else { return }
        // What is seen at a module belongs so many modules further: its place is as much before.
        let width = Double(places.moduleWidth)
        for (index, shift) in shifts.enumerated() {
            places.coefficients[index] -= Float(min(max(shift, -1), 1) * width)
        }
    }
}
