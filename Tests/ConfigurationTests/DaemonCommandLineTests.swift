// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Configuration
import ScanModel
import Testing

@Suite struct DaemonCommandLineTests {
    private func options(_ arguments: String...) throws -> DaemonOptions {
        guard case .run(let options, _) = try DaemonCommandLine.parse(arguments) else {
            throw UsageError("not a run")
        }
        return options
    }

    private func refusal(_ arguments: String...) -> String {
        do throws(UsageError) {
            _ = try DaemonCommandLine.parse(arguments)
            return ""
        } catch {
            return error.description
        }
    }

    @Test func defaultsAreTheDesigns() throws {
        let options = try options("--source", "clip.mjpeg")
        #expect(options.source == "clip.mjpeg")
        #expect(options.pace == .own)
        #expect(options.hold == 1)
        #expect(options.qualityLevel == .balanced)
        #expect(options.regionOfInterest == .full)
        #expect(options.recognizedDataTypes == [.barcode(), .text(languages: ["eng"])])
        #expect(options.logVerbosity == .info)
        #expect(!options.loops && !options.isMirrored && !options.waitsForSubscriber)
    }

    @Test func everyOptionIsTaken() throws {
        let options = try options(
            "-s", "-", "--rate=max", "--loop", "--hold", "12", "--wait-for-subscriber", "-q", "accurate", "--region",
            "0.25,0,0.5,1", "--rotate", "270", "--mirror", "--types", "barcode:EAN13,qr", "--types", "text",
            "--languages", "kor+eng", "--socket-dir", "here", "--camera", "dock-1", "--log-level", "debug")
        #expect(options.source == "-")
        #expect(options.pace == .unpaced)
        #expect(options.loops && options.isMirrored && options.waitsForSubscriber)
        #expect(options.hold == 12)
        #expect(options.qualityLevel == .accurate)
        #expect(options.regionOfInterest.boundingRect == Rect(x: 0.25, y: 0, width: 0.5, height: 1))
        #expect(options.rotation == 270)
        #expect(
            options.recognizedDataTypes == [.barcode(symbologies: [.ean13, .qr]), .text(languages: ["kor", "eng"])])
        #expect(options.socketDirectory == "here")
        #expect(options.camera == "dock-1")
        #expect(options.logVerbosity == .debug)
    }

    @Test func rulesOfSymbologiesAddUp() throws {
        let rules = try options(
            "--source", "x", "--symbology", "I2of5:lengths=6,10-12:checkDigit=on", "--symbology",
            "code39,Codabar:minLength=4", "--symbology", "Code39:maxLength=8", "--symbology", "I2of5:checkDigit=off"
        ).symbologyRules
        #expect(rules.count == 3)
        #expect(rules[.i2of5]?.lengths == [6, 10, 11, 12])
        #expect(rules[.i2of5]?.requiresCheckDigit == false)
        #expect(rules[.code39]?.minimumLength == 4 && rules[.code39]?.maximumLength == 8)
        #expect(rules[.codabar]?.minimumLength == 4 && rules[.codabar]?.maximumLength == nil)
    }

    @Test(arguments: [
        ("I2of5", "no rule behind the name"), ("I2of6:lengths=6", "no symbology 'I2of6'"),
        ("I2of5:length=6", "no rule 'length'; there are minLength, maxLength, lengths and checkDigit"),
        ("I2of5:lengths", "KEY=VALUE in place of 'lengths'"), ("I2of5:", "KEY=VALUE in place of ''"),
        ("I2of5:lengths=", "such as 6,10-14"), ("I2of5:lengths=14-6", "such as 6,10-14"),
        ("I2of5:lengths=0", "such as 6,10-14"), ("I2of5:lengths=6,-8", "such as 6,10-14"),
        ("I2of5:lengths=1-9999999", "such as 6,10-14"), ("I2of5:minLength=x", "whole number from 1 to 8192"),
        ("I2of5:minLength=9:maxLength=8", "minLength 9 is above maxLength 8"),
        ("I2of5:lengths=6:minLength=7", "no length is left"), ("EAN13:minLength=3", "EAN13 has one length only"),
        ("QR:checkDigit=on", "QR leaves no choice of a check digit; Code39, Codabar, I2of5 do"),
        ("Code39:checkDigit=yes", "expected on or off"),
    ])
    func aRuleThatCanNotBeFollowedIsRefused(rule: String, part: String) {
        let message = refusal("--source", "x", "--symbology", rule)
        #expect(message.contains(part), "\(message)")
        #expect(message.hasPrefix("--symbology '\(rule)': "))
    }

    @Test func cameraIsSetByItsOptions() throws {
        let options = try options(
            "--source", "auto", "--size", "1280x720", "--rate", "15", "--format", "MJPG", "--control",
            "exposure_time_absolute=50", "--control", "power_line_frequency=50 Hz", "--frozen-after", "2.5",
            "--exit-on-camera-loss")
        #expect(options.cameraSettings.width == 1280 && options.cameraSettings.height == 720)
        #expect(options.pace == .framesPerSecond(15))
        #expect(options.cameraSettings.format == "MJPG")
        #expect(
            options.cameraSettings.controls == [
                ControlSetting(name: "exposure_time_absolute", value: "50"),
                ControlSetting(name: "power_line_frequency", value: "50 Hz"),
            ])
        #expect(options.frozenAfter == 2.5 && options.endsWithoutCamera)
    }

    @Test(arguments: [
        (["--source", "x", "--size", "1280"], "expected WIDTHxHEIGHT"),
        (["--source", "x", "--size", "+640x480"], "expected WIDTHxHEIGHT"),
        (["--source", "x", "--size", "8x8"], "each from 16 to 16384"),
        (["--source", "x", "--size", "1280x720x2"], "expected WIDTHxHEIGHT"),
        (["--source", "x", "--format", "MJPEG"], "up to four characters"),
        (["--source", "x", "--control", "=5"], "expected NAME=VALUE"),
        (["--source", "x", "--control", "gain="], "no value behind"),
        (["--source", "x", "--frozen-after", "0"], "seconds from 1"),
        (["--source", ""], "the name is empty"),
        (["--source", "x", "--rate", "0"], "expected frames a second from 0.01 to 1000, or max"),
        (["--source", "x", "--rate", "nan"], "expected frames a second"),
        (["--source", "x", "--hold", "0"], "expected a whole number from 1"),
        (["--source", "x", "--quality", "best"], "expected one of fast, balanced, accurate"),
        (["--source", "x", "--region", "0.5,0.5,0.6,0.1"], "inside it and not empty"),
        (["--source", "x", "--region", "0,0,0,1"], "inside it and not empty"),
        (["--source", "x", "--region", "0,0,nan,1"], "inside it and not empty"),
        (["--source", "x", "--rotate", "45"], "expected 0, 90, 180 or 270"),
        (
            ["--source", "x", "--types", "barcode:EAN99"],
            "no symbology 'EAN99'; did you mean EAN13? known are EAN13 EAN8"
        ),
        (["--source", "x", "--types", "barcode:QR,datamatrx"], "no symbology 'datamatrx'; did you mean DataMatrix?"),
        (["--source", "x", "--types", "barcode:EAN-13"], "no symbology 'EAN-13'; did you mean EAN13?"),
        (["--source", "x", "--types", "barcode:Pharmacode"], "no symbology 'Pharmacode'; known are EAN13"),
        (["--source", "x", "--types", "barcode:"], "no symbology ''; known are EAN13"),
        (["--source", "x", "--types", "colour"], "expected barcode, barcode:SYMBOLOGY,... or text"),
        (["--source", "x", "--languages", "../eng"], "expected Tesseract's names"),
        (["--source", "x", "--languages", "eng,"], "expected Tesseract's names"),
        (["--source", "x", "--camera", "../a"], "expected letters"),
        (["--source", "x", "--sorce", "y"], "there is no option --sorce; did you mean --source?"),
        (["--frobnicate"], "'datascand --help' lists what there is"),
        (["--source"], "missing argument"),
        (["clip.mjpeg"], "name the source with --source 'clip.mjpeg'"),
        (["watch"], "'watch' is a verb of datascan"),
        (["items", "--camera", "dock"], "'items' is a verb of datascan"),
        (["status"], "'datascan status'"),
        (["--source", "x", "--region", "0,0,0.0009,1"], "at least 0.001"),
        (["--source", "x", "--region", "0.1,0.1 0.9,0.9"], "a polygon of 3 to 32 corners, not 2"),
        (["--source", "x", "--region", "0,0 1,0 1,2"], "expected corners X,Y in 0...1 of the picture"),
        (["--source", "x", "--region", "0,0 1,0 1,x"], "not 1,x"),
        (["--source", "x", "--region", "0,0 1,0 nan,1"], "not nan,1"),
        (["--source", "x", "--region", "0,0 1,1 1,0 0,1"], "whose edges do not cross or touch"),
        (["--source", "x", "--region", "0,0 0.0009,0 0,1"], "at least 0.001"),
        (["--source", "x", "--region", "0,0,0.5,1;"], "X,Y,WIDTH,HEIGHT in 0...1"),
        (["--source", "x"] + (0..<33).flatMap { _ in ["--region", "0,0,0.5,1"] }, "32 parts of a region at the most"),
        (["--source", "x", "--region", "0,0,1,1e-300"], "at least 0.001"),
        ([], "no source of frames"),
    ])
    func whatCanNotBeFollowedSaysWhy(arguments: [String], part: String) {
        do throws(UsageError) {
            _ = try DaemonCommandLine.parse(arguments)
            Issue.record("\(arguments) was taken")
        } catch {
            #expect(error.description.contains(part), "\(error)")
        }
    }

    @Test func aRegionIsPolygonsAndRectanglesTogether() throws {
        let triangle = try options("--source", "x", "--region", " 0.1,0.1  0.9,0.1 0.5,0.9 ").regionOfInterest
        #expect(triangle.polygons == [[Point(x: 0.1, y: 0.1), Point(x: 0.9, y: 0.1), Point(x: 0.5, y: 0.9)]])
        let both = try options("--source", "x", "--region", "0,0,0.2,1; 0.5,0.1 0.9,0.1 0.7,0.9").regionOfInterest
        #expect(both.contains(Point(x: 0.1, y: 0.9)) && both.contains(Point(x: 0.7, y: 0.5)))
        #expect(!both.contains(Point(x: 0.3, y: 0.5)))
        let twice = try options("--source", "x", "--region", "0,0,0.2,1", "--region", "0.5,0.1 0.9,0.1 0.7,0.9")
        #expect(twice.regionOfInterest == both)
        // All of the picture and a part of it are all of it.
        #expect(try options("--source", "x", "--region", "0,0,1,1", "--region", "0,0,0.5,1").regionOfInterest == .full)
    }

    @Test func theSmallestRegionIsTaken() throws {
        #expect(try options("--source", "x", "--region", "0.5,0.5,0.001,0.001").regionOfInterest != .full)
    }

    @Test func helpNamesEveryOption() throws {
        guard case .help(let text) = try DaemonCommandLine.parse(["--help"]) else {
            Issue.record("no help")
            return
        }
        for name in [
            "source", "rate", "loop", "hold", "wait-for-subscriber", "quality", "region", "rotate", "mirror", "types",
            "languages", "socket-dir", "camera", "log-level", "help", "version",
        ] {
            #expect(text.contains("--\(name)"), "--\(name)")
        }
        #expect(text.hasPrefix("Usage: datascand --source SOURCE [OPTION...]"))
    }

    @Test func versionIsAsked() throws {
        guard case .version = try DaemonCommandLine.parse(["--version"]) else {
            Issue.record("no version")
            return
        }
    }
}
