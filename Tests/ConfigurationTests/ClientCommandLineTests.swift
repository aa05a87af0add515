// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Configuration
import ScanModel
import Testing

@Suite struct ClientCommandLineTests {
    @Test func verbTakesItsOptions() throws {
        guard
            case .run(let verb, let options) = try ClientCommandLine.parse([
                "watch", "--socket-dir", "d", "--format", "text", "--wait", "5",
            ])
        else {
            Issue.record("not a run")
            return
        }
        #expect(verb == .watch)
        #expect(options.socketDirectory == "d")
        #expect(options.format == .text)
        #expect(options.waitSeconds == 5)
    }

    @Test func jsonIsAFormat() throws {
        guard case .run(.status, let options) = try ClientCommandLine.parse(["status", "--json"]) else {
            Issue.record("not a run")
            return
        }
        #expect(options.format == .json)
    }

    @Test func recordingTakesItsPathItsLimitsAndTheCamera() throws {
        guard
            case .run(.record, let options) = try ClientCommandLine.parse([
                "record", "out.mjpeg", "--source", "auto", "--size", "640x480", "--format", "YUYV", "--seconds", "5",
                "--frames", "100", "--max-size", "10", "--force", "--json",
            ])
        else {
            Issue.record("not a run")
            return
        }
        #expect(options.operands == ["out.mjpeg"])
        #expect(options.source == "auto")
        #expect(options.cameraSettings.format == "YUYV")
        #expect(options.recordSeconds == 5 && options.recordFrames == 100 && options.recordMebibytes == 10)
        #expect(options.overwrites && options.format == .json)
    }

    @Test func analyzingTakesPicturesAndWhatToLookFor() throws {
        guard
            case .run(.analyze, let options) = try ClientCommandLine.parse([
                "analyze", "a.png", "-", "--quality", "accurate", "--types", "barcode:QR", "-t", "text", "--languages",
                "kor", "--region", "0,0,0.5,1", "--symbology", "Code39:checkDigit=on", "--json", "--", "--odd.png",
            ])
        else {
            Issue.record("not a run")
            return
        }
        #expect(options.operands == ["a.png", "-", "--odd.png"])
        #expect(options.qualityLevel == .accurate && options.format == .json)
        #expect(options.recognizedDataTypes == [.barcode(symbologies: [.qr]), .text(languages: ["kor"])])
        #expect(options.regionOfInterest.boundingRect.width == 0.5)
        #expect(options.symbologyRules[.code39]?.requiresCheckDigit == true)
    }

    @Test func barcodesAreLookedForAndTextWhereItsLanguageIsNamed() throws {
        var options = ClientOptions()
        #expect(options.recognizedDataTypes == [.barcode()])
        options.languages = ["deu"]
        #expect(options.recognizedDataTypes == [.barcode(), .text(languages: ["deu"])])
        options.languages = []
        options.types = [.text()]
        #expect(options.recognizedDataTypes == [.text(languages: ["eng"])])
    }

    @Test func controlsTakesNamesAndValues() throws {
        guard case .run(.controls, let options) = try ClientCommandLine.parse(["controls", "gain", "focus_auto=0"])
        else {
            Issue.record("not a run")
            return
        }
        #expect(options.operands == ["gain", "focus_auto=0"])
        #expect(options.source == nil)
    }

    @Test(arguments: [
        (["analyze"], "analyze [OPTION...] FILE|DIR|-"), (["record"], "record [OPTION...] FILE.mjpeg"),
        (["record", "a", "b"], "'b' is no option"),
        (["cameras", "here"], "'here' is no option of datascan cameras"),
        (["wacth"], "did you mean watch?"), ([], "no verb"), (["--json", "watch"], "there is no option --json"),
        (["items", "here"], "'here' is no option of datascan items"), (["status", "--format", "xml"], "text, json"),
    ])
    func refusalSaysWhy(arguments: [String], part: String) {
        do throws(UsageError) {
            _ = try ClientCommandLine.parse(arguments)
            Issue.record("\(arguments) was taken")
        } catch {
            #expect(error.description.contains(part), "\(error)")
        }
    }

    @Test func helpListsTheVerbs() throws {
        guard case .help(let text) = try ClientCommandLine.parse(["--help"]) else {
            Issue.record("no help")
            return
        }
        for verb in ClientVerb.allCases { #expect(text.contains("  \(verb.rawValue) ")) }
    }
}
