// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ImageKernels
import ScanTestSupport
import Testing

/// What webcams send, and what they should not.
@Suite struct CameraJPEGTests {
    private static let width = 160
    private static let height = 120

    /// Fault A13.
    @Test func everyShortPrefixIsRefused() throws {
        let whole = try JPEGPictures.label(Self.width, Self.height)
        for count in 0...64 { #expect(problem(Array(whole.prefix(count))) != nil, "\(count) bytes") }
    }

    /// Fault A11.
    @Test func everyCutPictureIsRefused() throws {
        for whole in try [JPEGPictures.label(Self.width, Self.height), JPEGPictures.colour(Self.width, Self.height)] {
            #expect(problem(whole) == nil)
            let ends: [[UInt8]] = [
                [], [0xFF, 0xD9], [UInt8](repeating: 0, count: 1000),
                [0xFF, 0xD9] + [UInt8](repeating: 0, count: 1000),
                Array(whole.prefix(500)), whole,
            ]
            for sixteenth in 0..<16 {
                for (number, end) in ends.enumerated() {
                    let cut = Array(whole.prefix(whole.count * sixteenth / 16)) + end
                    // Nothing of the first picture and all of the second is a picture.
                    if sixteenth == 0, number == 5 { continue }
                    #expect(problem(cut) != nil, "\(sixteenth)/16, end \(number)")
                }
            }
        }
    }

    @Test func whatIsBehindThePictureIsLeftBehind() throws {
        let whole = try JPEGPictures.label(Self.width, Self.height)
        let tails: [[UInt8]] = [
            [0], [UInt8](repeating: 0, count: 100_000), Array(repeating: 0xA5, count: 3000), [0xFF, 0xD9], whole,
        ]
        for tail in tails {
            #expect(try kept(whole + tail) == whole)
            #expect(try luma(whole + tail) == luma(whole))
        }
        // Any number of 0xFF may stand before a marker.
        let filled = Array(whole.dropLast(2)) + [0xFF, 0xFF, 0xFF, 0xD9]
        #expect(try luma(filled) == luma(whole))
    }

    @Test func whatBeginsWithSomethingElseIsNoPicture() throws {
        var bytes = try JPEGPictures.label(Self.width, Self.height)
        #expect(problem(Array(bytes.dropFirst()))?.contains("begins with 216 255") == true)
        bytes[1] = 0xD9
        #expect(problem(bytes)?.contains("begins with 255 217") == true)
    }

    /// Fault A12.
    @Test func sizesThatLieAreRefusedAndNothingIsAllocated() throws {
        var bytes = try JPEGPictures.label(Self.width, Self.height)
        let frame = try #require(bytes.indices.dropLast().first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 })
        for (width, height) in [(65_500, 65_500), (8000, 8000), (168, 120), (160, 128), (120, 160)] {
            bytes.replaceSubrange(
                frame + 5..<frame + 9,
                with: [UInt8(height >> 8), UInt8(height & 255), UInt8(width >> 8), UInt8(width & 255)])
            let words = "\(width)x\(height) pixels where 160x120 were expected"
            #expect(problem(bytes)?.contains(words) == true)
        }
        // The camera was set to what its header claims; the data is that of a smaller picture.
        bytes.replaceSubrange(frame + 5..<frame + 9, with: [0x1F, 0x40, 0x1F, 0x40])
        #expect(problem(bytes, 8000, 8000)?.contains("ends early") == true)
        bytes.replaceSubrange(frame + 5..<frame + 9, with: [0, 0, 0, 160])
        #expect(problem(bytes)?.contains("its header says 160x0 pixels") == true)
    }

    @Test func whatNoCameraSendsIsRefused() throws {
        let picture = JPEGPictures.picture(Self.width, Self.height)
        let progressive = try picture.withView {
            try JPEGEncoder.encode(
                $0.bytes, layout: .luma, width: Self.width, height: Self.height, stride: Self.width, quality: 90,
                progressive: true)
        }
        #expect(problem(progressive)?.contains("of process 2") == true)
        let inks = [UInt8](repeating: 200, count: 4 * Self.width * Self.height)
        let cmyk = try inks.withUnsafeBytes {
            try JPEGEncoder.encode(
                $0, layout: .cmyk, width: Self.width, height: Self.height, stride: 4 * Self.width, quality: 90)
        }
        #expect(problem(cmyk)?.contains("4 components") == true)
    }

    @Test func headersThatContradictThemselvesAreRefused() throws {
        let whole = try JPEGPictures.label(Self.width, Self.height)
        func changed(_ marker: UInt8, at offset: Int, to value: UInt8) throws -> String? {
            var bytes = whole
            let segment = try #require(bytes.indices.dropLast().first { bytes[$0] == 0xFF && bytes[$0 + 1] == marker })
            bytes[segment + offset] = value
            return problem(bytes)
        }
        #expect(try changed(0xDB, at: 2, to: 0xFF)?.contains("a segment of 65347 bytes") == true)
        #expect(try changed(0xDB, at: 4, to: 5)?.contains("a quantisation table") == true)
        #expect(try changed(0xDB, at: 1, to: 0xEE)?.contains("without the quantisation table") == true)
        #expect(try changed(0xC4, at: 4, to: 0x22)?.contains("a Huffman table") == true)
        #expect(try changed(0xC4, at: 5, to: 3)?.contains("Huffman table") == true)
        #expect(try changed(0xC0, at: 4, to: 12)?.contains("12 bits") == true)
        #expect(try changed(0xC0, at: 11, to: 0x51)?.contains("5x1 blocks") == true)
        #expect(try changed(0xC0, at: 1, to: 0xC9)?.contains("of process 9") == true)
        #expect(try changed(0xDA, at: 5, to: 9)?.contains("a scan of component 9") == true)
        #expect(try changed(0xDA, at: 3, to: 9)?.contains("a scan header of 7 bytes") == true)
    }

    // MARK: - Habits of webcams

    @Test func aPictureWithoutTablesMeansTheStandardOnes() throws {
        var maker = HandMadeJPEG()
        let picture = JPEGPictures.picture(Self.width, Self.height)
        let complete = try maker.encode(picture)
        maker.hasHuffmanTables = false
        let bare = try maker.encode(picture)
        #expect(bare.count < complete.count - 200)
        #expect(try luma(bare) == luma(complete))
        #expect(try kept(bare).count == bare.count + 420)
        // The tables of the picture before must not be taken: a progressive one has its own.
        let decoder = try JPEGDecoder()
        let other = try picture.withView {
            try JPEGEncoder.encode(
                $0.bytes, layout: .luma, width: Self.width, height: Self.height, stride: Self.width, quality: 60,
                progressive: true)
        }
        _ = try decoded(other, by: decoder)
        #expect(try decoded(bare, by: decoder) == luma(complete))
    }

    /// Logitech's C270, C310, C910 and others: up to 10 bytes more than the data needs, behind some of the intervals.
    @Test func bytesBehindTheDataOfAnIntervalAreHarmless() throws {
        let picture = JPEGPictures.picture(Self.width, Self.height)
        for interval in [0, 1, 7, 20, 300, 1000] {
            var maker = HandMadeJPEG()
            maker.restartInterval = interval
            let plain = try luma(maker.encode(picture))
            maker.padding = { number in [UInt8](repeating: UInt8(number * 37 & 0x7F), count: number * 3 % 11) }
            #expect(try luma(maker.encode(picture)) == plain, "\(interval)")
            maker.padding = { _ in [0] }
            #expect(try luma(maker.encode(picture)) == plain, "\(interval)")
            maker.padding = { _ in [UInt8](repeating: 0x55, count: 17) }
            let bytes = try maker.encode(picture)
            #expect(problem(bytes)?.contains("has 17 bytes too many") == true, "\(interval)")
        }
    }

    @Test func fieldsWithoutMeaningAreNotLookedAt() throws {
        var maker = HandMadeJPEG()
        let picture = JPEGPictures.picture(Self.width, Self.height)
        let plain = try luma(maker.encode(picture))
        maker.scanParameters = [0, 0, 0]
        #expect(try luma(maker.encode(picture)) == plain)
        maker.firstSegment = [0xFF, 0xE0, 0, 16] + Array("JFIF".utf8) + [0, 9, 9] + [UInt8](repeating: 0, count: 7)
        #expect(try luma(maker.encode(picture)) == plain)
    }

    @Test func intervalsMustBeThereAndInTheirTurn() throws {
        var maker = HandMadeJPEG()
        maker.restartInterval = 20
        let whole = try maker.encode(JPEGPictures.picture(Self.width, Self.height))
        let marks = whole.indices.dropLast().filter { whole[$0] == 0xFF && (0xD0...0xD7).contains(whole[$0 + 1]) }
        #expect(marks.count == 14)
        func without(_ range: Range<Int>) -> String? {
            problem(Array(whole[..<range.lowerBound] + whole[range.upperBound...]))
        }
        #expect(without(marks[3]..<marks[4])?.contains("restart marker 4 out of turn") == true)
        // Eight of them: the numbers still fit.
        #expect(without(marks[3]..<marks[11])?.contains("7 of 15 restart intervals") == true)
        #expect(without(marks[3]..<marks[3] + 2)?.contains("restart marker 4 out of turn") == true)
        #expect(without(marks[13]..<whole.count - 2)?.contains("14 of 15 restart intervals") == true)
        #expect(without(marks[5] + 20..<marks[6])?.contains("ends early in interval 7 of 15") == true)
        // One behind the last interval does no harm.
        let more = whole.dropLast(2) + [0xFF, 0xD6, 0xFF, 0xD9]
        #expect(try luma(Array(more)) == luma(whole))
        var stray = try HandMadeJPEG().encode(JPEGPictures.picture(Self.width, Self.height))
        stray.replaceSubrange(stray.count - 200..<stray.count - 198, with: [0xFF, 0xD0])
        #expect(problem(stray)?.contains("restart marker 0 out of turn") == true)
    }

    @Test func noByteOutsideIsReadWhateverTheHeaderSays() throws {
        let whole = try JPEGPictures.colour(64, 48)
        var generator = SeededGenerator(seed: 8)
        let decoder = try JPEGDecoder()
        for _ in 0..<1000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                bytes[Int.random(in: 2..<700, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            bytes.removeLast(Int.random(in: 0...bytes.count - 2, using: &generator) / 4)
            let source = try GuardedBytes(bytes)
            let target = try GuardedBytes([UInt8](repeating: 0, count: 64 * 48))
            let view = UnsafeRawBufferPointer(source.bytes)
            guard let jpeg = try? CameraJPEG(checking: view, width: 64, height: 48) else { continue }
            let copy = try GuardedBytes([UInt8](repeating: 0, count: jpeg.byteCount))
            jpeg.copy(into: copy.bytes)
            try? decoder.decodeLuma(UnsafeRawBufferPointer(copy.bytes), into: target.bytes, width: 64, height: 48)
        }
    }

    // MARK: - Helpers

    private func kept(_ bytes: [UInt8], _ width: Int = width, _ height: Int = height) throws -> [UInt8] {
        try JPEGPictures.kept(bytes, width, height)
    }

    private func luma(_ bytes: [UInt8], _ width: Int = width, _ height: Int = height) throws -> [UInt8] {
        try JPEGPictures.luma(bytes, width, height)
    }

    /// Why a picture is refused, at once or when it is decoded.
    private func problem(_ bytes: [UInt8], _ width: Int = width, _ height: Int = height) -> String? {
        do {
            _ = try luma(bytes, width, height)
            return nil
        } catch { return "\(error)" }
    }

    private func decoded(_ bytes: [UInt8], by decoder: JPEGDecoder) throws -> [UInt8] {
        var pixels = [UInt8](repeating: 0, count: Self.width * Self.height)
        try bytes.withUnsafeBytes { bytes in
            try pixels.withUnsafeMutableBytes {
                try decoder.decodeLuma(bytes, into: $0, width: Self.width, height: Self.height)
            }
        }
        return pixels
    }
}
