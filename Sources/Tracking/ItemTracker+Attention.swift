// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ScanModel

extension ItemTracker {
    /// How long a barcode that is not certain masks its place and is looked for.
    private static let candidateMemory = Duration.milliseconds(500)

    /// What the tracker knows that helps to decide where to look next.
    public func attention(now: MonotonicTime) -> TrackedAttention {
        let followed = barcodes.filter {
            $0.life.ended == nil
                && ($0.life.isCertain || now - $0.life.presence.lastSeen.monotonic <= Self.candidateMemory)
        }
        return TrackedAttention(
            barcodes: followed.compactMap { track in
                track.life.key.map { key in
                    TrackedAttention.Barcode(
                        key: key, bounds: track.life.place.smoothed, symbology: track.reading.symbology,
                        isCertain: track.life.isCertain, lastRead: track.life.presence.lastSeen.monotonic,
                        missed: track.life.presence.missed, presence: .init(track.life.appearance.state))
                }
            },
            lines: lines.filter { $0.life.ended == nil }.map {
                TrackedAttention.Line(
                    bounds: $0.life.place.seen, isSettled: $0.isSettled, lastRead: $0.lastRead?.monotonic)
            },
            unreadCodes: unread.codes, uncertainBarcodes: followed.count { !$0.life.isCertain })
    }
}

extension TrackedAttention.Presence {
    fileprivate init(_ state: Appearance.State) {
        switch state {
        case .there: self = .there
        case .covered: self = .covered
        case .missing: self = .missing
        case .unknown: self = .unknown
        }
    }
}
