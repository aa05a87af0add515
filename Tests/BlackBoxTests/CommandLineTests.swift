// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Foundation
import ScanTestSupport
import Testing

@Suite struct CommandLineTests {
    @Test func helpAndVersionEndWell() throws {
        for program in [Programs.datascand, Programs.datascan] {
            let help = try run(program, ["--help"])
            #expect(help.status == 0)
            #expect(help.output.hasPrefix("Usage: "))
            #expect(help.errors.isEmpty)
            let version = try run(program, ["--version"])
            #expect(version.status == 0)
            #expect(version.output.range(of: #"^datascand? \d+\.\d+\.\d+\n$"#, options: .regularExpression) != nil)
        }
    }

    @Test(arguments: [
        (["--quality", "best", "--source", "x"], Int32(64), "expected one of fast, balanced, accurate"),
        ([], 64, "no source of frames"),
        (["--source", "/nonexistent/clip.mjpeg"], 66, "/nonexistent/clip.mjpeg: no such file or directory"),
        (["--source", "/dev/null"], 66, "/dev/null"),
        (["--source", "/", "--socket-dir", "/proc/1/nowhere"], 66, "named like a picture"),
        (["--source", "x", "--types", "text", "--languages", "tlh"], 78, "tesseract-ocr-tlh"),
        (["--source", "x", "--types", "barcode:GS1DataBarLimited"], 78, "GS1DataBarLimited"),
    ])
    func refusalsSayWhyAndHowItEnds(arguments: [String], status: Int32, part: String) throws {
        let folder = try TemporaryDirectory()
        let result = try run(
            Programs.datascand,
            arguments.contains("--socket-dir") ? arguments : arguments + ["--socket-dir", folder.path])
        #expect(result.status == status, "\(result.errors)")
        #expect(result.errors.contains(part), "\(result.errors)")
        #expect(result.output.isEmpty)
        #expect(result.errors.split(separator: "\n").count <= 2, "\(result.errors)")
    }

    @Test func clientsSayThatNobodyIsThere() throws {
        let folder = try TemporaryDirectory()
        for verb in ["watch", "items", "status"] {
            let result = try run(Programs.datascan, [verb, "--socket-dir", folder.path])
            #expect(result.status == 69)
            #expect(result.errors.contains(folder.path), "\(result.errors)")
        }
        #expect(try run(Programs.datascan, ["wacth"]).status == 64)
    }

    @Test func aCameraThatIsNotThereIsWaitedForUnlessToldOtherwise() throws {
        let source = ["--source", "/dev/v4l/by-id/no-such-camera", "--types", "barcode"]
        let waiting = try Daemon(source)
        let status = try waiting.waitForStatus(within: 30) { $0["sourceUnavailable"] != nil }
        let reason = try #require(status["sourceUnavailable"] as? [String: Any])
        #expect(reason["code"] as? String == "cameraLost")
        #expect((reason["message"] as? String)?.contains("no-such-camera is not there") == true)
        let folder = try TemporaryDirectory()
        let ended = try run(
            Programs.datascand, source + ["--exit-on-camera-loss", "--socket-dir", folder.path], limit: 30)
        #expect(ended.status == 69)
        #expect(ended.errors.contains("no-such-camera is not there"), "\(ended.errors)")
    }

    @Test(arguments: [
        (["--source", "/dev/null"], "/dev/null is no camera"),
        (["--source", "auto", "--rate", "max"], "--rate max is for a replay"),
        (["--source", "auto", "--loop"], "--loop is for a replay"),
        (["--source", "clip.mjpeg", "--control", "gain=5"], "--control is for a camera"),
    ])
    func optionsOfTheOtherKindOfSourceAreRefused(arguments: [String], part: String) throws {
        let folder = try TemporaryDirectory()
        let result = try run(Programs.datascand, arguments + ["--socket-dir", folder.path], limit: 30)
        #expect(result.status == 64 || result.status == 66)
        #expect(result.errors.contains(part), "\(result.errors)")
    }

