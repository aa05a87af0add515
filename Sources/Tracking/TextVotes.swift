// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanModel

/// The last readings of one line, and what they agree on.
struct TextVotes {
    struct Reading {
        var transcript: String
        var confidence: Double
        var languages: [String]
    }

    /// What the readings of one transcript come to.
    struct Tally {
        var transcript: String
        var count = 0
        var weight = 0.0
        var languages: [String] = []

        var confidence: Double { count > 0 ? weight / Double(count) : 0 }
    }

    private(set) var readings: [Reading] = []

    /// Readings that are remembered: enough for six against three.
    static let memory = 9
    /// A transcript wins when its weight is this many times that of the next one, ...
    static let margin = 1.5
    /// ... and when it was read so many times more often: once is chance.
    static let lead = 2
    /// Agreeing readings that a settled transcript needs against it, the last ones.
    static let readingsToChange = 3
    /// The least confidence of a reading that is counted; others say only that a line is there.
    static let leastConfidence = 0.5

    mutating func add(_ reading: TextReading) {
        if readings.count >= TextVotes.memory { readings.removeFirst() }
        readings.append(
            Reading(transcript: reading.transcript, confidence: reading.confidence, languages: reading.languages))
    }

    /// The transcripts that were read, the heaviest first; of equal ones the one that was read first.
    var tallies: [Tally] {
        var tallies: [Tally] = []
        for reading in readings {
            let index = tallies.firstIndex { $0.transcript == reading.transcript } ?? tallies.count
            if index == tallies.count { tallies.append(Tally(transcript: reading.transcript)) }
            tallies[index].count += 1
            tallies[index].weight += reading.confidence
            tallies[index].languages = reading.languages
        }
        return tallies.enumerated().sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }
            .map(\.element)
    }

    /// The transcript that is certain enough to be announced.
    func winner(at level: QualityLevel) -> Tally? {
        let tallies = self.tallies
        guard let first = tallies.first else { return nil }
        if tallies.count > 1 {
            let second = tallies[1]
            guard first.weight >= second.weight * TextVotes.margin, first.count - second.count >= TextVotes.lead else {
                return nil
            }
        }
        let need = TextVotes.need(for: first.transcript, at: level)
        guard first.count >= need.readings, first.confidence >= need.confidence else { return nil }
        return first
    }

    /// The transcript that has clearly won against a settled one.
    func successor(of settled: String, at level: QualityLevel) -> Tally? {
        guard let winner = winner(at: level), winner.transcript != settled,
            winner.count >= TextVotes.readingsToChange,
            readings.suffix(TextVotes.readingsToChange).allSatisfy({ $0.transcript == winner.transcript })
        else { return nil }
        return winner
    }

    /// Whether the last readings agree with a transcript, so that it needs no reading for a while.
    func agree(with transcript: String) -> Bool {
        readings.count >= 2 && readings.suffix(2).allSatisfy { $0.transcript == transcript }
    }

    /// Short transcripts are what noise and edges are read as.
    static func need(for transcript: String, at level: QualityLevel) -> (readings: Int, confidence: Double) {
        switch transcript.unicodeScalars.reduce(0, { $0 + ($1.properties.isWhitespace ? 0 : 1) }) {
        case ...1: (4, 0.95)
        case 2...3: (3, 0.85)
        // Small print is what the level is for, and small print is misread more often.
        default: (level == .accurate ? 3 : 2, 0.7)
        }
    }

    /// Whether a transcript can be a line of text at all: most of its visible characters are letters or digits.
    static func isText(_ transcript: String) -> Bool {
        var visible = 0
        var meaningful = 0
        var hasLetterOrDigit = false
        for scalar in transcript.unicodeScalars where !scalar.properties.isWhitespace {
            switch scalar.properties.generalCategory {
            case .format, .control: continue
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
                .letterNumber, .otherNumber:
                meaningful += 1
                hasLetterOrDigit = true
            case .nonspacingMark, .spacingMark, .currencySymbol: meaningful += 1
            default: break
            }
            visible += 1
        }
        return hasLetterOrDigit && meaningful * 2 >= visible
    }
}

extension TextVotes {
    /// Whether a transcript is a piece of another one.
    static func isPart(_ piece: String, of whole: String) -> Bool {
        let piece = Array(piece.unicodeScalars)
        let whole = Array(whole.unicodeScalars)
        guard !piece.isEmpty, piece.count <= whole.count else { return false }
        return (0...(whole.count - piece.count)).contains { start in
            whole[start..<(start + piece.count)].elementsEqual(piece)
        }
    }
}
