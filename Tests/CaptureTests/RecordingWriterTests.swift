// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Capture
import Foundation
import Glibc
import LinuxSystem
import ScanModel
import Testing

@Suite struct RecordingWriterTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func writer(
        _ name: String, replacing: Bool = false, _ change: (inout RecordingLimits) -> Void = { _ in }
    ) throws -> RecordingWriter {
        var limits = RecordingLimits()
        change(&limits)
        return RecordingWriter(
            try RecordingDestination(folder.path(name)), limits: limits, replacing: replacing)
    }

    // MARK: - What is in the files

    @Test func jpegFramesAreKeptByteForByteWithALineForEach() throws {
        let frames = try (0..<3).map { try jpeg(UInt8(10 + 10 * $0)) }
        let writer = try writer("clip.mjpeg")
        #expect(try writer.appendJPEGs(0..<3) == nil)
        #expect(folder.holds(frames[0] + frames[1] + frames[2], "clip.mjpeg"))
        let (first, second) = (frames[0].count, frames[1].count)
        #expect(
            folder.text("clip.mjpeg.times") == """
                # datascand frames 1: number monotonic-ns time offset bytes sequence
                0 7000000000 2026-11-30T09:26:36.087Z 0 \(first) 0
                1 7040000000 2026-11-30T09:26:36.127Z \(first) \(second) 1
                2 7080000000 2026-11-30T09:26:36.167Z \(first + second) \(frames[2].count) 2

                """)
        #expect(writer.tally.frames == 3)
        #expect(writer.tally.duration == .milliseconds(80))
        #expect(
            writer.tally.bytes == folder.bytes("clip.mjpeg").count + folder.bytes("clip.mjpeg.times").count)
    }

    @Test func aDirectoryHoldsOneFileAFrameThatSorts() throws {
        let writer = try writer("shots")
        #expect(try writer.appendJPEGs(0..<2) == nil)
        try writer.describe(Array(#"{"a":1}"#.utf8))
        try writer.describe(Array(#"{"a":2}"#.utf8))
        #expect(try folder.names("shots") == ["000000.jpg", "000001.jpg", "frames.times", "recording.json"])
        #expect(folder.text("shots/recording.json") == #"{"a":2}"#)
        #expect(folder.holds(try jpeg(20), "shots/000001.jpg"))
        #expect(
            folder.text("shots/frames.times").hasSuffix(
                "1 7040000000 2026-11-30T09:26:36.127Z 0 \(try jpeg(20).count) 1\n"))
    }

    @Test func rawFramesBecomeLumaInAPGMOrAY4M() throws {
        let shots = try writer("shots")
        #expect(try shots.append(grey(77, 0)) == nil)
        let pixels = [UInt8](repeating: 77, count: 32 * 16)
        #expect(folder.holds(Array("P5\n32 16\n255\n".utf8) + pixels, "shots/000000.pgm"))

        let film = try writer("film.y4m")
        film.interval = FrameInterval(1, 25)
        #expect(try film.append(grey(77, 0)) == nil)
        #expect(try film.append(grey(78, 1)) == nil)
        let header = Array("YUV4MPEG2 W32 H16 F25:1 Ip A0:0 Cmono\nFRAME\n".utf8)
        let second = Array("FRAME\n".utf8) + [UInt8](repeating: 78, count: 32 * 16)
        #expect(folder.holds(header + pixels + second, "film.y4m"))
        #expect(
            folder.text("film.y4m.times").hasSuffix(" \(header.count + pixels.count + 6) \(pixels.count) 1\n"))
    }

    @Test func lumaIsMadeOfEachKindOfRawFormatAndOfPaddedRows() throws {
        // Two pixels of luma 77 a sample, and 4 bytes behind each row of 32.
        let rows = (0..<16).flatMap { _ in
            [UInt8](repeating: 0, count: 16).flatMap { _ in [77, 128, 77, 128] } + [1, 2, 3, 4]
        }
        var yuyv = picture(0, rows.map { UInt8($0) }, format: .yuyv)
        yuyv.bytesPerLine = 68
        let planes = [UInt8](repeating: 77, count: 512) + [UInt8](repeating: 128, count: 256)
        var converted = picture(0, [UInt8](repeating: 77, count: 32 * 16 * 3), format: try #require(FourCC("RGB3")))
        converted.bytesPerLine = 96
        var yu12 = picture(0, planes, format: .yu12)
        yu12.bytesPerLine = 32
        for (name, frame) in [("yuyv", yuyv), ("yu12", yu12), ("rgb", converted)] {
            #expect(try writer(name).append(frame) == nil)
            #expect(
                folder.holds(Array("P5\n32 16\n255\n".utf8) + [UInt8](repeating: 77, count: 512), name + "/000000.pgm"),
                "\(name)")
        }
        let error = #expect(throws: RecordingError.self) {
            try writer("h264").append(picture(0, [1, 2, 3], format: try #require(FourCC("H264"))))
        }
        #expect(error?.description.contains("H264") == true)
    }

    @Test func aRawFrameThatIsCutIsLeftOutAndCounted() throws {
        let writer = try writer("shots")
        #expect(try writer.append(grey(77, 0)) == nil)
        #expect(try writer.append(picture(1, [1, 2, 3], format: .grey)) == nil)
        #expect(try writer.append(grey(78, 2)) == nil)
        #expect(writer.tally.frames == 2 && writer.tally.damaged == 1)
        #expect(folder.text("shots/frames.times").hasSuffix(" 2\n"))
    }

    // MARK: - Ends

    @Test func itEndsAtEachLimit() throws {
        let frames = try writer("frames.mjpeg") { $0.frames = 3 }
        #expect(try frames.appendJPEGs(0..<9) == .frames)
        #expect(frames.tally.frames == 3)

        // At 25/s, frame 25 is the first of the second second.
        let seconds = try writer("seconds.mjpeg") { $0.duration = .seconds(1) }
        for number in 0..<25 { #expect(try seconds.append(picture(number, jpeg(9))) == nil) }
        #expect(try seconds.append(picture(25, jpeg(9))) == .duration)
        #expect(seconds.tally.frames == 25)

        let size = try writer("size.mjpeg") { $0.bytes = 2000 }
        #expect(try size.appendJPEGs(0..<20) == .size)
        #expect(size.tally.frames > 0 && size.tally.bytes <= 2000)
        #expect(size.tally.bytes == folder.bytes("size.mjpeg").count + folder.bytes("size.mjpeg.times").count)
        // The end stays.
        let before = folder.bytes("size.mjpeg").count
        #expect(try size.append(picture(21, [0xFF, 0xD8])) == .size)
        #expect(folder.bytes("size.mjpeg").count == before)
    }

    @Test func anotherFormatOrSizeIsAnEnd() throws {
        let writer = try writer("clip.mjpeg")
        #expect(try writer.append(picture(0, jpeg(9))) == nil)
        let other = try picture(1, jpeg(9, width: 64, height: 48), width: 64, height: 48)
        #expect(try writer.append(other) == .formatChanged("32x16 MJPG to 64x48 MJPG"))
        #expect(writer.tally.frames == 1)
    }

    // MARK: - What does not fit

    @Test func aFileTakesOnlyWhatItIsFor() throws {
        let yuyv = picture(0, [UInt8](repeating: 1, count: 1024), format: .grey)
        for (name, frame, advice) in [
            ("raw.mjpeg", yuyv, "--format MJPG"), ("jpeg.y4m", picture(0, try jpeg(9)), "FILE.mjpeg or a directory"),
        ] {
            let error = #expect(throws: RecordingError.self) { try writer(name).append(frame) }
            #expect(error?.kind == .unsuitableFormat)
            #expect(error?.description.contains(advice) == true && error?.description.contains(name) == true)
            #expect(!FileManager.default.fileExists(atPath: folder.path(name)))
        }
        #expect(throws: RecordingError.self) { try RecordingDestination("clip.avi") }
        #expect(try RecordingDestination("a.MJPG").kind == .mjpeg)
        #expect(try RecordingDestination("2026-11-30").kind == .directory)
    }

    @Test func nothingIsOverwrittenUnlessAsked() throws {
        try folder.put([1], "clip.mjpeg")
        try folder.put([1], "side.mjpeg.times")
        mkdir(folder.path("shots"), 0o755)
        try folder.put([1], "shots/notes.txt")
        try folder.put([1], "file")
        for name in ["clip.mjpeg", "side.mjpeg", "shots", "file"] {
            let destination = try RecordingDestination(folder.path(name))
            let error = #expect(throws: RecordingError.self) { try destination.check(replacing: false) }
            #expect(error?.kind == .exists && error?.description.contains(folder.path(name)) == true)
        }
        // Whoever did not check is stopped by the writer.
        #expect(throws: RecordingError.self) { try writer("clip.mjpeg").appendJPEGs(0..<1) }
        #expect(folder.bytes("clip.mjpeg") == [1])
        try RecordingDestination(folder.path("new")).check(replacing: false)
        mkdir(folder.path("empty"), 0o755)
        try RecordingDestination(folder.path("empty")).check(replacing: false)
    }

    @Test func replacingRemovesTheFormerRecordingAndNothingElse() throws {
        let long = try writer("shots")
        try long.appendJPEGs(0..<5)
        try long.describe([1])
        for name in ["notes.txt", "label.jpg", ".000009.jpg.4711.part", "00001.jpg"] {
            try folder.put([1], "shots/" + name)
        }
        let destination = try RecordingDestination(folder.path("shots"))
        try destination.check(replacing: true)
        try writer("shots", replacing: true).appendJPEGs(0..<1)
        #expect(
            try folder.names("shots") == ["000000.jpg", "00001.jpg", "frames.times", "label.jpg", "notes.txt"])

        try writer("clip.mjpeg").appendJPEGs(0..<5)
        try writer("clip.mjpeg", replacing: true).appendJPEGs(0..<1)
        #expect(folder.holds(try jpeg(10), "clip.mjpeg"))
        #expect(folder.text("clip.mjpeg.times").split(separator: "\n").count == 2)
    }

    // MARK: - Nothing to write

    @Test(arguments: ["clip.mjpeg", "shots", "film.y4m"]) func withoutAFrameNothingIsLeft(name: String) throws {
        let frame = name == "film.y4m" ? grey(9, 0) : picture(0, try jpeg(9))
        let small = try writer(name) { $0.bytes = 100 }
        #expect(try small.append(frame) == .size)
        try small.describe([1])
        #expect(small.tally.frames == 0)
        #expect(try folder.names() == [])
        try RecordingDestination(folder.path(name)).check(replacing: false)

        let damaged = try writer(name)
        #expect(try damaged.append(picture(0, [], format: frame.format)) == nil)
        #expect(damaged.tally.damaged == 1)
        #expect(try folder.names() == [])
    }

    @Test func aDirectoryThatWasThereStaysWhenNothingIsWritten() throws {
        mkdir(folder.path("shots"), 0o755)
        #expect(try writer("shots") { $0.bytes = 100 }.appendJPEGs(0..<1) == .size)
        #expect(try folder.names("shots") == [])
    }

    @Test(arguments: ["clip.mjpeg", "shots", "film.y4m"])
    func aRecordingMakesWayOnlyForAFirstFrame(name: String) throws {
        func frame(_ number: Int) throws -> OwnedPicture {
            name == "film.y4m" ? grey(9, number) : picture(number, try jpeg(9))
        }
        let old = try writer(name)
        for number in 0..<3 { #expect(try old.append(frame(number)) == nil) }
        try old.describe([1])
        func everything() throws -> [String: [UInt8]] {
            let names = name == "shots" ? try folder.names(name).map { name + "/" + $0 } : try folder.names()
            return Dictionary(uniqueKeysWithValues: names.map { ($0, folder.bytes($0)) })
        }
        let before = try everything()
        #expect(try writer(name, replacing: true) { $0.bytes = 100 }.append(frame(0)) == .size)
        #expect(try everything() == before)

        let new = try writer(name, replacing: true)
        #expect(try everything() == before)
        #expect(try new.append(frame(0)) == nil)
        #expect(try everything().count == 2)
        let times = name == "shots" ? "shots/frames.times" : name + ".times"
        #expect(folder.text(times).split(separator: "\n").count == 2)
        #expect(try new.append(frame(1)) == nil)
        #expect(new.tally.bytes == (try everything()).values.map(\.count).reduce(0, +))
    }

    /// As when two begin at the same time, and both had found nothing there.
    @Test(arguments: ["clip.mjpeg", "shots"]) func whatCameMeanwhileIsNotOverwritten(name: String) throws {
        let (first, second) = (try writer(name), try writer(name))
        try first.appendJPEGs(0..<2)
        #expect(throws: RecordingError.self) { try second.appendJPEGs(0..<1) }
        try first.appendJPEGs(2..<3)
        let frames = try (0..<3).map { try jpeg(UInt8(10 + 10 * $0)) }
        if name == "shots" {
            #expect(try folder.names(name) == ["000000.jpg", "000001.jpg", "000002.jpg", "frames.times"])
            #expect(folder.holds(frames[0], "shots/000000.jpg"))
        } else {
            #expect(folder.holds(Array(frames.joined()), name))
        }
    }

    // MARK: - Where it goes

    @Test(arguments: ["missing/clip.mjpeg", "missing/shots", "missing/shots/", "file/clip.mjpeg", "file/shots"])
    func aFolderThatIsNotThereIsFoundBeforeAnythingElse(name: String) throws {
        try folder.put([1], "file")
        let destination = try RecordingDestination(folder.path(name))
        for replacing in [false, true] {
            let error = #expect(throws: RecordingError.self) { try destination.check(replacing: replacing) }
            let parent = folder.path(String(name.prefix { $0 != "/" }))
            #expect(error?.subject == parent && error?.kind == .unusable, "\(String(describing: error))")
        }
    }

    @Test(
        .enabled(if: geteuid() != 0, "root may write anywhere"), arguments: ["locked/clip.mjpeg", "locked/a", "locked"])
    func aFolderThatMayNotBeWrittenIsFoundBeforeAnythingElse(name: String) throws {
        mkdir(folder.path("locked"), 0o555)
        let error = #expect(throws: RecordingError.self) {
            try RecordingDestination(folder.path(name)).check(replacing: false)
        }
        #expect(error?.description.contains("Permission denied") == true)
    }

    @Test func aNameThatIsTooLongForItsSideFileIsFoundBeforeAnythingElse() throws {
        let name = String(repeating: "a", count: 240) + ".mjpeg"
        #expect(throws: RecordingError.self) { try RecordingDestination(folder.path(name)).check(replacing: false) }
        for path in ["clip.mjpeg", "./shots", "/tmp/clip.mjpeg", "shots//"] {
            try RecordingDestination(path).check(replacing: false)
        }
    }

    @Test func aPipeIsNotWaitedFor() throws {
        mkfifo(folder.path("pipe.mjpeg"), 0o600)
        #expect(throws: RecordingError.self) {
            try RecordingDestination(folder.path("pipe.mjpeg")).check(replacing: true)
        }
        #expect(throws: RecordingError.self) { try writer("pipe.mjpeg", replacing: true).appendJPEGs(0..<1) }
    }
}
