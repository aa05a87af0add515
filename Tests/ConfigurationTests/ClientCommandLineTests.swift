// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Configuration
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

    @Test(arguments: [
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
