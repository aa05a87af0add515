// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ScanModel

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

    /// A camera's device or link, or `auto`; `nil`: by the verb.
    public var source: String?
    /// How the camera is opened, where the verb opens one.
    public var cameraSettings = CameraSettings()
    /// Where a recording ends; `nil` frames: without limit.
    public var recordSeconds = 60
    public var recordFrames: Int?
    public var recordMebibytes = 1024
    /// Whether a recording may write over one that is there.
    public var overwrites = false

    public var qualityLevel: QualityLevel = .balanced
    public var regionOfInterest: RegionOfInterest = .full
    var isRegionGiven = false
    /// What is looked for in still pictures; empty until something is named.
    public var types: [RecognizedDataType] = []
    /// Tesseract's language names in order of preference; empty until some are named.
    public var languages: [String] = []
    /// What barcodes of a symbology must be like.
    public var symbologyRules: [Symbology: SymbologyRule] = [:]
    /// Arguments that are no options: a recording's path, controls, pictures.
    public var operands: [String] = []

    public init() {}

    /// What is looked for in still pictures: barcodes, unless something else is named. Who names languages wants text too.
    public var recognizedDataTypes: [RecognizedDataType] {
        let otherwise: [RecognizedDataType] = languages.isEmpty ? [.barcode()] : [.barcode(), .text()]
        return (types.isEmpty ? otherwise : types).map {
            if case .text(let own) = $0, own.isEmpty {
                return .text(languages: languages.isEmpty ? ["eng"] : languages)
            }
            return $0
        }
    }
}

extension ClientOptions: ScanningConfigurable {}

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
            program: "datascan \(verb.rawValue)", synopsis: verb.synopsis, options: verb.options)
        switch try table.parse(arguments, defaults: ClientOptions()) {
        case .help(let text): return .help(text)
        case .version: return .version
        case .run(var options, let rest):
            if rest.count > verb.operands.upperBound {
                throw UsageError("'\(rest[verb.operands.upperBound])' is no option of datascan \(verb.rawValue)")
            }
            if rest.count < verb.operands.lowerBound {
                throw UsageError("something is missing; datascan \(verb.rawValue) \(verb.synopsis)")
            }
            options.operands = rest
            return .run(verb, options)
        }
    }

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