    @Test func camerasAreListedWhereThereAreNone() throws {
        let list = try run(Programs.datascan, ["cameras", "--json"])
        #expect(list.status == 0 && list.errors.isEmpty, "\(list.errors)")
        #expect(list.output.hasPrefix("[") && list.output.hasSuffix("]\n"))
        let words = try run(Programs.datascan, ["cameras", "--format", "text"])
        #expect(words.status == 0)
        if list.output == "[]\n" { #expect(words.output.hasPrefix("no camera is there\n")) }
    }

    @Test(arguments: ["/dev/null", "/dev/video87654", "/", "/etc/passwd"])
    func whatIsNoCameraHasNoControls(source: String) throws {
        for operand in [[], ["brightness"], ["brightness=1"]] {
            let result = try run(Programs.datascan, ["controls", "--source", source] + operand)
            #expect(result.status == 66, "\(result.errors)")
            #expect(result.errors.contains("\(source)") && result.errors.contains("no camera"), "\(result.errors)")
            #expect(result.output.isEmpty)
        }
    }

    @Test(arguments: [">/dev/full", ">&-"])
    func outputThatIsLostIsNoSuccess(redirection: String) throws {
        let folder = try TemporaryDirectory()
        try Pictures.write(try Pictures.shelf(), to: folder.path + "/shelf.pgm")
        let daemon = try Daemon(["--source", folder.path + "/shelf.pgm", "--loop", "--types", "barcode"])
        let place = "--socket-dir \(daemon.folder.path)"
        for line in [
            "\(Programs.datascand) --help", "\(Programs.datascand) --version", "\(Programs.datascan) --help",
            "\(Programs.datascan) --version", "\(Programs.datascan) items \(place)",
            "\(Programs.datascan) items --format text \(place)", "\(Programs.datascan) status \(place)",
            "\(Programs.datascan) watch \(place)", "\(Programs.datascan) watch --format text \(place)",
        ] {
            let result = try shell("\(line) \(redirection)")
            #expect(result.status == 74, "\(line): \(result.status) \(result.errors)")
            #expect(result.errors.contains("standard output can not be written"), "\(line): \(result.errors)")
        }
    }

    @Test func aReaderThatHasGoneIsNoFault() throws {
        for program in [Programs.datascand, Programs.datascan] {
            // The reader is gone before the program starts.
            let result = try shell("{ sleep 0.3; \(program) --help; echo $? >&2; } | true; sleep 0.6")
            #expect(result.errors == "0\n", "\(result.errors)")
        }
    }

    @Test func closedStandardInputIsNoVideo() throws {
        let folder = try TemporaryDirectory()
        for line in ["<&-", "<&- >&-", "0>/dev/null"] {
            let result = try shell("\(Programs.datascand) --source - --socket-dir \(folder.path) \(line)", limit: 10)
            #expect(result.status == 66, "\(line): \(result.status) \(result.errors)")
            #expect(result.errors.contains("standard input: it is closed"), "\(line): \(result.errors)")
        }
    }

    @Test func aSourceWithoutAFrameIsNoSuccess() throws {
        let folder = try TemporaryDirectory()
        func put(_ name: String, _ bytes: [UInt8]) throws -> String {
            let path = folder.path + "/" + name
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            return path
        }
        let header = Array("YUV4MPEG2 W4 H4 F25:1 Cmono\n".utf8)
        let frame = Array("FRAME\n".utf8) + [UInt8](repeating: 9, count: 16)
        let pictures = folder.path + "/pictures"
        try FileManager.default.createDirectory(atPath: pictures, withIntermediateDirectories: false)
        for name in ["1.png", "2.png"] { _ = try put("pictures/" + name, [1, 2, 3]) }
        let only = try put("headeronly.y4m", header)
        let cases: [(source: String, options: [String], input: [UInt8]?, part: String)] = [
            (only, [], nil, "before the first frame"), (only, ["--loop"], nil, "before the first frame"),
            (only, ["--rate", "max"], nil, "before the first frame"), ("-", [], header, "before the first frame"),
            (pictures, [], nil, "none of its 2 pictures could be read; the last one, \(pictures)/2.png: "),
            (pictures + "/1.png", [], nil, "its only picture could not be read: "),
            ("-", [], [], "its only picture could not be read: it ended before the first byte"),
            // It gave a frame: what follows is only skipped.
            (try put("cut.y4m", header + frame + Array("WHAT\n".utf8)), [], nil, "ended after 1 frame, 1 skipped"),
        ]
        for (source, options, input, part) in cases {
            let result = try run(
                Programs.datascand, ["--source", source, "--socket-dir", folder.path] + options, input: input, limit: 20
            )
            #expect(
                result.status == (part.contains("after 1 frame,") ? 0 : 66), "\(source) \(options): \(result.errors)")
            #expect(result.errors.contains(part), "\(source) \(options): \(result.errors)")
        }
    }
}
