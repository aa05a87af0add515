// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Configuration
import LinuxSystem
import Recognition
import ScanClient
import ServiceSupport

/// `datascan`: the command line's verb, its client, its exit status.
@main
struct Program {
    static func main() {
        CurrentProcess.openMissingStandardDescriptors()
        if RecognitionWorker.isRequested(by: CommandLine.arguments) {
            exit(with: RecognitionWorker.run(commandLine: CommandLine.arguments))
        }
        CurrentProcess.ignoreBrokenPipes()
        let logger = Logger(program: "datascan", threshold: .info, isJournal: false)
        let output = StandardOutput(logger: logger)
        do throws(UsageError) {
            switch try ClientCommandLine.parse(Array(CommandLine.arguments.dropFirst())) {
            case .help(let text): output.print(text)
            case .version: output.print("datascan \(ProductVersion.current)\n")
            case .run(let verb, let options): exit(with: run(verb, Session(options, output: output), logger).rawValue)
            }
        } catch {
            logger.error("\(error)")
            exit(with: ExitStatus.usage.rawValue)
        }
    }

    private static func run(_ verb: ClientVerb, _ session: Session, _ logger: Logger) -> ExitStatus {
        do {
            switch verb {
            case .watch: try Watch(session).run()
            case .items: try Items.run(session)
            case .status: try Status.run(session)
            case .cameras: Cameras.run(session)
            case .controls: try Controls.run(session)
            case .record: try Record(session).run()
            case .analyze: return try Analyze(session, logger: logger).run()
            }
            return .success
        } catch {
            let failure = ProgramFailure(error)
            logger.error(failure.message)
            return failure.status
        }
    }
}
