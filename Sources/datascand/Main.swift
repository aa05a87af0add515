// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Configuration
import Recognition
import ServiceSupport

/// `datascand`: options, graph, run, exit status; nothing is decided here.
@main
struct Program {
    static func main() {
        if RecognitionWorker.isRequested(by: CommandLine.arguments) {
            exit(with: RecognitionWorker.run(commandLine: CommandLine.arguments))
        }
        do throws(UsageError) {
            switch try DaemonCommandLine.parse(Array(CommandLine.arguments.dropFirst())) {
            case .help(let text): writeAll(text, to: 1)
            case .version: writeAll("datascand \(ProductVersion.current)\n", to: 1)
            case .run(let options, _): exit(with: Daemon.run(options).rawValue)
            }
        } catch {
            Logger(program: "datascand", threshold: .error).error("\(error)")
            exit(with: ExitStatus.usage.rawValue)
        }
    }
}
