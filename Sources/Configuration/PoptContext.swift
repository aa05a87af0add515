// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import CPopt
internal import Glibc

/// Owns one popt context and all strings that it points to.
///
/// - Important: Confined to the thread that made it; the strings live as long as the context.
final class PoptContext {
    enum Step {
        case option(index: Int, argument: String)
        case help
        case version
        case failure(name: String, reason: String)
    }

    private static let helpValue: Int32 = 100_001
    private static let versionValue: Int32 = 100_002

    private var strings: [UnsafeMutablePointer<CChar>] = []
    private let entries: UnsafeMutablePointer<popt_entry>
    private let arguments: UnsafeMutablePointer<UnsafePointer<CChar>?>
    private let context: poptContext?

    init<Options>(table: OptionTable<Options>, arguments words: [String]) {
        var strings: [UnsafeMutablePointer<CChar>] = []
        func keep(_ text: String) -> UnsafePointer<CChar>? {
            guard let copy = strdup(text) else { return nil }
            strings.append(copy)
            return UnsafePointer(copy)
        }

        entries = .allocate(capacity: table.options.count + 3)
        for (index, option) in table.options.enumerated() {
            let letter = option.letter?.asciiValue.map { CChar($0) } ?? 0
            let kind = option.argumentName == nil ? POPT_ARG_NONE : POPT_ARG_STRING
            (entries + index).initialize(
                to: popt_entry(
                    longName: keep(option.name), shortName: letter, argInfo: UInt32(kind), arg: nil,
                    val: Int32(index + 1), descrip: keep(option.help), argDescrip: option.argumentName.flatMap(keep)))
        }
        let extra: [(String, CChar, Int32, String)] = [
            ("help", CChar(UInt8(ascii: "h")), Self.helpValue, "print this help and end"),
            ("version", CChar(UInt8(ascii: "V")), Self.versionValue, "print the version and end"),
        ]
        for (offset, (name, letter, value, help)) in extra.enumerated() {
            (entries + table.options.count + offset).initialize(
                to: popt_entry(
                    longName: keep(name), shortName: letter, argInfo: UInt32(POPT_ARG_NONE), arg: nil, val: value,
                    descrip: keep(help), argDescrip: nil))
        }
        (entries + table.options.count + 2).initialize(to: popt_entry())

        let all = [table.program] + words
        arguments = .allocate(capacity: all.count + 1)
        for (index, word) in all.enumerated() { (arguments + index).initialize(to: keep(word)) }
        (arguments + all.count).initialize(to: nil)
        let flags = table.stopsAtVerb ? UInt32(POPT_CONTEXT_POSIXMEHARDER) : 0
        context = poptGetContext(keep(table.program), Int32(all.count), arguments, entries, flags)
        if let context { poptSetOtherOptionHelp(context, keep(table.synopsis)) }
        self.strings = strings
    }

    deinit {
        if let context { poptFreeContext(context) }
        entries.deallocate()
        arguments.deallocate()
        for string in strings { free(string) }
    }

    /// The next option; `nil` at the end.
    func next() -> Step? {
        let value = poptGetNextOpt(context)
        switch value {
        case -1: return nil
        case Self.helpValue: return .help
        case Self.versionValue: return .version
        case ..<(-1):
            let name = poptBadOption(context, UInt32(POPT_BADOPTION_NOALIAS)).map { String(cString: $0) } ?? "?"
            return .failure(name: name, reason: poptStrerror(value).map { String(cString: $0) } ?? "not understood")
        default:
            guard let argument = poptGetOptArg(context) else { return .option(index: Int(value) - 1, argument: "") }
            defer { free(argument) }
            return .option(index: Int(value) - 1, argument: String(cString: argument))
        }
    }

    /// The arguments that are no options.
    func rest() -> [String] {
        guard var pointer = poptGetArgs(context) else { return [] }
        var words: [String] = []
        while let word = pointer.pointee {
            words.append(String(cString: word))
            pointer += 1
        }
        return words
    }

    /// The help text that popt makes of the table.
    func help() -> String {
        var buffer: UnsafeMutablePointer<CChar>?
        var size = 0
        // popt prints to a FILE only.
        guard let stream = open_memstream(&buffer, &size) else { return "" }
        poptPrintHelp(context, stream, 0)
        fclose(stream)
        guard let buffer else { return "" }
        defer { free(buffer) }
        return String(cString: buffer)
    }
}
