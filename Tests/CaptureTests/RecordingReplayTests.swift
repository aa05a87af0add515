// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Capture
import Foundation
import Glibc
import LinuxSystem
import ScanModel
import Testing

/// What `datascan record` wrote is replayed whole, at the rate at which it was taken.
@Suite struct RecordingReplayTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func record(_ name: String, frames: Int = 5, rate: Int64 = 25) throws {
        let writer = RecordingWriter(try RecordingDestination(folder.path(name)))
        for number in 0..<frames {
            let brightness = UInt8(10 + 10 * number)
            let frame =
                name.hasSuffix("y4m") || name.hasSuffix("pgm")
                ? grey(brightness, number) : picture(number, try jpeg(brightness), rate: rate)
            #expect(try writer.append(frame) == nil)
        }
        try writer.describe(Array("{}".utf8))
    }

    /// Frames a second of a replay's own clock, by the stamps of its frames.
    private func rate(_ name: String) throws -> Double {
        var options = ReplayOptions()
        options.rate = .unpaced()
        let source = try ReplaySource(path: folder.path(name), options: options)
        let pool = try FramePool(slotCount: 3, maximumPixels: 1 << 20)
        let never = try EventDescriptor()
        guard case .frame(let first) = source.next(into: pool, cancellation: never),
            case .frame(let second) = source.next(into: pool, cancellation: never)
        else { return 0 }
        return 1 / (second.stamp.monotonic - first.stamp.monotonic).inSeconds
    }

    @Test(arguments: ["clip.mjpeg", "shots", "film.y4m", "shots.pgm-folder"])
    func eachFrameComesBack(name: String) throws {
        try record(name)
        let source = try ReplaySource(path: folder.path(name), options: unpaced)
        #expect(try run(source) == ["0:10", "1:20", "2:30", "3:40", "4:50", "ended"])
        #expect(source.counters.skipped == 0)
    }

    @Test(arguments: ["clip.mjpeg", "shots"]) func itIsPacedAtTheRecordedRate(name: String) throws {
        try record(name, rate: 8)
        #expect(abs(try rate(name) - 8) < 0.001)
    }

    @Test func aY4MsTimesAreBelievedMoreThanItsHeader() throws {
        let writer = RecordingWriter(try RecordingDestination(folder.path("film.y4m")))
        writer.interval = FrameInterval(1, 30)
        for number in 0..<3 { #expect(try writer.append(grey(9, number)) == nil) }
        #expect(abs(try rate("film.y4m") - 25) < 0.001)
        unlink(folder.path("film.y4m.times"))
        #expect(abs(try rate("film.y4m") - 30) < 0.001)
    }

    @Test(arguments: ["clip.mjpeg.times", "shots/frames.times", "shots/recording.json"])
    func whatDescribesARecordingIsNoPicture(name: String) throws {
        try record("clip.mjpeg")
        try record("shots")
        #expect(throws: ReplayError.self) { try ReplaySource(path: folder.path(name), options: unpaced) }
    }

    /// A crash leaves the files as they were at some moment: each line of the side file is true or not there.
    @Test func aSideFileThatIsCutAnywhereIsBelievedAsFarAsItIsWhole() throws {
        try record("clip.mjpeg", rate: 8)
        let whole = folder.bytes("clip.mjpeg.times")
        let ends = whole.indices.filter { whole[$0] == 0x0A }
        for count in 0..<whole.count {
            try folder.put(Array(whole[..<count]), "clip.mjpeg.times")
            // Two lines and the header tell the rate.
            let lines = ends.count { $0 < count }
            #expect(abs(try rate("clip.mjpeg") - (lines >= 3 ? 8 : 30)) < 0.001, "cut at \(count)")
        }
        // After a power cut the tail may be zeros.
        try folder.put(Array(whole[..<ends[3]]) + [UInt8](repeating: 0, count: 100), "clip.mjpeg.times")
        #expect(abs(try rate("clip.mjpeg") - 8) < 0.001)
        try folder.put([UInt8](repeating: 0, count: 10_000), "clip.mjpeg.times")
        #expect(abs(try rate("clip.mjpeg") - 30) < 0.001)
    }

    @Test(
        arguments: [
            (-9_223_372_036_854_775_000, 9_223_372_036_854_775_000), (.min, .max), (-1, 1), (0, .max),
        ] as [(Int64, Int64)])
    func timesThatNoClockTellsAreNotBelieved(first: Int64, last: Int64) throws {
        try record("clip.mjpeg")
        let header = folder.text("clip.mjpeg.times").split(separator: "\n")[0]
        let lines = [(0, first), (1, last)].map { "\($0) \($1) 2026-11-30T09:26:36.087Z 0 500 \($0)\n" }
        try folder.put(Array((header + "\n" + lines.joined()).utf8), "clip.mjpeg.times")
        #expect(abs(try rate("clip.mjpeg") - 30) < 0.001)
    }

    @Test func aLongSideFileIsReadAtItsEndsOnly() throws {
        let line = { (number: Int) in
            "\(number) \(7_000_000_000 + number * 125_000_000) 2026-11-30T09:26:36.087Z \(number * 500) 500 \(number)\n"
        }
        try record("clip.mjpeg")
        let header = folder.text("clip.mjpeg.times").split(separator: "\n")[0] + "\n"
        let text = header + (0..<2000).map(line).joined() + "2000 99"
        try folder.put(Array(text.utf8), "clip.mjpeg.times")
        #expect(abs(try rate("clip.mjpeg") - 8) < 0.001)
    }

    /// The frame that was being written is skipped with a reason, and those before it are there.
    @Test func aFrameFileThatIsCutAnywhereKeepsTheFramesBefore() throws {
        try record("clip.mjpeg", frames: 3)
        let whole = folder.bytes("clip.mjpeg")
        let second = try jpeg(10).count
        for count in stride(from: second + 1, to: second + (try jpeg(20)).count, by: 7) {
            try folder.put(Array(whole[..<count]), "clip.mjpeg")
            let steps = try run(try ReplaySource(path: folder.path("clip.mjpeg"), options: unpaced))
            #expect(steps.first == "0:10" && steps.last == "ended")
            #expect(steps.count <= 3)
        }
    }

    @Test func aFileThatWasNotRecordedHereHasTheOldRate() throws {
        try record("clip.mjpeg")
        for text in ["", "# something else\n0 1 2\n", "0 1 2\n1 2 3\n"] {
            try folder.put(Array(text.utf8), "clip.mjpeg.times")
            #expect(abs(try rate("clip.mjpeg") - 30) < 0.001)
        }
    }
}
