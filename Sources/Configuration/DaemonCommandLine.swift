// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ScanModel

/// The command line of `datascand`.
public enum DaemonCommandLine {
    /// Reads the arguments, without the program's name.
    public static func parse(_ arguments: [String]) throws(UsageError) -> CommandLineRequest<DaemonOptions> {
        let request = try table.parse(arguments, defaults: DaemonOptions())
        guard case .run(let options, let rest) = request else { return request }
        if let word = rest.first {
            if ClientVerb(rawValue: word) != nil {
                throw UsageError("'\(word)' is a verb of datascan: 'datascan \(word)' asks a daemon that runs")
            }
            throw UsageError("'\(word)' is no option; name the source with --source '\(word)'")
        }
        guard options.source != nil else {
            throw UsageError(
                "no source of frames; with --source, name a camera (auto, /dev/v4l/by-id/..., /dev/video0), a picture, a "
                    + "directory of pictures, an MJPEG or Y4M file, or - for a stream on standard input")
        }
        return request
    }

    private static let table = OptionTable<DaemonOptions>(
        program: "datascand", synopsis: "--source SOURCE [OPTION...]",
        options: [source, rate] + CommandLineOption.camera + [frozenAfter, endsWithoutCamera] + replay + scanning
            + service)

    private static let source = CommandLineOption<DaemonOptions>(
        "source", letter: "s", argument: "SOURCE",
        help:
            "a camera (auto for the first one, a device or a link to it), a picture, a directory of pictures, an "
            + "MJPEG or Y4M file, or - (MJPEG or Y4M on standard input)"
    ) {
        (options, text) throws(UsageError) in
        if text.isEmpty { throw UsageError("the name is empty") }
        options.source = text
    }

    private static let rate = CommandLineOption<DaemonOptions>(
        "rate", argument: "N|max",
        help:
            "frames a second to ask a camera for (by the quality level), or of a replay (its own, else 30); max: as fast "
            + "as the scanner takes it, none dropped"
    ) {
        (options, text) throws(UsageError) in options.pace = try pace(text)
    }

    private static let frozenAfter = CommandLineOption<DaemonOptions>(
        "frozen-after", argument: "SECONDS",
        help: "take a camera whose picture does not change at all for so long as hanging (never)"
    ) {
        (options, text) throws(UsageError) in
        guard let seconds = Double(text), (1...86_400).contains(seconds) else {
            throw UsageError("expected seconds from 1 to 86400")
        }
        options.frozenAfter = seconds
    }

    private static let endsWithoutCamera = CommandLineOption<DaemonOptions>(
        flag: "exit-on-camera-loss",
        help: "end with status 69 when the camera is gone, for containers in which its node never comes back"
    ) { $0.endsWithoutCamera = true }

    private static let replay: [CommandLineOption<DaemonOptions>] = [
        .init(flag: "loop", help: "start the replay again at its end") { $0.loops = true },
        .init("hold", argument: "N", help: "show each picture of a replay for N frames (1)") {
            (options, text) throws(UsageError) in
            options.hold = try OptionValue.integer(text, in: 1...1_000_000)
        },
        .init(flag: "wait-for-subscriber", help: "start the replay with the first subscriber") {
            $0.waitsForSubscriber = true
        },
    ]

    private static let scanning: [CommandLineOption<DaemonOptions>] =
        [
            .quality, .region,
            .init("rotate", argument: "DEGREES", help: "turn the picture clockwise by 90, 180 or 270 degrees (0)") {
                (options, text) throws(UsageError) in
                guard let degrees = Int(text), [0, 90, 180, 270].contains(degrees) else {
                    throw UsageError("expected 0, 90, 180 or 270")
                }
                options.rotation = degrees
            },
            .init(flag: "mirror", help: "mirror the picture left to right, after the turn") { $0.isMirrored = true },
        ] + CommandLineOption.contents("barcode and text")

    private static let service: [CommandLineOption<DaemonOptions>] = [
        .init("socket-dir", argument: "DIR", help: "make events.sock and control.sock in DIR") {
            (options, text) throws(UsageError) in options.socketDirectory = try OptionValue.directory(text)
        },
        .init("camera", argument: "NAME", help: "name of this instance, part of the sockets' path (default)") {
            (options, text) throws(UsageError) in options.camera = try OptionValue.cameraName(text)
        },
        .init("log-level", argument: "LEVEL", help: "error, warning, info or debug (info)") {
            (options, text) throws(UsageError) in options.logVerbosity = try OptionValue.choice(text)
        },
    ]

    private static func pace(_ text: String) throws(UsageError) -> ReplayPace {
        if text == "max" { return .unpaced }
        do throws(UsageError) {
            return .framesPerSecond(try OptionValue.frameRate(text))
        } catch {
            throw UsageError("\(error), or max")
        }
    }
}
