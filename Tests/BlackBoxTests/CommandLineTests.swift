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
}
