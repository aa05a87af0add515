// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// How alike two strings are.
enum Likeness {
    /// Characters that are compared at the most; the time goes with the square.
    static let maximumLength = 128

    /// 1 for equal strings, 0 for strings without anything in common: one minus the normalised edit distance
    /// 2g / (|a| + |b| + g), which is a metric (Li Yujian and Liu Bo, TPAMI 29(6) 2007).
    static func of(_ a: String, _ b: String) -> Double {
        if a == b { return 1 }
        let a = Array(a.unicodeScalars.prefix(maximumLength))
        let b = Array(b.unicodeScalars.prefix(maximumLength))
        if a.isEmpty || b.isEmpty { return a.isEmpty && b.isEmpty ? 1 : 0 }
        var row = Array(0...b.count)
        for i in 1...a.count {
            var diagonal = row[0]
            row[0] = i
            for j in 1...b.count {
                let substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)
                diagonal = row[j]
                row[j] = Swift.min(substituted, row[j] + 1, row[j - 1] + 1)
            }
        }
        let distance = Double(row[b.count])
        return 1 - 2 * distance / (Double(a.count + b.count) + distance)
    }
}
