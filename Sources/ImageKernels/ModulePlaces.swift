// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// Where a symbol's modules lie on a profile: a polynomial of the third degree, for labels around cans and seen from a side.
public struct ModulePlaces: Sendable, Hashable {
    /// Of the module's place in -1...1 from the symbol's start to its end; the place is in samples of the profile.
    public var coefficients: SIMD4<Float>
    public let modules: Int

    /// The middle is so many samples behind the place between both ends.
    public init(start: Float, end: Float, middle: Float = 0, modules: Int) {
        coefficients = SIMD4((start + end) / 2 + middle, (end - start) / 2, -middle, 0)
        self.modules = modules
    }

    @inline(__always)
    func normalized(_ module: Float) -> Float { 2 * module / Float(modules) - 1 }

    public subscript(module: Float) -> Float {
        let t = normalized(module)
        return coefficients[0] + t * (coefficients[1] + t * (coefficients[2] + t * coefficients[3]))
    }

    /// Samples of a module in the middle.
    var moduleWidth: Float { 2 * coefficients[1] / Float(modules) }
}

extension ModulePlaces {
    /// The polynomial nearest to places of modules.
    init?(through points: [(module: Float, place: Float)], modules: Int) {
        self.init(start: 0, end: 1, modules: modules)
        var matrix = [Double](repeating: 0, count: 16)
        var vector = [Double](repeating: 0, count: 4)
        for point in points {
            let t = Double(normalized(point.module))
            let power = [1, t, t * t, t * t * t]
            for row in 0..<4 {
                vector[row] += power[row] * Double(point.place)
                for column in 0..<4 { matrix[row * 4 + column] += power[row] * power[column] }
            }
        }
        guard let solved = LinearEquations.solved(matrix, vector) else { return nil }
        coefficients = SIMD4(solved.map { Float($0) })
    }

    /// As seen from the other end of a line of so many samples.
    mutating func reverse(count: Int) {
        let (a, b, c, d) = (coefficients[0], coefficients[1], coefficients[2], coefficients[3])
        coefficients = SIMD4(Float(count) - a, b, -c, d)
    }

    /// On a line with so many times the samples.
    public func scaled(by factor: Float) -> ModulePlaces {
        var result = self
        result.coefficients *= factor
        return result
    }
}
