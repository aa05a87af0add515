// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Configuration
import LinuxSystem
import Recognition
import ServiceSupport

/// `datascand`: options, graph, run, exit status; nothing is decided here.
@main
struct Program {
    static func main() {
        CurrentProcess.openMissingStandardDescriptors()
        if RecognitionWorker.isRequested(by: CommandLine.arguments) {
            exit(with: RecognitionWorker.run(commandLine: CommandLine.arguments))
        }
        CurrentProcess.ignoreBrokenPipes()
        let logger = Logger(program: "datascand", threshold: .error)
        let output = StandardOutput(logger: logger)
        do throws(UsageError) {
            switch try DaemonCommandLine.parse(Array(CommandLine.arguments.dropFirst())) {
            case .help(let text): output.print(text)
            case .version: output.print("datascand \(ProductVersion.current)\n")
            case .run(let options, _): exit(with: Daemon.run(options).rawValue)
            }
        } catch {
            logger.error("\(error)")
            exit(with: ExitStatus.usage.rawValue)
        }
    }
}
