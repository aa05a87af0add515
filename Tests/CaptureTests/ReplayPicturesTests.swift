// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Capture
import Glibc
import ImageKernels
import LinuxSystem
import ScanModel
import ScanTestSupport
import Testing

@Suite struct ReplayPicturesTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    @Test func aDirectoryIsShownInTheOrderOfItsNamesBytes() throws {
        try directory.write("b.pgm", pgm(3))
        try directory.write("a10.PGM", pgm(1))
        try directory.write("a2.pgm", pgm(2))
        try directory.write("B.pnm", pgm(0))
        try directory.write(".hidden.pgm", pgm(9))
        try directory.write("notes.txt", pgm(9))
        try directory.write("pgm", pgm(9))
        mkdir("\(directory.path)/c.png", 0o755)
        mkfifo("\(directory.path)/d.png", 0o644)
        let source = try ReplaySource(path: directory.path, options: unpaced)
        #expect(try run(source) == ["0:0", "1:1", "2:2", "3:3", "ended"])
        #expect(source.isUnpaced && source.name == directory.path)
    }

    @Test func aPictureIsHeldAndItsSlotIsShared() throws {
        try directory.write("a.pgm", pgm(1))
        try directory.write("b.pgm", pgm(2))
        var options = unpaced
        options.hold = 3
        let source = try ReplaySource(path: directory.path, options: options)
        let pool = try FramePool(slotCount: 3, maximumPixels: 4096)
        let never = try EventDescriptor()
        var frames: [Frame] = []
        while case .frame(let frame) = source.next(into: pool, cancellation: never) { frames.append(frame) }
        #expect(frames.map(\.stamp.sequence) == [0, 1, 2, 3, 4, 5])
        #expect(frames.map { $0.withLuma { $0[0, 0] } } == [1, 1, 1, 2, 2, 2])
        #expect(Set(frames.map(\.offset)).count == 2)
        #expect(pool.freeCount == 1)
        frames = []
        #expect(pool.freeCount == 3)
        #expect(source.counters.delivered == 6 && source.counters.dropped == 0)
    }

    @Test func unreadablePicturesAreNamedAndTakeTheirNumbers() throws {
        try directory.write("0-good.pgm", pgm(10))
        try directory.write("1-empty.png", [])
        try directory.write("2-text.jpg", Array("not a picture at all".utf8))
        try directory.write("3-cut.jpg", Array(try jpeg(77).dropLast(60)))
        try directory.write("4-huge.pgm", Array("P5 20000 20000 255\n".utf8))
        try directory.write("5-one-pixel.pgm", pgm(50, width: 1, height: 1))
        symlink("/nonexistent/picture", "\(directory.path)/6-nowhere.png")
        try directory.write("7-good.pgm", pgm(70))
        var options = unpaced
        options.hold = 2
        let source = try ReplaySource(path: directory.path, options: options)
        let pool = try FramePool(slotCount: 2, maximumPixels: 1 << 16)
        let never = try EventDescriptor()
        var steps: [String] = []
        var reasons: [String: String] = [:]
        while steps.last != "ended" {
            let step = source.next(into: pool, cancellation: never)
            steps.append(describe(step))
            if case .skipped(_, let subject, let reason) = step {
                reasons[String(subject.dropFirst(directory.path.utf8.count + 1))] = reason
            }
        }
        #expect(
            steps == [
                "0:10", "1:10", "2:skipped", "4:skipped", "6:skipped", "8:skipped", "10:50", "11:50", "12:skipped",
                "14:70", "15:70", "ended",
            ])
        #expect(reasons["1-empty.png"] == "the file is empty")
        #expect(reasons["2-text.jpg"]?.contains("no PNG, JPEG") == true)
        #expect(reasons["3-cut.jpg"]?.contains("damaged") == true)
        #expect(reasons["4-huge.pgm"]?.contains("20000x20000") == true)
        #expect(reasons["6-nowhere.png"]?.contains("No such file") == true)
        let counters = source.counters
        #expect(counters.delivered == 6 && counters.skipped == 5 && counters.dropped == 0)
        // Nothing that went wrong kept a slot.
        #expect(pool.freeCount == 2)
    }

    @Test func aLoopGoesOnCounting() throws {
        try directory.write("a.pgm", pgm(1))
        try directory.write("b.pgm", pgm(2))
        var options = unpaced
        options.loop = true
        let source = try ReplaySource(path: directory.path, options: options)
        #expect(try run(source, limit: 5) == ["0:1", "1:2", "2:1", "3:2", "4:1"])
    }

    @Test func aLoopOfUnreadablePicturesEnds() throws {
        try directory.write("a.pgm", pgm(1))
        try directory.write("b.pgm", [])
        var options = unpaced
        options.loop = true
        let half = try ReplaySource(path: directory.path, options: options)
        #expect(try run(half, limit: 4) == ["0:1", "1:skipped", "2:1", "3:skipped"])
        try directory.write("a.pgm", [])
        let nothing = try ReplaySource(path: directory.path, options: options)
        #expect(try run(nothing) == ["0:skipped", "1:skipped", "ended"])
    }

    @Test func onePictureEndsAfterItsFrames() throws {
        let file = try directory.write("a.pgm", pgm(5))
        #expect(try run(ReplaySource(path: file, options: unpaced)) == ["0:5", "ended"])
        // And stays ended.
        let source = try ReplaySource(path: file)
        #expect(try run(source) == ["0:5", "ended"])
        #expect(try run(source) == ["ended"])
        // Without a suffix its first bytes tell.
        let plain = try directory.write("picture", pgm(6))
        #expect(try run(ReplaySource(path: plain, options: unpaced)) == ["0:6", "ended"])
    }

    @Test func aPictureIsTurned() throws {
        let file = try directory.write("a.pgm", Array("P5 3 2 255\n".utf8) + [1, 2, 3, 4, 5, 6])
        var options = unpaced
        options.orientation = Orientation(turn: .quarter, isMirrored: false)
        let source = try ReplaySource(path: file, options: options)
        let pool = try FramePool(slotCount: 1, maximumPixels: 4096)
        guard case .frame(let frame) = source.next(into: pool, cancellation: try EventDescriptor()) else {
            Issue.record("no frame")
            return
        }
        #expect(frame.width == 2 && frame.height == 3)
        #expect(frame.withLuma { Array($0.bytes.prefix(6)) } == [4, 1, 5, 2, 6, 3])
    }

    @Test func whatCanNotStartSaysWhy() throws {
        func kind(_ path: String, _ options: ReplayOptions = unpaced) -> ReplayError.Kind? {
            #expect(throws: ReplayError.self) { try ReplaySource(path: path, options: options) }?.kind
        }
        #expect(kind("\(directory.path)/nothing.png") == .notFound)
        #expect(kind(directory.path) == .empty)
        #expect(kind(try directory.write("text", Array("words".utf8))) == .unknownKind)
        #expect(kind(try directory.write("empty.mjpeg", [])) == .empty)
        #expect(kind(try directory.write("a.y4m", Array("RIFF".utf8))) == .unknownKind)
        #expect(kind("/dev/null") == .unsupported)
        let file = try directory.write("a.pgm", pgm(1))
        var options = unpaced
        options.hold = 0
        #expect(kind(file, options) == .invalidOption)
        options = unpaced
        options.rate = .fixed(.nan)
        #expect(kind(file, options) == .invalidOption)
        options = unpaced
        options.loop = true
        #expect(kind("-", options) == .invalidOption)
        if geteuid() != 0 {
            chmod(file, 0)
            #expect(kind(file) == .notPermitted)
        }
    }

    @Test func picturesOfTheFirstDataSetAllLoad() throws {
        let package = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let pictures = "/\(package)/../shared/data/first"
        guard access(pictures, R_OK) == 0 else {
            print("skipped: ../shared/data/first is not there")
            return
        }
        let source = try ReplaySource(path: pictures, options: unpaced)
        let pool = try FramePool(slotCount: 2)
        let never = try EventDescriptor()
        steps: while true {
            switch source.next(into: pool, cancellation: never) {
            case .frame: continue
            case .ended: break steps
            case let other:
                Issue.record("\(other)")
                break steps
            }
        }
        #expect(source.counters.delivered >= 24 && source.counters.skipped == 0)
    }
}
