// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Capture
import Configuration
import DataScanner
import ScanModel
import ScanProtocol
import ServiceSupport

/// `datascan analyze`: what still pictures show, without a daemon.
struct Analyze {
    private let session: Session
    private let logger: Logger

    init(_ session: Session, logger: Logger) {
        self.session = session
        self.logger = logger
    }

    /// Prints what each picture shows; says in the end whether all could be read.
    func run() throws -> ExitStatus {
        let options = session.options
        let logger = logger
        let analyzer = try ImageAnalyzer(
            configuration: ImageAnalyzerConfiguration(
                recognizedDataTypes: options.recognizedDataTypes, qualityLevel: options.qualityLevel,
                regionOfInterest: options.regionOfInterest, symbologyRules: options.symbologyRules,
                recognition: .workers(executable: nil),
                onNotice: { if case .workerLost(let how) = $0 { logger.warning(how) } }))
        var unreadable = 0
        func show(_ line: AnalysisLine) {
            if line.error != nil { unreadable += 1 }
            print(line)
        }
        // In one run as far as may be, so that the next picture is decoded while one is looked at.
        var waiting: [StillPicture] = []
        func flush() {
            analyzer.analyze(waiting) { show(line($0, $1)) }
            waiting = []
        }
        for operand in options.operands {
            do throws(ReplayError) {
                waiting += operand == "-" ? [.standardInput] : try StillPicture.all(at: operand)
            } catch {
                flush()
                show(AnalysisLine(file: operand, error: error.reason))
            }
        }
        flush()
        return unreadable == 0 ? .success : .noInput
    }

    private func line(
        _ picture: StillPicture, _ result: Result<ImageAnalysis, StillPictureError>
    ) -> AnalysisLine {
        switch result {
        case .failure(let error): AnalysisLine(file: picture.name, error: error.description)
        case .success(let analysis):
            AnalysisLine(
                file: picture.name, width: analysis.width, height: analysis.height,
                milliseconds: analysis.cpuTime.inSeconds * 1000, items: analysis.items,
                error: analysis.problems.isEmpty ? nil : analysis.problems.joined(separator: "; "))
        }
    }

    private func print(_ line: AnalysisLine) {
        let output = session.output
        guard session.format == .text else { return output.print(String(decoding: line.encoded, as: UTF8.self)) }
        output.print(AnalysisTable.text(line))
    }
}
