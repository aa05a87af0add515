// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// How many letters must be put in, taken out or changed to make one word of the other (Levenshtein 1966).
public func editDistance(_ a: String, _ b: String) -> Int {
    let b = Array(b)
    var row = Array(0...b.count)
    for (i, letter) in a.enumerated() {
        var diagonal = row[0]
        row[0] = i + 1
        for j in b.indices {
            let substituted = diagonal + (b[j] == letter ? 0 : 1)
            diagonal = row[j + 1]
            row[j + 1] = min(substituted, min(row[j], row[j + 1]) + 1)
        }
    }
    return row[b.count]
}
