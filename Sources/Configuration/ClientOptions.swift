// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// How `datascan` prints what it gets.
public enum OutputFormat: String, Sendable, Hashable, CaseIterable {
    /// For people: a readable line an event.
    case text
    /// For programs: JSON, a line a message.
    case json
}

/// What all verbs of `datascan` can be told.
public struct ClientOptions: Sendable, Hashable {
    /// Where the sockets are; `nil` for the runtime directory of the user or the system.
    public var socketDirectory: String?
    /// The instance of the daemon, when no directory is named.
    public var camera = "default"
    /// `nil`: text on a terminal, JSON otherwise.
    public var format: OutputFormat?
    /// Seconds to wait for the daemon to come up.
    public var waitSeconds = 0

    public init() {}
}

/// A verb of `datascan`.
public enum ClientVerb: String, Sendable, Hashable, CaseIterable {
    case watch
    case items
    case status

    /// One sentence for the help text.
    public var summary: String {
        switch self {
        case .watch: "print what appears, changes and goes, as it happens"
        case .items: "print what is in view now"
        case .status: "print how the daemon is doing"
        }
    }
}

/// The command line of `datascan`.
public enum ClientCommandLine {
    /// What a command line of `datascan` asks for.
    public enum Request: Sendable {
        case run(ClientVerb, ClientOptions)
        case help(String)
        case version
    }

    /// Reads the arguments, without the program's name.
    public static func parse(_ arguments: [String]) throws(UsageError) -> Request {
        let outer = OptionTable<ClientOptions>(
            program: "datascan", synopsis: "VERB [OPTION...]", options: [], stopsAtVerb: true)
        switch try outer.parse(arguments, defaults: ClientOptions()) {
        case .help(let text): return .help(text + verbs)
        case .version: return .version
        case .run(_, let rest):
            guard let word = rest.first else {
                throw UsageError("no verb; 'datascan --help' lists what there is")
            }
            guard let verb = ClientVerb(rawValue: word) else {
                let nearest = ClientVerb.allCases.min {
                    editDistance($0.rawValue, word) < editDistance($1.rawValue, word)
                }
                let hint = nearest.map { editDistance($0.rawValue, word) <= 2 ? "; did you mean \($0.rawValue)?" : "" }
                throw UsageError(
                    "there is no verb '\(word)'" + (hint ?? "") + "; 'datascan --help' lists what there is")
            }
            return try parse(verb, Array(rest.dropFirst()))
        }
    }

    private static func parse(_ verb: ClientVerb, _ arguments: [String]) throws(UsageError) -> Request {
        let table = OptionTable<ClientOptions>(
            program: "datascan \(verb.rawValue)", synopsis: "[OPTION...]", options: options)
        switch try table.parse(arguments, defaults: ClientOptions()) {
        case .help(let text): return .help(text)
        case .version: return .version
        case .run(let options, let rest):
            if let word = rest.first { throw UsageError("'\(word)' is no option of datascan \(verb.rawValue)") }
            return .run(verb, options)
        }
    }

    private static let options: [CommandLineOption<ClientOptions>] = [
        .init("socket-dir", argument: "DIR", help: "the directory of events.sock and control.sock") {
            (options, text) throws(UsageError) in options.socketDirectory = try OptionValue.directory(text)
        },
        .init("camera", argument: "NAME", help: "the daemon's instance, when no directory is named (default)") {
            (options, text) throws(UsageError) in options.camera = try OptionValue.cameraName(text)
        },
        .init(flag: "json", help: "print JSON, a line a message (the default when the output is no terminal)") {
            $0.format = .json
        },
        .init("format", argument: "FORMAT", help: "text or json") {
            (options, text) throws(UsageError) in options.format = try OptionValue.choice(text)
        },
        .init("wait", argument: "SECONDS", help: "wait so long for the daemon to come up (0)") {
            (options, text) throws(UsageError) in options.waitSeconds = try OptionValue.integer(text, in: 0...86400)
        },
    ]

    private static var verbs: String {
        "\nVerbs:\n" + ClientVerb.allCases.map { "  \($0.rawValue)".padded(to: 12) + $0.summary + "\n" }.joined()
            + "\n'datascan VERB --help' lists a verb's options.\n"
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(1, width - count))
    }
}
