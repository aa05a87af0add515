// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Glibc

/// Finds where one JPEG picture ends and the next begins, as bytes come in.
///
/// It walks the marker segments, so that a thumbnail with its own start and end inside an APP segment does not count. A
/// picture that lost its end goes as far as the next start, also where it was cut inside a table or a header, whose length
/// would reach into the next picture; between pictures everything up to a start is passed over.
struct JPEGSplitter {
    enum Step: Equatable {
        /// A picture from its start to its end, or as far as it makes sense.
        case picture(Range<Int>)
        /// The picture that began is over the limit; it was given up.
        case tooLarge
        /// The bytes end before the picture does.
        case needsMore
    }

    private enum Place { case between, atMarker, inScan }

    /// Bytes of the largest picture.
    let limit: Int
    private var place = Place.between
    private var at = 0
    private var start = 0

    init(limit: Int) { self.limit = limit }

    /// How many of the first bytes are not needed any more.
    var discardable: Int { place == .between ? at : start }

    /// The buffer's first bytes are gone.
    mutating func discarded(_ count: Int) {
        at -= count
        start -= count
    }

    /// Goes on where it stopped; `bytes` holds at least what it held the last time.
    mutating func next(in bytes: UnsafeRawBufferPointer) -> Step {
        while true {
            if place != .between, min(at, bytes.count) - start > limit { return giveUp(bytes.count) }
            switch place {
            case .between:
                guard let found = markerPrefix(in: bytes) else { return .needsMore }
                // A third byte is asked for: FF D8 alone comes by chance every 64 KiB.
                guard found + 2 < bytes.count else { return .needsMore }
                guard bytes[found + 1] == 0xD8, bytes[found + 2] == 0xFF else {
                    at = found + 1
                    continue
                }
                (start, at, place) = (found, found + 2, .atMarker)
            case .inScan:
                guard let found = markerPrefix(in: bytes), found + 1 < bytes.count else { return needsMore(bytes) }
                switch bytes[found + 1] {
                case 0x00, 0xD0...0xD7: at = found + 2
                case 0xFF: at = found + 1
                default: place = .atMarker
                }
            case .atMarker:
                guard at + 1 < bytes.count else { return needsMore(bytes) }
                // No marker where one must be: what came so far is handed on to be refused by the decoder.
                guard bytes[at] == 0xFF else { return finish(at) }
                switch bytes[at + 1] {
                case 0xFF: at += 1
                case 0xD8: return finish(at)
                case 0xD9: return finish(at + 2)
                case 0x00, 0x01, 0xD0...0xD7: at += 2
                case let marker:
                    switch strangeStart(marker, in: bytes) {
                    case .at(let start): return finish(start)
                    case .open: return needsMore(bytes)
                    case .none: break
                    }
                    guard at + 3 < bytes.count else { return needsMore(bytes) }
                    let length = Int(bytes[at + 2]) << 8 | Int(bytes[at + 3])
                    guard length >= 2 else { return finish(at + 2) }
                    at += 2 + length
                    if marker == 0xDA { place = .inScan }
                }
            }
        }
    }

    private enum Found { case none, at(Int), open }

    /// Looks for the start of another picture inside the segment at `at`, where none can be; `open` while it is not all
    /// there.
    ///
    /// APP segments and comments may hold anything, thumbnails too, behind their length. Tables could by chance hold
    /// FF D8 FF, so the marker of a first segment has to follow.
    private func strangeStart(_ marker: UInt8, in bytes: UnsafeRawBufferPointer) -> Found {
        let content = at + 4
        var end = content
        if !(0xE0...0xEF).contains(marker), marker != 0xFE {
            guard content <= bytes.count else { return .open }
            end = max(content, at + 2 + (Int(bytes[at + 2]) << 8 | Int(bytes[at + 3])))
        }
        var candidate = at + 2
        while candidate < end {
            guard candidate < bytes.count else { return .open }
            if bytes[candidate] == 0xFF {
                switch startAt(candidate, in: bytes) {
                case .none: break
                case let found: return found
                }
            }
            candidate += 1
        }
        return .none
    }

    private func startAt(_ candidate: Int, in bytes: UnsafeRawBufferPointer) -> Found {
        for (offset, expected): (Int, UInt8) in [(1, 0xD8), (2, 0xFF)] {
            guard candidate + offset < bytes.count else { return .open }
            guard bytes[candidate + offset] == expected else { return .none }
        }
        guard candidate + 3 < bytes.count else { return .open }
        switch bytes[candidate + 3] {
        case 0xC0...0xCF, 0xDB, 0xDD, 0xE0...0xEF, 0xFE: return .at(candidate)
        default: return .none
        }
    }

    /// What is left when no more bytes come: a picture without its end, or nothing.
    mutating func end(of count: Int) -> Range<Int>? {
        guard place != .between, start < count else { return nil }
        place = .between
        at = count
        return start..<count
    }

    private mutating func finish(_ end: Int) -> Step {
        place = .between
        at = end
        return .picture(start..<end)
    }

    private mutating func needsMore(_ bytes: UnsafeRawBufferPointer) -> Step {
        bytes.count - start > limit ? giveUp(bytes.count) : .needsMore
    }

    private mutating func giveUp(_ count: Int) -> Step {
        place = .between
        at = min(at, count)
        return .tooLarge
    }

    /// Moves to the next FF, or to the end of the bytes when there is none.
    private mutating func markerPrefix(in bytes: UnsafeRawBufferPointer) -> Int? {
        guard at < bytes.count, let base = bytes.baseAddress else { return nil }
        guard let found = memchr(base + at, 0xFF, bytes.count - at) else {
            at = bytes.count
            return nil
        }
        at = UnsafeRawPointer(found) - base
        return at
    }
}
