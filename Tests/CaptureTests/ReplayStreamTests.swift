// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Capture
import Glibc
import ImageKernels
import LinuxSystem
import ScanModel
import ScanTestSupport
import Testing

@Suite struct ReplayStreamTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    @Test func anMJPEGFileIsSplitBetweenItsPictures() throws {
        let garbage: [UInt8] = [0, 0xFF, 1, 2, 0xFF, 0xD9, 0xFF, 0xD8, 7, 0xFF]
        var clip = garbage
        clip += try withThumbnail(jpeg(40), thumbnail: jpeg(200)) + garbage
        clip += try jpeg(80) + jpeg(120)
        let file = try directory.write("clip.mjpeg", clip)
        #expect(try run(ReplaySource(path: file, options: unpaced)) == ["0:40", "1:80", "2:120", "ended"])
        // By its content, and again and again.
        var options = unpaced
        options.loop = true
        let plain = try directory.write("clip", try jpeg(10) + jpeg(20))
        #expect(
            try run(ReplaySource(path: plain, options: options), limit: 5) == ["0:10", "1:20", "2:10", "3:20", "4:10"])
    }

    @Test func aCutPictureCostsOnlyItself() throws {
        // Of noise, so that the cut is far behind the headers.
        var noise = LumaBuffer(width: 64, height: 64)
        var generator = SeededGenerator(seed: 1)
        for index in noise.pixels.indices { noise.pixels[index] = .random(in: 0...255, using: &generator) }
        let cut = try noise.withView { try JPEGEncoder.encode(luma: $0, quality: 90) }.dropLast(500)
        let clip = try jpeg(40) + cut + jpeg(120) + jpeg(160).dropLast(2)
        let source = try ReplaySource(path: try directory.write("a.mjpg", clip), options: unpaced)
        #expect(try run(source) == ["0:40", "1:skipped", "2:120", "3:skipped", "ended"])
        #expect(source.counters.skipped == 2)
    }

    @Test func anMJPEGFileWithoutPicturesSaysSo() throws {
        let file = try directory.write("a.mjpeg", Array("not a picture".utf8))
        #expect(try run(ReplaySource(path: file, options: unpaced)) == ["0:skipped", "ended"])
    }

    @Test func flippedBytesNeverStopAStream() throws {
        var clip: [UInt8] = []
        for index in 0..<20 { clip += try jpeg(UInt8(index * 10)) }
        var generator = SeededGenerator(seed: 2)
        for _ in 0..<100 {
            var flipped = clip
            for _ in 0..<10 {
                let at = Int.random(in: 0..<clip.count, using: &generator)
                flipped[at] = .random(in: 0...255, using: &generator)
            }
            let steps = try run(ReplaySource(path: try directory.write("a.mjpeg", flipped), options: unpaced))
            #expect(steps.last == "ended" && steps.count > 1)
        }
    }

    @Test(arguments: [
        ("420jpeg", 12), ("420mpeg2", 12), ("420paldv", 12), ("420", 12), ("422", 18), ("444", 30), ("444alpha", 45),
        ("411", 12), ("mono", 0), ("", 12),
    ])
    func y4mGivesItsLuma(colour: String, chroma: Int) throws {
        // 5x3: halves and quarters are rounded up.
        let colourField = colour.isEmpty ? "" : " C\(colour)"
        var clip = Array("YUV4MPEG2 W5 H3 F25:1 Ip A1:1\(colourField) XYSCSS=ANY\n".utf8)
        for brightness: UInt8 in [30, 60, 90] {
            clip += Array((brightness == 60 ? "FRAME Ip\n" : "FRAME\n").utf8)
            clip += [UInt8](repeating: brightness, count: 15) + [UInt8](repeating: 128, count: chroma)
        }
        var options = unpaced
        options.rate = .unpaced()
        let source = try ReplaySource(path: try directory.write("a.y4m", clip), options: options)
        let pool = try FramePool(slotCount: 4, maximumPixels: 4096)
        let never = try EventDescriptor()
        var frames: [Frame] = []
        while case .frame(let frame) = source.next(into: pool, cancellation: never) { frames.append(frame) }
        #expect(
            frames.map { $0.withLuma { Array($0.bytes.prefix(15)) } }
                == [30, 60, 90].map { Array(repeating: $0, count: 15) })
        #expect(frames.map(\.width) == [5, 5, 5] && frames.map(\.height) == [3, 3, 3])
        // The rate is the file's.
        #expect(frames.count == 3 && frames[2].stamp.monotonic - frames[0].stamp.monotonic == .milliseconds(80))
    }

    @Test func y4mThatIsNotReadSaysWhy() throws {
        func error(_ header: String) throws -> String {
            let file = try directory.write("a.y4m", Array("YUV4MPEG2 \(header)\n".utf8))
            return #expect(throws: ReplayError.self) { try ReplaySource(path: file) }?.description ?? ""
        }
        #expect(try error("W4 H4 F25:1 C420p10").contains("420p10"))
        #expect(try error("W4 H4 F25:1 Cmono12").contains("mono12"))
        #expect(try error("H4 F25:1").contains("no size"))
        #expect(try error("W20000 H20000 F25:1").contains("20000x20000"))
        #expect(try error("W-4 H4 F25:1").contains("-4x4"))
        let endless = try directory.write("b.y4m", Array("YUV4MPEG2 ".utf8) + [UInt8](repeating: 0x58, count: 10_000))
        #expect(throws: ReplayError.self) { try ReplaySource(path: endless) }
    }

    @Test func y4mThatIsCutSkipsItsLastFrame() throws {
        let header = Array("YUV4MPEG2 W4 H4 F25:1 Cmono\n".utf8)
        let frame = Array("FRAME\n".utf8) + [UInt8](repeating: 9, count: 16)
        func steps(_ clip: [UInt8]) throws -> [String] {
            try run(ReplaySource(path: try directory.write("a.y4m", clip), options: unpaced))
        }
        #expect(try steps(header + frame + frame.dropLast(3)) == ["0:9", "1:skipped", "ended"])
        #expect(try steps(header + frame + Array("FRA".utf8)) == ["0:9", "1:skipped", "ended"])
        #expect(try steps(header + frame + Array("WHAT?\n".utf8) + frame) == ["0:9", "1:skipped", "ended"])
        #expect(try steps(header) == ["ended"])
        var options = unpaced
        options.loop = true
        let file = try directory.write("b.y4m", header + frame + frame)
        #expect(try run(ReplaySource(path: file, options: options), limit: 4) == ["0:9", "1:9", "2:9", "3:9"])
        let none = try directory.write("c.y4m", header)
        #expect(try run(ReplaySource(path: none, options: options), limit: 4) == ["ended"])
    }

    @Test func aPipeIsReadAsItComes() throws {
        let clip = try jpeg(40) + [1, 2, 3] + jpeg(80) + jpeg(120)
        #expect(try run(piped(clip, inPiecesOf: 7)) == ["0:40", "1:80", "2:120", "ended"])
        let y4m = Array("YUV4MPEG2 W4 H4 F25:1 Cmono\nFRAME\n".utf8) + [UInt8](repeating: 9, count: 16)
        #expect(try run(piped(y4m, inPiecesOf: 5)) == ["0:9", "ended"])
    }

    @Test func aPipeOfSomethingElseIsSkippedWithItsReason() throws {
        for bytes in [Array("words and more words".utf8), [], [0xFF], Array("YUV4MPEG2 W4 H4 Cmono16\n".utf8)] {
            let source = try piped(bytes, inPiecesOf: 100)
            #expect(try run(source) == ["0:skipped", "ended"])
            #expect(source.counters.delivered == 0 && source.counters.skipped == 1)
        }
    }

    @Test func aSlowWriterMovesTheSchedule() throws {
        let pipe = try Pipe()
        var options = ReplayOptions()
        options.rate = .fixed(100)
        let source = try ReplaySource(stream: OwnedDescriptor(owning: pipe.reader), name: "pipe", options: options)
        let writer = pipe.writer
        let pictures = try [jpeg(10), jpeg(20), jpeg(30)]
        let thread = NamedThread("writer") {
            for picture in pictures {
                pause(for: .milliseconds(60))
                try? writeAll(picture, to: writer)
            }
            close(writer)
        }
        // Ten frames are due while one comes: catching up would never end.
        #expect(try run(source) == ["0:10", "1:20", "2:30", "ended"])
        thread.join()
        #expect(source.counters.dropped == 0)
    }

    @Test func aFastWriterIsCaughtUpWith() throws {
        let frame = Array("FRAME\n".utf8) + [UInt8](repeating: 9, count: 6400)
        var clip = Array("YUV4MPEG2 W80 H80 F50:1 Cmono\n".utf8)
        for _ in 0..<200 { clip += frame }
        var options = ReplayOptions()
        options.rate = .source
        let source = try piped(clip, inPiecesOf: 60_000, options)
        let pool = try FramePool(slotCount: 2, maximumPixels: 1 << 16)
        let never = try EventDescriptor()
        #expect(describe(source.next(into: pool, cancellation: never)) == "0:9")
        pause(for: .milliseconds(500))
        guard case .frame(let late) = source.next(into: pool, cancellation: never) else {
            Issue.record("no frame")
            return
        }
        #expect(late.stamp.sequence >= 25 && source.counters.dropped == late.stamp.sequence - 1)
    }

    @Test func aSilentPipeCanBeCancelledAndGoesOn() throws {
        let pipe = try Pipe()
        let source = try ReplaySource(stream: OwnedDescriptor(owning: pipe.reader), name: "pipe", options: unpaced)
        let pool = try FramePool(slotCount: 1, maximumPixels: 4096)
        let cancellation = try EventDescriptor()
        let picture = try jpeg(40)
        for part in [picture.prefix(1), picture[1..<200]] {
            try writeAll(Array(part), to: pipe.writer)
            let prompt = isPrompt(cancellation) {
                describe(source.next(into: pool, cancellation: cancellation)) == "cancelled"
            }
            #expect(prompt)
        }
        try writeAll(Array(picture[200...]), to: pipe.writer)
        close(pipe.writer)
        #expect(describe(source.next(into: pool, cancellation: cancellation)) == "0:40")
        #expect(describe(source.next(into: pool, cancellation: cancellation)) == "ended")
    }

    @Test(arguments: [true, false]) func aStalledPipeIsToldAndGoesOn(isY4M: Bool) throws {
        let pipe = try Pipe()
        var options = ReplayOptions()
        options.rate = .fixed(5)
        let source = try ReplaySource(stream: OwnedDescriptor(owning: pipe.reader), name: "pipe", options: options)
        let pool = try FramePool(slotCount: 2, maximumPixels: 4096)
        let cancellation = try EventDescriptor()
        func next() -> String { describe(source.next(into: pool, cancellation: cancellation)) }
        func frame(_ brightness: UInt8) throws -> [UInt8] {
            isY4M ? Array("FRAME\n".utf8) + [UInt8](repeating: brightness, count: 16) : try jpeg(brightness)
        }
        // Not a byte, then a part of the beginning.
        let began = MonotonicTime.now
        #expect(next() == "unavailable noFrames")
        #expect(MonotonicTime.now - began >= .milliseconds(1400) && MonotonicTime.now - began < .seconds(4))
        let first = (isY4M ? Array("YUV4MPEG2 W4 H4 F25:1 Cmono\n".utf8) : []) + (try frame(10))
        try writeAll(Array(first.prefix(1)), to: pipe.writer)
        #expect(next() == "unavailable noFrames")
        try writeAll(Array(first.dropFirst()), to: pipe.writer)
        #expect(next() == "0:10")
        // A part of a frame is no frame; it lasts as long as it lasts.
        let second = try frame(20)
        try writeAll(Array(second.prefix(9)), to: pipe.writer)
        #expect(next() == "unavailable noFrames")
        let prompt = isPrompt(cancellation) { next() == "cancelled" }
        #expect(prompt)
        #expect(next() == "unavailable noFrames")
        // What comes afterwards is shown from where it stopped, none of it dropped as late.
        let third = try frame(30)
        try writeAll(Array(second.dropFirst(9)) + third, to: pipe.writer)
        #expect(next() == "1:20")
        #expect(next() == "2:30")
        close(pipe.writer)
        #expect(next() == "ended")
        #expect(source.counters.delivered == 3 && source.counters.dropped == 0)
    }

    @Test func anUnpacedPipeIsWaitedForInSilence() throws {
        let pipe = try Pipe()
        let source = try ReplaySource(stream: OwnedDescriptor(owning: pipe.reader), name: "pipe", options: unpaced)
        let picture = try jpeg(40)
        let writer = pipe.writer
        let thread = NamedThread("writer") {
            pause(for: .milliseconds(1800))
            try? writeAll(picture, to: writer)
            close(writer)
        }
        #expect(try run(source) == ["0:40", "ended"])
        thread.join()
    }

    /// A picture with another one inside its APP1 segment.
    private func withThumbnail(_ picture: [UInt8], thumbnail: [UInt8]) -> [UInt8] {
        let length = thumbnail.count + 2
        return Array(picture[..<2]) + [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + thumbnail + picture[2...]
    }

    private func piped(_ bytes: [UInt8], inPiecesOf size: Int, _ options: ReplayOptions = unpaced) throws
        -> ReplaySource
    {
        let pipe = try Pipe()
        let writer = pipe.writer
        _ = NamedThread("writer") {
            var at = 0
            while at < bytes.count {
                let end = min(at + size, bytes.count)
                try? writeAll(Array(bytes[at..<end]), to: writer)
                at = end
            }
            close(writer)
        }
        return try ReplaySource(stream: OwnedDescriptor(owning: pipe.reader), name: "pipe", options: options)
    }
}
