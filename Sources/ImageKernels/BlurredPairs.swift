// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// What each pair of neighbouring characters looks like through one blur, from the middle of one to the middle of the next.
///
/// Blur takes each character's bars into its neighbours, so that none can be judged alone; but over half a character it hardly
/// reaches. With stretches from middle to middle, the error of a whole symbol is a sum over pairs, and its least is found by
/// going through the characters once.
public struct BlurredPairs: Sendable {
    /// Places of a module.
    public static let density = 4
    /// Modules of light on both sides that have to be there.
    public static let quiet = 4

    struct Window: Sendable {
        var firstSample: Int
        /// A multiple of 8; what is behind the stretch is 0.
        var length: Int
        var before: Range<Int>
        var behind: Range<Int>
        var beforeShapes: [Float]
        var behindShapes: [Float]
        /// The squares of both together, for each pair.
        var energy: [Float]
    }

    public let plan: CharacterPlan
    public let blur: BarBlur
    let windows: [Window]
    /// Samples of a whole symbol with its quiet zones.
    public var count: Int { (plan.modules + 2 * Self.quiet) * Self.density }

    public init(plan: CharacterPlan, blur: BarBlur) {
        self.plan = plan
        self.blur = blur
        var known: [Key: Window] = [:]
        let half = CharacterPlan.width * Self.density / 2
        windows = (0...plan.slots.count).map { index in
            let part = plan.guards[index]
            let before = index > 0 ? plan.slots[index - 1] : nil
            let behind = index < plan.slots.count ? plan.slots[index] : nil
            let key = Key(
                part: part, before: before?.choices ?? 0..<1, behind: behind?.choices ?? 0..<1,
                isFirst: before == nil, isLast: behind == nil)
            let start = before.map { ($0.start + Self.quiet) * Self.density + half } ?? 0
            var window = known[key] ?? Self.window(key, plan: plan, blur: blur)
            window.firstSample = start
            known[key] = window
            return window
        }
    }

    private struct Key: Hashable {
        var part: CharacterPlan.Guard
        var before: Range<Int>
        var behind: Range<Int>
        var isFirst: Bool
        var isLast: Bool
    }

    private static func window(_ key: Key, plan: CharacterPlan, blur: BarBlur) -> Window {
        let half = Float(CharacterPlan.width) / 2
        let left = key.isFirst ? Float(quiet) : half
        let right = key.isLast ? Float(quiet) : half
        let samples = Int((left + Float(key.part.count) + right) * Float(density))
        let length = (samples + 7) / 8 * 8
        // Module 0 is the first of the guard.
        func shape(_ runs: [Range<Int>]) -> [Float] {
            var line = [Float](repeating: 0, count: length)
            for run in runs {
                blur.add(
                    barFrom: Float(run.lowerBound), to: Float(run.upperBound), into: &line, origin: -left,
                    density: Float(density))
            }
            for index in samples..<max(samples, length) { line[index] = 0 }
            return line
        }
        let fixed = DarkModules(bits: key.part.bits, count: key.part.count, at: 0).runs
        let before = key.before.map { word in
            key.isFirst
                ? shape(fixed)
                : shape(
                    DarkModules(bits: plan.codewords[word], count: CharacterPlan.width, at: -CharacterPlan.width).runs
                        + fixed)
        }
        let behind = key.behind.map { word in
            key.isLast
                ? shape([])
                : shape(
                    DarkModules(bits: plan.codewords[word], count: CharacterPlan.width, at: key.part.count).runs)
        }
        var energy: [Float] = []
        for one in before {
            for other in behind { energy.append(zip(one, other).reduce(0) { $0 + ($1.0 + $1.1) * ($1.0 + $1.1) }) }
        }
        return Window(
            firstSample: 0, length: length, before: key.before, behind: key.behind,
            beforeShapes: before.flatMap { $0 }, behindShapes: behind.flatMap { $0 }, energy: energy)
    }
}
