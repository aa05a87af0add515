// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import CPopt
internal import ScanModel

/// One option of a command line, and what it does to the options struct.
public struct CommandLineOption<Options>: Sendable {
    let name: String
    let letter: Character?
    /// The name of the argument in the help text; `nil` for an option without one.
    let argumentName: String?
    let help: String
    let apply: @Sendable (inout Options, String) throws(UsageError) -> Void

    /// An option with an argument.
    public init(
        _ name: String, letter: Character? = nil, argument argumentName: String, help: String,
        apply: @escaping @Sendable (inout Options, String) throws(UsageError) -> Void
    ) {
        self.name = name
        self.letter = letter
        self.argumentName = argumentName
        self.help = help
        self.apply = apply
    }

    /// An option that is there or not.
    public init(
        flag name: String, letter: Character? = nil, help: String,
        apply: @escaping @Sendable (inout Options) -> Void
    ) {
        self.name = name
        self.letter = letter
        argumentName = nil
        self.help = help
        self.apply = { (options, _) throws(UsageError) in apply(&options) }
    }
}

/// What a command line asks for.
public enum CommandLineRequest<Options: Sendable>: Sendable {
    /// To run with these options; `rest` holds the arguments that are no options.
    case run(Options, rest: [String])
    /// To print this help and end with 0.
    case help(String)
    /// To print the version and end with 0.
    case version
}

/// A program's or a verb's options, parsed by popt.
///
/// popt is re-entrant and writes the help text from the same table that parses, so the two can not disagree.
public struct OptionTable<Options: Sendable>: Sendable {
    let program: String
    /// What stands behind the program's name in the help text's first line.
    let synopsis: String
    let options: [CommandLineOption<Options>]
    /// Whether parsing ends at the first argument that is no option (a verb follows).
    let stopsAtVerb: Bool

    public init(
        program: String, synopsis: String, options: [CommandLineOption<Options>], stopsAtVerb: Bool = false
    ) {
        self.program = program
        self.synopsis = synopsis
        self.options = options
        self.stopsAtVerb = stopsAtVerb
    }

    /// Applies the arguments (without the program's name) to `defaults`.
    public func parse(
        _ arguments: [String], defaults: Options
    ) throws(UsageError) -> CommandLineRequest<Options> {
        let context = PoptContext(table: self, arguments: arguments)
        var result = defaults
        var isHelp = false
        var isVersion = false
        while let step = context.next() {
            switch step {
            case .help: isHelp = true
            case .version: isVersion = true
            case .option(let index, let argument):
                let option = options[index]
                do throws(UsageError) {
                    try option.apply(&result, argument)
                } catch {
                    throw UsageError("--\(option.name) '\(argument)': \(error)")
                }
            case .failure(let name, let reason): throw UsageError(explain(name, reason))
            }
        }
        if isHelp { return .help(context.help()) }
        if isVersion { return .version }
        return .run(result, rest: context.rest())
    }

    private func explain(_ name: String, _ reason: String) -> String {
        guard reason.contains("unknown") else { return "\(name): \(reason); see '\(program) --help'" }
        let wanted = String(name.drop { $0 == "-" }.prefix { $0 != "=" })
        let known = options.map(\.name) + ["help", "version"]
        let nearest = known.min { editDistance($0, wanted) < editDistance($1, wanted) }
        if let nearest, editDistance(nearest, wanted) <= 2 {
            return "there is no option \(name); did you mean --\(nearest)?"
        }
        return "there is no option \(name); '\(program) --help' lists what there is"
    }
}
