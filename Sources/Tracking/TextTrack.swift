// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanModel

/// One line of text.
struct TextTrack {
    var life: Life
    private(set) var votes = TextVotes()
    /// When it was last read, by the frames' clock; not when it was last found.
    private(set) var lastRead: FrameStamp?
    /// The item as it is announced, without its volatile fields.
    var item: RecognizedItem.Text?
    private var lastChange: MonotonicTime?

    /// A transcript changes at most once in this time: what follows a line is not to flicker with it.
    static let leastTimeBetweenChanges = Duration.seconds(5)
    /// Looks in a row that must miss a line that was not announced before it is forgotten.
    static let candidateMisses = 4

    init(_ sighting: TextSighting, in frame: FrameStamp) {
        life = Life(at: sighting.bounds, in: frame, leastThickness: Shape.lineThickness)
        read(sighting, in: frame)
    }

    /// What it says for now: what was announced, or the leading reading.
    var transcript: String? { item?.transcript ?? votes.tallies.first?.transcript }

    /// Whether it is announced, the last readings agree with what was announced, and the last look found it there.
    var isSettled: Bool { life.presence.missed == 0 && (item.map { votes.agree(with: $0.transcript) } ?? false) }

    mutating func see(_ sighting: TextSighting, in look: Look) {
        guard life.presence.isNewer(look.frame) else { return }
        life.see(sighting.bounds, in: look)
        read(sighting, in: look.frame)
    }

    private mutating func read(_ sighting: TextSighting, in frame: FrameStamp) {
        guard let reading = sighting.reading else { return }
        lastRead = frame
        votes.add(reading)
    }

    /// Changes what is announced when another transcript has clearly won.
    mutating func reconsider(at level: QualityLevel, now: MonotonicTime) {
        guard var changed = item, let winner = votes.successor(of: changed.transcript, at: level) else { return }
        if let lastChange, now - lastChange < TextTrack.leastTimeBetweenChanges { return }
        changed.transcript = winner.transcript
        changed.languages = winner.languages
        item = changed
        lastChange = now
    }

    /// How sure it is, 0...1: the mean confidence of the agreeing readings times their share of all.
    var confidence: Double {
        guard let item, let tally = votes.tallies.first(where: { $0.transcript == item.transcript }) else { return 0.5 }
        return tally.weight / Double(Swift.max(1, votes.readings.count))
    }
}

/// One observation of a line, checked.
struct TextSighting {
    var bounds: Quad
    var shape: Shape
    /// What counts as a vote; `nil` where a line was found but not read well.
    var reading: TextReading?
    /// What was read, if anything, however badly.
    var transcript: String?
}
