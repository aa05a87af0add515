// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// What a reading is worth, by who read it.
enum ReadingTrust {
    /// Of readings at this and more, at least 98 in 100 are right.
    static let confirmed = 0.9
    /// Symbols with error correction.
    static let errorCorrected = 0.99
    /// ZBar, and zxing-cpp on a crop that was not sharpened.
    static let bothEngines = 0.99
    /// ZBar, and zxing-cpp on a sharpened crop.
    static let bothOneSharpened = 0.97
    /// Whole symbols compared with the bars: no wrong payload among 259 of public pictures.
    static let templates = 0.97
    /// zxing-cpp on a plain and on a sharpened crop.
    static let secondEngineTwice = 0.96
    /// Any engine, and the payload's own bars laid over the picture's.
    static let redrawn = 0.95
    /// The same where they do not fit.
    static let disproved = 0.2
    /// zxing-cpp alone on a crop that was not sharpened.
    static let secondEngine = 0.93
    /// zxing-cpp alone on an EAN, UPC or a symbol without a check whose bars can not be compared.
    static let unproved = 0.85
    /// zxing-cpp alone on a sharpened crop.
    static let sharpenedAlone = 0.8
    /// ZBar alone, on many and on few of the lines.
    static let firstEngineStrong = 0.7
    static let firstEngineWeak = 0.4
    /// The better of two weak readings that contradict each other.
    static let contradicted = 0.3
    /// The share of a crop's lines from which a reading of ZBar is strong.
    static let strongShare = 0.3
}
