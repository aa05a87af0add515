// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// How much work goes into one candidate.
///
/// A picture holds ten times as many candidates as codes. So all get a glance, the promising a look, and only what is
/// left unread and worth it the whole list of passes.
enum ReadingEffort: Int, Comparable, Sendable {
    /// The one pass that reads most of its kind at the least price.
    case glance
    /// The few passes that are likely to help where the first did not.
    case look
    /// Everything that ever helped.
    case thorough

    static func < (one: ReadingEffort, other: ReadingEffort) -> Bool { one.rawValue < other.rawValue }
}
