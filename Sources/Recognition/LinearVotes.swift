// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ScanModel

/// Weighs what the engines made of one place: which payload is to be believed, and how far.
///
/// Independent are two engines, and the plain and the averaged crop for zxing-cpp, of which the second counts half. Passes
/// of ZBar never support one another: the same wrong value comes in pass after pass.
struct LinearVotes {
    /// One payload with all who read it.
    struct Ballot {
        var reads: [LinearRead]

        var best: LinearRead { reads[0] }
        var witnesses: Set<DecodedSymbol.Witness> { Set(reads.map(\.witness)) }
        /// Scan lines of the pass that had most.
        var lines: Int { reads.reduce(1) { max($0, $1.lines) } }
        var confidence: Double { LinearVotes.confidence(of: reads) }

        /// Whether both are readings of one payload.
        func isSame(as read: LinearRead) -> Bool {
            LinearNaming.family(best.symbology) == LinearNaming.family(read.symbology)
                && LinearNaming.key(best.symbology, best.payload) == LinearNaming.key(read.symbology, read.payload)
        }
    }

    private(set) var ballots: [Ballot] = []

    mutating func add(_ read: LinearRead) {
        guard !read.payload.isEmpty else { return }
        if let index = ballots.firstIndex(where: { $0.isSame(as: read) }) {
            // zxing-cpp knows FNC4 and the variants of GS1: where it has read, its bytes are the payload.
            let isBetter = read.witness.engine == .zxing && ballots[index].best.witness.engine == .zbar
            ballots[index].reads.insert(read, at: isBetter ? 0 : ballots[index].reads.count)
        } else {
            ballots.append(Ballot(reads: [read]))
        }
    }

    /// The payloads that are believed: of contradicting ones at one place the one that is far surer, or none.
    var winners: [(ballot: Ballot, confidence: Double)] {
        ballots.compactMap { ballot in
            var confidence = ballot.confidence
            for other in ballots where !ballot.isSame(as: other.best) && Self.contradict(ballot, other) {
                switch Self.verdict(ballot, other) {
                case .first: continue
                case .second: return nil
                case .neither:
                    guard confidence < ReadingTrust.confirmed else { return nil }
                    // The better of two weak ones stays, to be confirmed by another frame or not at all.
                    guard Self.isAhead(ballot, other) else { return nil }
                    confidence = min(confidence, ReadingTrust.contradicted)
                }
            }
            return (ballot, confidence)
        }
    }

    private enum Verdict { case first, second, neither }

    private static func verdict(_ a: Ballot, _ b: Ballot) -> Verdict {
        let (sureA, sureB) = (a.confidence >= ReadingTrust.confirmed, b.confidence >= ReadingTrust.confirmed)
        if sureA != sureB { return sureA ? .first : .second }
        // A part of a 2 of 5, or an EAN-8 in an EAN-13, decodes on its own: the longer is the symbol.
        if contains(a, b) { return .first }
        if contains(b, a) { return .second }
        return .neither
    }

    private static func isAhead(_ a: Ballot, _ b: Ballot) -> Bool {
        a.confidence > b.confidence || (a.confidence == b.confidence && a.lines > b.lines)
    }

    /// Whether the first covers the second and far more.
    private static func contains(_ a: Ballot, _ b: Ballot) -> Bool {
        let (long, short) = (a.best.payload, b.best.payload)
        guard long.count > short.count else { return false }
        if LinearNaming.family(a.best.symbology) == LinearNaming.family(b.best.symbology),
            !a.best.symbology.isRetail
        {
            return long.indices.contains { long[$0...].starts(with: short) }
        }
        let (outer, inner) = (a.best.span, b.best.span)
        return outer.upperBound - outer.lowerBound > 1.3 * (inner.upperBound - inner.lowerBound)
    }

    /// Whether they are of one place: labels side by side are not.
    private static func contradict(_ a: Ballot, _ b: Ballot) -> Bool {
        guard a.best.symbology.isAddOn == b.best.symbology.isAddOn else { return false }
        let (first, second) = (a.best.span, b.best.span)
        let shared = min(first.upperBound, second.upperBound) - max(first.lowerBound, second.lowerBound)
        let smaller = min(first.upperBound - first.lowerBound, second.upperBound - second.lowerBound)
        return shared > 0.3 * smaller || smaller < 0.02
    }

    private static func confidence(of reads: [LinearRead]) -> Double {
        func isBy(_ engine: DecodedSymbol.Engine, _ preparations: Set<DecodedSymbol.Preparation>) -> Bool {
            reads.contains { $0.witness.engine == engine && preparations.contains($0.witness.preparation) }
        }
        if isBy(.own, [.templates]) { return reads.count > 1 ? ReadingTrust.bothEngines : ReadingTrust.templates }
        let zbar = reads.filter { $0.witness.engine == .zbar }
        let plain = isBy(.zxing, [.plain, .stretched])
        let sharp = isBy(.zxing, [.averaged, .sharpened])
        if !zbar.isEmpty, plain || sharp { return plain ? ReadingTrust.bothEngines : ReadingTrust.bothOneSharpened }
        if plain { return sharp ? ReadingTrust.secondEngineTwice : ReadingTrust.secondEngine }
        if sharp { return ReadingTrust.sharpenedAlone }
        let share = zbar.reduce(0.0) { max($0, Double($1.lines) / Double(max(1, $1.linesScanned))) }
        // DataBar Expanded checks itself by modulo 211 and by the order of its finders.
        if reads[0].symbology == .gs1DataBarExpanded, share >= ReadingTrust.strongShare {
            return ReadingTrust.secondEngine
        }
        let isStrong = share >= ReadingTrust.strongShare
        return isStrong ? ReadingTrust.firstEngineStrong : ReadingTrust.firstEngineWeak
    }
}
