// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// A verb of `datascan`.
public enum ClientVerb: String, Sendable, Hashable, CaseIterable {
    case watch
    case items
    case status
    case cameras
    case controls
    case record
    case analyze

    /// One sentence for the help text.
    public var summary: String {
        switch self {
        case .watch: "print what appears, changes and goes, as it happens"
        case .items: "print what is in view now"
        case .status: "print how the daemon is doing"
        case .cameras: "list the cameras of this machine, what they can and who has them"
        case .controls: "list, show or set a camera's controls (exposure, focus, ...)"
        case .record: "write what the camera sees to a file or a directory"
        case .analyze: "print what still pictures show, without a daemon"
        }
    }

    /// What stands behind the verb in the help text's first line.
    var synopsis: String {
        switch self {
        case .watch, .items, .status, .cameras: "[OPTION...]"
        case .controls: "[OPTION...] [NAME[=VALUE]...]"
        case .record: "[OPTION...] FILE.mjpeg|FILE.y4m|DIR"
        case .analyze: "[OPTION...] FILE|DIR|-..."
        }
    }

    /// How many arguments that are no options the verb takes.
    var operands: ClosedRange<Int> {
        switch self {
        case .watch, .items, .status, .cameras: 0...0
        case .controls: 0...64
        case .record: 1...1
        case .analyze: 1...1_000_000
        }
    }

    var options: [CommandLineOption<ClientOptions>] {
        switch self {
        case .watch, .items, .status: ClientOptions.connection + ClientOptions.output
        case .cameras: ClientOptions.output
        case .controls: [ClientOptions.source("the first camera")] + ClientOptions.output
        case .record:
            [ClientOptions.source("the daemon's, through the daemon")] + ClientOptions.recording
                + ClientOptions.connection + [ClientOptions.json]
        case .analyze:
            [.quality] + CommandLineOption.contents("barcode; with --languages, text as well") + [.region]
                + ClientOptions.output
        }
    }
}

extension ClientOptions {
    static let connection: [CommandLineOption<ClientOptions>] = [
        .init("socket-dir", argument: "DIR", help: "the directory of events.sock and control.sock") {
            (options, text) throws(UsageError) in options.socketDirectory = try OptionValue.directory(text)
        },
        .init("camera", argument: "NAME", help: "the daemon's instance, when no directory is named (default)") {
            (options, text) throws(UsageError) in options.camera = try OptionValue.cameraName(text)
        },
        .init("wait", argument: "SECONDS", help: "wait so long for the daemon or the camera to come up (0)") {
            (options, text) throws(UsageError) in options.waitSeconds = try OptionValue.integer(text, in: 0...86400)
        },
    ]

    static let json = CommandLineOption<ClientOptions>(
        flag: "json", help: "print JSON (the default when the output is no terminal)"
    ) { $0.format = .json }

    static let output: [CommandLineOption<ClientOptions>] = [
        json,
        .init("format", argument: "FORMAT", help: "text or json") {
            (options, text) throws(UsageError) in options.format = try OptionValue.choice(text)
        },
    ]

    static func source(_ otherwise: String) -> CommandLineOption<ClientOptions> {
        .init("source", letter: "s", argument: "DEVICE", help: "a camera's device or link, or auto (\(otherwise))") {
            (options, text) throws(UsageError) in
            if text.isEmpty { throw UsageError("the name is empty") }
            options.source = text
        }
    }

    static let recording: [CommandLineOption<ClientOptions>] =
        CommandLineOption.camera + [
            .init("rate", argument: "N", help: "frames a second to ask the camera for (its mode's)") {
                (options, text) throws(UsageError) in options.cameraSettings.rate = try OptionValue.frameRate(text)
            },
            .init("seconds", argument: "N", help: "end after so many seconds (60)") {
                (options, text) throws(UsageError) in
                options.recordSeconds = try OptionValue.integer(text, in: 1...86_400)
            },
            .init("frames", argument: "N", help: "end after so many frames") {
                (options, text) throws(UsageError) in
                options.recordFrames = try OptionValue.integer(text, in: 1...10_000_000)
            },
            .init("max-size", argument: "MIB", help: "end before the recording is larger (1024)") {
                (options, text) throws(UsageError) in
                options.recordMebibytes = try OptionValue.integer(text, in: 1...1_048_576)
            },
            .init(flag: "force", help: "write over a recording that is there") { $0.overwrites = true },
        ]
}
