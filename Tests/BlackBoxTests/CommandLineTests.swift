// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Foundation
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
        (["--source", "x", "--types", "barcode:MaxiCode"], 78, "MaxiCode"),
    ])
    func refusalsSayWhyAndHowItEnds(arguments: [String], status: Int32, part: String) throws {
        let folder = try TemporaryFolder()
        let result = try run(
            Programs.datascand,
            arguments.contains("--socket-dir") ? arguments : arguments + ["--socket-dir", folder.path])
        #expect(result.status == status, "\(result.errors)")
        #expect(result.errors.contains(part), "\(result.errors)")
        #expect(result.output.isEmpty)
        #expect(result.errors.split(separator: "\n").count <= 2, "\(result.errors)")
    }

    @Test func clientsSayThatNobodyIsThere() throws {
        let folder = try TemporaryFolder()
        for verb in ["watch", "items", "status"] {
            let result = try run(Programs.datascan, [verb, "--socket-dir", folder.path])
            #expect(result.status == 69)
            #expect(result.errors.contains(folder.path), "\(result.errors)")
        }
        #expect(try run(Programs.datascan, ["wacth"]).status == 64)
    }

    @Test(arguments: [">/dev/full", ">&-"])
    func outputThatIsLostIsNoSuccess(redirection: String) throws {
        let folder = try TemporaryFolder()
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
        let folder = try TemporaryFolder()
        for line in ["<&-", "<&- >&-", "0>/dev/null"] {
            let result = try shell("\(Programs.datascand) --source - --socket-dir \(folder.path) \(line)", limit: 10)
            #expect(result.status == 66, "\(line): \(result.status) \(result.errors)")
            #expect(result.errors.contains("standard input: it is closed"), "\(line): \(result.errors)")
        }
    }
}
