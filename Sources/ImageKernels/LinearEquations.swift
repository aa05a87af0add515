// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// Small systems of linear equations.
enum LinearEquations {
    /// `nil` where the matrix, symmetric and row by row, has no inverse.
    static func solved(_ matrix: [Double], _ vector: [Double]) -> [Double]? {
        let size = vector.count
        var (a, b) = (matrix, vector)
        for pivot in 0..<size {
            let diagonal = a[pivot * size + pivot]
            guard diagonal > 1e-9 else { return nil }
            for row in (pivot + 1)..<max(pivot + 1, size) {
                let factor = a[row * size + pivot] / diagonal
                for column in pivot..<size { a[row * size + column] -= factor * a[pivot * size + column] }
                b[row] -= factor * b[pivot]
            }
        }
        var result = [Double](repeating: 0, count: size)
        for row in (0..<size).reversed() {
            var value = b[row]
            for column in (row + 1)..<max(row + 1, size) { value -= a[row * size + column] * result[column] }
            result[row] = value / a[row * size + row]
        }
        return result
    }
}
