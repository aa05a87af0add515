// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Testing

@testable import Capture

@Suite struct JPEGSplitterTests {
    private let soi: [UInt8] = [0xFF, 0xD8]
    private let eoi: [UInt8] = [0xFF, 0xD9]

    @Test func everyCutOfTheInputGivesTheSamePictures() throws {
        let first = soi + segment(0xE0, [1, 2, 3]) + segment(0xDA, [0]) + [9, 0xFF, 0, 0xFF, 0xD0, 7] + eoi
        // Fill bytes before a marker, two scans, an end inside a comment.
        let second = soi + [0xFF, 0xFF] + segment(0xFE, eoi + soi) + segment(0xDA, []) + [1] + segment(0xDA, []) + eoi
        let third = try jpeg(100)
        let clip = [5, 6, 0xFF] + first + [0xFF] + second + [0xFF, 0xD8, 0, 1] + third
        for size in [1, 2, 3, 7, 64, clip.count] {
            #expect(split(clip, inPiecesOf: size) == [first, second, third], "pieces of \(size)")
        }
    }

    @Test func aPictureWithoutItsEndGoesToTheNextStart() {
        let cutInScan = soi + segment(0xDA, []) + [1, 2, 3]
        let cutBetweenSegments = soi + segment(0xE0, [1])
        let whole = soi + segment(0xDA, []) + [4] + eoi
        for size in [1, 100] {
            #expect(
                split(cutInScan + whole + cutBetweenSegments + whole + cutInScan, inPiecesOf: size)
                    == [cutInScan, whole, cutBetweenSegments, whole, cutInScan])
        }
    }

    @Test func aPictureCutInsideAHeaderCostsOnlyItself() throws {
        let whole = try jpeg(100)
        let scan = try #require(firstScan(in: whole))
        for length in 2...scan {
            let cut = Array(whole[..<length])
            for size in [1, 1000] {
                let pictures = split(cut + whole + whole, inPiecesOf: size)
                // Inside an APP segment it can not be told from a thumbnail.
                if isInsideApplicationSegment(length, of: whole) { continue }
                // Compared outside, or each failure would print a thousand numbers.
                let isRight = pictures == [cut, whole, whole]
                #expect(isRight, "cut at \(length), pieces of \(size): \(pictures.map(\.count))")
            }
        }
    }

    @Test func aTableMayLookLikeAStart() {
        let odd = soi + segment(0xDB, [0, 0xFF, 0xD8, 0xFF, 0xFF, 0xD8, 0xFF, 0x10]) + segment(0xDA, []) + [4] + eoi
        for size in [1, 100] { #expect(split(odd + odd, inPiecesOf: size) == [odd, odd]) }
    }

    /// Where the first SOS segment ends.
    private func firstScan(in picture: [UInt8]) -> Int? {
        var at = 2
        while at + 3 < picture.count {
            let end = at + 2 + (Int(picture[at + 2]) << 8 | Int(picture[at + 3]))
            if picture[at + 1] == 0xDA { return end }
            at = end
        }
        return nil
    }

    /// Whether a cut leaves an APP segment with at least its length, but not whole.
    private func isInsideApplicationSegment(_ length: Int, of picture: [UInt8]) -> Bool {
        var at = 2
        while at + 3 < picture.count, at < length {
            let end = at + 2 + (Int(picture[at + 2]) << 8 | Int(picture[at + 3]))
            if (0xE0...0xEF).contains(picture[at + 1]), length >= at + 4, length < end { return true }
            at = end
        }
        return false
    }

    @Test func aPictureOverTheLimitIsGivenUp() {
        let endless = soi + segment(0xDA, []) + [UInt8](repeating: 3, count: 500)
        let whole = soi + segment(0xDA, []) + [4] + eoi
        for size in [1, 10, 50] {
            #expect(split(endless + whole, inPiecesOf: size, limit: 200) == [[], whole], "pieces of \(size)")
        }
        let bigSegments = soi + segment(0xE1, [UInt8](repeating: 0, count: 300)) + eoi
        #expect(split(bigSegments + whole, inPiecesOf: 10, limit: 200) == [[], whole])
    }

    private func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        [0xFF, marker, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 255)] + content
    }

    /// The pictures found; an empty one stands for one that was given up.
    private func split(_ bytes: [UInt8], inPiecesOf size: Int, limit: Int = 1 << 20) -> [[UInt8]] {
        var splitter = JPEGSplitter(limit: limit)
        var buffer: [UInt8] = []
        var pictures: [[UInt8]] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            buffer += bytes[start..<min(start + size, bytes.count)]
            search: while true {
                let step = buffer.withUnsafeBytes { splitter.next(in: $0) }
                switch step {
                case .picture(let range): pictures.append(Array(buffer[range]))
                case .tooLarge: pictures.append([])
                case .needsMore: break search
                }
            }
            let done = splitter.discardable
            buffer.removeFirst(done)
            splitter.discarded(done)
        }
        if let rest = splitter.end(of: buffer.count) { pictures.append(Array(buffer[rest])) }
        return pictures
    }
}
